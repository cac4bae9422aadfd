internal import Foundations
package import UniversalLinks

/// An association file with the host that it belongs to, if that matters.
package struct MatchSite {
  /// The host, or `*.` and a domain for all hosts below.
  var host: String?
  var matcher: LinkMatcher

  /// The apps that the file names, for whatever systems.
  package var apps: Set<ApplicationIdentifier>

  package init(host: String?, matcher: LinkMatcher, apps: Set<ApplicationIdentifier>) {
    (self.host, self.matcher, self.apps) = (host, matcher, apps)
  }

  fileprivate var isWildcard: Bool { host.map { HostScope($0).isWildcard } ?? false }
}

/// The answers of `match`, URL by URL.
package struct MatchOutput {
  /// The forms of the answers.
  package enum Format: String, CaseIterable, Sendable {
    case text
    case ndjson
    case markdown
  }

  private let sites: [MatchSite]

  private let format: Format
  private let style: Style
  private let explains: Bool
  private let sink: OutputSink
  private var json: JSONWriter
  private var buffer = ""

  /// Creates the output; `explains` shows all comparisons of the rules.
  package init(
    sites: [MatchSite], format: Format, style: Style, explains: Bool,
    sink: @escaping OutputSink
  ) {
    self.sites = sites.inOrderOfHosts
    (self.format, self.style, self.explains, self.sink) = (format, style, explains, sink)
    json = JSONWriter(.compact, to: sink)
  }

  private var isFirst = true

  package mutating func add(_ bytes: [UInt8]) throws {
    var question = question(bytes)
    switch format {
    case .ndjson: json.line(&question, explains: explains)
    case .text, .markdown: try append(question.section(explains: explains))
    }
  }

  /// Answers for an expectation of a file, and returns whether the result differs; for people, only
  /// then.
  package mutating func add(_ expectation: MatchExpectation, of name: String) throws -> Bool {
    var question = question(expectation.url)
    let verdict = question.verdict(for: expectation.app)
    let differs = (verdict == .claimed) != (expectation.outcome == .open)
    switch format {
    case .ndjson:
      json.line(&question, expectation, differs: differs, explains: explains)
    case .text, .markdown:
      guard differs else { break }
      try append(question.section(explains: explains, expectation: (expectation, name)))
    }
    return differs
  }

  package mutating func append(_ section: Document.Section) throws {
    buffer +=
      (isFirst ? "" : "\n") + (format == .markdown ? section.markdown : section.text(style: style))
    isFirst = false
    if buffer.utf8.count > 1 << 16 { try flush() }
  }

  package mutating func flush() throws {
    defer { buffer = "" }
    if format == .ndjson { try json.finish() } else { try sink(Array(buffer.utf8)) }
  }

  /// A URL with the site that it belongs to, or the first one if it belongs to none.
  private func question(_ text: [UInt8]) -> MatchQuestion {
    var first: MatchQuestion?
    for site in sites {
      let url = LinkURL(text, host: site.host)
      let question = MatchQuestion(text: text, matcher: site.matcher, url: url)
      if url.ineligibility != .otherHost { return question }
      first = first ?? question
    }
    return first ?? MatchQuestion(text: text, matcher: sites[0].matcher, url: LinkURL(text))
  }
}

extension [String] {
  /// The only host of these sites, if there is only one and it isn't a pattern.
  package var onlyHost: String? {
    guard count == 1, let host = first, !host.hasPrefix("*") else { return nil }
    return host
  }
}

extension [MatchSite] {
  /// The sites in the order in which they are searched.
  ///
  /// Single hosts come before host patterns, of which the longest come first.
  var inOrderOfHosts: [MatchSite] {
    filter { !$0.isWildcard }
      + filter(\.isWildcard).sorted { ($0.host ?? "").count > ($1.host ?? "").count }
  }
}

/// A URL, and the result of the rules of its site.
package struct MatchQuestion {
  let text: String
  let matcher: LinkMatcher
  var url: LinkURL
  let evaluation: Evaluation

  package init(text: [UInt8], matcher: LinkMatcher, url: LinkURL) {
    self.text = String(decoding: text, as: UTF8.self)
    self.matcher = matcher
    self.url = url
    var evaluation = Evaluation()
    matcher.evaluate(&self.url, into: &evaluation)
    self.evaluation = evaluation
  }

  /// The number of bytes that explanations of rules for one app may read together.
  ///
  /// Each explanation reads the whole URL.
  private static let explainedBytes = 1 << 24

  /// Returns which of some rules to explain, and how many others are left out: the first ones, fewer if
  /// the URL is long, and the one that decides.
  func explained(
    _ rules: Range<Int>, deciding: Int?, limit: Int = .max
  ) -> (rules: [Int], omitted: Int) {
    let limit = min(limit, max(1, Self.explainedBytes / max(1, text.utf8.count)))
    var explained = Array(rules.prefix(limit))
    if let deciding, rules.contains(deciding), !explained.contains(deciding) {
      explained.append(deciding)
    }
    return (explained, rules.count - explained.count)
  }

  /// The verdict of the rules of an app, or that of the site.
  package func verdict(for app: ApplicationIdentifier?) -> Verdict {
    guard let app else { return evaluation.siteVerdict }
    guard let own = matcher.apps.first(where: { $0.identifier == app }) else { return .unclaimed }
    return evaluation.verdict(ofRuleList: own.ruleList)
  }
}

extension JSONWriter {
  /// Writes the answer for a URL as a line of `match --format ndjson`, whose members ascend by name.
  ///
  /// The line has all apps with all comparisons of their rules if `explains` says so; else it has the
  /// apps that claim or exclude the URL. `differs` says whether the outcome differs from an expected one.
  mutating func line(
    _ question: inout MatchQuestion, _ expectation: MatchExpectation? = nil, differs: Bool? = nil,
    explains: Bool
  ) {
    object { json in
      json.array("apps") { json in
        let decisions = question.matcher.decisions(of: question.evaluation)
        for (app, decision) in zip(question.matcher.apps, decisions)
        where decision.verdict != .ineligible && (explains || decision.verdict != .unclaimed) {
          let entry = question.matcher.ruleLists[app.ruleList].systemEntry
          json.object { json in
            json.member("app", decision.app.text)
            entry.value.write("detail", to: &json)
            json.member("rule", decision.rule?.position)
            if explains { json.rules(ofRuleList: app.ruleList, &question) }
            json.member("verdict", decision.verdict.rawValue)
          }
        }
      }
      if let differs { json.member("differs", differs) }
      if let expectation {
        json.member("expected", expectation.outcome.rawValue)
        if let app = expectation.app { json.member("expectedApp", app.text) }
      }
      if explains, let reason = question.url.ineligibility {
        json.member("ineligible", reason.rawValue)
      }
      if let expectation { json.member("line", expectation.line) }
      json.member("url", question.text)
      json.member("verdict", question.evaluation.siteVerdict.rawValue)
    }
  }

  /// Writes the rules of a list with their comparisons, one by one: a file can have hundreds of
  /// thousands.
  private mutating func rules(ofRuleList index: Int, _ question: inout MatchQuestion) {
    let list = question.matcher.ruleLists[index]
    let deciding = question.evaluation.decidingRule(ofRuleList: index)
    let (rules, omitted) = question.explained(list.rules, deciding: deciding)
    array("rules") { json in
      for number in rules {
        guard
          let explanation = question.matcher.explanation(
            ofRule: number, in: index, for: &question.url)
        else { continue }
        let position = question.matcher.rules[number].definition.position
        json.object { json in
          json.member("caseSensitive", !explanation.ignoresCase)
          json.member("comparisons", objects: explanation.comparisons) { $0.members(of: $1) }
          json.member("decides", number == deciding)
          if explanation.dependsOnEscapes { json.member("dependsOnEscapes", true) }
          json.member("excludes", explanation.excludes)
          json.member("fromDefaults", strings: explanation.inheritedKeys)
          if let position { json.member("line", position.line) }
          json.member("matches", explanation.matches)
          json.member("percentEncoded", !explanation.isDecoded)
          json.member("requiresEntitlement", explanation.requiresEntitlement)
          json.member("rule", number - list.rules.lowerBound)
        }
        json.passOn()
      }
    }
    if omitted > 0 { member("rulesNotExplained", omitted) }
  }

  /// Writes a text of the URL with the pattern that it is compared with.
  private mutating func members(of comparison: RuleExplanation.Comparison) {
    if comparison.exceedsLevels { member("exceedsLevels", true) }
    if let variable = comparison.failedVariable {
      member("failedVariable") { json in
        json.member("name", variable.name)
        json.member("text", variable.text)
        json.member("value", variable.value)
      }
    }
    member("matches", comparison.matches)
    if let name = comparison.name { member("name", name) }
    if let other = comparison.otherSpelling { member("otherSpelling", other) }
    member("part", comparison.part.rawValue)
    member("pattern", comparison.pattern)
    if let spelling = comparison.spelling { member("spelling", spelling) }
    member("text", comparison.text)
  }
}
