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

  /// The first release that reads the rule as it is meant.
  var release: SystemRelease

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

/// Translates rules to conditions on links.
struct RuleTranslator {
  let syntax: PatternExpression.Syntax
  let variables: Variables?

  /// Returns the conditions of a rule, or `nil` if it matches no URL.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - undecided: Receives patterns for which the text decides whether they exceed the limit of
  ///     levels; their expressions don't count levels.
  /// - Returns: The conditions.
  /// - Throws: `PatternExpression.TooLong`.
  func conditions(
    of rule: RuleDefinition, undecided: inout [String]
  ) throws(PatternExpression.TooLong) -> [LinkCondition]? {
    guard !rule.requiresEntitlement else { return nil }
    var conditions: [LinkCondition] = []
    let isDecoded = !rule.isPercentEncoded
    let alphabet: PatternExpression.Alphabet = isDecoded ? .decoded : .encoded
    func read(_ pattern: String, isPath: Bool = false) -> PatternExpression {
      let expression = PatternExpression(
        pattern, isPath: isPath, variables: variables, folds: !rule.isCaseSensitive)
      if expression.hasUndecidedLevels { undecided.append(pattern) }
      return expression
    }
    func add(
      _ pattern: PatternExpression, _ text: LinkText
    ) throws(PatternExpression.TooLong) -> Bool {
      if pattern.isAnything { return true }
      guard let expression = try pattern.text(syntax, alphabet) else { return false }
      conditions.append(.text(text, matches: expression))
      return true
    }
    if let path = rule.path,
      try !add(read(path, isPath: true), isDecoded ? .decodedPath : .path)
    {
      return nil
    }
    if let fragment = rule.fragment,
      try !add(read(fragment), isDecoded ? .decodedFragment : .fragment)
    {
      return nil
    }
    switch rule.query {
    case nil: break
    case .whole(let pattern):
      guard try add(read(pattern), isDecoded ? .decodedQuery : .query) else { return nil }
    case .items(let items):
      for item in items {
        let pattern = read(item.pattern)
        if pattern.isAnything { continue }
        guard let value = try pattern.text(syntax, isDecoded ? .decoded : .encodedItem) else {
          return nil
        }
        // No item has such a name while it is encoded.
        if !isDecoded, item.name.utf8.contains(where: { "&=".utf8.contains($0) }) {
          guard pattern.matchesEmptyText else { return nil }
          continue
        }
        conditions.append(
          .items(
            name: PatternExpression.text(ofLiteral: item.name, syntax), value: value,
            isDecoded: isDecoded, matchesEmptyText: pattern.matchesEmptyText))
      }
    }
    return conditions
  }
}
