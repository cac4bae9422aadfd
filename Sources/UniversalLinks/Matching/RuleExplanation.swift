/// The comparisons of a rule with a URL, and their results.
///
/// A rule matches if all its comparisons do and it requires no entitlement.
public struct RuleExplanation: Hashable, Sendable {
  /// The comparisons of the rule: the path, then the query or its items, then the fragment.
  ///
  /// They include patterns that match any text, if the rule names them.
  public var comparisons: [Comparison]

  /// A Boolean value indicating whether the URL's components were percent-decoded
  /// before they were compared (Matching.md, 3.2).
  public var isDecoded: Bool

  /// A Boolean value indicating whether letter case was ignored.
  public var ignoresCase: Bool

  /// A Boolean value indicating whether the rule keeps URLs out of the app.
  public var excludes: Bool

  /// A Boolean value indicating whether the rule requires an entitlement that ordinary callers
  /// lack, so it never matches (Matching.md, 1.10).
  public var requiresEntitlement: Bool

  /// The keys that the defaults of the entry or file supply, in the order in which they are read.
  public var inheritedKeys: [String]

  /// A Boolean value indicating whether encoding escapes again would change the outcome.
  ///
  /// Systems may encode the escapes of a component again if it also holds characters that no URL
  /// can. Which of the two happens to a tapped link is unknown (Matching.md, 3.3).
  public var dependsOnEscapes: Bool

  /// A Boolean value indicating whether the rule matches the URL.
  public var matches: Bool { !requiresEntitlement && comparisons.allSatisfy(\.matches) }
}

extension RuleExplanation {
  /// A text of the URL with the pattern that it is compared with.
  public struct Comparison: Hashable, Sendable {
    /// The part of a URL that a rule can constrain.
    public enum Part: String, CaseIterable, Hashable, Sendable {
      /// The path.
      case path

      /// The whole query.
      case query

      /// The value of an item of the query.
      case queryItem

      /// The fragment.
      case fragment
    }

    /// The part that is compared.
    public var part: Part

    /// The name of the query item, or `nil` for another part.
    public var name: String?

    /// The pattern, a path's normalized (Matching.md, 3a).
    public var pattern: String

    /// The text of the URL as compared, except for letter case, or `nil` if the URL has no such
    /// query item.
    ///
    /// A path is normalized, and decoded text is shown decoded. A missing item is compared as an
    /// empty text.
    public var text: String?

    /// The text as the URL spells it, if decoding has changed it; for a path before
    /// normalization.
    public var spelling: String?

    /// A Boolean value indicating whether the URL has a text here that can't be decoded,
    /// so that it counts as empty (Matching.md, 3.4).
    public var decodesToNothing: Bool

    /// A Boolean value indicating whether the text matches the pattern.
    public var matches: Bool

    /// A Boolean value indicating whether the pattern matches no text.
    ///
    /// The pattern has too many stars and variables, or a variable that is unknown, has no value,
    /// or lacks its end.
    public var isUnmatchable: Bool

    /// A Boolean value indicating whether the number of stars and variables keeps the pattern from
    /// matching.
    ///
    /// It has too many for any text, or for this one (Matching.md, 3c.6).
    public var exceedsLevels: Bool
  }
}

extension LinkMatcher {
  /// Compares a URL with a rule, whether or not another rule decides.
  ///
  /// - Parameters:
  ///   - id: The rule.
  ///   - url: The URL; rules don't apply to one that isn't eligible.
  /// - Returns: The comparisons, or `nil` if no such rule decides for an app, or its entry has no
  ///   rules.
  public func explanation(of id: RuleID, for url: LinkURL) -> RuleExplanation? {
    var url = url
    return number(of: id).flatMap { explanation(ofRule: $0.number, in: $0.list, for: &url) }
  }

  /// Compares a URL with the rule with a number.
  ///
  /// - Parameters:
  ///   - number: The number of the rule among those of all lists.
  ///   - list: The position of its list.
  ///   - url: The URL, which keeps its prepared texts for the next rule.
  /// - Returns: The comparisons, or `nil` for an entry without rules.
  package func explanation(
    ofRule number: Int, in list: Int, for url: inout LinkURL
  ) -> RuleExplanation? {
    let list = ruleLists[list]
    guard let definition = list.definition(ofRule: number) else { return nil }
    var reader = ComparisonReader(rule: rules[number], url: url)
    let comparisons = zip(rules[number].comparisons, definition.patterns).flatMap {
      reader.comparisons($0, pattern: $1.pattern)
    }
    let dependsOnEscapes = reader.dependsOnEscapes
    url = reader.url
    return RuleExplanation(
      comparisons: comparisons, isDecoded: !definition.isPercentEncoded,
      ignoresCase: !definition.isCaseSensitive, excludes: definition.excludes,
      requiresEntitlement: definition.requiresEntitlement,
      inheritedKeys: definition.inheritedKeys(isComponent: list.list == .components),
      dependsOnEscapes: dependsOnEscapes)
  }
}

/// Compares a URL with the patterns of a rule.
private struct ComparisonReader {
  let rule: CompiledRule
  var url: LinkURL

  /// The form to show to people, because folded text is hard to read.
  ///
  /// Preparing a folded form also prepares this one.
  private let shown: TextForm
  private var scratch = PatternScratch()

  init(rule: CompiledRule, url: LinkURL) {
    self.rule = rule
    self.url = url
    shown = rule.form.subtracting(.folded)
    for form in [rule.form, shown, []] { self.url.prepare(all: form) }
  }

  /// Whether encoding escapes again changes the outcome, in components with characters that no URL
  /// can hold.
  var dependsOnEscapes: Bool {
    mutating get {
      guard var other = url.withEscapesEncodedAgain else { return false }
      return rule.matches(&url, scratch: &scratch) != rule.matches(&other, scratch: &scratch)
    }
  }

  /// Returns the results of a comparison, one unless there are several query items of a name.
  ///
  /// - Parameters:
  ///   - compiled: The comparison.
  ///   - pattern: The pattern as the rule spells it.
  /// - Returns: The results.
  mutating func comparisons(
    _ compiled: CompiledRule.Comparison, pattern: String
  ) -> [RuleExplanation.Comparison] {
    switch compiled.text {
    case .path:
      let normalized = String(decoding: CompiledRule.normalized(path: pattern), as: UTF8.self)
      return [comparison(.path, normalized, url.path, compiled.pattern)]
    case .query: return [comparison(.query, pattern, url.query, compiled.pattern)]
    case .fragment: return [comparison(.fragment, pattern, url.fragment, compiled.pattern)]
    // Names are found, not compared.
    case .itemName: return []
    case .item(let name): return items(name, pattern, compiled.pattern)
    }
  }

  private mutating func comparison(
    _ part: RuleExplanation.Comparison.Part, _ pattern: String, _ component: ComponentText,
    _ compiled: Pattern
  ) -> RuleExplanation.Comparison {
    let (text, isChanged) = (component[rule.form], component[shown] != component[[]])
    let source = component.encodedSource
    return RuleExplanation.Comparison(
      part: part, pattern: pattern, text: String(decoding: component[shown], as: UTF8.self),
      spelling: isChanged ? String(decoding: source, as: UTF8.self) : nil,
      decodesToNothing: isChanged && source.decodesToNothing,
      matches: compiled.matches(text.span, scratch: &scratch),
      isUnmatchable: compiled.isImpossible,
      exceedsLevels: compiled.exceedsLevels(text.span, scratch: &scratch))
  }

  /// Returns a comparison for each item of that name, or one if there is no such item (Matching.md,
  /// 3b.2).
  private mutating func items(
    _ name: [UInt8], _ pattern: String, _ compiled: Pattern
  ) -> [RuleExplanation.Comparison] {
    let (found, readable, spelled) = (url.items(rule.form), url.items(shown), url.items([]))
    var comparisons: [RuleExplanation.Comparison] = []
    func add(_ text: [UInt8], shown: String?, spelling: String?) {
      comparisons.append(
        RuleExplanation.Comparison(
          part: .queryItem, name: String(decoding: name, as: UTF8.self), pattern: pattern,
          text: shown, spelling: spelling, decodesToNothing: spelling != nil && text.isEmpty,
          matches: compiled.matches(text.span, scratch: &scratch),
          isUnmatchable: compiled.isImpossible,
          exceedsLevels: compiled.exceedsLevels(text.span, scratch: &scratch)))
    }
    for (index, candidate) in found.items.enumerated()
    where found.bytes[candidate.name].elementsEqual(name) {
      let value = readable.bytes[readable.items[index].value]
      let spelling = spelled.bytes[spelled.items[index].value]
      add(
        Array(found.bytes[candidate.value]), shown: String(decoding: value, as: UTF8.self),
        spelling: value == spelling ? nil : String(decoding: spelling, as: UTF8.self))
    }
    if comparisons.isEmpty { add([], shown: nil, spelling: nil) }
    return comparisons
  }
}

extension [UInt8] {
  /// A Boolean value indicating whether percent-decoding these bytes leaves an empty text.
  fileprivate var decodesToNothing: Bool {
    var decoded: [UInt8] = []
    PercentEncoding.append(decoding: span, to: &decoded)
    return decoded.isEmpty
  }
}

extension RuleDefinition {
  /// The keys that mean something in this rule and that its source doesn't have.
  ///
  /// - Parameter isComponent: Whether the source is an element of `components`.
  /// - Returns: The keys.
  fileprivate func inheritedKeys(isComponent: Bool) -> [String] {
    var keys: [String] = []
    if path != nil { keys.append("/") }
    if query != nil { keys.append("?") }
    if fragment != nil { keys.append("#") }
    if excludes { keys.append("exclude") }
    if !isCaseSensitive { keys.append("caseSensitive") }
    if !isPercentEncoded { keys.append("percentEncoded") }
    if requiresEntitlement { keys.append("requiredEntitlement") }
    guard isComponent else {
      // An element of `paths` says what the path is, and 'NOT ' that it excludes.
      let excludesItself = excludes && path != nil && path != source
      return keys.filter { $0 != "/" && !($0 == "exclude" && excludesItself) }
    }
    guard !keys.isEmpty, let members = try? JSONParser.parse(Array(source.utf8)).object else {
      return keys
    }
    return keys.filter { members[$0] == nil }
  }
}
