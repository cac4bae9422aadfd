internal import AccessLogs
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// One table of a report as CSV.
struct CSVReport {
  let audit: Audit
  let digest: TrafficDigest

  /// The number of rows per site, or `nil` for all.
  let top: Int?

  func write(_ table: ReportTable, to sink: @escaping OutputFile.Sink) throws {
    var csv = CSVWriter(to: sink)
    csv.row(columns(of: table))
    for site in audit.sites { write(table, of: site, to: &csv) }
    writeInput(table, to: &csv)
    try csv.finish()
  }

  /// The names of the columns, with those that only some reports have at the end.
  func columns(of table: ReportTable) -> [String] {
    table.columns + (table.namesRules && hasVersions ? ["version"] : [])
      + (table == .findings && audit.change != nil ? ["change"] : [])
  }

  /// A Boolean value indicating whether a site was judged under several versions of its file.
  private var hasVersions: Bool { audit.sites.contains { !$0.versions.isEmpty } }

  /// The cell of a version, if there is a column for it.
  private func cells(_ version: SiteVersion?) -> [String] {
    hasVersions ? [version.map { String($0.number) } ?? ""] : []
  }

  private func limited<Row>(_ rows: [Row]) -> ArraySlice<Row> { rows.prefix(top ?? rows.count) }

  /// Writes the rows that belong to a site.
  private func write(_ table: ReportTable, of site: SiteAudit, to csv: inout CSVWriter) {
    switch table {
    case .rules, .shadowed: writeRules(table, of: site, to: &csv)
    case .verdicts, .platforms, .referralKinds: writeTraffic(table, of: site, to: &csv)
    case .days, .dayPlatforms, .dayReferralKinds: writeDays(table, of: site, to: &csv)
    case .versions:
      for version in site.versions {
        csv.row([
          site.host, String(version.number), version.first?.description ?? "",
          version.last?.description ?? "", version.filePath ?? "",
        ])
      }
    case .referrals:
      for pair in limited(site.sameHostReferrals) {
        csv.row([site.host, pair.from, pair.to, String(pair.visits)])
      }
    case .claimedNotImplemented: writeFamilies(.claimedNotImplemented, of: site, to: &csv)
    case .implementedNotClaimed: writeFamilies(.implementedNotClaimed, of: site, to: &csv)
    case .implementedButExcluded: writeFamilies(.implementedButExcluded, of: site, to: &csv)
    case .excluded: writeFamilies(.excludedHeavy, of: site, to: &csv)
    case .unclaimed: writeFamilies(.unclaimedHeavy, of: site, to: &csv)
    case .claimedBroken: writeAnswers(.claimedBroken, of: site, to: &csv)
    case .claimedRedirected: writeAnswers(.claimedRedirected, of: site, to: &csv)
    case .unvisitedRoutes:
      for route in limited(site.coverage.unvisitedRoutes) { csv.row([site.host, route]) }
    case .delivery:
      for fetch in site.fetches {
        csv.row([
          site.host, fetch.fetcher.rawValue, fetch.path, String(fetch.status),
          String(fetch.requests), fetch.last?.description ?? "", fetch.first?.description ?? "",
          fetch.sizes.map { String($0.lowerBound) } ?? "",
          fetch.sizes.map { String($0.upperBound) } ?? "",
        ])
      }
    case .fetchers:
      for fetcher in site.fetchers {
        csv.row([
          site.host, fetcher.fetcher.rawValue, String(fetcher.requests), String(fetcher.good),
          fetcher.first?.description ?? "", fetcher.last?.description ?? "",
          fetcher.lastGood?.description ?? "", String(fetcher.goodDays),
          fetcher.greatestGap.map { String($0) } ?? "",
        ])
      }
    case .findings: writeFindings(of: site.host, to: &csv)
    case .clients, .inputs, .rejected, .rejectedLines, .otherHosts: break
    }
  }

  private func writeFindings(of host: String?, to csv: inout CSVWriter) {
    guard let change = audit.change else {
      for finding in audit.findings where finding.host == host { csv.row(finding.cells) }
      return
    }
    for finding in audit.findings where finding.host == host {
      csv.row(finding.cells + [finding.change?.rawValue ?? ""])
    }
    // With those about the input stand those about sites that aren't in this report.
    let gone = host == nil ? change.gone(besides: audit.sites) : change.gone(host: host)
    for finding in gone { csv.row(finding.cells + ["gone"]) }
  }
}

// MARK: - Traffic and rules

extension CSVReport {
  private func writeTraffic(_ table: ReportTable, of site: SiteAudit, to csv: inout CSVWriter) {
    switch table {
    case .verdicts:
      let all = [("", site.verdicts)] + site.apps.map { ($0.app.text, $0.verdicts) }
      for (app, verdicts) in all {
        for verdict in Verdict.allCases {
          csv.row([site.host, app, verdict.rawValue] + (verdicts[verdict] ?? Traffic()).cells)
        }
      }
    case .platforms:
      for platform in Platform.allCases {
        csv.row([site.host, platform.name] + (site.platforms[platform] ?? Traffic()).cells)
      }
    default:
      for referral in Referral.allCases {
        csv.row([site.host, referral.name] + (site.referrals[referral] ?? Traffic()).cells)
      }
    }
  }

  private func writeDays(_ table: ReportTable, of site: SiteAudit, to csv: inout CSVWriter) {
    for day in site.days {
      let name = [site.host, day.day?.description ?? ""]
      switch table {
      case .dayPlatforms:
        for (platform, traffic) in day.platforms.occurring {
          csv.row(name + [platform.name] + traffic.cells)
        }
      case .dayReferralKinds:
        for (referral, traffic) in day.referrals.occurring {
          csv.row(name + [referral.name] + traffic.cells)
        }
      default:
        csv.row(
          name + Verdict.allCases.flatMap { (day.verdicts[$0] ?? Traffic()).cells }
            + day.sameHost.cells)
      }
    }
  }

  private func writeRules(_ table: ReportTable, of site: SiteAudit, to csv: inout CSVWriter) {
    if table == .rules {
      for rule in site.rules.prefix(top ?? .max) {
        let row = rule.traffic
        csv.row(
          [site.host] + row.cells(app: rule.app) + row.traffic.cells
            + [String(row.shadowed), String(row.isFragmentDependent)] + row.position.cells
            + cells(row.version))
      }
    } else {
      for shadow in site.shadows.prefix(top ?? .max) {
        csv.row(
          [site.host] + shadow.rule.cells(app: shadow.app) + shadow.rule.position.cells
            + [
              shadow.decider.rule.map { String($0) } ?? "", shadow.decider.pattern,
              String(shadow.decider.excludes),
            ] + shadow.decider.position.cells + shadow.traffic.cells
            + cells(shadow.rule.version))
      }
    }
  }
}

// MARK: - Coverage

extension CSVReport {
  private func writeFamilies(
    _ table: FamilyTable, of site: SiteAudit, to csv: inout CSVWriter
  ) {
    for family in limited(site.coverage.rows(of: table)) {
      var cells = [site.host, family.path] + family.traffic.cells
      let samples = family.samples.joined(separator: " ")
      switch table {
      case .unclaimedHeavy, .implementedNotClaimed: cells.append(samples)
      case .excludedHeavy, .implementedButExcluded:
        cells += family.rule.cells + family.rule.placeCells + [samples]
      case .claimedNotImplemented:
        cells += family.rule.cells + family.rule.placeCells + [samples]
        cells += [family.nearestRoute?.route ?? "", family.nearestRoute?.difference ?? ""]
      }
      if table.decides { cells += self.cells(family.rule?.version) }
      csv.row(cells)
    }
  }

  private func writeAnswers(_ table: AnswerTable, of site: SiteAudit, to csv: inout CSVWriter) {
    for family in limited(site.coverage.rows(of: table)) {
      var cells = [
        site.host, family.path, String(family.requests), String(family.visits),
        String(family.attempts),
        family.statuses.map { "\($0.status)=\($0.requests)" }.joined(separator: " "),
      ]
      cells += family.rule.cells + family.rule.placeCells
      cells.append(family.samples.joined(separator: " "))
      if table == .claimedRedirected {
        cells += [
          family.destination?.path ?? "", family.destination?.verdict.rawValue ?? "",
          (family.destination?.visits).map { String($0) } ?? "",
        ]
      }
      csv.row(cells + self.cells(family.rule?.version))
    }
  }
}

// MARK: - Input

extension CSVReport {
  /// Writes the rows that belong to no site.
  private func writeInput(_ table: ReportTable, to csv: inout CSVWriter) {
    switch table {
    case .findings: writeFindings(of: nil, to: &csv)
    case .clients:
      for count in limited(digest.clients) {
        csv.row([
          count.platform.name, count.client.name, count.systemVersion.map { String($0) } ?? "",
          String(count.requests),
        ])
      }
    case .inputs:
      for input in digest.inputs {
        csv.row([
          input.path, InputStatus(input.damage).rawValue,
          (input.damage?.offset).map { String($0) } ?? "", input.format?.name ?? "",
          String(input.tally.lines), String(input.tally.requests), String(input.tally.rejected),
          String(input.tally.outside),
        ])
      }
    case .rejected:
      for reason in RejectionReason.allCases {
        csv.row([reason.rawValue, String(digest.rejections[reason] ?? 0)])
      }
    case .rejectedLines:
      for line in digest.rejectedLines {
        csv.row([line.reason.rawValue, line.path, String(line.line), String(line.offset)])
      }
    case .otherHosts:
      for host in limited(audit.otherHosts) { csv.row([host.host, String(host.requests)]) }
    default: break
    }
  }
}

// MARK: - Cells

extension Traffic {
  var cells: [String] { [String(requests), String(visits)] }
}

extension RuleTraffic {
  /// Which rule of an app it is.
  fileprivate func cells(app: ApplicationIdentifier) -> [String] {
    [
      app.text, place.text, list.rawValue, rule.map { String($0) } ?? "", pattern,
      String(excludes),
    ]
  }
}

extension TextPosition? {
  fileprivate var cells: [String] { map { [String($0.line), String($0.column)] } ?? ["", ""] }
}

extension RuleReference? {
  fileprivate var cells: [String] {
    guard let self else { return ["", "", "", ""] }
    return [self.app.text, self.place.text, self.rule.map { String($0) } ?? "", self.pattern]
  }

  /// What came to the columns later.
  fileprivate var placeCells: [String] {
    guard let self else { return ["", "", ""] }
    return [self.list.rawValue] + self.position.cells
  }
}

extension AssociationFile.Place {
  /// The place as a cell or a word has it.
  var text: String {
    switch self {
    case .index(let index): String(index)
    case .key(let key): key
    case .apps: ""
    }
  }
}

extension FindingRecord {
  /// The cells of a row of findings, with none for what an earlier report's are not kept with.
  fileprivate var cells: [String] {
    [
      host ?? "", code, knownSeverity.rawValue, message, String(requests), String(visits), "", "",
      "", "",
    ]
  }
}

extension Finding {
  /// The cells of a row of findings.
  var cells: [String] {
    let position = evidence.rules.first?.position
    return [host ?? "", code.rawValue, severity.rawValue, message] + traffic.cells
      + [
        remedy, position?.line.description ?? "", position?.column.description ?? "",
        evidence.paths.flatMap(\.samples).joined(separator: " "),
      ]
  }
}
