internal import LinkAuditing
internal import UniversalLinks

extension MatchQuestion {
  /// The number of rules of an entry that are compared with the URL besides the one that decides: a
  /// few, and if all are asked for, as many as anybody could read.
  private static let (ruleLimit, explainedRuleLimit) = (3, 10_000)

  /// Returns the answer for people: the verdict for each entry of the file, and its rules.
  ///
  /// In an explanation, all rules are compared with the URL, and all their conditions; else some rules
  /// up to the one that decides, and the condition that fails first. `file` is the name of the file of
  /// the expectation, which differs.
  func section(file: String) -> Document.Section {
    var title: Prose = "\(code: text)"
    if let expectation {
      title = "\(code: file):\(String(expectation.line)): " + expectation.difference
    }
    return Document.Section(id: "", title: title, form: .entry) {
      let url = expectation == nil ? [] : [Document.Fact("URL", "\(code: text)")]
      return [.facts(url + facts)] + opening
    }
  }

  private var facts: [Document.Fact] {
    if let reason = url.ineligibility {
      let meant = reason == .notHTTP ? text.meantURL : nil
      let question = meant.map { ["did you mean '\($0)'?" as Prose] } ?? []
      return [Document.Fact(.ineligible, [Prose(reason.sentence)] + question)]
    }
    let app = expectation?.app
    let apps = matcher.apps.filter { app == nil || $0.identifier == app }
    guard !apps.isEmpty else {
      let name = app.map { "the file of this host does not name \(code: $0.text)" as Prose }
      return [Document.Fact(.unclaimed, [name ?? "the file names no app for these systems"])]
    }
    var known: Set<Int> = []
    return apps.filter { known.insert($0.ruleList).inserted }.flatMap { app in
      let sharing = matcher.apps.filter { $0.ruleList == app.ruleList }
      return facts(ofRuleList: app.ruleList, sharing.map(\.identifier))
    }
  }

  private func facts(
    ofRuleList index: Int, _ apps: [ApplicationIdentifier]
  ) -> [Document.Fact] {
    let list = matcher.ruleLists[index]
    let deciding = evaluation.decidingRule(ofRuleList: index)
    let verdict = evaluation.verdict(ofRuleList: index)
    let decider = deciding.map { String($0 - list.rules.lowerBound) }
    var reason: Prose = list.rules.isEmpty ? "there are no rules" : "no rule matches"
    if let decider {
      reason = "by rule \(decider) of entry \(list.systemEntry.text)"
    } else if verdict == .claimed {
      reason = "the entry has neither 'components' nor 'paths', so it matches every URL"
    }
    let end = explains ? nil : deciding.map { $0 + 1 }
    let (rules, omitted) = compared(
      list.rules.lowerBound..<(end ?? list.rules.upperBound), ofRuleList: index,
      limit: explains ? Self.explainedRuleLimit : Self.ruleLimit)
    let facts = rules.map { rule -> Document.Fact in
      let definition = rule.explanation.definition
      var sentences = rule.explanation.sentences(explains)
      if rule.explanation.matches {
        let outcome = definition.excludes ? "excluded" : "claimed"
        sentences.append(
          rule.decides
            ? "decides: \(outcome)"
            : "would decide: \(outcome), but rule \(decider ?? "") has decided")
      }
      let line = definition.position.map { ", line \($0.line)" } ?? ""
      let pattern: Prose = "\(code: ShownText(definition.source.oneLine).text)"
      return Document.Fact("rule \(rule.position)\(line)", [pattern] + sentences.map { Prose($0) })
    }
    let rest = explains ? ", too many to compare with this URL" : " (--explain)"
    return [Document.Fact(verdict, [reason, "for " + Document.names(of: apps)])] + facts
      + (omitted > 0 ? [Document.Fact("…", Prose(omitted.counted("more rule") + rest))] : [])
  }

  private var opening: [Document.Block] {
    let apps = matcher.apps.filter { evaluation.verdict(ofRuleList: $0.ruleList) == .claimed }
    guard apps.count > 1, expectation?.app == nil, url.ineligibility == nil else { return [] }
    return [
      .paragraph(
        "The first of these that is installed opens: " + Document.names(of: apps.map(\.identifier)))
    ]
  }
}

extension MatchExpectation {
  /// Returns the number of expectations of a file that are met, an entry of a list.
  package static func summary(
    of file: String, count: Int, differing: Int, mistakes: Int
  ) -> Document.Section {
    let counts =
      "\((count - differing).grouped) as expected, \(differing.grouped) "
      + (differing == 1 ? "differs" : "differ")
      + (mistakes == 0 ? "" : ", \(mistakes.grouped) invalid")
    return Document.Section(id: "", title: "\(code: file): \(counts)", form: .entry) { [] }
  }

  fileprivate var difference: Prose {
    let name = app.map { "\(code: $0.text)" as Prose } ?? "an app"
    if opens { return "should open " + name + ", and does not" }
    return app == nil
      ? "should stay in the browser, and opens an app" : "should not open " + name + ", and does"
  }
}

extension RuleExplanation {
  /// The number of comparisons of a rule that are shown: a URL can have any number of query items.
  private static let comparisonLimit = 20

  /// The comparisons in words, the first ones or the first that fails.
  fileprivate func sentences(_ explains: Bool) -> [String] {
    let failed = comparisons.first { !$0.matches }
    let shown =
      explains ? Array(comparisons.prefix(Self.comparisonLimit)) : failed.map { [$0] } ?? []
    var sentences = shown.flatMap { [$0.sentence] + ($0.matches ? [] : $0.hint.map { [$0] } ?? []) }
    if explains, comparisons.count > shown.count {
      sentences.append("and \((comparisons.count - shown.count).counted("more comparison"))")
    }
    if explains, comparisons.isEmpty { sentences.append("it has no condition on the URL") }
    if definition.requiresEntitlement, explains || failed == nil {
      sentences.append("it requires an entitlement that ordinary apps don't have")
    }
    if dependsOnEscapes {
      sentences.append(
        "uncertain: systems may encode '%' again next to characters that URLs can't contain; then "
          + "the rule \(matches ? "does not match" : "matches")")
    }
    let notes = explains && !comparisons.isEmpty ? notes : []
    return sentences + (notes.isEmpty ? [] : [notes.joined(separator: "; ")])
  }

  /// The way in which the texts were compared, if it isn't the usual one.
  private var notes: [String] {
    var notes = definition.isCaseSensitive ? [] : ["letter case is ignored"]
    let decoded = comparisons.filter { $0.spelling != nil }
    for comparison in decoded {
      let spelling = "'\(comparison.spelling ?? "")'"
      notes.append(
        comparison.decodesToNothing
          ? "\(spelling) can't be decoded, so it counts as empty" : "decoded from \(spelling)")
    }
    if !definition.isPercentEncoded, decoded.isEmpty { notes.append("compared percent-decoded") }
    if !inheritedKeys.isEmpty {
      notes.append(inheritedKeys.map { "'\($0)'" }.joined(separator: ", ") + " from 'defaults'")
    }
    return notes
  }
}

extension RuleExplanation.Comparison {
  /// The part that keeps the text from matching, in words, or `nil` if that isn't known.
  fileprivate var hint: String? {
    if let variable = failedVariable {
      let kind =
        switch variable.name {
        case "region": "no region code (ISO 3166)"
        case "lang": "no language code (ISO 639)"
        default: "no value of '$(\(variable.name))'"
        }
      return "'\(variable.text)' is \(kind)" + (variable.value.map { "; '\($0)' is one" } ?? "")
    }
    return otherSpelling.map { "the URL has '\($0)'; names of query items keep their letter case" }
  }

  fileprivate var sentence: String {
    let pattern = "'\(pattern)'"
    if exceedsLevels {
      return
        "\(pattern) \(isUnmatchable ? "matches nothing" : "does not match this text"): it needs more "
        + "stars and variables than \(LinkMatcher.levelLimit), the limit of systems"
    }
    if isUnmatchable {
      return
        "\(pattern) matches nothing: it has a variable that is unknown, has no value, or lacks its ')'"
    }
    let likeness = (matches ? "like " : "not like ") + pattern
    let text = text ?? ""
    switch part {
    case .path: return "path '\(text)' is \(likeness)"
    case .queryItem where self.text != nil:
      return "query item '\(name ?? "")' is '\(text)', \(likeness)"
    case .query where !text.isEmpty, .fragment where !text.isEmpty:
      return "\(part.rawValue) '\(text)' is \(likeness)"
    case .query, .fragment, .queryItem:
      let absent = part == .queryItem ? "query item '\(name ?? "")'" : part.rawValue
      return "there is no \(absent), and \(pattern) needs \(matches ? "none" : "one")"
    }
  }
}

extension LinkURL.Ineligibility {
  fileprivate var sentence: String {
    switch self {
    case .notHTTP: "this is not a URL that begins with http:// or https://"
    case .hostWithoutDomain: "the host has no full stop, so no app can be associated with it"
    case .otherHost: "the association file is for another host"
    case .foreignPort: "the port is not the default one of the scheme"
    }
  }
}

extension String {
  /// This text with each run of white space as one space.
  var oneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
