/// The comparisons of a rule with a URL, and their results.
///
/// A rule matches if all its comparisons do and it requires no entitlement.
public struct RuleExplanation: Hashable, Sendable {
  /// The comparisons of the rule: the path, then the query or its items, then the fragment.
  ///
  /// They include patterns that match any text, if the rule names them.
  public var comparisons: [Comparison]

  /// The rule as decoded.
  public var definition: RuleDefinition

  /// The keys that the defaults of the entry or file supply, in the order in which they are read.
  public var inheritedKeys: [String]

  /// A Boolean value indicating whether encoding escapes again would change the outcome.
  ///
  /// Systems may encode the escapes of a component again if it also holds characters that no URL
  /// can. Which of the two happens to a tapped link is unknown (Matching.md, 3.3).
  public var dependsOnEscapes: Bool

  /// A Boolean value indicating whether the rule matches the URL.
  public var matches: Bool { !definition.requiresEntitlement && comparisons.allSatisfy(\.matches) }
}

extension RuleExplanation {
  /// A text of the URL with the pattern that it is compared with.
  public struct Comparison: Hashable, Sendable {
    /// The part that is compared.
    public var part: RuleDefinition.Part

    /// The name of the query item, or `nil` for another part.
    public var name: String?

    /// The pattern, a path's normalized (Matching.md, 3a).
    public var pattern: String

    /// The text of the URL as compared, or `nil` if the URL has no such query item.
    ///
    /// A path is normalized, and decoded text is shown decoded. A missing item is compared as an
    /// empty text.
    public var text: String?

    /// The text as the URL spells it, if decoding has changed it; for a path before normalization.
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

    /// The only variable that keeps the text from matching, or `nil` if there is no such one.
    public var failedVariable: FailedVariable?

    /// The name of a query item of the URL that differs from ``name`` in letter case only, or `nil`
    /// if the URL has the item or no such one.
    ///
    /// Names keep their letter case, whatever the rule says (Matching.md, 3b.4).
    public var otherSpelling: String?
  }

  /// A variable of a pattern, and a text that is none of its values.
  public struct FailedVariable: Hashable, Sendable {
    /// The name of the variable.
    public var name: String

    /// The text of the URL in its place.
    public var text: String

    /// A value of the variable that was probably meant, or `nil`.
    public var value: String?
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
  package func explanation(
    ofRule number: Int, in list: Int, for url: inout LinkURL
  ) -> RuleExplanation? {
    let (entry, rule) = (ruleLists[list].entry, rules[number])
    guard entry.rules != nil else { return nil }
    // Whether encoding escapes again changes the outcome, in components with characters that no URL
    // can hold.
    var dependsOnEscapes = false
    if var other = url.withEscapesEncodedAgain {
      dependsOnEscapes = rule.matches(&url) != rule.matches(&other)
    }
    let definition = rule.definition
    return RuleExplanation(
      comparisons: zip(rule.comparisons, definition.patterns).flatMap {
        $0.results($1.pattern, definition.form, in: &url)
      },
      definition: definition,
      inheritedKeys: definition.inheritedKeys(isComponent: entry.list == .components),
      dependsOnEscapes: dependsOnEscapes)
  }
}

extension CompiledRule.Comparison {
  /// Compares the texts of a URL with the pattern.
  fileprivate func results(
    _ pattern: String, _ form: TextForm, in url: inout LinkURL
  ) -> [RuleExplanation.Comparison] {
    let spelled =
      part == .path
      ? String(decoding: CompiledRule.normalized(path: pattern), as: UTF8.self) : pattern
    var results = texts(of: &url, form).map { result(spelled, $0.text, spelling: $0.spelling) }
    guard part == .queryItem else { return results }
    if results.isEmpty {
      // It is compared as an empty text (Matching.md, 3b.2).
      let folded = SimpleCaseFolding.folded(name.span)
      results = [result(spelled, nil, spelling: nil)]
      results[0].otherSpelling = url.items(form)
        .first { SimpleCaseFolding.folded($0.name.span) == folded }
        .map { String(decoding: $0.name, as: UTF8.self) }
    }
    for index in results.indices { results[index].name = String(decoding: name, as: UTF8.self) }
    return results
  }

  private func result(
    _ spelled: String, _ found: [UInt8]?, spelling: [UInt8]?
  ) -> RuleExplanation.Comparison {
    let compared = found ?? []
    let matches = pattern.matches(compared.span)
    return RuleExplanation.Comparison(
      part: part, pattern: spelled, text: found.map { String(decoding: $0, as: UTF8.self) },
      spelling: spelling.map { String(decoding: $0, as: UTF8.self) },
      decodesToNothing: spelling.map { PercentEncoding.decoded($0).isEmpty } ?? false,
      matches: matches, isUnmatchable: pattern.isImpossible,
      exceedsLevels: pattern.exceedsLevels(compared.span),
      failedVariable: matches ? nil : pattern.failedVariable(of: spelled, compared))
  }
}

extension Pattern {
  /// The greatest length of a text in which a failed variable is looked for.
  private static let explainedLength = 512

  /// Finds the only variable that keeps a text from matching.
  fileprivate func failedVariable(
    of pattern: String, _ text: [UInt8]
  ) -> RuleExplanation.FailedVariable? {
    guard !isImpossible, text.count <= Self.explainedLength,
      tokens.contains(where: { if case .variable = $0 { true } else { false } })
    else { return nil }
    let names = PatternText(pattern, literal: 0..<0).references
    let variables = tokens.indices.compactMap { index in
      if case .variable(let values) = tokens[index] { (index, values) } else { nil }
    }
    guard names.count == variables.count, variables.count <= 16 else { return nil }
    let places = (0...text.count).filter { $0 == text.count || text[$0] & 0xC0 != 0x80 }
    for (name, (index, values)) in zip(names, variables) {
      let (before, after) = (
        Pattern(Array(tokens[..<index]), ignoresCase: ignoresCase),
        Pattern(Array(tokens[(index + 1)...]), ignoresCase: ignoresCase)
      )
      let starts = places.filter { before.matches(text.span.extracting(0..<$0)) }
      let ends = places.filter { after.matches(text.span.extracting($0..<text.count)) }
      // The shortest text that a person would see as the value.
      let ranges = starts.compactMap { start in ends.first { $0 > start }.map { start..<$0 } }
      guard let range = ranges.min(by: { $0.count < $1.count }) else { continue }
      let found = String(decoding: text[range], as: UTF8.self)
      return RuleExplanation.FailedVariable(
        name: String(pattern.utf8.dropFirst(name.lowerBound + 2).prefix(name.count - 3)) ?? "",
        text: found, value: Self.value(meantBy: found, in: values))
    }
    return nil
  }

  /// Returns a value that differs in letter case only, or is the code for a common name.
  private static func value(meantBy text: String, in values: VariableValues) -> String? {
    let known = ["UK": "GB", "EN-US": "en", "EN-GB": "en", "JP": "ja", "CN": "zh", "KR": "ko"]
    let candidates =
      [text.lowercased(), text.uppercased()]
      + (known[text.uppercased()].map { [$0, $0.lowercased()] } ?? [])
    return candidates.first { candidate in
      values.values.contains { value in
        if case .literal(let bytes)? = value.first, value.count == 1 {
          bytes.elementsEqual(candidate.utf8)
        } else {
          false
        }
      }
    }
  }
}

extension RuleDefinition {
  /// The keys that mean something in this rule and that its source doesn't have.
  fileprivate func inheritedKeys(isComponent: Bool) -> [String] {
    let keys = [
      ("/", path != nil), ("?", query != nil), ("#", fragment != nil), ("exclude", excludes),
      ("caseSensitive", !isCaseSensitive), ("percentEncoded", !isPercentEncoded),
      ("requiredEntitlement", requiresEntitlement),
    ].filter(\.1).map(\.0)
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
