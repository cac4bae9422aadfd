internal import AccessLogs
internal import FileDelivery
internal import LinkAuditing
package import UniversalLinks

extension DiagnosticCatalog {
  /// All kinds of problems that linkaudit reports.
  package static let all = lint + findings + delivery
}

/// The answer of `linkaudit explain`: a list of codes, or explanations of some.
package struct CodeExplanation {
  /// The formats of the answer.
  package enum Format: String, CaseIterable {
    case text
    case json
    case markdown
  }

  /// The kinds that are listed or explained.
  let groups: [DiagnosticCatalog.Group]

  /// Whether codes were named, so that text explains them instead of listing all.
  let isSelective: Bool

  /// A code that doesn't exist.
  package struct UnknownCode: Error, CustomStringConvertible {
    /// The message, with the nearest code.
    package let description: String
  }

  /// Selects codes.
  ///
  /// - Parameters:
  ///   - codes: The codes to explain; all are listed if there are none.
  ///   - catalog: The codes that exist.
  /// - Throws: ``UnknownCode`` if a code doesn't exist.
  package init(of codes: [String], in catalog: DiagnosticCatalog) throws(UnknownCode) {
    let known = catalog.kinds.map(\.code)
    for code in codes where !known.contains(code) {
      // The name of a cause is a part of a code: of 'cause-mail', or of 'same-host-links'.
      let whole = known.first { $0.hasSuffix("-" + code) || $0.hasPrefix(code + "-") }
      let nearest = (NearestName.find(code, among: known) ?? whole).map { "Did you mean '\($0)'?" }
      throw UnknownCode(
        description:
          "'\(code)' is not a known code. \(nearest ?? "'linkaudit explain' lists all codes.")")
    }
    isSelective = !codes.isEmpty
    groups = catalog.groups.compactMap { group in
      let kinds = group.kinds.filter { codes.isEmpty || codes.contains($0.code) }
      return kinds.isEmpty ? nil : DiagnosticCatalog.Group(group.origin, group.title, kinds)
    }
  }

  /// Writes the answer in a format.
  package func write(_ format: Format, style: Style, to sink: @escaping OutputSink) throws {
    switch format {
    case .text: try sink(Array(text(style).utf8))
    case .json: try writeJSON(to: sink)
    case .markdown: try sink(Array(markdown.utf8))
    }
  }

  /// The codes as JSON, schema `linkaudit.codes/1`.
  private func writeJSON(to sink: @escaping OutputSink) throws {
    let codes = groups.flatMap { group in group.kinds.map { (group.origin, $0) } }
    try JSONWriter.document("linkaudit.codes/1", to: sink) { json in
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
