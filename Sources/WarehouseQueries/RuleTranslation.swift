package import UniversalLinks

/// A condition on a link that a rule has.
enum LinkCondition: Hashable {
  /// All of a text matches a regular expression.
  case text(LinkText, matches: String)

  /// Each query item with a name matches, and one is there unless the empty text matches
  /// (Matching.md, 3b.2); name and value are regular expressions.
  case items(name: String, value: String, isDecoded: Bool, matchesEmptyText: Bool)

  /// The text that the condition needs.
  var text: LinkText {
    switch self {
    case .text(let text, _): text
    // Items are split before they are decoded.
    case .items: .query
    }
  }

  /// The number of bytes of its regular expressions.
  var size: Int {
    switch self {
    case .text(_, let expression): expression.utf8.count
    case .items(let name, let value, _, _): name.utf8.count + value.utf8.count
    }
  }
}

/// A rule as conditions on a link.
struct TranslatedRule {
  /// The conditions, which must all hold.
  var conditions: [LinkCondition]
  var excludes: Bool

  /// The position in the array, or `nil` for an entry without rules.
  var position: Int?
}

/// A rule that SQL cannot say exactly.
package struct InexactRule: Sendable {
  /// The rule.
  package let id: RuleID

  /// Whether the rule keeps URLs out of the app.
  package let excludes: Bool

  /// The pattern for which the text decides whether there are too many stars and variables.
  package let pattern: String
}

extension CompiledRule {
  /// Returns the conditions of the rule, or `nil` if it matches no URL.
  ///
  /// - Parameters:
  ///   - definition: The rule as decoded.
  ///   - syntax: The dialect of regular expressions.
  ///   - undecided: Receives patterns for which the text decides whether they exceed the limit of
  ///     levels; their expressions don't count levels.
  /// - Returns: The conditions.
  /// - Throws: `PatternExpression.TooLong`.
  func conditions(
    _ definition: RuleDefinition, _ syntax: PatternExpression.Syntax, undecided: inout [String]
  ) throws(PatternExpression.TooLong) -> [LinkCondition]? {
    guard !requiresEntitlement else { return nil }
    let isDecoded = form == .decoded
    let spelled = Array(zip(comparisons, definition.patterns.map(\.pattern)))
    // The fragment is tested before the query.
    func isFirst(_ text: PatternTable.Text) -> Bool { text == .path || text == .fragment }
    let ordered =
      spelled.filter { isFirst($0.0.text) } + spelled.filter { !isFirst($0.0.text) }
    var conditions: [LinkCondition] = []
    for (comparison, spelling) in ordered {
      let pattern = comparison.pattern
      if pattern.isAnything { continue }
      if pattern.hasUndecidedLevels { undecided.append(spelling) }
      let encoded: PatternExpression.Alphabet =
        if case .item = comparison.text { .encodedItem } else { .encoded }
      guard
        let expression = try pattern.expression(syntax, isDecoded ? .decoded : encoded)
      else { return nil }
      switch comparison.text {
      case .path:
        conditions.append(.text(isDecoded ? .decodedPath : .path, matches: expression))
      case .query:
        conditions.append(.text(isDecoded ? .decodedQuery : .query, matches: expression))
      case .fragment:
        conditions.append(.text(isDecoded ? .decodedFragment : .fragment, matches: expression))
      case .item(let name):
        // No item has such a name while it is encoded.
        if !isDecoded, name.contains(where: { "&=".utf8.contains($0) }) {
          guard pattern.matchesEmptyText else { return nil }
          continue
        }
        conditions.append(
          .items(
            name: PatternExpression.text(ofLiteral: String(decoding: name, as: UTF8.self), syntax),
            value: expression, isDecoded: isDecoded,
            matchesEmptyText: pattern.matchesEmptyText))
      }
    }
    return conditions
  }
}
