internal import UniversalLinks

/// Looks for paths that a rule would claim and no request has shown.
enum UnseenPath {
  /// What could stand for wildcards: the first leads to the plainest example.
  private static let fillings = ["x/x", "x", "1", "1/1", "x/x/x", "x/x/x/x"]

  /// The number of a variable's values that are tried.
  private static let valueLimit = 3

  /// Looks for a path that a rule of the candidate file decides and the app has no route
  /// for.
  ///
  /// - Parameters:
  ///   - suggested: The rule with its position in the new list and what it would claim.
  ///   - assembly: The files.
  /// - Returns: The path, or `nil` if none of those that are tried is so.
  static func find(_ suggested: SuggestedRule, _ assembly: SuggestionAssembly) -> String? {
    let place = assembly.suggester.place
    let system: OperatingSystem = .current
    guard let list = assembly.candidate.current.list(at: place),
      let routes = assembly.suggester.site.site.routes,
      let rule = assembly.candidate.current.ruleLists[list].definitions?[suggested.position],
      let pattern = rule.path, !rule.excludes
    else { return nil }
    let host = assembly.suggester.site.exampleHost
    let variables = assembly.candidate.site.file.substitutionVariables
    let query: [String] =
      if case .items(let items)? = rule.query {
        items.map { item in
          let value = filled(item.pattern, 0, variables)?.replacing("?*", with: "*")
            .replacing("*", with: "x").replacing("?", with: "x")
          return "\(item.name)=\(value ?? "")"
        }
      } else { [] }
    let seen = Set(suggested.others.flatMap { [$0.path] + $0.samples })
    for path in paths(pattern, variables, isCaseSensitive: rule.isCaseSensitive) {
      let target = path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
      guard !seen.contains(target) else { continue }
      var url = LinkURL("https://\(host)\(target)", host: host)
      var evaluation = Evaluation()
      assembly.candidate.matcher(system).evaluate(&url, into: &evaluation)
      guard evaluation.decidingRule(ofRuleList: list) == suggested.position else { continue }
      let route = routes.firstMatch(
        path: Array(path.utf8), query: Array(query.joined(separator: "&").utf8))
      if route.map({ assembly.reader.hasEveryPath[$0] }) ?? true { return target }
    }
    return nil
  }

  /// The paths to be tried of a pattern, percent-encoded, the plainest first.
  private static func paths(
    _ pattern: String, _ variables: [SubstitutionVariable], isCaseSensitive: Bool
  ) -> [String] {
    var paths: [String] = []
    for number in 0..<(pattern.contains("$(") ? valueLimit : 1) {
      guard let shown = filled(pattern, number, variables) else { break }
      for filling in fillings {
        let path = shown.replacing("?*", with: "*").replacing("*", with: filling)
          .replacing("?", with: "x")
        // What holds nothing to be filled in is the route's own path.
        if path != pattern { paths.append(path) }
      }
    }
    if !isCaseSensitive { paths += ([pattern] + paths).compactMap(inAnotherCase) }
    return paths.filter { !$0.contains("$(") && !$0.contains("*") }.map { path in
      var encoded: [UInt8] = []
      PercentEncoding.append(encoding: Array(path.utf8).span, to: &encoded)
      return String(decoding: encoded, as: UTF8.self)
    }
  }

  /// A path with its letters, of ASCII alone, in upper case, or in lower case if they are;
  /// `nil` if it has none.
  private static func inAnotherCase(_ path: String) -> String? {
    let lower = UInt8(ascii: "a")...UInt8(ascii: "z")
    let upper = UInt8(ascii: "A")...UInt8(ascii: "Z")
    let changed = path.utf8.contains(where: lower.contains) ? lower : upper
    let output = path.utf8.map { changed.contains($0) ? $0 ^ 0x20 : $0 }
    return output.elementsEqual(path.utf8) ? nil : String(decoding: output, as: UTF8.self)
  }

  /// A pattern with values put in for its variables.
  ///
  /// - Parameters:
  ///   - pattern: The pattern.
  ///   - number: Which of the values: beyond the last of a variable, that one.
  ///   - variables: The file's own.
  /// - Returns: The pattern, or `nil` if a variable has no value.
  private static func filled(
    _ pattern: String, _ number: Int, _ variables: [SubstitutionVariable]
  ) -> String? {
    var (output, rest) = ("", pattern[...])
    while let start = rest.firstRange(of: "$(") {
      guard let end = rest[start.upperBound...].firstIndex(of: ")") else { return nil }
      let name = String(rest[start.upperBound..<end])
      let own = variables.last { $0.name == name }?.values
      let values = own ?? builtIn[name] ?? []
      guard let last = values.last else { return nil }
      output += rest[..<start.lowerBound] + (number < values.count ? values[number] : last)
      rest = rest[rest.index(after: end)...]
    }
    return output + rest
  }

  /// Some values of the built-in variables.
  private static let builtIn = [
    "alpha": ["a", "b", "Z"], "upper": ["A", "B", "Z"], "lower": ["a", "b", "z"],
    "alnum": ["a", "1", "Z"], "digit": ["1", "2", "0"], "xdigit": ["1", "a", "F"],
    "region": ["US", "DE", "fr"], "lang": ["en", "de", "FR"],
  ]
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
