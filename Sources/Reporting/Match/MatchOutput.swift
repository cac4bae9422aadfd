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

  /// Answers for a URL, and returns whether the result differs from an expectation of a file; for
  /// people, only then if there is one.
  @discardableResult
  package mutating func add(
    _ url: [UInt8], _ expectation: (MatchExpectation, file: String)? = nil
  ) throws -> Bool {
    var question = question(url)
    let differs = expectation.map { expected, _ in
      (question.verdict(for: expected.app) == .claimed) != expected.opens
    }
    if format == .ndjson {
      json.line(&question, expectation?.0, differs: differs, explains: explains)
    } else if differs ?? true {
      try append(question.section(explains: explains, expectation: expectation))
    }
    return differs ?? false
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
    let questions = sites.lazy.map { site in
      MatchQuestion(text: text, matcher: site.matcher, url: LinkURL(text, host: site.host))
    }
    return questions.first { $0.url.ineligibility != .otherHost } ?? questions[0]
  }
}

extension [String] {
  /// The only host of these sites, if there is only one and it isn't a pattern.
  package var onlyHost: String? { count == 1 && !self[0].hasPrefix("*") ? self[0] : nil }
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
struct MatchQuestion {
  let text: String
  let matcher: LinkMatcher
  var url: LinkURL
  let evaluation: Evaluation

  init(text: [UInt8], matcher: LinkMatcher, url: LinkURL) {
    self.text = String(decoding: text, as: UTF8.self)
    (self.matcher, self.url) = (matcher, url)
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
  func verdict(for app: ApplicationIdentifier?) -> Verdict {
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
        json.member("expected", expectation.opens ? "open" : "browser")
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
