internal import AccessLogs
internal import ArgumentParser
internal import LinkAuditing
internal import Reporting
internal import UniversalLinks

/// Explains codes.
struct ExplainCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain codes of mistakes, findings and delivery problems.",
    usage: "linkaudit explain [<options>] [<code> ...]",
    discussion: """
      Prints for each code when linkaudit reports it, why it matters, what to do, and an \
      example, if there is one. Without a code, lists the codes of 'lint', 'report', 'diff' \
      and 'fetch'.

      EXAMPLES
        linkaudit explain
        linkaudit explain same-host-links trailing-comma
        linkaudit explain --kind delivery
        linkaudit explain --format json
      """
  )

  @Argument(
    help: ArgumentHelp("Explain these codes. (default: list all codes)", valueName: "code"),
    completion: .list(Array(Set(DiagnosticCatalog.all.kinds.map(\.code))).sorted()))
  var codes: [String] = []

  @Option(help: "List codes of this kind only.")
  var kind: DiagnosticCatalog.Origin?

  @Option(name: [.customShort("f"), .long], help: "Write this format.")
  var format: CodeExplanation.Format = .text

  @OptionGroup
  var styleOptions: StyleOptions

  func check() throws { _ = try explanation() }

  func run() throws { try explanation().write(format, to: OutputFile(nil), styleOptions) }

  private func explanation() throws -> CodeExplanation {
    let groups = DiagnosticCatalog.all.groups.filter { kind == nil || $0.origin == kind }
    return try .checked(codes, in: DiagnosticCatalog(groups))
  }
}

extension CodeExplanation.Format: ExpressibleByArgument {}

extension CodeExplanation {
  /// Explains codes, or lists all; an unknown one is wrong usage.
  static func checked(
    _ codes: [String], in catalog: DiagnosticCatalog
  ) throws -> CodeExplanation {
    do throws(UnknownCode) {
      return try CodeExplanation(of: codes, in: catalog)
    } catch {
      throw ValidationError(error.description)
    }
  }

  /// Writes the answer in a format.
  func write(_ format: Format, to file: OutputFile, _ options: StyleOptions) throws {
    try file.write { try write(format, style: options.style(for: file), to: $0) }
  }
}
