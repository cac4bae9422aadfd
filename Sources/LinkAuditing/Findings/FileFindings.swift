internal import TrafficDigest
internal import UniversalLinks

/// Findings about a site's association file and its delivery.
struct FileFindings {
  let site: Site
  let audit: SiteAudit

  func findings() -> [Finding] {
    size() + rules() + wholeEntries() + oldSystems() + delivery()
  }

  private func finding(
    _ code: Finding.Code, _ severity: Finding.Severity, _ message: String,
    _ traffic: Traffic = Traffic()
  ) -> Finding {
    Finding(code: code, severity: severity, host: audit.host, message: message, traffic: traffic)
  }

  private func size() -> [Finding] {
    guard let size = site.fileSize, size > AssociationFile.sizeLimit else { return [] }
    return [
      finding(
        .fileTooLarge, .error,
        "The association file has \(size) bytes; systems read none of more than "
          + "\(AssociationFile.sizeLimit), so on devices it does not exist.")
    ]
  }

  private func rules() -> [Finding] {
    if site.hasChosenApps, audit.apps.isEmpty {
      return [
        finding(.noUsableRules, .note, "The association file names none of the chosen apps.")
      ]
    }
    let hasUsableRules = site.file.entries.contains { entry in
      OperatingSystem.allCases.contains { system in
        guard !entry.apps(for: system).isEmpty else { return false }
        return entry.rules(for: system)?.contains { !$0.excludes && !$0.requiresEntitlement }
          ?? true
      }
    }
    if hasUsableRules { return [] }
    return [
      finding(
        .noUsableRules, .error, "The association file has no rule that could claim a URL.",
        audit.total)
    ]
  }

  private func wholeEntries() -> [Finding] {
    audit.ruleLists.flatMap { list in
      list.rules.filter { $0.rule == nil }.map { rule in
        finding(
          .matchesEverything, .warning,
          "The entry of \(list.name) has neither 'components' nor 'paths', so it claims every URL.",
          rule.traffic)
      }
    }
  }

  private func oldSystems() -> [Finding] {
    let traffic = audit.platforms[.ios12] ?? Traffic()
    let isReadAlike = site.file.entries.allSatisfy { entry in
      entry.components == nil && entry.appIDs.allSatisfy { $0 == entry.legacyAppID }
    }
    guard traffic.visits > 0, !isReadAlike else { return [] }
    return [
      finding(
        .oldSystems, .note,
        "\(traffic.visits.counted("visit")) came from iOS 12 and earlier, which read 'appID' and "
          + "'paths' only; they are judged by those.", traffic)
    ]
  }

  private func delivery() -> [Finding] {
    let asked = audit.fetches.filter { $0.path == TrafficDigest.Fetch.wellKnownPath }
    guard let last = asked.max(by: Self.isEarlier) else {
      guard audit.total.requests > 0 else { return [] }
      return [
        finding(
          .fileNotFetched, .note,
          "Apple has not fetched the association file from this host in the time of these logs.")
      ]
    }
    // Apple's fetchers take no redirect (MATCHING.md, 6.3).
    let failed = asked.filter { !$0.isGood }
    let failures = failed.reduce(0) { $0 + $1.requests }
    guard failures > 0 else { return [] }
    let all = asked.reduce(0) { $0 + $1.requests }
    let statuses = Set(failed.map(\.status)).sorted().map(String.init).joined(separator: ", ")
    let end =
      last.isGood
      ? "; the last one was good."
      : ", the last one\(last.last.map { " (\($0))" } ?? "") among them."
    return [
      finding(
        .fileNotServed, last.isGood ? .warning : .error,
        "\(failures) of \(all) fetches of the association file by Apple got status \(statuses), where "
          + "only 200 counts\(end)", Traffic(requests: failures))
    ]
  }

  private static func isEarlier(
    _ first: TrafficDigest.Fetch, _ second: TrafficDigest.Fetch
  ) -> Bool {
    switch (first.last, second.last) {
    case (let one?, let other?) where one != other: one < other
    case (nil, .some): true
    case (.some, nil): false
    // At the same moment, a failure counts as the last.
    default: first.isGood && !second.isGood
    }
  }
}

extension TrafficDigest.Fetch {
  /// A Boolean value indicating whether the fetcher got the file, or was told
  /// that it has it.
  fileprivate var isGood: Bool { status == 200 || status == 304 }
}
