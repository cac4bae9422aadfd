import Foundation
import LinkAuditing
import TestSupport
import Testing
import TrafficDigest

@testable import AuditStore
@testable import Foundations

/// A store contains what was written, or a message names the damage.
@Suite struct StoreChecksumTests {
  private static func lines(_ days: ClosedRange<Int>, _ name: String) -> String {
    days.flatMap { day in
      (10..<30).map { number in
        let time = "0\(day)/Jun/2026:10:00:\(number) +0000"
        return logLine("/\(name)/\(number)", at: time, agent: "agent")
      }
    }.joined()
  }

  /// A store after two runs, with lines that can still change.
  private let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
    try fixture.ingest(["access.log": Self.lines(1...3, "item")])
    try fixture.ingest(["other.log": String(Self.lines(2...4, "buy").dropLast())])
  }

  /// Stores contain the hash, so it never changes.
  @Test func hashesOfRowsStay() {
    let values: [DatabaseValue] = [
      .null, .integer(-1), .real(0.5), .text("2026-06-01"), .text("é"), .blob([0, 1, 255]),
    ]
    #expect(RowHash(values).value == 15_276_887_365_322_766_009)
    #expect(RowHash([]).value != RowHash([.null]).value)
    #expect(RowHash([.text("a"), .text("b")]).value != RowHash([.text("ab"), .text("")]).value)
    #expect(RowHash([.text("a")]).value != RowHash([.blob([0x61])]).value)
  }

  /// Each change of a row ends the reading with an error, for every reader, and removes no digest.
  ///
  /// An ingest reads rows that reports don't need: a log that it doesn't find would count twice.
  @Test(arguments: [
    "UPDATE association_files SET content = replace(content, '/buy/', '/guy/')",
    "UPDATE association_files SET path = 'other.json'", "DELETE FROM deployments",
    "UPDATE deployments SET day = '2026-06-03'", "DELETE FROM digests WHERE day = '2026-06-01'",
    "UPDATE digests SET day = '2026-06-09' WHERE day = '2026-06-01'",
    "DELETE FROM log_days WHERE day = '2026-06-02'",
    "UPDATE log_days SET requests = requests + 1 WHERE day = '2026-06-02'",
    "UPDATE log_days SET first_time = last_time", "DELETE FROM pending_days",
    "UPDATE pending_days SET requests = 5", "UPDATE logs SET path = 'x'",
    "UPDATE logs SET lines = lines + 1", "UPDATE logs SET status = 'corrupt'",
    "DELETE FROM logs WHERE id = 1", "DELETE FROM checksums",
    "INSERT INTO log_rejections VALUES (1, 'emptyLine', 3)",
    "UPDATE checksums SET sum = sum + 1 WHERE name = 'log_days'",
    "UPDATE digests SET file = replace(file, '.1.', '.7.')", "DELETE FROM log_beginnings",
    "UPDATE logs SET first_hash = first_hash + 1, length = length + 1",
    "UPDATE logs SET settled_length = settled_length - 1",
  ])
  func changedRowsAreTold(sql: String) throws {
    let names = try fixture.read { try $0.values(of: String.self, "SELECT file FROM digests") }
    try fixture.change(sql)
    if !sql.contains("log_beginnings"), !sql.contains("settled_length") {
      let error = #expect(throws: StoreError.self) { _ = try fixture.audit() }
      let message = try #require(error?.description)
      #expect(message.contains("store.sqlite") && message.contains("is damaged"), "\(message)")
    }
    #expect(try !fixture.problems().isEmpty)
    let error = #expect(throws: StoreError.self) { try fixture.ingest() }
    #expect(error?.description.contains("not those that linkaudit wrote") == true)
    #expect(Set(names).isSubset(of: try fixture.digests()))
  }

  /// A day whose rows are damaged can be removed, and the store is sound again.
  @Test(arguments: [
    "UPDATE digests SET requests = requests + 1", "DELETE FROM digests",
    "UPDATE log_days SET requests = requests - 1",
  ])
  func damagedDaysCanBeRemoved(sql: String) throws {
    try fixture.change(sql + " WHERE day = '2026-06-02'")
    let error = #expect(throws: StoreError.self) { _ = try fixture.audit() }
    #expect(error?.description.contains("2026-06-02") == true)
    #expect(try fixture.remove(Day("2026-06-02")).count == 1)
    #expect(try fixture.problems() == [])
    _ = try fixture.audit()
  }

  @Test(arguments: [
    "DELETE FROM runs WHERE id = 1", "UPDATE runs SET id = 7 WHERE id = 2",
    "DELETE FROM reports", "UPDATE reports SET run = run + 1",
    "DELETE FROM report_findings", "UPDATE report_findings SET severity = 'note'",
  ])
  func changedReportsAreTold(sql: String) throws {
    try fixture.remember(try fixture.audit().audit.findings)
    try fixture.ingest(["more.log": Self.lines(4...4, "help")])
    let findings = try #require(try fixture.lastReport()).findings
    try #require(findings.contains { $0.severity != "note" })
    try fixture.change(sql)
    #expect(throws: StoreError.self) { _ = try fixture.lastReport() }
    #expect(try !fixture.problems().isEmpty)
  }

  /// Reports don't read figures; changes of them are detected, and the figures are computed again.
  @Test func changedFiguresAreTold() throws {
    let figures = try fixture.contents().figures
    try fixture.change("UPDATE daily_hosts SET targets = targets + 1 WHERE day = '2026-06-02'")
    #expect(try fixture.problems().count == 1)
    try fixture.rebuild()
    #expect(try fixture.problems() == [])
    #expect(try fixture.contents().figures == figures)
  }

  private func said() throws -> [String]? {
    do {
      let store = try AuditStore.reading(fixture.directory)
      let listing = try StoreListing(store)
      let (audit, digest) = try fixture.audit()
      let last = try store.lastReport(scope: "all").last
      return audit.figures + [
        "\(listing.days)", "\(listing.files)", "\(listing.logs) \(listing.lines)",
        "\(listing.runs) \(listing.lastRun ?? "")", "\(digest.inputs)",
        "\(digest.rejections.map { "\($0)" }.sorted())", "\(digest.rejectedLines)",
        "\(last?.report.at.description ?? "")", "\(last?.findings ?? [])",
      ]
    } catch let error as StoreError {
      #expect(error.description.contains(fixture.directory), "\(error)")
      return nil
    } catch is DigestFileError, is JudgingError {
      return nil
    }
  }

  /// Damage anywhere in a store is detected, or changes no result.
  @Test func damagedBytesAreTold() throws {
    try fixture.remember(try fixture.audit().audit.findings)
    try fixture.ingest(["more.log": Self.lines(4...4, "help") + "not a request\n"])
    let expected = try #require(try said())
    let databases = ["store/store.sqlite", "store/store.sqlite"]
    let paths = try databases + fixture.digests().map { "store/digests/" + $0 }
    let files = try paths.map { try fixture.folder.bytes(of: $0) }
    var generator = SeededGenerator()
    var told = 0
    for _ in 0..<TestRun.size(full: 5_000, usual: 150) {
      let number = Int.random(in: paths.indices, using: &generator)
      var bytes = files[number]
      let count = generator.pick([1, 1, 1, 2, 8, 600])
      let offset = Int.random(in: bytes.indices, using: &generator)
      let isFlip = Bool.random(using: &generator)
      for index in offset..<min(bytes.count, offset + count) {
        bytes[index] =
          isFlip
          ? bytes[index] ^ (1 << UInt8.random(in: 0..<8, using: &generator))
          : UInt8.random(in: 0...255, using: &generator)
      }
      _ = try fixture.folder.write(bytes, to: paths[number])
      let found = try said()
      if found == nil { told += 1 }
      #expect(
        found == nil || found == expected, "\(count) bytes from \(offset) on of \(paths[number])")
      _ = try fixture.folder.write(files[number], to: paths[number])
      // A database that was mistaken for one with a write-ahead log has one now.
      for name in ["store.sqlite-wal", "store.sqlite-shm", "store.sqlite-journal"] {
        try? FileManager.default.removeItem(atPath: fixture.directory + "/" + name)
      }
    }
    #expect(told > 0)
    #expect(try said() == expected)
  }
}
