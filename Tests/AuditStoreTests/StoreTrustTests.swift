import Foundation
import TestSupport
import Testing
import TrafficDigest

@testable import AuditStore
@testable import Foundations

/// Stores may be untrusted: nothing in them leads outside or has effects.
@Suite struct StoreTrustTests {
  private let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
    let lines = (10..<60).map { logLine("/item/\($0)", at: "01/Jun/2026:10:00:\($0) +0000") }
    try fixture.ingest(["access.log": lines.joined()])
  }

  /// The messages of a reader and of a writer that refuse the store, whose digest stays.
  private func refusals() throws -> [String] {
    let errors = [
      #expect(throws: StoreError.self) { _ = try AuditStore.reading(fixture.directory) },
      #expect(throws: StoreError.self) {
        _ = try AuditStore.changing(fixture.directory, isMade: true, wait: 0)
      },
    ]
    #expect(try fixture.digests().count == 1)
    return errors.map { $0?.description ?? "" }
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
    try fixture.change(sql)
    for message in try refusals() { #expect(message.contains("does not have linkaudit's schema")) }
  }

  /// A store of another version is refused, with the remedy, and stays as it is.
  @Test(arguments: [-1, 0, 1, AuditStore.version - 1, AuditStore.version + 1, 999])
  func otherVersionsAreRefused(version: Int) throws {
    try fixture.change("PRAGMA user_version = \(version)")
    for message in try refusals() {
      #expect(message.contains("has version \(version), but"))
      #expect(message.contains("make it anew from its logs"))
    }
    try fixture.change("PRAGMA user_version = \(AuditStore.version)")
    #expect(try fixture.problems() == [])
  }

  @Test func statisticsAreNoTables() throws {
    try fixture.change("ANALYZE")
    #expect(try fixture.problems() == [])
    #expect(try fixture.ingest().tally.lines == 0)
  }

  /// A name that no run uses is never opened, and the file of that name stays.
  @Test(arguments: [
    "../../other.digest", "/dev/zero", "2026-06-02.1.digest", "2026-06-01.+1.digest", "",
  ])
  func otherNamesAreDamage(name: String) throws {
    let names = try fixture.digests()
    let digest = try #require(names.first)
    let bytes = try fixture.folder.bytes(of: "store/digests/" + digest)
    _ = try fixture.folder.write(bytes, to: "other.digest")
    try fixture.change("UPDATE digests SET file = '\(name)'")
    #expect(try fixture.problems().contains { $0.contains("which linkaudit never writes") })
    #expect(throws: StoreError.self) { _ = try fixture.audit() }
    let store = try AuditStore.changing(fixture.directory, isMade: false, wait: 0)
    #expect(try fixture.digests() == names)
    #expect(try store.removeDays([Day("2026-06-01")]).count == 1)
    #expect(try fixture.problems() == [])
  }

  /// Anything other than a file is detected, without waiting for its output.
  @Test(
    arguments: ["directory", "pipe", "device", "loop of links"],
    ["digest", "lock", "store.sqlite", "store.sqlite-journal"])
  func othersAreNoFiles(kind: String, name: String) throws {
    let digest = try #require(try fixture.digests().first)
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
    let expected = "'\(path)' is not a regular file"
    let errors = [
      #expect(throws: StoreError.self) { _ = try fixture.audit() },
      #expect(throws: StoreError.self) { try fixture.rebuild() },
    ]
    for error in errors { #expect(error?.description.contains(expected) == true) }
    // A check opens the database as a report does, and lists what else it finds.
    guard name == "digest" else { return }
    #expect(try fixture.problems().contains { $0.contains(expected) })
  }

  /// Each column accepts only valid values, and a check names the one with others.
  @Test(arguments: [
    ("association_files.content", "CAST('{}' AS BLOB)"), ("association_files.identity", "x'FF'"),
    ("daily_hosts.requests", "'many'"), ("daily_platforms.platform", "'toaster'"),
    ("deployments.day", "''"), ("digests.size", "-1"), ("digests.requests", "1 << 45"),
    ("log_days.day", "'2026-02-30'"), ("log_files.size", "-2"), ("logs.checkpoints", "'text'"),
    ("logs.damage", "x'00'"), ("logs.lines", "-9223372036854775807"), ("logs.status", "'odd'"),
    ("runs.started", "x'00'"),
  ])
  func valuesOfAnotherKindAreTold(column: String, value: String) throws {
    let names = column.split(separator: ".")
    try fixture.change("UPDATE OR REPLACE \(names[0]) SET \(names[1]) = \(value)")
    let problems = try fixture.problems()
    // Other content is valid, but isn't that of its identity.
    let expected = column == "association_files.content" ? "association file" : "'\(column)'"
    #expect(problems.contains { $0.contains(expected) }, "\(problems)")
  }
}

@Suite struct DatabaseTests {
  @Test(arguments: [
    DatabaseValue.null, .integer(0), .integer(.min), .integer(.max), .real(-0.5), .text(""),
    .text("a\0b"), .text("é 'x' \u{1F375}"), .blob([]), .blob([0, 255, 0]),
  ])
  func valuesComeBack(value: DatabaseValue) throws {
    let database = try Database("")
    try database.run("CREATE TABLE t (v)")
    try database.execute("INSERT INTO t VALUES (?)", [AnyValue(databaseValue: value)])
    #expect(try database.rows("SELECT v FROM t").map(\.values) == [[value]])
  }

  /// A value of another type is an error; an absent one is an error only if a value is required.
  @Test func typesAreNotConverted() throws {
    let database = try Database("")
    let row = try #require(
      try database.row("SELECT '1' AS text, x'31' AS blob, 1 AS number, NULL AS none, 1.0 AS real"))
    #expect(try row.stored("number") == 1 && row.stored("number") == true)
    #expect(try row.stored("none") as Int? == nil && row.stored("number") as Int? == 1)
    for column in ["text", "blob", "none", "real", "absent"] {
      #expect(throws: DatabaseError.self) { try row.stored(column) as Int }
    }
    #expect(throws: DatabaseError.self) { try row.stored("text") as Int? }
    #expect(throws: DatabaseError.self) { try row.stored("blob") as String }
    #expect(throws: DatabaseError.self) { try row.stored("text") as [UInt8] }
    #expect(try database.value(of: Int.self, "SELECT NULL") == nil)
    #expect(try database.value(of: Int.self, "SELECT 1 WHERE 0") == nil)
  }

  @Test func statementsNest() throws {
    let database = try Database("")
    try database.run("CREATE TABLE t (v); INSERT INTO t VALUES (1), (2), (3)")
    var count = 0
    try database.forEachRow("SELECT v FROM t") { _ in
      count += try database.rows("SELECT v FROM t").count
    }
    #expect(count == 9)
    #expect(try database.rows("SELECT v FROM t").count == 3)
  }

  @Test func failedChangesAreUndone() throws {
    let database = try Database("")
    try database.run("CREATE TABLE t (v UNIQUE)")
    let error = #expect(throws: DatabaseError.self) {
      try database.transaction(isChange: true) {
        try database.execute("INSERT INTO t VALUES (?)", [1])
        #expect(database.changesCount == 1 && database.lastInsertedRowID == 1)
        try database.execute("INSERT INTO t VALUES (?)", [1])
      }
    }
    #expect(error?.primaryCode == 19 && error?.code != 19)
    #expect(try database.value(of: Int.self, "SELECT count(*) FROM t") == 0)
  }

  @Test func mistakesAreErrors() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("no database at all, by its first bytes".utf8, to: "text")
    #expect(throws: DatabaseError.self) { try Database(folder.path + "/absent") }
    #expect(throws: DatabaseError.self) { try Database(path).rows("SELECT * FROM sqlite_master") }
    let database = try Database("")
    #expect(throws: DatabaseError.self) { try database.execute("SELECT ?", []) }
    let error = #expect(throws: DatabaseError.self) { try database.execute("SELEC 1") }
    #expect(error?.message.contains("syntax error") == true)
  }
}

private struct AnyValue: DatabaseValueConvertible {
  var databaseValue: DatabaseValue

  static func reading(_ value: DatabaseValue) -> AnyValue? { AnyValue(databaseValue: value) }
}
