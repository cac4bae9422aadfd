/// The first thing of a URL that a rule does not match, with what was compared.
public enum RuleMismatch: Hashable, Sendable {
  /// The path, both sides normalised.
  case path(pattern: String, text: String)

  /// The whole query.
  case query(pattern: String, text: String)

  /// The value of a query item, or `nil` if the URL has no such item.
  case queryItem(name: String, pattern: String, value: String?)

  /// A pattern that no text matches: it has a variable that is unknown, that has
  /// no value, or that lacks its end.
  case unmatchable(pattern: String)

  /// The fragment.
  case fragment(pattern: String, text: String)

  /// The rule asks for an entitlement that ordinary callers lack.
  case entitlement
}

extension LinkMatcher {
  /// Explains why a rule does not match a URL.
  ///
  /// - Parameters:
  ///   - list: The position of the rule's list in ``ruleLists``.
  ///   - position: The rule's position in its list, from 0.
  ///   - url: The URL, which must be eligible.
  /// - Returns: What fails first, or `nil` if the rule matches.
  public func mismatch(ruleList list: Int, rule position: Int, url: inout LinkURL) -> RuleMismatch?
  {
    guard let definition = ruleLists[list].definitions?[position] else { return nil }
    let rule = rules[ruleLists[list].firstRule + position]
    url.prepare(rule.neededForms)
    var scratch = PatternScratch()
    // Folded text is hard to read; what it was made from has been prepared, too.
    let shown = rule.form.subtracting(.folded)
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    if !rule.matchesPath(of: url, scratch: &scratch) {
      let pattern = text(CompiledRule.normalized(path: definition.path ?? ""))
      if rule.hasUnmatchablePath { return .unmatchable(pattern: pattern) }
      return .path(
        pattern: pattern,
        text: text(url.path[shown]))
    }
    if !rule.matchesQuery(of: url, scratch: &scratch),
      case .whole(let pattern) = definition.query
    {
      return .query(pattern: pattern, text: text(url.query[shown]))
    }
    if let item = rule.failedItem(of: url, scratch: &scratch),
      case .items(let items) = definition.query,
      let failed = items.first(where: { Array($0.name.utf8) == item.name })
    {
      let value = rule.firstValue(of: item, in: url, scratch: &scratch)
      return .queryItem(name: failed.name, pattern: failed.pattern, value: value.map(text))
    }
    if !rule.matchesFragment(of: url, scratch: &scratch) {
      return .fragment(
        pattern: definition.fragment ?? "",
        text: text(url.fragment[shown]))
    }
    return definition.requiresEntitlement ? .entitlement : nil
  }
}
