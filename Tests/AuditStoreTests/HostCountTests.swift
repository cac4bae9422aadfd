import AccessLogs
import LinkAuditing
import TestSupport
import Testing
import TrafficDigest

@testable import AuditStore

@Suite struct HostCountTests {
  @Test(arguments: [9_999, 10_000, 10_001, 35_000])
  func theHeaviestHostsHaveRowsOfTheirOwn(count: Int) {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    let rows = (0..<count).map { number in
      HeaviestHosts.Row(
        host: Array("h\(number).example".utf8), requests: Int.random(in: 1...50, using: &generator),
        targets: 2)
    }
    var counts = HeaviestHosts()
    for row in rows.shuffled(using: &generator) { counts.add(row) }
    counts.keepHeaviest()
    let ordered = rows.sorted {
      $0.requests == $1.requests
        ? $0.host.lexicographicallyPrecedes($1.host) : $0.requests > $1.requests
    }
    let named = ordered.prefix(HeaviestHosts.limit).map(\.host)
    #expect(counts.rows.map(\.host) == named, "seed: \(seed)")
    #expect(counts.otherCount == count - named.count)
    let heaviest = counts.rows + [counts.others]
    #expect(
      heaviest.reduce(0) { $0 + $1.requests } == rows.reduce(0) { $0 + $1.requests },
      "seed: \(seed)")
    #expect(heaviest.reduce(0) { $0 + $1.targets } == 2 * count)
  }

  /// A store with more hosts than have rows, on more days than are synced one by one.
  @Test func aStoreOfManyHostsAndDaysIsSound() throws {
    let store = try StoreFixture()
    func line(_ host: String, day: Int, year: Int) -> String {
      "\(host) 192.0.2.1 - - [\(10 + day % 18)/Jun/\(year):10:00:00 +0000] \"GET /buy/1 HTTP/1.1\" "
        + "200 5 \"-\" \"curl/8\"\n"
    }
    var text = (0..<10_500).map { line("h\($0).example", day: 1, year: 2026) }.joined()
    for day in 0..<400 { text += line("www.example.com", day: day, year: 1990 + day / 18) }
    _ = try store.folder.write(text.utf8, to: "logs/many.log")
    try store.ingest(store.folder.path + "/logs", host: nil, format: .vcombined)
    let hosts = try store.hosts()
    let others = hosts.filter { $0.host == DailyFigures.othersName }
    #expect(others.map(\.requests) == [500] && others.map(\.targets) == [500])
    #expect(Set(hosts.map(\.day)).count == 401)
    #expect(try store.problems() == [])
    #expect(try store.audit().digest.tally.requests == 10_900)
  }
}
