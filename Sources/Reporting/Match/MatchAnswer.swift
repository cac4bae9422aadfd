internal import FoundationSubset
package import UniversalLinks

/// The answer for a row of `match --stream`: the verdict, and the rule that decided.
package struct MatchAnswer {
  /// The columns of an answer.
  package enum Column: String, CaseIterable, Sendable {
    case verdict
    case app
    case detail
    case rule
  }

  private let verdict: Verdict

  /// The app whose rules decided, the entry that has them, and the position of the rule; `nil` if no
  /// rule decided.
  private let decision: (app: String, detail: AssociationFile.EntryID, rule: Int?)?

  private let columns: [Column]

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - verdict: The verdict for the site.
  ///   - decision: The position of the app that decided in the matcher's apps, and the number of
  ///     its rule; or `nil` if no rule decided.
  ///   - matcher: The rules.
  ///   - columns: The requested columns.
  package init(
    _ verdict: Verdict, _ decision: (app: Int, rule: Int)?, of matcher: LinkMatcher,
    columns: [Column]
  ) {
    (self.verdict, self.columns) = (verdict, columns)
    self.decision = decision.map { app, rule in
      let list = matcher.ruleLists[matcher.apps[app].ruleList]
      return (
        matcher.apps[app].identifier.text, list.systemEntry, list.id(ofRule: rule).position
      )
    }
  }

  /// The value of a column.
  private func value(of column: Column) -> TableValue {
    switch column {
    case .verdict: .text(verdict.rawValue)
    case .app: .text(decision?.app)
    case .detail: decision?.detail.value ?? .none
    case .rule: .number(decision?.rule)
    }
  }

  /// The answer as JSON: an object, or the value alone if there is one column.
  package var json: [UInt8] {
    var bytes: [UInt8] = []
    var json = JSONWriter(.compact) { bytes += $0 }
    json.object { json in
      for column in Set(columns).sorted(by: { $0.rawValue < $1.rawValue }) {
        value(of: column).write(column.rawValue, to: &json)
      }
    }
    // Writing to memory does not fail.
    try? json.finish()
    let name = columns.count == 1 ? #"{"\#(columns[0].rawValue)":"# : ""
    return Array(bytes.dropFirst(name.utf8.count).dropLast(name.isEmpty ? 1 : 2))
  }

  /// The answer as values separated by tabs, as ClickHouse's `TabSeparated` has them.
  package var tabSeparated: [UInt8] {
    let values = columns.map { column in
      let value = value(of: column)
      return value.isNone ? #"\N"# : Self.escaped(value.cell)
    }
    return Array(values.joined(separator: "\t").utf8)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: #"\\"#).replacing("\t", with: #"\t"#)
      .replacing("\n", with: #"\n"#).replacing("\r", with: #"\r"#)
  }
}
