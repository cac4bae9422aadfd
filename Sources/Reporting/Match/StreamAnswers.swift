internal import FoundationSubset
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

  /// The greatest number of bytes of a row.
  package static let rowLimit = 1 << 20

  /// The sites, with the hosts that they have if they are named.
  private let sites: [(scope: HostScope?, matcher: LinkMatcher)]
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

  package init(
    sites: [MatchSite], form: StreamForm, columns: [MatchAnswer.Column], repeatsRows: Bool
  ) {
    (self.form, self.columns, self.repeatsRows) = (form, columns, repeatsRows)
    self.sites = sites.inOrderOfHosts.map { site in
      (site.host.map { HostScope($0) }, site.matcher)
    }
    evaluations = sites.map { _ in Evaluation() }
    pathPrefix = (sites.compactMap(\.host).onlyHost).map { Array("https://\($0)".utf8) } ?? []
  }

  /// Answers the rows in a range of a text, each with its line feed.
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

/// The answer for a row of `match --stream`: the verdict, and the rule that decided.
package struct MatchAnswer {
  /// The columns of an answer.
  package enum Column: String, CaseIterable, Sendable {
    case verdict
    case app
    case detail
    case rule
  }

  private let values: [(column: Column, value: TableValue)]

  /// Creates an answer from the verdict for the site, and the position of the app that decided in the
  /// matcher's apps with the number of its rule.
  init(
    _ verdict: Verdict, _ decision: (app: Int, rule: Int)?, of matcher: LinkMatcher,
    columns: [Column]
  ) {
    let app = decision.map { matcher.apps[$0.app] }
    let list = app.map { matcher.ruleLists[$0.ruleList] }
    values = columns.map { column in
      let value: TableValue =
        switch column {
        case .verdict: .text(verdict.rawValue)
        case .app: .text(app?.identifier.text)
        case .detail: list?.systemEntry.value ?? .none
        case .rule: .number(decision.flatMap { list?.id(ofRule: $0.rule).position })
        }
      return (column, value)
    }
  }

  /// The answer as JSON: an object, or the value alone if there is one column.
  var json: [UInt8] {
    var bytes: [UInt8] = []
    var json = JSONWriter(.compact) { bytes += $0 }
    let members = Dictionary(values.map { ($0.column.rawValue, $0.value) }) { first, _ in first }
    json.object { json in
      for (name, value) in members.sorted(by: { $0.key < $1.key }) { value.write(name, to: &json) }
    }
    // Writing to memory does not fail.
    try? json.finish()
    let name = values.count == 1 ? #"{"\#(values[0].column.rawValue)":"# : ""
    return Array(bytes.dropFirst(name.utf8.count).dropLast(name.isEmpty ? 1 : 2))
  }

  /// The answer as values separated by tabs, as ClickHouse's `TabSeparated` has them.
  var tabSeparated: [UInt8] {
    let values = values.map { _, value in
      value.isNone ? #"\N"# : Self.escaped(value.cell)
    }
    return Array(values.joined(separator: "\t").utf8)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: #"\\"#).replacing("\t", with: #"\t"#)
      .replacing("\n", with: #"\n"#).replacing("\r", with: #"\r"#)
  }
}
