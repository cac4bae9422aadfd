internal import ArgumentParser
internal import Foundations
internal import Reporting
internal import UniversalLinks
internal import WarehouseQueries

struct CompileCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "compile",
    abstract: "Write rules as SQL, for logs in a data warehouse.",
    usage: "linkaudit compile <aasa> --dialect <dialect> --host <host> [<options>]",
    discussion: """
      Prints an SQL expression over the column 'url'. Its value is the verdict of 'linkaudit \
      match': claimed, excluded, unclaimed or ineligible. URLs of other hosts than '--host' are \
      ineligible.

      OUTPUTS
        verdict   the expression of the verdict
        rule      an expression of the decision in JSON, as 'linkaudit match
                  --format ndjson' prints it: the verdict, and for each app its
                  verdict, entry and rule
        function  statements that create both as functions

      EXAMPLES
        linkaudit compile aasa.json --dialect duckdb --host www.example.com
        linkaudit compile aasa.json --dialect clickhouse --host '*.example.com' \\
            --column 'concat(scheme, host, target)'
        linkaudit compile aasa.json --dialect bigquery --host www.example.com \\
            --output function -o rules.sql
        linkaudit compile aasa.json --dialect trino --host www.example.com --os ios12

      EXIT STATUS
        0   done
        2   the file could not be read, or SQL cannot express a rule exactly
        64  wrong usage
      """)

  enum Output: String, CaseIterable, ExpressibleByArgument {
    case verdict, rule, function
  }

  @Argument(
    help: .rare("Read the association file from this file; '-' for standard input.", "aasa"),
    completion: .file())
  var associationFile: String

  @Option(help: .usual("Write this dialect of SQL; 'athena' is an alias of 'trino'."))
  var dialect: WarehouseDialect

  @Option(
    help: .usual("Name the host of the file, or all as '*.example.com'.", "host"),
    transform: HostArgument.pattern)
  var host: String

  @Option(help: .usual("Judge as iOS 12 and earlier, or 13 and later.", "generation"))
  var os: OperatingSystem = .current

  @Option(help: .usual("Write the verdict, the rule, or functions for both.", "kind"))
  var output: Output = .verdict

  @Option(help: .usual("Read this column or expression. (default: url)", "column"))
  var column: String?

  @Flag(help: .usual("Also write inexact rules, which claim too few URLs."))
  var allowInexact = false

  @Option(
    name: [.customShort("o"), .customLong("file")],
    help: .usual("Write to this file; '-' for standard output.", "file"), completion: .file())
  var file: String?

  func check() throws {
    if let file, let kind = Output(argument: file) {
      throw ValidationError(
        "'-o \(file)' names a file; for that kind of output, use '--output \(kind.rawValue)', or for the "
          + "file, '-o ./\(file.inCommand)'.")
    }
    try refuse(
      if: column != nil && output == .function,
      "'--column' needs '--output verdict' or '--output rule'.")
  }

  func run() throws {
    let loaded = try [SiteOptions.Definition(host: host, path: associationFile)].load()[0]
    try OutputFile.check([OutputFile.Place("-o", file)], among: [associationFile])
    let query: RuleQuery
    do throws(RuleQuery.TooLong) {
      query = try RuleQuery(loaded.file.asRead(by: os), host: host, dialect: dialect)
    } catch {
      throw Complaint(
        "\(name): its patterns have more than \(RuleQuery.sizeLimit >> 20) MiB as regular expressions, "
          + "or one has more than \(RuleQuery.expressionSizeLimit >> 20) MiB; shorten the values of variables, "
          + "or use fewer rules")
    }
    try check(query.inexactRules)
    try OutputFile(file).write(Self.comment(on: query.inexactRules) + text(query) + "\n")
  }

  private var name: String { associationFile == "-" ? "standard input" : associationFile }

  private func text(_ query: RuleQuery) -> String {
    switch output {
    case .verdict: query.verdict(of: column ?? "url")
    case .rule: query.decision(of: column ?? "url")
    case .function: query.functions()
    }
  }

  private func check(_ rules: [InexactRule]) throws {
    guard !rules.isEmpty else { return }
    for rule in rules {
      warn(
        "\(name): \(rule.id.path): '\(rule.pattern)' can have more than \(LinkMatcher.levelLimit) "
          + "stars and variables, including those in values, depending on the URL; SQL cannot count "
          + "them")
    }
    guard !allowInexact else { return }
    throw Complaint(
      "\(name): SQL cannot express these rules exactly; with '--allow-inexact', they claim no URL, or "
        + "exclude every URL that they might exclude")
  }

  private static func comment(on rules: [InexactRule]) -> String {
    rules.map { rule in
      let path = rule.id.path.replacing("*/", with: "* /").replacing("/*", with: "/ *")
      let effect = rule.excludes ? "excludes every URL that it might exclude" : "claims no URL"
      return "/* Not exact: \(SafeText.escaped(path)) \(effect). */\n"
    }.joined()
  }
}

extension WarehouseDialect: ExpressibleByArgument {
  init?(argument: String) { self.init(rawValue: argument == "athena" ? "trino" : argument) }
}

extension RuleID {
  /// The place of the rule in its file, such as `details[0].components[3]`.
  fileprivate var path: String {
    let details =
      switch entry {
      case .index(let index): "details[\(index)]"
      case .key(let key): "details[\"\(key)\"]"
      case .apps: "apps"
      }
    return details + (position.map { ".\(list.rawValue)[\($0)]" } ?? "")
  }
}
