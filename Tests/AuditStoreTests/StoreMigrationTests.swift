import AccessLogs
import Foundation
import LinkAuditing
import TestSupport
import Testing
import TrafficDigest

@testable import AuditStore

/// Stores of earlier versions can be read unchanged, and are migrated when they are changed.
///
/// `Stores/version2` was written by the last linkaudit with stores of version 2, from the logs that
/// ``logs`` lists.
@Suite struct StoreMigrationTests {
  private static func lines(_ numbers: Range<Int>, day: Int) -> String {
    numbers.map { number in
      "192.0.2.1 - - [0\(day)/Jun/2026:10:00:\(number % 50 + 10) +0000] "
        + "\"GET /item/\(number) HTTP/1.1\" 200 5 \"-\" \"agent \(number)\"\n"
    }.joined()
  }

  /// The logs in the store.
  ///
  /// The last two were not read completely: one was cut, and the other was limited to 64 KiB.
  private static let logs: [String: String] = [
    "short.log": lines(0..<30, day: 1), "long.log": lines(1_000..<1_900, day: 2),
    "open.log": String(lines(3_000..<3_020, day: 3).dropLast(9)),
    "cut.log": lines(4_000..<4_300, day: 3),
    "expanding.log": String(repeating: lines(5_000..<5_001, day: 4), count: 2_000),
  ]

  /// The lines of ``logs`` that the store hasn't counted.
  private static let uncountedLines = 300 - 225 + 2_000 - 713

  /// Copies the store, and changes its version if requested.
  private func fixture(version: Int = 2) throws -> StoreFixture {
    let fixture = try StoreFixture()
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Stores/version2").path
    try FileManager.default.copyItem(atPath: source, toPath: fixture.directory)
    if version == 3 {
      _ = try AuditStore.changing(fixture.directory, isMade: false, wait: 0)
      try Database(fixture.directory + "/store.sqlite").run(
        "DROP TABLE daily_causes; DROP TABLE served_files; PRAGMA user_version = 3")
    }
    if version == 1 {
      let database = try Database(fixture.directory + "/store.sqlite")
      let days = try database.values(of: String.self, "SELECT DISTINCT day FROM daily_hosts")
      try database.run(
        "DROP TABLE checksums; \(StoreSchema.fingerprintTable); PRAGMA user_version = 1")
      for day in days {
        try database.execute(
          "INSERT INTO daily_fingerprints VALUES (?, ?)",
          [day, try DailyFigures.fingerprint(of: day, in: database)])
      }
    }
    return fixture
  }

  private func write(_ logs: [String: String], in fixture: StoreFixture) throws -> String {
    for (name, content) in logs {
      _ = try fixture.folder.write(content.utf8, to: "logs/" + name)
    }
    return fixture.folder.path + "/logs"
  }

  private func change(_ fixture: StoreFixture, _ sql: String) throws {
    try Database(fixture.directory + "/store.sqlite").run(sql)
  }

  private func version(_ fixture: StoreFixture) throws -> Int? {
    try fixture.read { try $0.value(of: Int.self, "PRAGMA user_version") }
  }

  @Test(arguments: [1, 2, 3]) func earlierStoresAreRead(version: Int) throws {
    let fixture = try fixture(version: version)
    #expect(try fixture.problems() == [])
    let (_, digest) = try fixture.audit()
    #expect(digest.tally.requests == 1_886)
    #expect(
      digest.inputs.filter { $0.damage != nil }.map { InputStatus($0.damage) }
        == [.truncated, .truncated])
    #expect(try self.version(fixture) == version)
  }

  /// A migrated store has the same figures and the same logs.
  @Test(arguments: [1, 2, 3]) func migratedStoresKnowTheirLogs(version: Int) throws {
    let fixture = try fixture(version: version)
    let figures = try fixture.audit().audit.figures
    _ = try AuditStore.changing(fixture.directory, isMade: false, wait: 0)
    #expect(try self.version(fixture) == StoreSchema.version)
    #expect(try fixture.problems() == [])
    #expect(try fixture.audit().audit.figures == figures)
    #expect(
      try fixture.read {
        try $0.values(of: String.self, "SELECT damage FROM logs WHERE damage IS NOT NULL")
      }
      .allSatisfy { LogDamage(code: $0) != nil })

    let logs = try write(Self.logs, in: fixture)
    #expect(try fixture.ingest(logs).tally.lines == Self.uncountedLines)
    #expect(try fixture.ingest(logs).tally.lines == 0)
    // The last line of this one was incomplete.
    let grown = [
      "open.log": Self.lines(3_000..<3_030, day: 3), "long.log": Self.lines(1_000..<1_950, day: 2),
    ]
    _ = try write(grown, in: fixture)
    #expect(try fixture.ingest(logs).tally.lines == 60)
    #expect(try fixture.problems() == [])
  }

  /// Copies of known logs are recognized after the migration, and other logs with the same
  /// beginning are not.
  @Test func copiesOfMigratedLogs() throws {
    let fixture = try fixture()
    let logs = try write(
      [
        "one": Self.lines(0..<10, day: 1), "two": Self.lines(1_000..<1_040, day: 2),
        "three": Self.lines(1_000..<1_800, day: 2), "four": Self.lines(1_000..<1_895, day: 2),
      ], in: fixture)
    #expect(try fixture.ingest(logs).tally.lines == 0)
    _ = try write(["five": Self.lines(0..<20, day: 1) + Self.lines(90..<93, day: 1)], in: fixture)
    #expect(try fixture.ingest(logs).tally.lines == 23)
    #expect(try fixture.problems() == [])
  }

  /// Rows that something else changed are detected after the migration, too.
  @Test(arguments: [
    "UPDATE logs SET lines = lines + 1", "UPDATE logs SET head = head + 1",
    "DELETE FROM log_beginnings", "UPDATE log_files SET modified = modified + 1",
    "UPDATE log_days SET requests = requests + 1 WHERE day = '2026-06-02'",
  ])
  func damageOutlastsTheMigration(sql: String) throws {
    let fixture = try fixture()
    try change(fixture, sql)
    #expect(try !fixture.problems().isEmpty)
    do {
      // Holds the lock of the store.
      let store = try AuditStore.changing(fixture.directory, isMade: false, wait: 0)
      #expect(try !StoreCheck(store).problems.isEmpty)
    }
    #expect(throws: StoreError.self) { try fixture.ingest(fixture.folder.path) }
  }

  /// Modified figures in a store of version 1 are detected after the migration, too.
  @Test func changedFiguresOfVersion1AreTold() throws {
    let fixture = try fixture(version: 1)
    try change(fixture, "UPDATE daily_hosts SET targets = 7 WHERE day = '2026-06-02'")
    let problems = try fixture.problems()
    #expect(problems.count == 1, "\(problems)")
    // Without checksums, the requests of each day are checked.
    try change(fixture, "UPDATE log_days SET requests = requests + 1 WHERE day = '2026-06-01'")
    #expect(throws: StoreError.self) { _ = try fixture.audit() }
    try change(fixture, "UPDATE log_days SET requests = requests - 1 WHERE day = '2026-06-01'")
    _ = try AuditStore.changing(fixture.directory, isMade: false, wait: 0)
    #expect(try fixture.problems() == problems)
    try change(fixture, "UPDATE logs SET path = 'x'")
    #expect(throws: StoreError.self) { _ = try fixture.audit() }
  }
}
