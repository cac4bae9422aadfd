extension StoreSchema {
  /// The objects of a database, each in a row: tables, indexes, views and triggers.
  private static let objects = "SELECT type, name, tbl_name, sql FROM sqlite_master"

  /// The objects of a new database by version.
  private static let pristine: Result<[Int: Set<[DatabaseValue]>], any Error> = Result {
    var pristine: [Int: Set<[DatabaseValue]>] = [:]
    for version in 1...version {
      let database = try Database("")
      try create(in: database, version: version)
      pristine[version] = Set(try database.rows(objects).map(\.values))
    }
    return pristine
  }

  /// The tables that `ANALYZE` creates; any user of the database may have created those, too.
  private static let statistics: Set<[DatabaseValue]> = Set(
    [
      ("sqlite_stat1", "tbl,idx,stat"), ("sqlite_stat4", "tbl,idx,neq,nlt,ndlt,sample"),
    ].map { name, columns in
      ["table", name, name, "CREATE TABLE \(name)(\(columns))"].map(DatabaseValue.text)
    })

  /// Describes the first difference between a database and one that this program makes.
  ///
  /// SQLite does what the file says: a view in place of a table may be endless, and a trigger does
  /// more than was requested. Only the list of all objects is safe to read, so it is checked before
  /// any other query.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - version: Its version.
  /// - Returns: The first difference, or `nil` if there is none.
  /// - Throws: An error if the database can't be read.
  static func difference(of database: Database, version: Int) throws -> String? {
    guard var missing = try pristine.get()[version] else { return "its version is \(version)" }
    let rows = try database.cursor(objects)
    while let row = try rows.next() {
      let object = row.values
      if missing.remove(object) == nil, !statistics.contains(object) {
        return "\(name(of: object)) is none of its own"
      }
    }
    return missing.map { name(of: $0) }.min().map { "\($0) is missing" }
  }

  private static func name(of object: [DatabaseValue]) -> String {
    let texts = object.prefix(2).map { String(databaseValue: $0) ?? "" }
    let kind = texts.first { ["table", "index", "view", "trigger"].contains($0) }
    return "the \(kind ?? "object") '\((texts.last ?? "").prefix(100))'"
  }
}
