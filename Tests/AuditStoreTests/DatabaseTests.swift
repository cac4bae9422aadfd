import TestSupport
import Testing

@testable import AuditStore

@Suite struct DatabaseTests {
  /// Each value is returned with its type and all of its bytes.
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
      #expect(throws: StoredValueMismatch.self) { try row.stored(column) as Int }
    }
    #expect(throws: StoredValueMismatch.self) { try row.stored("text") as Int? }
    #expect(throws: StoredValueMismatch.self) { try row.stored("blob") as String }
    #expect(throws: StoredValueMismatch.self) { try row.stored("text") as [UInt8] }
    #expect(try database.value(of: Int.self, "SELECT NULL") == nil)
    #expect(try database.value(of: Int.self, "SELECT 1 WHERE 0") == nil)
  }

  /// A statement can run while another run of it is unfinished.
  @Test func statementsNest() throws {
    let database = try Database("")
    try database.run("CREATE TABLE t (v); INSERT INTO t VALUES (1), (2), (3)")
    let outer = try database.cursor("SELECT v FROM t")
    var count = 0
    while try outer.next() != nil { count += try database.rows("SELECT v FROM t").count }
    #expect(count == 9)
    #expect(try outer.next() == nil)
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

  /// A statement that SQLite refuses is an error, with its message.
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

/// A value of any type.
private struct AnyValue: DatabaseValueConvertible {
  var databaseValue: DatabaseValue

  init(databaseValue: DatabaseValue) { self.databaseValue = databaseValue }
}
