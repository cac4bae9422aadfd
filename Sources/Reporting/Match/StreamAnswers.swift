internal import Foundations
internal import LinkAuditing
internal import UniversalLinks

/// The answers of sites for rows, with the space that a worker needs again and again.
package struct StreamAnswers: Sendable {
  /// The answers for some rows, which are numbered from 1.
  package struct Answers: Sendable {
    package var text: [UInt8] = []
    package var rows = 0

    /// The number of rows that could not be read, and the first of them.
    package var unread = 0
    package var firstUnread: Int?

    /// The first path for which no host is named.
    package var firstPath: Int?
  }

  /// A site, with the hosts that it has if one is named.
  private struct Site: Sendable {
    var scope: HostScope?
    var matcher: LinkMatcher
  }

  /// The greatest number of bytes of a row.
  package static let rowLimit = 1 << 20

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
  package init(
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
  package mutating func answer(_ bytes: [UInt8], _ lines: Range<Int>) -> Answers {
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
      let isRead = row.count <= Self.rowLimit && form.findURL(in: row, &text)
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
