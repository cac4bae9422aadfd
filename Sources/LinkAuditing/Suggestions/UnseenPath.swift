internal import UniversalLinks

/// Looks for paths that a rule would claim and no request has shown.
enum UnseenPath {
  /// What could stand for wildcards: the first leads to the plainest example.
  private static let fillings = ["x/x", "x", "1", "1/1", "x/x/x"]

  /// Looks for a path that a rule of the candidate file decides and the app has no route
  /// for.
  ///
  /// - Parameters:
  ///   - position: The position of the rule in the new list.
  ///   - assembly: The files.
  /// - Returns: The path, or `nil` if none of those that are tried is so.
  static func find(_ position: Int, _ assembly: SuggestionAssembly) -> String? {
    let place = assembly.suggester.place
    let system: OperatingSystem = .current
    guard let list = assembly.candidate.current.list(at: place),
      let routes = assembly.suggester.site.site.routes,
      let rule = assembly.candidate.current.ruleLists[list].definitions?[position],
      let pattern = rule.path
    else { return nil }
    let host = assembly.suggester.site.exampleHost
    let query: [String] =
      if case .items(let items)? = rule.query {
        items.map { "\($0.name)=\($0.pattern.hasPrefix("?*") ? "x" : $0.pattern)" }
      } else { [] }
    let shown = pattern.replacing("$(digit)*", with: "1*")
    guard !shown.contains("$(") else { return nil }
    for filling in fillings {
      let filled = shown.replacing("?*", with: "*").replacing("*", with: filling)
        .replacing("?", with: "x")
      guard shown != filled else { continue }
      var encoded: [UInt8] = []
      PercentEncoding.append(encoding: Array(filled.utf8).span, to: &encoded)
      let path = String(decoding: encoded, as: UTF8.self)
      let target = path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
      var url = LinkURL("https://\(host)\(target)", host: host)
      var evaluation = Evaluation()
      assembly.candidate.matcher(system).evaluate(&url, into: &evaluation)
      guard evaluation.decidingRule(ofRuleList: list) == position else { continue }
      let route = routes.firstMatch(
        path: Array(path.utf8), query: Array(query.joined(separator: "&").utf8))
      if route.map({ assembly.reader.hasEveryPath[$0] }) ?? true { return target }
    }
    return nil
  }
}

/// Looks for rules that no longer decide anything because of those that are put in.
enum HiddenRules {
  static func find(_ assembly: SuggestionAssembly) -> [RuleReference] {
    // Behind the last rule, nothing is hidden.
    guard assembly.insertions.contains(where: { $0.position < assembly.reader.end }) else {
      return []
    }
    let (site, candidate) = (assembly.suggester.site, assembly.candidate)
    let system: OperatingSystem =
      site.current.list(at: assembly.suggester.place) == nil ? .legacy : .current
    guard let old = site.matcher(system).list(at: assembly.suggester.place),
      let new = candidate.matcher(system).list(at: assembly.suggester.place)
    else { return [] }
    let host = site.exampleHost
    let before = RuleReachability(site.site.file, host: host, system: system).ruleLists[old]
    let after = RuleReachability(candidate.site.file, host: host, system: system).ruleLists[new]
    return before.indices.compactMap { position in
      let shift = assembly.insertions.reduce(0) {
        $1.position <= position ? $0 + $1.drafts.count : $0
      }
      guard case .decides = before[position], after.indices.contains(position + shift),
        case .covered = after[position + shift]
      else { return nil }
      return assembly.reader.reference(position)
    }
  }
}
