internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import SystemPackage
internal import TrafficDigest
internal import UniversalLinks

/// Answers the rows of standard input until it ends.
///
/// This is for programs that send some rows and wait for as many answers, such as ClickHouse's
/// executable functions and Spark's pipes. Each row has exactly one answer, in order. All rows that
/// have arrived are answered before it waits for more.
struct MatchStream {
  private let form: StreamForm
  private let workers: [Locked<StreamAnswers>]

  /// The minimum number of bytes of rows for a worker of their own.
  private static let pieceLength = 1 << 15

  /// Creates a stream.
  ///
  /// - Parameters:
  ///   - sites: The sites to search.
  ///   - form: The format of rows and answers.
  ///   - columns: The columns of answers.
  ///   - repeatsRows: Whether each answer follows its row.
  ///   - jobs: The number of workers.
  init(
    sites: [MatchSite], form: StreamForm, columns: [MatchAnswer.Column], repeatsRows: Bool,
    jobs: Int
  ) {
    self.form = form
    workers = (0..<max(1, jobs)).map { _ in
      Locked(
        StreamAnswers(sites: sites, form: form, columns: columns, repeatsRows: repeatsRows))
    }
  }

  /// Answers all rows.
  ///
  /// - Throws: ``Complaint`` if standard input can't be read, or standard output not written.
  func run() throws {
    var (rows, unread, hasPaths) = (0, 0, false)
    let isShown = StandardStreams.isTerminal(.standardOutput)
    try BrokenPipe.isNoError {
      try InputFile.forEachChunk { bytes, lines in
        let answered = answer(bytes, lines)
        for answers in answered {
          if unread == 0, let first = answers.firstUnread {
            StandardStreams.complain(
              "row \((rows + first).grouped) of standard input is not an object with the text 'url', or is "
                + "too long; the answer to such rows is 'ineligible'")
          }
          if !hasPaths, let first = answers.firstPath {
            hasPaths = true
            StandardStreams.complain(
              "row \((rows + first).grouped) of standard input is a path without a host; pass '--host HOST', "
                + "else the answer to paths is 'ineligible'")
          }
          rows += answers.rows
          unread += answers.unread
          if isShown {
            try StandardStreams.write(
              SafeText.escapedLines(String(decoding: answers.text, as: UTF8.self)))
          } else {
            try StandardStreams.write(answers.text)
          }
        }
      }
    }
    if unread > 1 {
      StandardStreams.complain("\(unread.grouped) rows are invalid")
    }
  }

  /// Answers whole lines, each worker some that follow one another.
  func answer(_ bytes: [UInt8], _ lines: Range<Int>) -> [StreamAnswers.Answers] {
    let count = min(workers.count, max(1, lines.count / Self.pieceLength))
    var starts = [lines.lowerBound]
    for number in 1..<max(1, count) {
      let middle = max(starts[number - 1], lines.lowerBound + lines.count / count * number)
      let end = bytes.span.firstIndex(of: 0x0A, from: middle, to: lines.upperBound)
      starts.append(end.map { $0 + 1 } ?? lines.upperBound)
    }
    starts.append(lines.upperBound)
    let (ends, workers) = (starts, workers)
    return inParallel(jobs: count) { worker in
      workers[worker].withLock { $0.answer(bytes, ends[worker]..<ends[worker + 1]) }
    }
  }
}

/// The answers of sites for rows, with the space that a worker needs again and again.
struct StreamAnswers: Sendable {
  /// The answers for some rows, which are numbered from 1.
  struct Answers: Sendable {
    var text: [UInt8] = []
    var rows = 0

    /// The number of rows that could not be read, and the first of them.
    var unread = 0
    var firstUnread: Int?

    /// The first path for which no host is named.
    var firstPath: Int?
  }

  /// A site, with the hosts that it has if one is named.
  private struct Site: Sendable {
    var scope: HostScope?
    var matcher: LinkMatcher
  }

  private let sites: [Site]
  private let form: StreamForm
  private let columns: [MatchAnswer.Column]
  private let repeatsRows: Bool

  /// `https://` and the host of paths, if there is one.
  private let pathPrefix: [UInt8]

  private var url = LinkURL()
  private var text: [UInt8] = []

  /// One for each site, because it keeps states of the site's automata.
  private var evaluations: [Evaluation]

  /// The answers that have been given, as text: there are few.
  private var known: [Key: [UInt8]] = [:]

  private struct Key: Hashable {
    var site: Int
    var verdict: Verdict
    var rule: Int
  }

  /// Creates the answers of sites.
  init(
    sites: [MatchSite], form: StreamForm, columns: [MatchAnswer.Column], repeatsRows: Bool
  ) {
    (self.form, self.columns, self.repeatsRows) = (form, columns, repeatsRows)
    self.sites = sites.inOrderOfHosts.map { site in
      Site(scope: site.host.map { HostScope($0) }, matcher: site.matcher)
    }
    evaluations = sites.map { _ in Evaluation() }
    pathPrefix = (sites.compactMap(\.host).onlyHost).map { Array("https://\($0)".utf8) } ?? []
  }

  /// Answers rows.
  ///
  /// - Parameters:
  ///   - bytes: The text that contains the rows.
  ///   - lines: The range of the rows, each with its line feed.
  /// - Returns: The answers.
  mutating func answer(_ bytes: [UInt8], _ lines: Range<Int>) -> Answers {
    var answers = Answers()
    answers.text.reserveCapacity(lines.count)
    let span = bytes.span
    var start = lines.lowerBound
    while start < lines.upperBound {
      let lineFeed =
        span.firstIndex(of: 0x0A, from: start, to: lines.upperBound) ?? lines.upperBound
      let hasReturn = lineFeed > start && span[lineFeed - 1] == 0x0D
      let row = span.extracting(start..<(hasReturn ? lineFeed - 1 : lineFeed))
      start = lineFeed + 1
      text.removeAll(keepingCapacity: true)
      let isRead = row.count <= InputFile.lineLimit && form.findURL(in: row, &text)
      answers.rows += 1
      if !isRead {
        answers.unread += 1
        answers.firstUnread = answers.firstUnread ?? answers.rows
      }
      if text.first == UInt8(ascii: "/"), pathPrefix.isEmpty {
        answers.firstPath = answers.firstPath ?? answers.rows
      }
      form.append(answer(), after: repeatsRows && isRead ? row : nil, to: &answers.text)
    }
    return answers
  }

  /// Answers for the URL in ``text``.
  private mutating func answer() -> [UInt8] {
    if text.first == UInt8(ascii: "/"), !pathPrefix.isEmpty {
      text.insert(contentsOf: pathPrefix, at: 0)
    }
    var chosen = 0
    for index in sites.indices {
      url.set(text, in: sites[index].scope)
      if url.ineligibility != .otherHost {
        chosen = index
        break
      }
    }
    let site = sites[chosen]
    site.matcher.evaluate(&url, into: &evaluations[chosen])
    let verdict = evaluations[chosen].siteVerdict
    let rule = site.matcher.decidingRule(with: verdict, evaluations[chosen])
    let key = Key(site: chosen, verdict: verdict, rule: rule ?? -1)
    if let answer = known[key] { return answer }
    let decision = rule.flatMap { rule in
      let list = site.matcher.ruleList(ofRule: rule)
      return site.matcher.apps.firstIndex { $0.ruleList == list }.map { (app: $0, rule: rule) }
    }
    let answer = MatchAnswer(verdict, decision, of: site.matcher, columns: columns)
    let bytes =
      switch form {
      case .tsv: answer.tabSeparated
      case .jsonl: answer.json
      }
    known[key] = bytes
    return bytes
  }
}
