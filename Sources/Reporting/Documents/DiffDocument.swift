internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

extension DiffReport {
  /// The comparison for people: the share of visits whose verdict changes, the findings to look at
  /// first, and the changes by path, by rule, and without a request.
  package var document: Document {
    Document(
      relation: "changes for ", subject: "\(code: host)",
      sources: [
        Document.Fact("now", source(old)), Document.Fact("candidate", source(new)),
        Document.Fact("", "\(logs)"),
      ], filter: traffic?.comparison.options.filter.sentence ?? "",
      start: [.paragraph("\(summary)", .lead)]
        + (traffic.map { shares($0.comparison) } ?? [])
        + [.findings(Document.FindingList(findings: findings, isStart: true))]
    ) { sections }
  }

  private func source(_ site: Site) -> Prose {
    let rules = site.file.entries.reduce(0) { $0 + ($1.rules?.count ?? 1) }
    let apps = Set(site.file.entries.flatMap(\.namedApps)).count
    return
      "\(code: site.filePath ?? "standard input"): \(rules.counted("rule")), \(apps.counted("app"))"
  }

  private var logs: String {
    guard let traffic else { return "no logs: only the patterns are compared" }
    // Requests to other hosts are in no table.
    return "\(traffic.digest.readInputs.count.counted("log")), "
      + traffic.comparison.total.requests.counted("request")
  }

  /// The parts of the traffic that change, those that stay, and the causes of newly claimed visits.
  private func shares(_ comparison: Comparison) -> [Document.Block] {
    // Show visits that the app can't open, because they limit the value of the new rules.
    let causes = comparison.newlyClaimedCauses.occurring
    let parts =
      [("without a route", comparison.newlyClaimedWithoutRoute ?? Traffic())]
      + causes.filter { $0.key.entry.certainty != .unknown }.map {
        ($0.key.entry.phrase, $0.traffic)
      }
    let changed =
      [Document.Shares.Row("Newly claimed", comparison.newlyClaimed, .claimed)]
      + parts.map { Document.Shares.Row($0.0, $0.1, isNested: true) } + [
        Document.Shares.Row("No longer claimed", comparison.noLongerClaimed, .unclaimed),
        Document.Shares.Row("Newly excluded", comparison.newlyExcluded, .excluded),
        Document.Shares.Row("No longer excluded", comparison.noLongerExcluded, .unclaimed),
        Document.Shares.Row("Opens another app", comparison.opensAnotherApp, .claimed),
      ]
    let kept = Verdict.allCases.map { verdict in
      var same = comparison.transitions[Transition(from: verdict, to: verdict)]
      if verdict == .claimed { same = same - comparison.opensAnotherApp }
      return Document.Shares.Row("Still \(verdict.rawValue)", same, verdict)
    }
    let shares = [
      Document.Shares(
        title: "Changes of verdicts", whole: comparison.total,
        rows: (changed + kept).filter { $0.traffic.requests > 0 }),
      Document.Shares(
        title: "Newly claimed visits by cause", whole: comparison.newlyClaimed,
        rows: causes.map { Document.Shares.Row($0.key.entry.title, $0.traffic) }),
    ]
    return shares.filter { !$0.rows.isEmpty }.map { .shares($0) }
  }

  // MARK: - Sections

  private var sections: [Document.Section] {
    let all = Document.Section(id: "findings", title: "Findings", key: findings.counts) {
      [.findings(Document.FindingList(findings: findings))]
    }
    return (findings.isEmpty ? [] : [all])
      + (traffic.map { sections($0.comparison) } ?? []) + patternSections
      + (traffic.map { [input($0.comparison, $0.digest)] } ?? [])
  }

  private func sections(_ comparison: Comparison) -> [Document.Section] {
    let apps = comparison.apps.filter { ($0.gained + $0.lost).requests > 0 || $0.kind != .kept }
    let areAllAsTheSite = comparison.apps.allSatisfy {
      $0.gained == comparison.newlyClaimed && $0.lost == comparison.noLongerClaimed
    }
    let table = Self.pathGroupChanges
    let rules = comparison.ruleLists.map { ($0.apps, $0.rules.filter(\.isChange)) }
      .filter { !$0.1.isEmpty }
    let appSection = Document.Section(
      id: "apps", title: "Apps", key: apps.count.counted("app")
    ) { [.table(DocumentTable("Apps", Self.appColumns, apps))] }
    let pathSection = Document.Section(
      id: table.name, title: "Changes by paths like these",
      key: comparison.changes.count.counted("path group")
    ) { [.table(table.document(of: self, isExplained: true))] }
    let ruleSection = Document.Section(
      id: Self.ruleChanges.name, title: "Rules that gained or lost",
      key: rules.reduce(0) { $0 + $1.1.count }.counted("rule")
    ) {
      rules.flatMap { apps, rules -> [Document.Block] in
        [
          .heading(Document.names(of: apps)),
          .table(DocumentTable("Rules", Self.ruleColumns, rules)),
        ]
      }
    }
    return (apps.isEmpty || areAllAsTheSite ? [] : [appSection])
      + (comparison.changes.isEmpty ? [] : [pathSection]) + (rules.isEmpty ? [] : [ruleSection])
  }

  private var patternSections: [Document.Section] {
    let changes = unseenChanges
    guard traffic == nil || !changes.isEmpty else { return [] }
    return [
      Document.Section(
        id: Self.patternChanges.name,
        title: traffic == nil
          ? "Changes of verdicts, each with an example" : "Changes without a request in these logs",
        key: changes.count.counted("change")
      ) {
        [
          .table(DocumentTable(Self.patternChanges.title, Self.patternColumns, changes))
        ] + (traffic == nil ? proofs : [])
      }
    ]
  }

  private var proofs: [Document.Block] {
    [(OperatingSystem.current, patterns.current), (.legacy, patterns.legacy)].map { system, rules in
      let hasChanges = Self.changes(patterns).contains { $0.system == system }
      let sentence =
        rules.gap.map { "there may be other changes: \($0)." }
        ?? (hasChanges ? "every other URL keeps its verdict." : "every URL keeps its verdict.")
      return .paragraph("\(system.label): \(sentence)", .hint)
    }
  }

  private func input(_ comparison: Comparison, _ digest: TrafficDigest) -> Document.Section {
    Document.Section(
      id: "input", title: "Input", key: digest.tally.rejected.counted("rejected line")
    ) {
      let other = comparison.otherHostRequests
      return [
        .facts(
          digest.facts + (other > 0 ? [Document.Fact("For other hosts", "\(other.grouped)")] : [])),
        .table(DocumentTable("Logs", TableColumn.input, digest.inputs)),
      ]
    }
  }
}
