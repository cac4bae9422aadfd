import TestSupport
import Testing

@Suite struct DigestRowsTests {
  static func run(_ line: String, _ folder: TemporaryFolder) throws -> Command.Outcome {
    try folder.run(
      """
      \(MergeTests.digest)
      rows() { linkaudit digest --no-config --format ndjson "$@"; }
      \(line)
      """)
  }

  @Test func rowsDependOnTheLogsAlone() throws {
    let folder = try TemporaryFolder()
    var log = RandomLog()
    for name in 1...3 { _ = try folder.write(log.text(700, host: true).utf8, to: "logs/\(name)") }
    let outcome = try Self.run(
      """
      digest logs --format ndjson > a && digest logs --format ndjson --jobs 3 --memory 1M -o b &&
      digest logs -o all.digest && rows all.digest -o c && rows all.digest --jobs 1 -o - > d &&
      digest logs/1 -o 1.digest && digest logs/2 logs/3 -o 2.digest &&
      rows 1.digest 2.digest -o e && echo old > f && rows all.digest -o f &&
      for other in b c d e f; do cmp a $other || exit; done; cat a
      """, folder)
    #expect(outcome.status == 0 && outcome.stderr.isEmpty, "\(outcome.stderr)")
    let rows = try JSONTree.lines(outcome.stdout)
    func sum(_ row: String, _ count: String, in rows: [JSONTree]) -> Int {
      rows.filter { $0["row"].cell == row }.reduce(0) { $0 + ($1[count].number ?? 0) }
    }
    #expect(rows.first?["row"].cell == "digest")
    #expect(sum("inputs", "lines", in: rows) == 2_100)
    let requests = sum("inputs", "requests", in: rows)
    #expect(requests > 0 && sum("requests", "requests", in: rows) == requests)
    #expect(sum("clients", "requests", in: rows) == requests)
    #expect(2_100 == requests + sum("rejections", "lines", in: rows))
    #expect(sum("pageVisits", "visits", in: rows) > 0 && sum("fetches", "requests", in: rows) > 0)
    for (day, own) in Dictionary(grouping: rows, by: \.["day"].cell) {
      let counts = ["requests", "clients"].map { sum($0, "requests", in: own) }
      #expect(counts[0] == counts[1], "\(day ?? "-")")
    }
  }

  @Test func bytesThatAreNotTextComeBack() throws {
    let folder = try TemporaryFolder()
    let start = "h.example 192.0.2.1 - - [01/Jun/2026:10:00:00 +0200] \"GET "
    let line = Array((start + "/a").utf8) + [0xFF, 0xC3, 0x28, 0x1B] + Array("é/%7e%zz<\\\"".utf8)
    let rest =
      " HTTP/1.1\" 200 5 \"http://h.example/x\u{1B}/7\" "
      + "\"Mozilla/5.0 (compatible; Googlebot/2.1)\"\n"
    _ = try folder.write(line + Array(rest.utf8), to: "log")
    let outcome = try Self.run("digest log --format ndjson", folder)
    let rows = try JSONTree.lines(outcome.stdout)
    let target = JSONTree.text("/a%FF%C3(%1B%C3%A9/%257e%25zz%3C%22")
    #expect(rows.map(\.["target"]).filter { $0 != .null } == [target, target], "\(outcome)")
    #expect(rows.last?["page"].cell == "/x%1B/{n}" && rows.last?["visits"].number == 1)
  }
}
