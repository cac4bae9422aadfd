import AccessLogs
import AuditStore
import Foundation
import TestSupport
import Testing
import TrafficDigest

/// Which lines of which files count, by how their contents relate.
@Suite struct StoreIdentityTests {
  private static func lines(_ range: Range<Int>, day: Int = 1) -> String {
    range.map { number in
      "192.0.2.1 - - [0\(day)/Jun/2026:10:00:\(number % 50 + 10) +0000] "
        + "\"GET /item/\(number) HTTP/1.1\" 200 5 \"-\" \"agent \(number)\"\n"
    }.joined()
  }

  /// The lines that came in when files with these contents were taken in, one night after
  /// the other.
  private func newLines(_ nights: [[String: [UInt8]]], in fixture: StoreFixture) throws -> [Int] {
    let logs = fixture.folder.path + "/logs"
    return try nights.map { files in
      for (name, content) in files { _ = try fixture.folder.write(content, to: "logs/" + name) }
      let count = try fixture.ingest(logs).tally.lines
      #expect(try fixture.problems() == [])
      return count
    }
  }

  private func newLines(_ nights: [[String: String]]) throws -> [Int] {
    try newLines(nights.map { $0.mapValues { Array($0.utf8) } }, in: try StoreFixture())
  }

  /// Two files that go on from one log: what follows counts once for each.
  @Test(arguments: [3, 40]) func twoGoOnFromOne(count: Int) throws {
    let shared = Self.lines(0..<count)
    let (one, other) = (shared + Self.lines(1_000..<1_003), shared + Self.lines(2_000..<2_005))
    #expect(
      try newLines([["a": shared], ["b": one, "c": other], ["b": one, "c": other]])
        == [count, 8, 0])
    #expect(try newLines([["a": shared, "b": one, "c": other]]) == [count + 8])
  }

  /// A short log that loses its end, within a line or behind one, and goes on otherwise.
  @Test func aShortLogIsSetBack() throws {
    let shared = Self.lines(0..<7)
    let whole = shared + Self.lines(7..<8)
    #expect(try newLines([["a": whole], ["a": String(whole.dropLast(30))]]) == [8, 0])
    #expect(try newLines([["a": whole], ["a": shared + Self.lines(90..<91)]]) == [8, 1])
    #expect(try newLines([["a": whole], ["a": whole], ["b": shared]]) == [8, 0, 0])
  }

  /// A copy of the beginning of a compressed log is no news, however long both are.
  @Test func copiesOfCompressedLogs() throws {
    let text = Array(Self.lines(0..<40_000).utf8)
    for length in [5_000, 700_000, 2_000_000] {
      let fixture = try StoreFixture()
      let end = text[..<length].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? length
      let nights = [["a.gz": GzipWriter.member(text)], ["b": Array(text[..<end])]]
      #expect(try newLines(nights, in: fixture) == [40_000, 0])
    }
  }

  /// Lines that are no requests count once, too.
  @Test func rejectedLinesCountOnce() throws {
    let garbage = (0..<30).map { "garbage \($0)\n" }.joined()
    let request = Self.lines(0..<1)
    #expect(try newLines([["a": request + garbage], ["b": request + garbage]]) == [31, 0])
  }

  /// Lines that can still become others are counted for good where their day goes.
  @Test func pendingLinesOfRemovedDaysDoNotComeBack() throws {
    let fixture = try StoreFixture()
    let (first, second) = (Self.lines(0..<2), Self.lines(2..<52, day: 2))
    _ = try newLines([["a": Array(first.utf8)]], in: fixture)
    try Self.remove("2026-06-01", from: fixture)
    #expect(try newLines([["a": Array((first + second).utf8)]], in: fixture) == [50])
    let days = try StoreListing(AuditStore.reading(fixture.directory)).days
    #expect(days.map { $0.day?.description } == ["2026-06-02"])
  }

  private static func remove(_ day: String, from fixture: StoreFixture) throws {
    let store = try AuditStore.changing(fixture.directory, isMade: false, wait: 0)
    _ = try StoreMaintenance(store).remove([Day(day)])
  }
}
