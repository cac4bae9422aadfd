internal import LinkAuditCommand

/// The executable: everything it does is in the library, which tests can use.
@main
enum Main {
  static func main() { runLinkAudit() }
}
