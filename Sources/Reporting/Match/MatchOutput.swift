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

  /// A Boolean value indicating whether the site covers all hosts below one.
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

  /// The host of the sites, if there is only one.
  private let onlyHost: String?
  private let format: Format
  private let style: Style
  private let explains: Bool
  private let sink: OutputSink

  /// The lines of NDJSON.
  private var json: JSONWriter

  /// Text and Markdown that is not written yet.
  private var buffer = ""

  /// Creates the output.
  ///
  /// - Parameters:
  ///   - sites: The sites to search.
  ///   - format: The format.
  ///   - style: The style of text.
  ///   - explains: Whether to show all comparisons of the rules.
  ///   - sink: The destination of the output.
  package init(
    sites: [MatchSite], format: Format, style: Style, explains: Bool,
    sink: @escaping OutputSink
  ) {
    self.sites = sites.inOrderOfHosts
    onlyHost = sites.compactMap(\.host).onlyHost
    self.format = format
    self.style = style
    self.explains = explains
    self.sink = sink
    json = JSONWriter(.compact, to: sink)
  }

  /// Whether no output has been written.
  private var isFirst = true

  /// Answers for a URL.
  package mutating func add(_ bytes: [UInt8]) throws {
    var question = question(bytes)
    switch format {
    case .ndjson: json.line(&question, explains: explains)
    case .text, .markdown: try append(question.section(explains: explains, host: onlyHost))
    }
  }

  /// Answers for an expectation; for people, only if the result differs.
  ///
  /// - Parameters:
  ///   - expectation: The expectation.
  ///   - name: The name of the file that contains the expectation.
  /// - Returns: Whether the result differs from the expectation.
  /// - Throws: Any error of the sink.
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

  /// Writes an entry for people.
  package mutating func append(_ section: Document.Section) throws {
    buffer +=
      (isFirst ? "" : "\n") + (format == .markdown ? section.markdown : section.text(style: style))
    isFirst = false
    if buffer.utf8.count > 1 << 16 { try flush() }
  }

  /// Writes the answers so far.
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
