internal import AccessLogs
internal import AuditStore
internal import FoundationSubset
internal import Foundations
internal import LinkAuditing
internal import SystemPackage
internal import TrafficDigest
internal import UniversalLinks

struct StoreReading {
  let store: AuditStore
  let traffic: StoredTraffic

  init(_ directory: String, _ options: ReadingOptions) throws {
    store = try AuditStore.reading(directory)
    let reduction = try options.reductionOptions(defaultHost: nil)
    traffic = try store.traffic(reduction)
    if traffic.days.isEmpty {
      throw Complaint(
        "the store '\(directory)' has no request "
          + (reduction.timeSpan.isUnlimited ? "yet" : "in the selected time")
          + "; 'linkaudit store list --store \(directory.inCommand)' lists its days")
    }
  }

  /// Judges the traffic; damage of logs was reported when they were added.
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

  /// Compares the findings of a report with those of the last report with the same scope, from
  /// before logs were last ingested, and stores them for the next.
  func compare(_ audit: inout Audit, scope: String) throws {
    let earlier = try store.lastReport(scope: scope)
    if let last = earlier.last { audit.compare(with: last.report, findings: last.findings) }
    if earlier.last == nil { audit.uncompared = earlier.gap }
    do throws(StoreError) {
      try store.remember(audit.findings, scope: scope, times: traffic.digest.times)
    } catch {
      warn("this report can't be compared with the next one: \(error)")
    }
  }
}

struct StoreSites {
  private let store: AuditStore
  private let hosts: [String]
  private let loader: SiteLoader

  init(_ store: AuditStore, _ options: RouteOptions, apps: [String] = []) throws {
    self.store = store
    hosts = try store.siteHosts()
    loader = SiteLoader(
      definitions: hosts.map { .init(host: $0, path: "") }, routeOptions: options, apps: apps)
  }

  func routes() throws -> [String: RouteTable] { try loader.loadRoutes(hosts: hosts) }

  func load() throws -> [SiteHistory] {
    let histories = try store.siteHistories(routes: try routes())
    let chosen = try loader.chosenApps(
      of: histories.map { history in
        (history.host, history.versions.flatMap(\.site.file.entries).flatMap(\.namedApps))
      })
    return try histories.map { history -> SiteHistory in
      guard let apps = chosen[history.host] ?? chosen[""] else { return history }
      var chosen = try SiteHistory(
        history.versions.map { SiteHistory.Version($0.site.choosing(apps), from: $0.first) })
      chosen.servedFiles = history.servedFiles
      for index in chosen.servedFiles.indices {
        guard let file = chosen.servedFiles[index].content?.file else { continue }
        chosen.servedFiles[index].content?.file =
          Site(host: history.host, file: file).choosing(apps).file
      }
      return chosen
    }
  }
}

/// The files of stores: a directory of logs can contain a store, whose files are not logs.
enum StoreFiles {
  /// Separates files into those that belong to no store, and the directories of the stores that the
  /// rest belongs to; a named path that leads into a store is taken literally.
  static func separated(
    _ inputs: [LogInput], named: [String]
  ) -> (others: [LogInput], stores: [String]) {
    var (others, stores): ([LogInput], [String]) = ([], [])
    // Taking a path apart for each file costs more.
    var known: [Substring: String?] = [:]
    for input in inputs {
      let directory = input.path.utf8.lastIndex(of: UInt8(ascii: "/")).map { input.path[...$0] }
      let store = known[directory ?? "."] ?? store(of: String(directory ?? "."))
      known[directory ?? "."] = .some(store)
      if let store, !input.isStandardInput, !named.contains(where: { leads($0, into: store) }) {
        if !stores.contains(store) { stores.append(store) }
      } else {
        others.append(input)
      }
    }
    return (others, stores)
  }

  /// The store that a directory is, or is the digests of.
  private static func store(of path: String) -> String? {
    let directory = path == "/" ? path : FilePath(path).string
    if AuditStore.isStore(directory) { return directory }
    let above = parent(of: directory)
    return FilePath(directory).lastComponent?.string == "digests" && AuditStore.isStore(above)
      ? above : nil
  }

  /// The store that a file is or would be a part of, or `nil` if it is of none.
  static func store(holding path: String) -> String? {
    let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let parent = parent(of: place)
    guard let store = store(of: parent) else { return nil }
    let name = FilePath(place).lastComponent?.string ?? ""
    return parent != store || AuditStore.isOwnName(name) ? store : nil
  }

  private static func leads(_ path: String, into store: String) -> Bool {
    FilePath(path).lexicallyNormalized().starts(with: FilePath(store).lexicallyNormalized())
  }

  private static func parent(of path: String) -> String {
    let parent = FilePath(path).removingLastComponent().string
    return parent.isEmpty ? "." : parent
  }
}
