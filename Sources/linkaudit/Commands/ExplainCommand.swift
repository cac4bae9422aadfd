internal import AccessLogs
internal import ArgumentParser
internal import LinkAuditing
internal import Reporting
internal import UniversalLinks

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
    help: .rare("Explain these codes. (default: list all codes)", "code"),
    completion: .list(Array(Set(DiagnosticCatalog.all.kinds.map(\.code))).sorted()))
  var codes: [String] = []

  @Option(help: "List codes of this kind only.")
  var kind: DiagnosticCatalog.Origin?

  @Option(name: [.customShort("f"), .long], help: "Write this format.")
  var format: CodeExplanation.Format = .text

  @OptionGroup var styleOptions: StyleOptions

  func check() throws { _ = try explanation() }

  func run() throws {
    let file = OutputFile(nil)
    try file.write { try explanation().write(format, style: styleOptions.style(for: file), to: $0) }
  }

  private func explanation() throws -> CodeExplanation {
    let groups = DiagnosticCatalog.all.groups.filter { kind == nil || $0.origin == kind }
    let catalog = DiagnosticCatalog(groups)
    let known = catalog.kinds.map(\.code)
    for code in codes where !known.contains(code) {
      // The name of a cause is a part of a code: of 'cause-mail', or of 'same-host-links'.
      let whole = known.first { $0.hasSuffix("-" + code) || $0.hasPrefix(code + "-") }
      let nearest = (known.nearest(to: code) ?? whole).map { "Did you mean '\($0)'?" }
      throw ValidationError(
        "'\(code)' is not a known code. \(nearest ?? "'linkaudit explain' lists all codes.")")
    }
    return CodeExplanation(of: codes, in: catalog)
  }
}

extension CodeExplanation.Format: ExpressibleByArgument {}
