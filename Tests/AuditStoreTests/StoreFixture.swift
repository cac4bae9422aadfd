import AccessLogs
import LinkAuditing
import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

@testable import AuditStore
@testable import Foundations

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
    let content = Array(rules.utf8)
    options.deployed = [("www.example.com", "aasa.json", content)]
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

  func change(_ sql: String) throws { try Database(directory + "/store.sqlite").run(sql) }

  func listing() throws -> StoreListing { try StoreListing(AuditStore.reading(directory)) }

  func days() throws -> [String?] { try listing().days.map { $0.day?.description } }

  func digests() throws -> [String] { try folder.names(in: "store/digests") }

  func remove(_ day: Day?) throws -> [Day?] {
    try AuditStore.changing(directory, isMade: false, wait: 10).removeDays([day])
  }

  func rebuild() throws {
    let options = IngestOptions(reduction: Self.reduction(), audit: AuditOptions(jobs: 1))
    try AuditStore.changing(directory, isMade: false, wait: 0).rebuild(options)
  }

  func audit(span: TimeSpan = TimeSpan()) throws -> (audit: Audit, digest: TrafficDigest) {
    let store = try AuditStore.reading(directory)
    var options = ReductionOptions(jobs: 2)
    (options.timeSpan, options.temporaryDirectory) = (span, folder.path)
    let traffic = try store.traffic(options)
    let sites = try store.siteHistories(routes: [:])
    return (try Auditor(histories: sites).audit(traffic.digest), traffic.digest)
  }

  func lastReport(
    _ scope: String = "all"
  ) throws -> (report: AuditChange, findings: [FindingRecord])? {
    try AuditStore.reading(directory).lastReport(scope: scope).last
  }

  func remember(
    _ findings: [Finding], scope: String = "all", times: ClosedRange<LogTime>? = nil
  ) throws {
    try AuditStore.reading(directory).remember(findings, scope: scope, times: times)
  }

  func problems() throws -> [String] { try StoreCheck(try AuditStore.reading(directory)).problems }

  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try body(Database(directory + "/store.sqlite"))
  }

  /// The requests for the hosts of each day, as `DAY HOST REQUESTS TARGETS`.
  func hosts() throws -> [String] {
    let row = "day || ' ' || host || ' ' || requests || ' ' || targets"
    return try read { database in
      try database.values(of: String.self, "SELECT \(row) FROM daily_hosts ORDER BY day, host")
    }
  }

  func contents() throws -> (figures: [String], digests: [String: [UInt8]]) {
    try read { database in
      let tables = try database.values(
        of: String.self, "SELECT name FROM sqlite_master WHERE name LIKE 'daily%' ORDER BY name")
      let figures = try tables.flatMap { table in
        try database.rows("SELECT * FROM \(table)").map { "\(table) \($0.values)" }.sorted()
      }
      var digests: [String: [UInt8]] = [:]
      for row in try database.rows("SELECT day, file FROM digests") {
        let file: String = try row.stored("file")
        digests[try row.stored("day")] = try folder.bytes(of: "store/digests/" + file)
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
      figures += Verdict.allCases.map { "\(site.host) \($0) \(site.verdicts[$0])" }
      figures += Platform.allCases.map { "\($0) \(site.platforms[$0])" }
      figures += Referral.allCases.map { "\($0) \(site.referrals[$0])" }
      figures += site.days.map { "\($0.day?.description ?? "-") \($0.total) \($0.sameHost)" }
      let rules = site.ruleLists.flatMap(\.rules)
      figures += rules.map { "\($0.rule.pattern) \($0.traffic) \($0.shadowed)" }
      figures += site.sameHostReferrals.map { "\($0.from) \($0.to) \($0.visits)" }
      figures += site.coverage.unclaimedHeavy.map { "\($0.path) \($0.traffic)" }
    }
    return figures + otherHosts.rows.map { "\($0.name) \($0.requests)" }
  }
}
