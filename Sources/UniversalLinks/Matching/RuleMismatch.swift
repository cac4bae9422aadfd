/// The first part of a URL that a rule does not match, with the compared text.
public enum RuleMismatch: Hashable, Sendable {
  /// The path, both sides normalized.
  case path(pattern: String, text: String)

  /// The whole query.
  case query(pattern: String, text: String)

  /// The value of a query item, or `nil` if the URL has no such item.
  case queryItem(name: String, pattern: String, value: String?)

  /// A pattern that no text matches: it has a variable that is unknown, that has
  /// no value, or that lacks its end.
  case unmatchable(pattern: String)

  /// A pattern with more open stars and variables than systems support, for any text or for the
  /// URL's.
  case tooComplex(pattern: String)

  /// The fragment.
  case fragment(pattern: String, text: String)

  /// The rule requires an entitlement that ordinary callers lack.
  case entitlement
}

extension RuleExplanation {
  /// The first comparison that fails, or `nil` if the rule matches.
  public var mismatch: RuleMismatch? {
    guard let failed = comparisons.first(where: { !$0.matches }) else {
      return requiresEntitlement ? .entitlement : nil
    }
    let (pattern, text) = (failed.pattern, failed.text ?? "")
    if failed.exceedsLevels { return .tooComplex(pattern: pattern) }
    if failed.isUnmatchable { return .unmatchable(pattern: pattern) }
    switch failed.part {
    case .path: return .path(pattern: pattern, text: text)
    case .query: return .query(pattern: pattern, text: text)
    case .queryItem:
      return .queryItem(name: failed.name ?? "", pattern: pattern, value: failed.text)
    case .fragment: return .fragment(pattern: pattern, text: text)
    }
  }
}
