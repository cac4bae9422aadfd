internal import UniversalLinks

extension [LintedFile] {
  /// Writes the mistakes as one JSON document, schema `linkaudit.lint/1`.
  package func writeJSON(to sink: @escaping OutputSink) throws {
    try JSONWriter.document(Self.jsonSchema, of: self, TableColumn.members, to: sink)
  }

  static let jsonSchema = "linkaudit.lint/1"
}

extension TableColumn where Row == [LintedFile] {
  static let members: [TableColumn] = [
    .objects("files", named: "file", "The files", TableColumn<LintedFile>.members) { $0 }
  ]
}

/// A diagnostic, the text that it is about, and its fix.
typealias LintRow = (diagnostic: LintDiagnostic, source: LintSource, fix: LintFix?)

extension TableColumn where Row == LintedFile {
  static let members: [TableColumn] =
    [
      .text("path", "The path as given; `-` for standard input") { $0.path },
      .texts("hosts", "The hosts of the file, if they are known") { $0.hosts },
      .truth("signed", "Whether positions refer to the signed JSON inside the file") {
        $0.isSigned
      },
    ]
    + Severity.allCases.reversed().map { severity in
      .count(severity.rawValue + "s", "The number of diagnostics of that severity") { file in
        file.diagnostics.count { $0.severity == severity }
      }
    } + [
      .objects(
        "diagnostics", named: "diagnostic", "The mistakes, in the order of the text",
        TableColumn<LintRow>.members
      ) { file in
        let source = LintSource(file.text)
        return file.diagnostics.map { ($0, source, file.fix(of: $0)) }
      },
      .objects(
        "rules", named: "rule", "The rules, and whether each can decide a URL on iOS 13 and later",
        TableColumn<RuleReachability.Rule>.members
      ) { $0.rules },
    ]
}

extension TableColumn where Row == LintRow {
  static let members: [TableColumn] = [
    .text("code", "The code, which `linkaudit explain` explains") { $0.diagnostic.code },
    .severity("The severity") { $0.diagnostic.severity },
    TableColumn(
      "known", .truth, "Whether the baseline has it, if there is one", presence: .sometimes
    ) { $0.diagnostic.isKnown.map { .truth($0) } },
    .ordinal("line", "The line, from 1") { $0.diagnostic.start.line },
    .ordinal("column", "The column in that line, from 1, in Unicode scalars") {
      $0.diagnostic.start.column
    },
    .ordinal("endLine", "The line of the end") { $0.diagnostic.end.line },
    .ordinal("endColumn", "The column after the last one of the range") {
      $0.diagnostic.end.column
    },
    .text("message", "The mistake in a sentence or two") { $0.diagnostic.message },
    .text("meaning", "The reason why it matters") { $0.diagnostic.kind.meaning },
    .text("remedy", "The fix") { $0.diagnostic.remedy },
    .optional("text", "The text of the line; none if it is longer than 1,000 bytes") {
      $0.source.line($0.diagnostic.start.line, limit: 1_000)
    },
    .objects(
      "related", named: "related", "Other places concerned",
      TableColumn<LintDiagnostic.Related>.members
    ) {
      $0.diagnostic.related
    },
    .objects(
      "fixes", named: "fix",
      "The edits that fix the mistake; none if a person must decide what to write",
      TableColumn<LintFix>.members
    ) { $0.fix.map { [$0] } ?? [] },
  ]
}

extension TableColumn where Row == LintFix {
  static let members: [TableColumn] = [
    TableColumn(
      "applicability", .choice(LintFix.Applicability.allCases.map(\.rawValue)),
      "`safe` if the verdict of no URL changes, or the file could not be read before; `suggestion` if verdicts change"
    ) { .text($0.applicability.rawValue) },
    .text("title", "The effect of the edits") { $0.title },
    .objects(
      "edits", named: "edit", "The edits, which belong together", TableColumn<LintFix.Edit>.members
    ) { $0.edits },
  ]
}

extension TableColumn where Row == LintFix.Edit {
  static let members: [TableColumn] = [
    .count("start", "The offset in the file of the first byte to replace, from 0") {
      $0.range.lowerBound
    },
    .count("end", "The offset after the last of these bytes") { $0.range.upperBound },
    .text("text", "The text that replaces them") { $0.replacement },
  ]
}

extension TableColumn where Row == LintDiagnostic.Related {
  static let members: [TableColumn] = [
    .ordinal("line", "The line, from 1") { $0.position.line },
    .ordinal("column", "The column in that line, from 1") { $0.position.column },
    .text("message", "The relation of the place to the mistake") { $0.message },
  ]
}

extension TableColumn where Row == RuleReachability.Rule {
  static let members: [TableColumn] = [
    .texts("apps", "The apps that have the rule") { $0.apps.map(\.text) },
    .detail { $0.id.entry },
    TableColumn("rule", .count, "The position of the rule in its list, from 0") {
      .number($0.id.position)
    },
    .text("pattern", "The rule in short") { $0.definition.source },
    .truth("excludes", "Whether the rule excludes what it matches") { $0.definition.excludes },
    .optionalOrdinal("line", "The line at which it begins") { $0.definition.position?.line },
    TableColumn(
      "reach", .choice(["decides", "covered", "matchesNothing", "unknown"]),
      "Whether there is a URL that the rule decides"
    ) { .text($0.reach.name) },
    .optional("example", "A URL that the rule decides") { rule in
      if case .decides(let url) = rule.reach { url } else { nil }
    },
    TableColumn(
      "coveredBy", .list(.count), "The positions of earlier rules that match all its URLs"
    ) { rule in
      if case .covered(let earlier, _) = rule.reach {
        .values(earlier.compactMap(\.position).map(String.init))
      } else {
        .values([])
      }
    },
  ]
}

extension RuleReachability.Reach {
  fileprivate var name: String {
    switch self {
    case .decides: "decides"
    case .covered: "covered"
    case .matchesNothing: "matchesNothing"
    case .unknown: "unknown"
    }
  }
}
