/// A rule with its patterns compiled, each on its own and as a condition that an automaton tests.
///
/// It is a class, because a matcher reads many of them for each URL and must not copy them.
package final class CompiledRule: Sendable {
  /// A text of a URL, with the pattern that it is compared with.
  package struct Comparison: Sendable {
    package let text: PatternTable.Text
    package let pattern: Pattern

    /// The pattern in an automaton, or `nil` if none has it.
    let condition: PatternTable.Condition?
  }

  let excludes: Bool

  /// A Boolean value indicating whether the rule requires an entitlement, so that it never matches
  /// (Matching.md, 1.10).
  package let requiresEntitlement: Bool

  /// The form of a URL's text that the patterns are compared with.
  package let form: TextForm

  /// The comparisons, one for each of ``RuleDefinition/patterns``.
  package let comparisons: [Comparison]

  /// A Boolean value indicating whether some URL may match.
  var isPossible: Bool { !requiresEntitlement && !comparisons.contains { $0.pattern.isImpossible } }

  /// Compiles a rule, and adds its patterns to those of its file.
  init(_ definition: RuleDefinition, patterns: inout PatternTableBuilder) {
    excludes = definition.excludes
    requiresEntitlement = definition.requiresEntitlement
    form = definition.isPercentEncoded ? .encoded : .decoded
    var comparisons: [Comparison] = []
    for (text, pattern) in definition.patterns {
      let bytes = text == .path ? Self.normalized(path: pattern) : Array(pattern.utf8)
      let entry = patterns.add(
        bytes, for: text, form, ignoresCase: !definition.isCaseSensitive)
      comparisons.append(
        Comparison(text: text, pattern: entry.pattern, condition: entry.condition))
    }
    self.comparisons = comparisons
  }

  /// The bytes of a path's pattern after normalization (Matching.md, 3a).
  static func normalized(path: String) -> [UInt8] {
    var bytes = Array(path.utf8)
    PathNormalization.normalize(&bytes)
    return bytes
  }

  /// Returns the comparison of a text, or `nil` if the rule doesn't constrain it.
  func comparison(of text: PatternTable.Text) -> Comparison? {
    comparisons.first { $0.text == text }
  }

  /// Returns a Boolean value indicating whether a URL meets all constraints of the rule
  /// (Matching.md, 3.1).
  func matches(
    _ url: inout LinkURL, isPathDecided: Bool = false
  ) -> Bool {
    for comparison in comparisons {
      if isPathDecided, comparison.text == .path { continue }
      guard comparison.matches(&url, form) else { return false }
    }
    return !requiresEntitlement
  }
}

extension CompiledRule.Comparison {
  /// Returns a Boolean value indicating whether the text of a URL matches.
  ///
  /// Every query item with a name must match; if there is none, the empty text must (Matching.md,
  /// 3b.2).
  fileprivate func matches(
    _ url: inout LinkURL, _ form: TextForm
  ) -> Bool {
    if pattern.isAnything { return true }
    switch text {
    case .path: return url.path.matches(pattern, form)
    case .query: return url.query.matches(pattern, form)
    case .fragment: return url.fragment.matches(pattern, form)
    case .item(let name):
      var (isPresent, matches) = (false, true)
      url.forEachItem(form) { candidate, value in
        guard matches, candidate.count == name.count, candidate.holds(name, at: 0) else { return }
        isPresent = true
        matches = pattern.matches(value)
      }
      if isPresent { return matches }
      let nothing: [UInt8] = []
      return pattern.matches(nothing.span)
    }
  }
}

extension ComponentText {
  /// Returns a Boolean value indicating whether the text in a form matches a pattern.
  fileprivate mutating func matches(
    _ pattern: Pattern, _ form: TextForm
  ) -> Bool {
    prepare(form)
    return withBytes(form) { pattern.matches($0) }
  }
}
