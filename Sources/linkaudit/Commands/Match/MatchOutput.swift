internal import Foundations
internal import Reporting
internal import UniversalLinks

/// The answers of `match`, URL by URL.
struct MatchOutput {
  private let sites: [MatchSite]

  /// The host of the sites, if there is only one.
  private let onlyHost: String?
  private let format: MatchCommand.Format
  private let style: Style
  private let explains: Bool
  private let sink: OutputSink

  /// The lines of NDJSON.
  private var json: JSONWriter

  /// Text and Markdown that is not written yet.
  private var buffer = ""

  /// Whether to continue when the reader of the answers has gone.
  var countsUnread = false

  /// Creates the output.
  ///
  /// - Parameters:
  ///   - sites: The sites to search.
  ///   - format: The format.
  ///   - style: The style of text.
  ///   - explains: Whether to show all comparisons of the rules.
  ///   - sink: The destination of the output.
  init(
    sites: [MatchSite], format: MatchCommand.Format, style: Style, explains: Bool,
    sink: @escaping OutputSink
  ) {
    self.sites = sites.inOrderOfHosts
    onlyHost = sites.compactMap(\.host).onlyHost
    self.format = format
    self.style = style
    self.explains = explains
    self.sink = sink
    json = JSONWriter(.compact, to: sink)
    isFirst = true
  }

  /// Whether no output has been written.
  private var isFirst: Bool

  /// Answers for a URL.
  mutating func add(_ bytes: [UInt8]) throws {
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
  /// - Throws: ``Complaint`` if the answer can't be written.
  mutating func add(_ expectation: MatchExpectation, of name: String) throws -> Bool {
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
  mutating func append(_ section: Document.Section) throws {
    buffer +=
      (isFirst ? "" : "\n") + (format == .markdown ? section.markdown : section.text(style: style))
    isFirst = false
    if buffer.utf8.count > 1 << 16 { try flush() }
  }

  /// Whether the reader of the answers has gone, but the exit status still counts.
  private var isUnread = false

  /// Writes the answers so far.
  mutating func flush() throws {
    defer { buffer = "" }
    if isUnread { return }
    do {
      if format == .ndjson { try json.finish() } else { try sink(Array(buffer.utf8)) }
    } catch is BrokenPipe where countsUnread {
      isUnread = true
    }
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

extension [MatchSite] {
  /// The sites in the order in which they are searched.
  ///
  /// Single hosts come before host patterns, of which the longest come first.
  var inOrderOfHosts: [MatchSite] {
    filter { !$0.isWildcard }
      + filter(\.isWildcard).sorted { ($0.host ?? "").count > ($1.host ?? "").count }
  }
}

extension MatchSite {
  /// A Boolean value indicating whether the site covers all hosts below one.
  fileprivate var isWildcard: Bool { host.map { HostScope($0).isWildcard } ?? false }
}
