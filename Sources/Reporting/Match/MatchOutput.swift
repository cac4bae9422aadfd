internal import Foundations
package import UniversalLinks

/// An association file with the host that it belongs to, if that matters.
package struct MatchSite: Sendable {
  /// The host, or `*.` and a domain for all hosts below.
  let host: String?
  let scope: HostScope?
  let matcher: LinkMatcher

  /// The apps that the file names, for whatever systems.
  package let apps: Set<ApplicationIdentifier>

  package init(host: String?, matcher: LinkMatcher, apps: Set<ApplicationIdentifier>) {
    (self.host, scope) = (host, host.map { HostScope($0) })
    (self.matcher, self.apps) = (matcher, apps)
  }
}

extension [MatchSite] {
  /// The sites in the order in which they are searched.
  ///
  /// Single hosts come before host patterns, of which the longest come first.
  var inOrderOfHosts: [MatchSite] {
    let patterns = filter { $0.scope?.isWildcard ?? false }
    return filter { !($0.scope?.isWildcard ?? false) }
      + patterns.sorted { ($0.host ?? "").count > ($1.host ?? "").count }
  }

  /// Reads a URL, and returns the position of the site that it belongs to, or the first one if it
  /// belongs to none.
  func find(_ text: [UInt8], _ url: inout LinkURL) -> Int {
    indices.first { index in
      url.set(text, in: self[index].scope)
      return url.ineligibility != .otherHost
    } ?? 0
  }
}

extension [String] {
  /// The only host of these sites, if there is only one and it isn't a pattern.
  package var onlyHost: String? { count == 1 && !self[0].hasPrefix("*") ? self[0] : nil }
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

  /// Answers for a URL, and returns whether the result differs from an expectation of a file; for
  /// people, only then if there is one.
  @discardableResult
  package mutating func add(
    _ text: [UInt8], _ expectation: (MatchExpectation, file: String)? = nil
  ) throws -> Bool {
    var url = LinkURL()
    let site = sites[sites.find(text, &url)]
    let question = MatchQuestion(
      text: text, matcher: site.matcher, url: url, explains: explains, expectation: expectation?.0)
    if format == .ndjson {
      json.line(question)
    } else if question.differs ?? true {
      try append(question.section(file: expectation?.file ?? ""))
    }
    return question.differs ?? false
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
}

/// A URL, and the result of the rules of its site.
struct MatchQuestion {
  let text: String
  let matcher: LinkMatcher
  let url: LinkURL
  let evaluation: Evaluation

  /// Whether all rules are compared with the URL, and all their conditions.
  let explains: Bool
  let expectation: MatchExpectation?

  init(
    text: [UInt8], matcher: LinkMatcher, url: LinkURL, explains: Bool = false,
    expectation: MatchExpectation? = nil
  ) {
    self.text = String(decoding: text, as: UTF8.self)
    (self.matcher, self.explains, self.expectation) = (matcher, explains, expectation)
    var (url, evaluation) = (url, Evaluation())
    matcher.evaluate(&url, into: &evaluation)
    (self.url, self.evaluation) = (url, evaluation)
  }

  /// The number of bytes that explanations of rules for one app may read together.
  ///
  /// Each explanation reads the whole URL.
  private static let explainedBytes = 1 << 24

  /// Compares the URL with rules of a list, one by one, because a file can have hundreds of thousands:
  /// with the first of some, fewer if the URL is long, and the one that decides.
  ///
  /// The result also has the number of others.
  func compared(
    _ rules: Range<Int>, ofRuleList index: Int, limit: Int = .max
  ) -> (rules: some Sequence<ComparedRule>, omitted: Int) {
    let limit = min(limit, max(1, Self.explainedBytes / max(1, text.utf8.count)))
    let deciding = evaluation.decidingRule(ofRuleList: index)
    var numbers = Array(rules.prefix(limit))
    if let deciding, rules.contains(deciding), !numbers.contains(deciding) {
      numbers.append(deciding)
    }
    let first = matcher.ruleLists[index].rules.lowerBound
    // The first comparison prepares the URL for all others.
    var url = url
    let compared = numbers.lazy.compactMap { number -> ComparedRule? in
      matcher.explanation(ofRule: number, in: index, for: &url).map { explanation in
        ComparedRule(
          position: number - first, explanation: explanation, decides: number == deciding)
      }
    }
    return (compared, rules.count - numbers.count)
  }

  /// Whether the outcome isn't the expected one, or `nil` if none is expected.
  var differs: Bool? {
    expectation.map { (verdict(for: $0.app) == .claimed) != $0.opens }
  }

  /// The verdict of the rules of an app, or that of the site.
  private func verdict(for app: ApplicationIdentifier?) -> Verdict {
    guard let app else { return evaluation.siteVerdict }
    guard let own = matcher.apps.first(where: { $0.identifier == app }) else { return .unclaimed }
    return evaluation.verdict(ofRuleList: own.ruleList)
  }

  /// The decisions for the apps that claim or exclude the URL, or for all apps in an explanation, each
  /// with the position of their rules.
  fileprivate var decisions: [(list: Int, decision: Decision)] {
    zip(matcher.apps, matcher.decisions(of: evaluation)).filter {
      $1.verdict != .ineligible && (explains || $1.verdict != .unclaimed)
    }.map { ($0.ruleList, $1) }
  }
}

/// A rule, compared with a URL.
struct ComparedRule {
  /// The position in its list.
  let position: Int
  let explanation: RuleExplanation
  let decides: Bool
}

extension JSONWriter {
  /// Writes the answer for a URL as a line of `match --format ndjson`, whose members ascend by name.
  mutating func line(_ question: MatchQuestion) {
    object { json in
      json.member("apps", objects: question.decisions) { json, row in
        let (list, decision) = row
        json.member("app", decision.app.text)
        question.matcher.ruleLists[list].systemEntry.value.write("detail", to: &json)
        json.member("rule", decision.rule?.position)
        if question.explains {
          let all = question.matcher.ruleLists[list].rules
          let (rules, omitted) = question.compared(all, ofRuleList: list)
          json.member("rules", objects: rules) { $0.members(of: $1) }
          if omitted > 0 { json.member("rulesNotExplained", omitted) }
        }
        json.member("verdict", decision.verdict.rawValue)
      }
      if let differs = question.differs { json.member("differs", differs) }
      let expectation = question.expectation
      if let expectation { json.member("expected", expectation.opens ? "open" : "browser") }
      if let app = expectation?.app { json.member("expectedApp", app.text) }
      if question.explains, let reason = question.url.ineligibility {
        json.member("ineligible", reason.rawValue)
      }
      if let expectation { json.member("line", expectation.line) }
      json.member("url", question.text)
      json.member("verdict", question.evaluation.siteVerdict.rawValue)
    }
  }

  private mutating func members(of rule: ComparedRule) {
    let explanation = rule.explanation
    member("caseSensitive", explanation.definition.isCaseSensitive)
    member("comparisons", objects: explanation.comparisons) { $0.members(of: $1) }
    member("decides", rule.decides)
    if explanation.dependsOnEscapes { member("dependsOnEscapes", true) }
    member("excludes", explanation.definition.excludes)
    member("fromDefaults", strings: explanation.inheritedKeys)
    if let position = explanation.definition.position { member("line", position.line) }
    member("matches", explanation.matches)
    member("percentEncoded", explanation.definition.isPercentEncoded)
    member("requiresEntitlement", explanation.definition.requiresEntitlement)
    member("rule", rule.position)
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

/// A line of `--expect`: the expected outcome for a URL.
package struct MatchExpectation {
  /// Whether the URL should open an app; else it should stay in the browser.
  var opens: Bool

  /// The app that the expectation is about, or `nil` for any.
  var app: ApplicationIdentifier?

  /// The URL, which need not be UTF-8.
  package var url: [UInt8]
  var line: Int
}

extension MatchExpectation {
  /// Reads the lines of a file, whose expectations can be about some apps.
  ///
  /// - Parameters:
  ///   - text: The file.
  ///   - apps: The apps.
  ///   - urlOfPath: Returns the URL of a path, or `nil` for other texts, or if no host is known.
  /// - Returns: The expectations, and the lines that can't be understood.
  package static func read(
    _ text: [UInt8], apps: Set<ApplicationIdentifier>, urlOfPath: ([UInt8]) -> [UInt8]?
  ) -> (expectations: [MatchExpectation], mistakes: [Mistake]) {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = text.starts(with: byteOrderMark) ? text.dropFirst(3) : text[...]
    var (expectations, mistakes): ([MatchExpectation], [Mistake]) = ([], [])
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let words = line.split { $0.isBlank || $0 == 0x0D }
      guard let first = words.first, first.first != UInt8(ascii: "#") else { continue }
      do throws(Mistake) {
        expectations.append(try read(words, line: index + 1, apps: apps, urlOfPath))
      } catch {
        mistakes.append(error)
      }
    }
    return (expectations, mistakes)
  }

  private static func read(
    _ words: [ArraySlice<UInt8>], line: Int, apps: Set<ApplicationIdentifier>,
    _ urlOfPath: ([UInt8]) -> [UInt8]?
  ) throws(Mistake) -> MatchExpectation {
    func mistake(_ reason: String) -> Mistake { Mistake(line: line, reason: reason) }
    let word = String(decoding: words[0], as: UTF8.self)
    let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts[0] == "open" || parts[0] == "browser" else {
      throw mistake("'\(word)' is neither 'open' nor 'browser'; write 'open URL' or 'browser URL'")
    }
    var app: ApplicationIdentifier?
    if parts.count == 2 {
      let identifier = ApplicationIdentifier(String(parts[1]))
      guard apps.contains(identifier) else {
        throw mistake(
          "no association file names the app '\(parts[1])'; write it as in the file, with its prefix"
        )
      }
      app = identifier
    }
    guard words.count > 1 else { throw mistake("there is no URL after '\(word)'") }
    // Text after a space and a '#' is a comment.
    if words.count > 2, words[2].first != UInt8(ascii: "#") {
      throw mistake(
        "there is white space in the URL; write a space as %20, and begin a comment with ' #'")
    }
    let url = urlOfPath(Array(words[1])) ?? Array(words[1])
    if LinkURL(url).ineligibility == .notHTTP {
      let text = String(decoding: url, as: UTF8.self)
      let isPath = text.hasPrefix("/") && !text.hasPrefix("//")
      throw mistake(
        "'\(text)' is not a URL that begins with http:// or https://"
          + (isPath ? "; pass the host of paths with '--host HOST'" : "")
          + (text.meantURL.map { "; did you mean '\($0)'?" } ?? ""))
    }
    return MatchExpectation(opens: parts[0] == "open", app: app, url: url, line: line)
  }

  /// A line that can't be used.
  package struct Mistake: Error {
    /// The number of the line, from 1.
    package var line: Int

    /// The reason why the line can't be used.
    package var reason: String
  }
}

extension String {
  /// The URL that a text such as `www.example.com/buy` probably means, or `nil`.
  var meantURL: String? {
    if hasPrefix("//") { return String(dropFirst(2)).meantURL }
    let labels = prefix { !"/?#:".contains($0) }
      .split(separator: ".", omittingEmptySubsequences: false)
    let isHost =
      labels.count > 1
      && labels.allSatisfy { label in
        !label.isEmpty && label.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.isLetterOrDigit }
      }
    guard isHost, let last = labels.last, last.utf8.allSatisfy({ $0 > 0x40 }) else { return nil }
    return "https://" + self
  }
}
