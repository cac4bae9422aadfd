internal import AccessLogs
internal import AuditStore
internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// Reads the data of a store for the days that options select.
struct StoreReading {
  let store: AuditStore
  let traffic: StoredTraffic

  /// Reads a store.
  ///
  /// - Throws: `StoreError` if it can't be read, and ``Complaint`` if it has no data for these
  ///   days.
  init(_ directory: String, _ options: ReadingOptions) throws {
    store = try AuditStore.reading(directory)
    let reduction = try options.reductionOptions(defaultHost: nil, isNamed: false)
    traffic = try StoredTraffic(store, reduction)
    if traffic.days.isEmpty {
      throw Complaint(
        "the store '\(directory)' has no request "
          + (reduction.timeSpan.isUnlimited ? "yet" : "in the selected time")
          + "; 'linkaudit store list --store \(directory.inCommand)' lists its days")
    }
  }

  /// Judges the traffic.
  ///
  /// Damage of logs was reported when they were added.
  ///
  /// - Throws: `StoreError` if digests can't be read, or hold other requests than the store
  ///   counted.
  func judged<Judged>(
    _ judge: (TrafficDigest) throws(JudgingError) -> Judged
  ) throws -> LogReading.Outcome<Judged> {
    do throws(JudgingError) {
      let digest = traffic.digest
      return LogReading.Outcome(digest: digest, judged: try judge(digest), isIncomplete: false)
    } catch {
      throw store.error(error)
    }
  }

  /// Compares the findings of a report with those of the last report with the same scope, and
  /// stores them for the next.
  ///
  /// The last report is one from before logs were last ingested.
  ///
  /// - Parameters:
  ///   - audit: The report.
  ///   - scope: A description of the options.
  /// - Throws: `StoreError` if the store can't be read.
  func compare(_ audit: inout Audit, scope: String) throws {
    let memory = ReportMemory(store, scope: scope)
    if let (report, findings) = try memory.last() {
      audit.compare(with: report, findings: findings)
    } else {
      audit.uncompared = try memory.gap()
    }
    do throws(StoreError) {
      try memory.remember(audit.findings, times: traffic.digest.times)
    } catch {
      StandardStreams.complain("this report can't be compared with the next one: \(error)")
    }
  }
}

/// The sites of a store, with what their apps implement as the command line says.
struct StoreSites {
  private let stored: StoredSites
  private let loader: SiteLoader

  /// Reads the association files of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - options: The routes of the apps.
  ///   - apps: The values of `--app`.
  /// - Throws: `StoreError` if the store can't be read.
  init(_ store: AuditStore, _ options: RouteOptions, apps: [String] = []) throws {
    stored = try StoredSites(store)
    loader = SiteLoader(
      definitions: stored.hosts.map { SiteOptions.Definition(host: $0, path: "") },
      routeOptions: options, apps: apps)
  }

  /// Returns the routes of the apps, by host.
  func routes() throws -> [String: RouteTable] {
    try loader.loadRoutes(hosts: stored.hosts)
  }

  /// Returns the sites with all versions of their association files, and the apps that count.
  ///
  /// - Throws: `StoreError` if a file has changed since it was added, and ``Complaint`` if none of
  ///   a host's files names a chosen app.
  func load() throws -> [SiteHistory] {
    let histories = try stored.histories(routes: try routes())
    let chosen = try loader.chosenApps(
      of: histories.map { history in
        (history.host, history.versions.flatMap(\.site.file.entries).flatMap(\.namedApps))
      })
    return try histories.map { history -> SiteHistory in
      guard let apps = chosen[history.host] ?? chosen[""] else { return history }
      var chosen = try SiteHistory(
        history.versions.map { SiteHistory.Version($0.site.choosing(apps), from: $0.first) })
      chosen.servedFiles = history.servedFiles.map { served in
        var served = served
        served.content = served.content.map { content in
          var content = content
          content.file = Site(host: history.host, file: content.file).choosing(apps).file
          return content
        }
        return served
      }
      return chosen
    }
  }
}
