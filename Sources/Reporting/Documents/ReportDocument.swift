internal import AccessLogs
internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

extension Report {
  /// The report for people: the outcome and the findings to look at first, the sites, and the logs.
  package var document: Document {
    let sites = siteDocuments
    let isOneSite = sites.count == 1
    return Document(
      subject: isOneSite ? "\(code: audit.name)" : "\(audit.name)", period: audit.period,
      sources: [Document.Fact("", "\(logs)")], filter: audit.options.filter.sentence,
      start: damage + outcome + (isOneSite ? [] : [overview(of: sites)]) + [
        .findings(
          Document.FindingList(
            findings: audit.findings, isStart: true, namesHosts: !isOneSite, next: nextCommand))
      ]
    ) { (isOneSite ? sites.flatMap(\.sections) : parts(of: sites)) + inputSections }
  }

  var siteDocuments: [SiteDocument] {
    let shown = Set(audit.sitesByWeight.prefix(Self.siteLimit).map(\.host))
    let findings = Dictionary(grouping: audit.findings, by: \.host)
    let gone = Dictionary(grouping: audit.change?.gone ?? [], by: \.host)
    return audit.sites.enumerated().map { index, site in
      SiteDocument(
        report: self, site: site, id: "site-\(index + 1)", findings: findings[site.host] ?? [],
        gone: gone[site.host] ?? [], isShown: shown.contains(site.host))
    }
  }

  // MARK: - The start

  private var logs: String {
    let read = digest.readInputs
    let lines = read.reduce(0) { $0 + $1.tally.lines }
    return "\(read.count.counted("log")), \(lines.counted("line"))"
  }

  private var damage: [Document.Block] {
    let damaged = digest.inputs.count { $0.damage != nil }
    guard damaged > 0 else { return [] }
    return [
      .paragraph(
        "\(damaged.grouped) of \(digest.inputs.count.counted("log")) could not be read whole; see \(link: "Input", to: "input").",
        .alarm)
    ]
  }

  private var outcome: [Document.Block] {
    var blocks = SiteDocument.outcome(of: audit.sites, audit.options.filter)
    var hints: [String] = []
    let hostless = audit.otherHosts.hostless
    if audit.sites.count > 1, hostless > 0 {
      hints.append(
        "\(hostless.counted("request")) \(hostless == 1 ? "names" : "name") no host, and "
          + "\(hostless == 1 ? "counts" : "count") for no site: see 'linkaudit explain other-hosts'."
      )
    }
    if let comparison = audit.comparison { hints.append(comparison.endedAsSentence) }
    blocks.insert(contentsOf: hints.map { .paragraph(Prose($0), .hint) }, at: 1)
    return blocks
  }

  // MARK: - Several sites

  /// The heaviest sites, and their number in the start of a text.
  private func overview(of sites: [SiteDocument]) -> Document.Block {
    .section(
      Document.Section(id: "sites", title: "Sites", form: .open) {
        let heaviest = audit.sitesByWeight.prefix(Self.overviewLimit).compactMap { site in
          sites.first { $0.site.host == site.host }
        }
        let rest = sites.count - heaviest.count
        return [.table(DocumentTable(Self.sites.title, Self.siteColumns, heaviest))]
          + (rest > 0 ? [.paragraph("… and \(rest.counted("more site"))", .hint)] : [])
      })
  }

  private static let overviewLimit = 8

  /// The greatest number of sites that are shown in full, those with the most visits.
  ///
  /// A host pattern can represent thousands of sites.
  private static let siteLimit = 100

  /// More sites than this are one group.
  private static let openSiteLimit = 3

  /// The parts about each site, and a table of all if the overview has only some.
  private func parts(of sites: [SiteDocument]) -> [Document.Section] {
    let parts = sites.filter(\.isShown).map(\.part)
    let all =
      sites.count > Self.overviewLimit
      ? [
        Document.Section(
          id: "all-sites", title: "All sites", key: sites.count.counted("site")
        ) { [.table(DocumentTable("All sites", Self.siteColumns, sites))] }
      ] : []
    guard parts.count > Self.openSiteLimit else { return all + parts }
    let hint: [Document.Block] =
      parts.count < sites.count
      ? [.paragraph("These are the \(parts.count.grouped) sites with the most visits.", .hint)] : []
    return all + [
      Document.Section(
        id: "each-site", title: "Site by site", key: parts.count.counted("site"), form: .group
      ) { hint + parts.map { .section($0) } }
    ]
  }
}

// MARK: - The logs

extension Report {
  /// A list of a hundred thousand logs would be most of a page.
  private static let rowLimit = 1_000

  private var inputSections: [Document.Section] {
    let findings = audit.findings.filter { $0.host == nil }
    let clients = Document.Section(
      id: "clients", title: "Clients", key: digest.clients.count.counted("client")
    ) { self.clients }
    return (digest.clients.isEmpty ? [] : [clients]) + [
      Document.Section(
        id: "input", title: "Input",
        key: findings.isEmpty ? digest.tally.rejected.counted("rejected line") : findings.counts
      ) { input(findings) },
      Document.Section(id: "limits", title: "Limits of logs") {
        [.list(Self.limits.map { Prose($0) })]
      },
    ]
  }

  private var clients: [Document.Block] {
    let versions = versions
    return [
      .paragraph(
        "Requests to all hosts by client, according to user agents. Safari on an iPad requests desktop pages, so it counts as Safari on a Mac.",
        .hint)
    ] + (versions.isEmpty ? [] : [.paragraph("Versions of iOS: \(versions)")])
      + [.table(Report.clients.document(of: self))]
  }

  private var versions: String {
    var sums: [Int: Int] = [:]
    for count in digest.clients where count.platform.isApple {
      if let version = count.systemVersion { sums[version, default: 0] += count.requests }
    }
    let whole = sums.values.reduce(0, +)
    let ordered = sums.sorted { ($1.value, $1.key) < ($0.value, $0.key) }
    let shown = ordered.prefix(10).map { "\($0.key) (\($0.value.percent(of: whole)))" }
    let rest = ordered.count - shown.count
    return (shown + (rest > 0 ? ["\(rest.grouped) more"] : [])).joined(separator: ", ")
  }

  private func input(_ findings: [Finding]) -> [Document.Block] {
    let gone = audit.change?.gone(besides: audit.sites) ?? []
    var blocks: [Document.Block] =
      findings.isEmpty && gone.isEmpty
      ? []
      : [.findings(Document.FindingList(findings: findings, change: audit.change, gone: gone))]
    blocks.append(.facts(facts))
    if digest.tally.rejected > 0 {
      let rows = rejections.filter { $0.lines > 0 }
      blocks += [
        .heading("Rejected lines", key: digest.tally.rejected.grouped),
        .paragraph(
          "Lines that aren't requests. Scanners and broken connections cause most lines without a request or target.",
          .hint),
        .table(DocumentTable(Report.rejectedByReason.title, Report.rejectionColumns, rows)),
      ]
    }
    let others = audit.otherHosts
    if !others.rows.isEmpty {
      blocks += [
        .heading("Requests to other hosts", key: (others.rows.count + others.otherCount).grouped),
        limited(Report.otherHosts.document(of: self)),
      ]
      if others.otherCount > 0 {
        let hosts = others.otherCount.counted("more host")
        let requests = others.others.requests.counted("request")
        blocks.append(.paragraph("\(hosts), with \(requests), have no row.", .hint))
      }
    }
    // Those that matter come first.
    let logs = digest.inputs.filter { $0.damage != nil } + digest.inputs.filter { $0.damage == nil }
    return blocks + [
      .heading("The logs", key: logs.count.grouped),
      limited(DocumentTable(Report.files.title, TableColumn.input, logs)),
    ]
  }

  private func limited(_ table: DocumentTable) -> Document.Block {
    var table = table
    table.limit = Self.rowLimit
    return .table(table)
  }

  private var facts: [Document.Fact] {
    var facts = digest.facts
    if let ignored = audit.ignored {
      let amounts = "\(ignored.visits.counted("visit")), \(ignored.requests.counted("request"))"
      facts.append(Document.Fact("Ignored by --ignore", "\(amounts)"))
    }
    if audit.subresources > 0 {
      facts.append(
        Document.Fact(
          "From pages and scripts (Sec-Fetch)", "\(audit.subresources.grouped), no visits"))
    }
    return facts
  }

  private static let limits = [
    "When the app opens, the server gets no request. A claimed visit in a log did not open the app: it isn't installed, the person chose the browser, or the link couldn't open it. Only the app can count how often it opens.",
    "A link on a page of the same host never opens the app, even if it is installed.",
    "Fragments never reach a server. linkaudit judges a rule with one without it, and marks the rule.",
    "Without a referrer, the origin is unknown: a typed address, a bookmark, mail, another app, or a policy that strips it.",
    "A user agent can be false. Some bots look like people, and Safari on an iPad looks like Safari on a Mac.",
    "Logs don't record the target of a redirect; linkaudit infers it from other served pages.",
  ]
}

extension RejectionReason {
  /// The reason in words, to follow a number of lines.
  package var sentence: String {
    switch self {
    case .emptyLine: "empty"
    case .lineTooLong: "too long"
    case .heading: "directives or headings"
    case .noFields: "without the fields of the format"
    case .noRequest: "without a request"
    case .noTarget: "without a request target"
    case .noStatus: "without a status"
    case .partialLine: "truncated by a collector"
    case .severalRequests: "with several requests"
    case .noCount: "without a count"
    }
  }
}
