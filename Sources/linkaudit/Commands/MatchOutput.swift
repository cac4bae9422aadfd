internal import UniversalLinks

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The answers of `match`, URL by URL.
struct MatchOutput {
  private let sites: [MatchSite]
  private let format: MatchCommand.Format
  private let style: Style
  private let encoder = JSONEncoder()
  private var buffer = ""
  private var isFirst = true

  init(sites: [MatchSite], format: MatchCommand.Format, style: Style) {
    self.sites = sites
    self.format = format
    self.style = style
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  /// Answers for a URL.
  mutating func add(_ bytes: [UInt8]) throws {
    var (site, url) = parse(bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    switch format {
    case .ndjson: buffer += try json(text, site.matcher, &url) + "\n"
    case .text:
      if !isFirst { buffer += "\n" }
      buffer += explanation(text, site.matcher, &url).joined(separator: "\n") + "\n"
    }
    isFirst = false
    if buffer.utf8.count > 1 << 16 { try flush() }
  }

  /// Writes what has been answered.
  mutating func flush() throws {
    try StandardStreams.write(buffer)
    buffer = ""
  }

  /// The site that a URL belongs to, or the first one if it belongs to none.
  private func parse(_ text: [UInt8]) -> (MatchSite, LinkURL) {
    var first: (MatchSite, LinkURL)?
    for site in sites {
      let url = LinkURL(text, host: site.host)
      if url.ineligibility != .otherHost { return (site, url) }
      first = first ?? (site, url)
    }
    return first ?? (sites[0], LinkURL(text))
  }

  // MARK: - NDJSON

  private struct Line: Encodable {
    struct App: Encodable {
      var app: String
      var verdict: String
      var detail: JSONPlace
      var rule: JSONNullable<Int>
    }

    var url: String
    var verdict: String
    var apps: [App]
  }

  private func json(_ text: String, _ matcher: LinkMatcher, _ url: inout LinkURL) throws -> String {
    var evaluation = Evaluation()
    matcher.evaluate(&url, into: &evaluation)
    let line = Line(
      url: text, verdict: evaluation.siteVerdict.rawValue,
      apps: matcher.decisions(of: evaluation).filter {
        $0.verdict == .claimed || $0.verdict == .excluded
      }.map {
        Line.App(
          app: $0.app.text, verdict: $0.verdict.rawValue, detail: JSONPlace($0.place),
          rule: JSONNullable($0.rule))
      })
    return SafeText.escapedJSON(String(decoding: try encoder.encode(line), as: UTF8.self))
  }

  // MARK: - Text

  private func explanation(
    _ text: String, _ matcher: LinkMatcher, _ url: inout LinkURL
  ) -> [String] {
    var lines = [style.bold(SafeText.escaped(text))]
    if let reason = url.ineligibility {
      return lines + ["  \(style.yellow("ineligible"))  \(reason.sentence)"]
    }
    if matcher.apps.isEmpty {
      return lines + ["  \(style.dim("unclaimed"))   the file names no app for these systems"]
    }
    var evaluation = Evaluation()
    matcher.evaluate(&url, into: &evaluation)
    var explained: Set<Int> = []
    for app in matcher.apps where explained.insert(app.ruleList).inserted {
      let apps = matcher.apps.filter { $0.ruleList == app.ruleList }
      lines += explanation(
        ofRuleList: app.ruleList, apps: apps.map { SafeText.escaped($0.identifier.text) },
        evaluation,
        matcher, &url)
    }
    return lines
  }

  private func explanation(
    ofRuleList index: Int, apps: [String], _ evaluation: Evaluation, _ matcher: LinkMatcher,
    _ url: inout LinkURL
  ) -> [String] {
    let list = matcher.ruleLists[index]
    let verdict = evaluation.verdict(ofRuleList: index)
    let deciding = evaluation.decidingRule(ofRuleList: index)
    let name: String =
      switch verdict {
      case .claimed: style.green("claimed")
      case .excluded: style.red("excluded")
      case .unclaimed, .ineligible: style.dim("unclaimed")
      }
    let reason: String
    if let deciding {
      reason = "by rule \(deciding) of entry \(SafeText.escaped(list.place.text))"
    } else if verdict == .claimed {
      reason = "the entry has neither 'components' nor 'paths', so it matches every URL"
    } else {
      reason = list.ruleCount == 0 ? "there are no rules" : "no rule matches"
    }
    var lines = ["  \(name)  \(reason)"]
    lines += apps.map { "    for \($0)" }
    let shown = deciding.map { $0 + 1 } ?? list.ruleCount
    for position in 0..<shown {
      guard let definition = list.definitions?[position] else { continue }
      let source = SafeText.escaped(definition.source.oneLine)
      lines.append("    rule \(position)  \(source)")
      if let mismatch = matcher.mismatch(ruleList: index, rule: position, url: &url) {
        lines.append("      does not match: \(SafeText.escaped(mismatch.sentence))")
      } else {
        lines.append("      \(style.bold("matches"))\(definition.excludes ? ", and excludes" : "")")
      }
    }
    return lines
  }
}

extension String {
  /// This text with each run of white space as one space.
  fileprivate var oneLine: String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

extension LinkURL.Ineligibility {
  /// The reason in words.
  var sentence: String {
    switch self {
    case .notHTTP: "this is not a URL that begins with http:// or https://"
    case .hostWithoutDomain: "the host has no full stop, so no app can be associated with it"
    case .otherHost: "the host is another one than that of the association file"
    case .foreignPort: "the port is not the default one of the scheme"
    }
  }
}

extension RuleMismatch {
  /// What differs, in words.
  var sentence: String {
    switch self {
    case .path(let pattern, let text): "the path '\(text)' is not like '\(pattern)'"
    case .query(let pattern, let text):
      text.isEmpty
        ? "there is no query, and '\(pattern)' needs one"
        : "the query '\(text)' is not like '\(pattern)'"
    case .queryItem(let name, let pattern, nil):
      "there is no query item '\(name)', and '\(pattern)' needs one"
    case .queryItem(let name, let pattern, let value?):
      "the query item '\(name)' is '\(value)', not like '\(pattern)'"
    case .unmatchable(let pattern):
      "'\(pattern)' has a variable that is unknown, has no value, or lacks its ')'"
    case .fragment(let pattern, let text):
      text.isEmpty
        ? "there is no fragment, and '\(pattern)' needs one"
        : "the fragment '\(text)' is not like '\(pattern)'"
    case .entitlement: "it asks for an entitlement that ordinary apps don't have"
    }
  }
}
