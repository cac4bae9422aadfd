internal import FoundationSubset
package import UniversalLinks

/// The answer for a row of `match --stream`: the verdict, and the rule that decided.
package struct MatchAnswer: Encodable {
  /// The columns of an answer.
  package enum Column: String, CaseIterable, CodingKey, Sendable {
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

  package func encode(to encoder: any Encoder) throws {
    // A column alone needs no name.
    guard columns.count > 1 else {
      var container = encoder.singleValueContainer()
      switch columns.first {
      case nil, .verdict: try container.encode(verdict.rawValue)
      case .app: try container.encode(JSONNullable(decision?.app))
      case .detail: try container.encode(JSONNullable(decision.map { JSONEntryID($0.detail) }))
      case .rule: try container.encode(JSONNullable(decision?.rule))
      }
      return
    }
    var container = encoder.container(keyedBy: Column.self)
    for column in columns {
      switch column {
      case .verdict: try container.encode(verdict.rawValue, forKey: column)
      case .app: try container.encode(JSONNullable(decision?.app), forKey: column)
      case .detail:
        try container.encode(
          JSONNullable(decision.map { JSONEntryID($0.detail) }), forKey: column)
      case .rule: try container.encode(JSONNullable(decision?.rule), forKey: column)
      }
    }
  }

  /// The answer as JSON.
  ///
  /// - Throws: An error of the encoder.
  package func json() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(self))
  }

  /// The answer as values separated by tabs, as ClickHouse's `TabSeparated` has them.
  package var tabSeparated: [UInt8] {
    let values = columns.map { column -> String? in
      switch column {
      case .verdict: verdict.rawValue
      case .app: decision?.app
      case .detail:
        switch decision?.detail {
        case .index(let index): String(index)
        case .key(let key): key
        case .apps, nil: nil
        }
      case .rule: decision?.rule.map { String($0) }
      }
    }
    return Array(values.map { $0.map(Self.escaped) ?? #"\N"# }.joined(separator: "\t").utf8)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: #"\\"#).replacing("\t", with: #"\t"#)
      .replacing("\n", with: #"\n"#).replacing("\r", with: #"\r"#)
  }
}
