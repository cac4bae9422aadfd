internal import AccessLogs
internal import ArgumentParser
internal import FileDelivery
internal import LinkAuditing
internal import UniversalLinks

extension DiagnosticCatalog {
  /// All kinds of problems that linkaudit reports.
  static let all = lint + findings + delivery
}

/// The answer of `linkaudit explain`: a list of codes, or explanations of some.
struct CodeExplanation {
  /// The formats of the answer.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text
    case json
    case markdown
  }

  /// The kinds that are listed or explained.
  let groups: [DiagnosticCatalog.Group]

  /// Whether single codes were asked for, so that text explains rather than lists.
  let isSelective: Bool

  /// Selects codes.
  ///
  /// - Parameters:
  ///   - codes: The codes to explain; all are listed if there are none.
  ///   - catalog: The codes that exist.
  /// - Throws: `ValidationError` if a code doesn't exist.
  init(of codes: [String], in catalog: DiagnosticCatalog) throws {
    let known = catalog.kinds.map(\.code)
    for code in codes where !known.contains(code) {
      let nearest = NearestName.find(code, among: known).map { "Did you mean '\($0)'?" }
      throw ValidationError(
        "'\(code)' is not a known code. \(nearest ?? "'linkaudit explain' lists them all.")")
    }
    isSelective = !codes.isEmpty
    groups = catalog.groups.compactMap { group in
      let kinds = group.kinds.filter { codes.isEmpty || codes.contains($0.code) }
      return kinds.isEmpty ? nil : DiagnosticCatalog.Group(group.origin, group.title, kinds)
    }
  }

  /// Writes the answer.
  func write(_ format: Format, to file: OutputFile) throws {
    try BrokenPipe.isNoError {
      switch format {
      case .text: try file.write(text(Style(isTerminal: file.isTerminal)))
      case .json: try file.write(writeJSON)
      case .markdown: try file.write(markdown)
      }
    }
  }

  /// The codes as JSON, schema `linkaudit.codes/1`.
  private func writeJSON(to sink: @escaping OutputFile.Sink) throws {
    var json = JSONWriter(.lines, to: sink)
    let codes = groups.flatMap { group in group.kinds.map { (group.origin, $0) } }
    json.object { json in
      json.member("schema", "linkaudit.codes/1")
      json.member("codes", objects: codes) { json, code in
        let (origin, kind) = code
        json.member("code", kind.code)
        json.member("kind", origin.rawValue)
        json.member("severity", kind.severity.rawValue)
        json.member("title", kind.title.withoutCodeMarks)
        json.member("meaning", kind.meaning.withoutCodeMarks)
        json.member("remedy", kind.remedy.withoutCodeMarks)
        json.member("example", kind.example?.text)
      }
    }
    try json.finish()
  }
}

extension DiagnosticCatalog.Origin {
  /// The heading of all its groups.
  var title: String {
    switch self {
    case .lint: "Lint"
    case .finding: "Findings"
    case .delivery: "Delivery"
    }
  }
}

extension String {
  /// The text with quotes in place of Markdown's marks of code; severities need neither.
  var withoutCodeMarks: String {
    var text = self
    for severity in Severity.allCases {
      text = text.replacing("`\(severity.rawValue)`", with: severity.rawValue)
    }
    return text.replacing("`", with: "'")
  }
}
