import Foundation
import TestSupport
import Testing
import TrafficDigest

@testable import AuditStore
@testable import Foundations

/// Stores may be untrusted: nothing in them leads outside or has effects.
@Suite struct StoreTrustTests {
  /// A store with the digest of a day.
  private func filled() throws -> StoreFixture {
    let fixture = try StoreFixture()
    let lines = (10..<60).map { number in
      "192.0.2.1 - - [01/Jun/2026:10:00:\(number) +0000] \"GET /item/\(number) HTTP/1.1\" 200 5 "
        + "\"-\" \"-\"\n"
    }
    _ = try fixture.folder.write(lines.joined().utf8, to: "logs/access.log")
    try fixture.ingest(fixture.folder.path + "/logs")
    #expect(try fixture.problems() == [])
    return fixture
  }

  private func change(_ fixture: StoreFixture, _ sql: String) throws {
    try Database(fixture.directory + "/store.sqlite").run(sql)
  }

  private func digests(_ fixture: StoreFixture) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: fixture.directory + "/digests").sorted()
  }

  /// Objects that only somebody else can have added are refused before any query.
  @Test(arguments: [
    """
    DROP TABLE digests;
    CREATE VIEW digests AS WITH RECURSIVE n(day, file) AS
      (SELECT '', '' UNION ALL SELECT day, file || 'x' FROM n)
    SELECT day, file, 0 AS size, '' AS identity, 0 AS requests, 0 AS targets, 0 AS run FROM n;
    """,
    "CREATE TRIGGER forgets AFTER INSERT ON runs BEGIN DELETE FROM digests; END",
    "ALTER TABLE runs ADD COLUMN more INTEGER GENERATED ALWAYS AS (abs(id)) VIRTUAL",
    "CREATE INDEX more ON runs (lines)", "CREATE TABLE more (id INTEGER)",
    "DROP INDEX logs_by_short_length",
  ])
  func otherTablesAreRefused(sql: String) throws {
    let fixture = try filled()
    try change(fixture, sql)
    let reading = #expect(throws: StoreError.self) { _ = try AuditStore.reading(fixture.directory) }
    let changing = #expect(throws: StoreError.self) {
      _ = try AuditStore.changing(fixture.directory, isMade: true, wait: 0)
    }
    for error in [reading, changing] {
      #expect(error?.description.contains("does not have linkaudit's schema") == true)
    }
    #expect(try digests(fixture).count == 1)
  }

  /// A store of another version is refused, with the remedy, and stays as it is.
  @Test(arguments: [-1, 0, 1, StoreSchema.version - 1, StoreSchema.version + 1, 999])
  func otherVersionsAreRefused(version: Int) throws {
    let fixture = try filled()
    try change(fixture, "PRAGMA user_version = \(version)")
    let errors = [
      #expect(throws: StoreError.self) { _ = try AuditStore.reading(fixture.directory) },
      #expect(throws: StoreError.self) {
        _ = try AuditStore.changing(fixture.directory, isMade: true, wait: 0)
      },
    ]
    for error in errors {
      #expect(error?.description.contains("has version \(version), but") == true)
      #expect(error?.description.contains("make it anew from its logs") == true)
    }
    #expect(try digests(fixture).count == 1)
    try change(fixture, "PRAGMA user_version = \(StoreSchema.version)")
    #expect(try fixture.problems() == [])
  }

  /// SQLite's statistics about tables change nothing.
  @Test func statisticsAreNoTables() throws {
    let fixture = try filled()
    try change(fixture, "ANALYZE")
    #expect(try fixture.problems() == [])
    #expect(try fixture.ingest(fixture.folder.path + "/logs").tally.lines == 0)
  }

  /// A name that no run uses is never opened, and the file of that name stays.
  @Test(arguments: [
    "../../other.digest", "/dev/zero", "2026-06-02.1.digest", "2026-06-01.+1.digest", "",
  ])
  func otherNamesAreDamage(name: String) throws {
    let fixture = try filled()
    let names = try digests(fixture)
    let digest = try #require(names.first)
    try FileManager.default.copyItem(
      atPath: fixture.directory + "/digests/" + digest,
      toPath: fixture.folder.path + "/other.digest")
    try change(fixture, "UPDATE digests SET file = '\(name)'")
    #expect(try fixture.problems().contains { $0.contains("which linkaudit never writes") })
    #expect(throws: StoreError.self) { _ = try fixture.audit() }
    let store = try AuditStore.changing(fixture.directory, isMade: false, wait: 0)
    #expect(try digests(fixture) == names)
    #expect(try store.removeDays([Day("2026-06-01")]).count == 1)
    #expect(try fixture.problems() == [])
  }

  /// Anything other than a file is detected, without waiting for its output.
  @Test(
    arguments: ["directory", "pipe", "device", "loop of links"],
    ["digest", "lock", "store.sqlite", "store.sqlite-journal"])
  func othersAreNoFiles(kind: String, name: String) throws {
    let fixture = try filled()
    let digest = try #require(try digests(fixture).first)
    let path = fixture.directory + "/" + (name == "digest" ? "digests/" + digest : name)
    try? FileManager.default.removeItem(atPath: path)
    switch kind {
    case "directory":
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case "pipe": #expect(unsafe mkfifo(path, 0o600) == 0)
    default:
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: kind == "device" ? "/dev/zero" : path)
    }
    var errors = [#expect(throws: StoreError.self) { _ = try fixture.audit() }]
    if name != "digest" {
      errors.append(
        #expect(throws: StoreError.self) {
          _ = try AuditStore.changing(fixture.directory, isMade: false, wait: 0)
        })
    }
    for error in errors {
      #expect(error?.description.contains("'\(path)' is not a regular file") == true)
    }
  }

  @Test func replacedContentIsDamage() throws {
    let fixture = try filled()
    try change(fixture, "UPDATE association_files SET content = CAST('{}' AS BLOB)")
    #expect(try fixture.problems().contains { $0.contains("association file") })
  }

  /// Each column accepts only valid values, and a check names the one with others.
  @Test(arguments: [
    ("association_files.identity", "x'FF'"), ("daily_hosts.requests", "'many'"),
    ("daily_platforms.platform", "'toaster'"), ("deployments.day", "''"),
    ("digests.size", "-1"), ("digests.requests", "1 << 45"), ("log_days.day", "'2026-02-30'"),
    ("log_files.size", "-2"), ("logs.checkpoints", "'text'"), ("logs.damage", "x'00'"),
    ("logs.lines", "-9223372036854775807"), ("logs.status", "'odd'"), ("runs.started", "x'00'"),
  ])
  func valuesOfAnotherKindAreTold(column: String, value: String) throws {
    let fixture = try filled()
    let names = column.split(separator: ".")
    try change(fixture, "UPDATE OR REPLACE \(names[0]) SET \(names[1]) = \(value)")
    let problems = try fixture.problems()
    #expect(problems.contains { $0.contains("'\(column)'") }, "\(problems)")
  }
}
