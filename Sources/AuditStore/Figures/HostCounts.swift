/// The requests of a day by host; only the heaviest hosts are separate.
///
/// Anybody can send any number of host names, and each would be a permanent row of the database.
struct HostCounts {
  /// A host with its requests and distinct targets.
  struct Row {
    var name: String
    var requests: Int
    var targets: Int

    fileprivate func precedes(_ other: Row) -> Bool {
      requests == other.requests
        ? name.utf8.lexicographicallyPrecedes(other.name.utf8) : requests > other.requests
    }
  }

  /// The number of hosts with their own rows.
  static let limit = 10_000

  /// The name of the row of all others, which no log can contain.
  static let othersName = "(OTHER HOSTS)"

  /// The heaviest hosts so far, up to twice as many as have rows.
  private var rows: [Row] = []

  /// The others.
  private var rest = Row(name: othersName, requests: 0, targets: 0)

  /// Adds a host; call it once for each.
  mutating func add(_ row: Row) {
    rows.append(row)
    if rows.count >= 2 * Self.limit { keepHeaviest() }
  }

  private mutating func keepHeaviest() {
    guard rows.count > Self.limit else { return }
    rows.sort { $0.precedes($1) }
    for row in rows[Self.limit...] {
      rest.requests += row.requests
      rest.targets += row.targets
    }
    rows.removeLast(rows.count - Self.limit)
  }

  /// The heaviest hosts, and a row for all others if there are any.
  var heaviest: [Row] {
    var all = self
    all.keepHeaviest()
    return all.rows + (all.rest.requests > 0 ? [all.rest] : [])
  }
}
