internal import LinkAuditing
package import UniversalLinks

/// The answer of `match` about a URL, for people.
package struct MatchText {
  /// The rules of an entry that are shown.
  package enum Scope {
    /// All, with all that they compare.
    case allRules

    /// Those up to the one that decides, with what fails first.
    case untilDecided

    /// The one that decides; all if none does.
    case decision
  }

  let style: Style
  let scope: Scope

  /// The app whose rules are shown, or `nil` for all apps.
  var app: ApplicationIdentifier?

  /// The host of the question, if there is only one.
  var host: String?

  package init(style: Style, scope: Scope, app: ApplicationIdentifier? = nil, host: String? = nil) {
    self.style = style
    self.scope = scope
    self.app = app
    self.host = host
  }

  /// Returns the line above an answer that differs from the expectation.
  package func heading(_ expectation: MatchExpectation, of name: String) -> String {
    let app = expectation.app.map { " \(SafeText.escaped($0.text))" } ?? " an app"
    let difference =
      switch (expectation.outcome, expectation.app) {
      case (.open, _): "should open\(app), and does not"
      case (.browser, nil): "should stay in the browser, and opens an app"
      case (.browser, _?): "should not open\(app), and does"
      }
    return style.yellow("\(SafeText.escaped(name)):\(expectation.line): \(difference)")
  }

  /// Writes the URL, and for each entry the verdict and the rule that decides.
  ///
  /// - Parameters:
  ///   - question: The URL and its rules.
  ///   - line: A function that receives the lines one by one, because there can be hundreds of
  ///     thousands.
  /// - Throws: Any error that `line` throws.
  package func write(_ question: inout MatchQuestion, to line: (String) throws -> Void) throws {
    try line(style.bold(SafeText.escaped(question.text)))
    if let reason = question.url.ineligibility {
      try line("  \(style.yellow("ineligible"))  \(reason.sentence)")
      let meant =
        reason == .notHTTP ? MissingScheme.url(meantBy: question.text, host: host) : nil
      if let meant { try line("    did you mean '\(SafeText.escaped(meant))'?") }
      return
    }
    if question.matcher.apps.isEmpty {
      try line("  \(style.dim("unclaimed"))   the file names no app for these systems")
      return
    }
    let apps = Dictionary(grouping: question.matcher.apps, by: \.ruleList)
    var explained: Set<Int> = []
    for app in question.matcher.apps {
      if let only = self.app, app.identifier != only { continue }
      if explained.insert(app.ruleList).inserted {
        try write(ruleList: app.ruleList, of: apps[app.ruleList] ?? [], &question, to: line)
      }
    }
    let opened = question.matcher.apps.filter {
      app == nil && question.evaluation.verdict(ofRuleList: $0.ruleList) == .claimed
    }
    if opened.count > 1 {
      let names = opened.prefix(5).map { SafeText.escaped($0.identifier.text) }
      let more = opened.count > 5 ? ", and \((opened.count - 5).grouped) more" : ""
      let text =
        "The first of these that is installed opens: " + names.joined(separator: ", ") + more
      for part in text.wrapped(width: style.width, indent: "  ") { try line(part) }
    }
    if explained.isEmpty, let app {
      try line(
        "  \(style.dim("unclaimed"))  the file of this host does not name "
          + SafeText.escaped(app.text))
    }
  }

  private func write(
    ruleList index: Int, of apps: [LinkMatcher.App], _ question: inout MatchQuestion,
    to line: (String) throws -> Void
  ) throws {
    let matcher = question.matcher
    let list = matcher.ruleLists[index]
    let verdict = question.evaluation.verdict(ofRuleList: index)
    let deciding = question.evaluation.decidingRule(ofRuleList: index).flatMap {
      list.id(ofRule: $0).position
    }
    try line("  \(name(of: verdict))  \(reason(verdict, deciding, list))")
    for app in apps { try line("    for \(SafeText.escaped(app.identifier.text))") }
    let ruleCount = list.definitions?.count ?? 0
    let shown =
      switch (scope, deciding) {
      case (.allRules, _), (_, nil): 0..<ruleCount
      case (.untilDecided, let deciding?): 0..<(deciding + 1)
      case (.decision, let deciding?): deciding..<(deciding + 1)
      }
    let (positions, omitted) = question.explained(shown, deciding: deciding)
    for position in positions {
      guard let definition = list.definitions?[position],
        let explanation = matcher.explanation(
          ofRule: list.rules.lowerBound + position, in: index, for: &question.url)
      else { continue }
      let parts =
        scope == .allRules
        ? explained(definition, explanation, at: position, deciding: deciding)
        : brief(definition, explanation, at: position)
      for part in parts { try line(part) }
    }
    if omitted > 0 {
      let text =
        "\(omitted.counted("other rule", "other rules")) \(omitted == 1 ? "is" : "are") not "
        + "explained, because the URL is long."
      for part in text.wrapped(width: style.width, indent: "    ") { try line(part) }
    }
  }

  private func name(of verdict: Verdict) -> String {
    switch verdict {
    case .claimed: style.green("claimed")
    case .excluded: style.red("excluded")
    case .unclaimed, .ineligible: style.dim("unclaimed")
    }
  }

  private func reason(
    _ verdict: Verdict, _ deciding: Int?, _ list: LinkMatcher.RuleList
  ) -> String {
    if let deciding {
      return "by rule \(deciding) of entry \(SafeText.escaped(list.systemEntry.text))"
    }
    if verdict == .claimed {
      return "the entry has neither 'components' nor 'paths', so it matches every URL"
    }
    return list.rules.isEmpty ? "there are no rules" : "no rule matches"
  }

  /// A rule, and what fails first.
  private func brief(
    _ definition: RuleDefinition, _ explanation: RuleExplanation, at position: Int
  ) -> [String] {
    var lines = ["    rule \(position)  \(SafeText.escaped(definition.source.oneLine))"]
    if let mismatch = explanation.mismatch {
      lines.append("      does not match: \(SafeText.escaped(mismatch))")
      let failed = explanation.comparisons.first { !$0.matches }
      if let hint = failed?.hint { lines.append("      " + SafeText.escaped(hint)) }
    } else {
      lines.append("      \(style.bold("matches"))\(definition.excludes ? ", and excludes" : "")")
    }
    if let note = explanation.escapesNote { lines.append("      " + note) }
    return lines
  }

  // MARK: - All comparisons

  /// Returns a rule with all that it compares, a line for each comparison.
  ///
  /// `deciding` is the position of the rule that decides, if one does.
  private func explained(
    _ definition: RuleDefinition, _ explanation: RuleExplanation, at rule: Int, deciding: Int?
  ) -> [String] {
    let place = definition.position.map { "line \($0.line)  " } ?? ""
    let heading = "    rule \(rule)  \(place)"
    let source = SafeText.escaped(definition.source.oneLine)
      .shortened(to: style.width - heading.count)
    var lines = [heading + source]
    for comparison in explanation.comparisons {
      let mark = comparison.matches ? style.green("yes") : style.dim("no ")
      lines += wrapped(comparison.words, after: mark)
      if !comparison.matches, let hint = comparison.hint {
        lines += wrapped(
          SafeText.escaped(hint).split(separator: " ").map(String.init), after: "   ")
      }
    }
    if explanation.comparisons.isEmpty {
      lines += wrapped(["it has no condition on the URL"], after: style.green("yes"))
    }
    if explanation.requiresEntitlement {
      lines += wrapped([RuleExplanation.entitlementMismatch], after: style.dim("no "))
    }
    if let note = explanation.escapesNote {
      lines += wrapped(note.split(separator: " ").map(String.init), after: "   ")
    }
    let notes = notes(explanation)
    let pieces = notes.enumerated().map {
      $0.offset < notes.count - 1 ? $0.element + ";" : $0.element
    }
    if !pieces.isEmpty { lines += wrapped(pieces, after: "   ") }
    if let conclusion = conclusion(explanation, at: rule, deciding) {
      lines.append("      \(conclusion)")
    }
    return lines
  }

  /// The way in which the texts were compared, if it isn't the usual one.
  private func notes(_ explanation: RuleExplanation) -> [String] {
    var notes: [String] = []
    if explanation.comparisons.isEmpty { return notes }
    if explanation.ignoresCase { notes.append("letter case is ignored") }
    let decoded = explanation.comparisons.filter { $0.spelling != nil }
    for comparison in decoded {
      let spelling = SafeText.escaped(comparison.spelling ?? "")
      notes.append(
        comparison.decodesToNothing
          ? "'\(spelling)' can't be decoded, so it counts as empty"
          : "decoded from '\(spelling)'")
    }
    if explanation.isDecoded, decoded.isEmpty {
      notes.append("compared percent-decoded")
    }
    if !explanation.inheritedKeys.isEmpty {
      let keys = explanation.inheritedKeys.map { "'\($0)'" }.joined(separator: ", ")
      notes.append("\(keys) from 'defaults'")
    }
    return notes
  }

  /// The effect of the rule if it matches.
  private func conclusion(
    _ explanation: RuleExplanation, at rule: Int, _ deciding: Int?
  ) -> String? {
    guard explanation.matches else { return nil }
    if deciding == rule {
      return style.bold(explanation.excludes ? "decides: excluded" : "decides: claimed")
    }
    let action = explanation.excludes ? "would exclude" : "would match"
    return style.yellow("\(action), but rule \(deciding ?? 0) has decided")
  }

  /// Words after a mark, on more lines if they don't fit one.
  private func wrapped(_ words: [String], after mark: String) -> [String] {
    let room = style.width - 11
    var lines: [String] = []
    var line = ""
    for word in words {
      if !line.isEmpty, line.displayWidth + 1 + word.displayWidth > room {
        lines.append(line)
        line = "  " + word
      } else {
        line += (line.isEmpty ? "" : " ") + word
      }
    }
    lines.append(line)
    return lines.enumerated().map {
      "      \($0.offset == 0 ? mark : "   ")  \($0.element)"
    }
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
      return "'\(variable.text)' is \(kind)"
        + (variable.value.map { "; '\($0)' is one" } ?? "")
    }
    return otherSpelling.map {
      "the URL has '\($0)'; names of query items keep their letter case"
    }
  }

  /// The comparison in words, in pieces between which a line may end.
  fileprivate var words: [String] {
    let pattern = "'\(SafeText.escaped(pattern))'"
    if exceedsLevels {
      return [
        isUnmatchable ? "\(pattern) matches nothing:" : "\(pattern) does not match this text:",
        "it needs more stars and variables", "than \(LinkMatcher.levelLimit),",
        "the limit of systems",
      ]
    }
    if isUnmatchable {
      return [
        "\(pattern) matches nothing:",
        "it has a variable that is unknown, has no value,", "or lacks its ')'",
      ]
    }
    let text = SafeText.escaped(self.text ?? "")
    switch part {
    case .path: return compared("path '\(text)'", "is", pattern)
    case .query:
      return text.isEmpty ? absent("query", pattern) : compared("query '\(text)'", "is", pattern)
    case .fragment:
      return text.isEmpty
        ? absent("fragment", pattern) : compared("fragment '\(text)'", "is", pattern)
    case .queryItem:
      let item = "query item '\(SafeText.escaped(name ?? ""))'"
      return self.text == nil
        ? absent(item, pattern) : compared("\(item) is '\(text)',", "", pattern)
    }
  }

  private func compared(_ subject: String, _ verb: String, _ pattern: String) -> [String] {
    [subject, (verb.isEmpty ? "" : verb + " ") + (matches ? "like" : "not like") + " " + pattern]
  }

  private func absent(_ subject: String, _ pattern: String) -> [String] {
    ["there is no \(subject),", matches ? "and \(pattern) needs none" : "and \(pattern) needs one"]
  }
}

extension String {
  /// This text with each run of white space as one space.
  var oneLine: String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

extension LinkURL.Ineligibility {
  /// The reason in words.
  var sentence: String {
    switch self {
    case .notHTTP: "this is not a URL that begins with http:// or https://"
    case .hostWithoutDomain: "the host has no full stop, so no app can be associated with it"
    case .otherHost: "the association file is for another host"
    case .foreignPort: "the port is not the default one of the scheme"
    }
  }
}

extension RuleExplanation {
  /// The warning that the verdict is uncertain, or `nil` if it is not.
  var escapesNote: String? {
    guard dependsOnEscapes else { return nil }
    return
      "uncertain: systems may encode '%' again next to characters that URLs can't contain; then "
      + "the rule \(matches ? "does not match" : "matches")"
  }
}

extension RuleExplanation {
  /// The reason why a rule that requires an entitlement doesn't match.
  fileprivate static let entitlementMismatch =
    "it requires an entitlement that ordinary apps don't have"

  /// The first reason why the rule doesn't match, in words, or `nil` if it matches.
  fileprivate var mismatch: String? {
    comparisons.first { !$0.matches }.map(\.mismatch)
      ?? (requiresEntitlement ? Self.entitlementMismatch : nil)
  }
}

extension RuleExplanation.Comparison {
  /// The reason why the text doesn't match the pattern, in words.
  fileprivate var mismatch: String {
    if exceedsLevels {
      return
        "'\(pattern)' needs more stars and variables than \(LinkMatcher.levelLimit), the limit of systems"
    }
    if isUnmatchable {
      return "'\(pattern)' has a variable that is unknown, has no value, or lacks its ')'"
    }
    let text = text ?? ""
    func differs(_ name: String) -> String {
      text.isEmpty
        ? "there is no \(name), and '\(pattern)' needs one"
        : "the \(name) is '\(text)', the pattern is '\(pattern)'"
    }
    return switch part {
    case .path: "the path is '\(text)', the pattern is '\(pattern)'"
    case .query: differs("query")
    case .fragment: differs("fragment")
    case .queryItem where self.text == nil:
      "there is no query item '\(name ?? "")', and '\(pattern)' needs one"
    case .queryItem:
      "the query item '\(name ?? "")' is '\(text)', the pattern is '\(pattern)'"
    }
  }
}
