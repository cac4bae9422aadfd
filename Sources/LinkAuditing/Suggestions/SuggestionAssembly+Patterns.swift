internal import UniversalLinks

/// Conclusions from the patterns of the rules, whatever was requested.
extension SuggestionAssembly {
  /// A path that a rule claims, that no route has, and that nobody asked for, or `nil` if none
  /// of the examples is one.
  ///
  /// Examples are derived from the rule: as it is, and with more segments in place of each star.
  func unseenPath(of rule: SuggestedRule) -> String? {
    guard let list = candidate.current.list(of: suggester.entry),
      let definition = candidate.current.ruleLists[list].definitions?[rule.position],
      let pattern = definition.path
    else { return nil }
    let seen = Set(rule.others.flatMap { [$0.path] + $0.samples })
    // One segment more makes the plainest example.
    for depth in pattern.contains("*") ? [1, 0, 2, 3] : [0] {
      var wider = definition
      wider.path = pattern.replacing("*", with: "*" + String(repeating: "/?*", count: depth))
      guard let target = example(of: wider) else { continue }
      let variants = definition.isCaseSensitive ? [target] : [target, Self.inAnotherCase(target)]
      for target in variants where !seen.contains(target) {
        if isClaimedWithoutRoute(target, list, rule.position) { return target }
      }
    }
    return nil
  }

  private var host: String { suggester.site.exampleHost }

  /// A target that a rule matches alone.
  private func example(of rule: RuleDefinition) -> String? {
    var file = candidate.site.file
    file.entries = Array(file.entries.filter { $0.id == suggester.entry }.prefix(1))
    guard !file.entries.isEmpty else { return nil }
    file.entries[0].components = [rule]
    let reachability = file.reachability(host: host, system: .current)
    guard case .decides(let url)? = reachability.rules.first?.reach else { return nil }
    return String(url.dropFirst("https://\(host)".count))
  }

  /// A target with its path in upper case, or in lower case if it is.
  private static func inAnotherCase(_ target: String) -> String {
    let path = target.prefix { $0 != "?" }
    let changed = path == path.uppercased() ? path.lowercased() : path.uppercased()
    return changed + target.dropFirst(path.count)
  }

  private func isClaimedWithoutRoute(_ target: String, _ list: Int, _ position: Int) -> Bool {
    var url = LinkURL("https://\(host)\(target)", host: host)
    var evaluation = Evaluation()
    candidate.current.evaluate(&url, into: &evaluation)
    let rule = candidate.current.ruleLists[list].rules.lowerBound + position
    guard evaluation.decidingRule(ofRuleList: list) == rule else { return false }
    let parts = target.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1).map { Array($0) }
    let route = suggester.site.site.routes?.firstMatch(
      path: parts.first ?? [], query: parts.count > 1 ? parts[1] : [])
    return route.map { reader.hasEveryPath[$0] } ?? true
  }

  /// The rules of the file that no longer decide anything because of those that are put in.
  func hiddenRules() -> [ReportedRule] {
    // After the last rule, nothing is hidden.
    guard insertions.contains(where: { $0.position < reader.end }) else { return [] }
    let (before, after) = (reaches(suggester.site), reaches(candidate))
    return before.indices.compactMap { position in
      let shift = insertions.reduce(0) {
        $1.position <= position ? $0 + $1.drafts.count : $0
      }
      guard case .decides = before[position], after.indices.contains(position + shift),
        case .covered = after[position + shift]
      else { return nil }
      return reader.rule(at: position)
    }
  }

  /// The reach of each rule of the entry.
  private func reaches(_ site: CompiledSite) -> [RuleReachability.Reach] {
    site.site.file.reachability(host: host, system: reader.survey.system).rules
      .filter { $0.id.entry == suggester.entry }.map(\.reach)
  }
}

extension CompiledSite {
  /// The host whose URLs are asked about; for all hosts below a name, one of them.
  var exampleHost: String {
    site.host.hasPrefix("*.") ? "www" + site.host.dropFirst() : site.host
  }
}
