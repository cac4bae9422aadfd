import AccessLogs
import Foundation
import LinkAuditing
import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

@testable import AuditStore
@testable import Foundations

/// A store in a folder of its own, with queries.
struct StoreFixture {
  let folder: TemporaryFolder
  let directory: String

  /// Rules that claim, exclude and omit some of the targets of random logs.
  static let rules = """
    {"applinks": {"details": [{"appIDs": ["A1B2C3D4E5.com.example.tea"], "components": [
      {"/": "/help/website/*", "exclude": true}, {"/": "/help/*"}, {"/": "/item/*"},
      {"/": "/buy/*", "?": {"ref": "mail"}, "exclude": true}, {"/": "/buy/*"}]}]}}
    """

  init() throws {
    folder = try TemporaryFolder()
    directory = folder.path + "/store"
  }

  static func reduction(jobs: Int = 2, host: String? = "www.example.com") -> ReductionOptions {
    ReductionOptions(defaultHost: host, jobs: jobs)
  }

  /// Writes a log.
  func write(_ log: some Sequence<UInt8>, to name: String) throws {
    _ = try folder.write(log, to: "logs/" + name)
  }

  /// Writes logs, adds all logs so far, or those at a path, to the store, and checks it.
  @discardableResult
  func ingest(
    _ logs: [String: String] = [:], at path: String = "", jobs: Int = 2, rules: String = rules,
    since: Day? = nil, batch: Int? = nil, memory: Int? = nil, keptDays: Int? = nil,
    host: String? = "www.example.com", format: LogFormat? = nil,
    expansion: ExpansionLimit? = nil, committed: (IngestOutcome) -> Void = { _ in }
  ) throws -> IngestOutcome {
    for (name, log) in logs { try write(log.utf8, to: name) }
    var options = IngestOptions(
      reduction: Self.reduction(jobs: jobs, host: host), audit: AuditOptions(jobs: jobs))
    options.reduction.format = format
    if let expansion { options.reduction.expansion = expansion }
    options.deployed = [
      DeployedFile(host: "www.example.com", path: "aasa.json", content: Array(rules.utf8))
    ]
    options.deployedSince = since ?? Day("2026-06-01")
    options.keptDays = keptDays
    if let batch { options.batchSize = batch }
    if let memory { options.reduction.memoryLimit = memory }
    let store = try AuditStore.changing(directory, isMade: true, wait: 10)
    var outcome = IngestOutcome()
    let inputs = LogInput.discover([folder.path + "/logs/" + path]).inputs
    try StoreIngest(store, options: options).run(inputs, &outcome, committed: committed)
    #expect(try problems() == [])
    return outcome
  }

  /// Changes the store's database.
  func change(_ sql: String) throws { try Database(directory + "/store.sqlite").run(sql) }

  func listing() throws -> StoreListing { try StoreListing(AuditStore.reading(directory)) }

  /// Removes a day.
  func remove(_ day: Day?) throws -> [Day?] {
    try AuditStore.changing(directory, isMade: false, wait: 10).removeDays([day])
  }

  /// Computes all daily figures again.
  func rebuild() throws {
    let options = IngestOptions(reduction: Self.reduction(), audit: AuditOptions(jobs: 1))
    try AuditStore.changing(directory, isMade: false, wait: 0).rebuild(options)
  }

  /// The contents of the store's report.
  func audit(span: TimeSpan = TimeSpan()) throws -> (audit: Audit, digest: TrafficDigest) {
    let store = try AuditStore.reading(directory)
    var options = ReductionOptions(jobs: 2)
    (options.timeSpan, options.temporaryDirectory) = (span, folder.path)
    let traffic = try StoredTraffic(store, options)
    let sites = try StoredSites(store).histories(routes: [:])
    return (try Auditor(histories: sites).audit(traffic.digest), traffic.digest)
  }

  /// What a scope's reports are compared with.
  func memory(_ scope: String = "all") throws -> ReportMemory {
    ReportMemory(try AuditStore.reading(directory), scope: scope)
  }

  func problems() throws -> [String] {
    try StoreCheck(try AuditStore.reading(directory)).problems
  }

  /// The requests for a host on a day.
  struct HostOfDay: Equatable {
    let day: String
    let host: String
    let requests: Int
    let targets: Int
  }

  /// Reads the store's database.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try body(Database(directory + "/store.sqlite"))
  }

  func hosts() throws -> [HostOfDay] {
    try read { database in
      try database.rows("SELECT * FROM daily_hosts ORDER BY day, host").map { row in
        HostOfDay(
          day: try row.stored("day"), host: try row.stored("host"),
          requests: try row.stored("requests"), targets: try row.stored("targets"))
      }
    }
  }

  /// The remembered rejected lines, as `NAME: LINE`.
  func rejectedLines() throws -> [String] {
    try read { database in
      try database.rows(
        "SELECT path, line FROM rejected_lines JOIN logs ON logs.id = log"
      ).map { row in
        let (path, line): (String, Int) = (try row.stored("path"), try row.stored("line"))
        return "\(path.split(separator: "/").last ?? ""): \(line)"
      }
    }
  }

  /// The figures of all days, and the bytes of the digests by day.
  func contents() throws -> (figures: [String], digests: [String: Data]) {
    try read { database in
      let tables = try database.values(
        of: String.self, "SELECT name FROM sqlite_master WHERE name LIKE 'daily%' ORDER BY name")
      let figures = try tables.flatMap { table in
        try database.rows("SELECT * FROM \(table)").map { "\(table) \($0.values)" }.sorted()
      }
      var digests: [String: Data] = [:]
      for row in try database.rows("SELECT day, file FROM digests") {
        let file: String = try row.stored("file")
        digests[try row.stored("day")] = try Data(
          contentsOf: URL(fileURLWithPath: directory + "/digests/" + file))
      }
      return (figures, digests)
    }
  }
}

extension Audit {
  /// The figures that one pass over the same lines has, too.
  var figures: [String] {
    var figures: [String] = []
    for site in sites {
      for verdict in Verdict.allCases {
        figures.append("\(site.host) \(verdict) \(site.verdicts[verdict] ?? Traffic())")
      }
      for platform in Platform.allCases {
        figures.append("\(platform) \(site.platforms[platform] ?? Traffic())")
      }
      for referral in Referral.allCases {
        figures.append("\(referral) \(site.referrals[referral] ?? Traffic())")
      }
      for day in site.days {
        let name = day.day.map(\.description) ?? "-"
        figures.append("\(name) \(day.total) \(day.sameHost)")
      }
      for rule in site.ruleLists.flatMap(\.rules) {
        figures.append("\(rule.rule.pattern) \(rule.traffic) \(rule.shadowed)")
      }
      for pair in site.sameHostReferrals {
        figures.append("\(pair.from) \(pair.to) \(pair.visits)")
      }
      for row in site.coverage.unclaimedHeavy {
        figures.append("\(row.path) \(row.traffic)")
      }
    }
    for host in otherHosts.rows { figures.append("\(host.name) \(host.requests)") }
    return figures
  }
}
