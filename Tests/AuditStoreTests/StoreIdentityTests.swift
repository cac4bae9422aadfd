import AccessLogs
import AuditStore
import Foundation
import Foundations
import LinkAuditing
import TestSupport
import Testing
import TrafficDigest

/// Which lines of which files count, depending on the relation of their contents.
@Suite struct StoreIdentityTests {
  private static func lines(_ range: Range<Int>, day: Int = 1) -> String {
    range.map { number in
      let time = "0\(day)/Jun/2026:10:00:\(number % 50 + 10) +0000"
      return logLine("/item/\(number)", at: time, agent: "agent \(number)")
    }.joined()
  }

  private func newLines(_ nights: [[String: [UInt8]]], in fixture: StoreFixture) throws -> [Int] {
    try nights.map { files in
      for (name, content) in files { try fixture.write(content, to: name) }
      return try fixture.ingest().tally.lines
    }
  }

  private func newLines(_ nights: [[String: String]]) throws -> [Int] {
    try newLines(nights.map { $0.mapValues { Array($0.utf8) } }, in: try StoreFixture())
  }

  /// If two files continue one log differently, the second is a log of its own.
  @Test(arguments: [3, 40, 200]) func differentContinuationsAreDifferentLogs(count: Int) throws {
    let shared = Self.lines(0..<count)
    let (one, other) = (shared + Self.lines(1_000..<1_003), shared + Self.lines(2_000..<2_005))
    #expect(
      try newLines([["a": shared], ["b": one, "c": other], ["b": one, "c": other]])
        == [count, 3 + count + 5, 0])
    #expect(try newLines([["a": shared, "b": one, "c": other]]) == [2 * count + 8])
  }

  private static func timeless(_ range: Range<Int>) -> String {
    range.map { #"{"method":"GET","uri":"/item/\#($0)","status":200}"# + "\n" }.joined()
  }

  /// Logs of several servers can begin with the same lines, with and without times.
  @Test(arguments: [true, false], [6, 20, 200]) func logsThatBeginAlike(
    areDated: Bool, shared: Int
  ) throws {
    let lines = { areDated ? Self.lines($0) : Self.timeless($0) }
    func logs(_ count: Int) -> [String: String] {
      (1...7).reduce(into: [:]) { logs, server in
        let own = lines(server * 1_000..<server * 1_000 + count)
        logs["web\(server).log"] = lines(0..<shared) + own
      }
    }
    let all = 7 * (shared + 100)
    #expect(try newLines([logs(100), logs(100), logs(110)]) == [all, 0, 70])
    let nights = logs(100).map { [$0.key: $0.value] }
    #expect(try newLines(nights).reduce(0, +) == all)
    // A log with only the shared lines counts once it continues.
    var grown = logs(100)
    grown["web3.log"] = lines(0..<shared)
    #expect(try newLines([grown, logs(100)]).reduce(0, +) == all)
  }

  /// Lines are never left out without a message.
  @Test func messagesNameLogsThatBeginAlike() throws {
    let shared = Self.lines(0..<200)
    let fixture = try StoreFixture()
    func kinds(_ files: [String: String]) throws -> [String] {
      // A recently written file is read again, and its message is repeated.
      try fixture.ingest(files).notes.compactMap { note -> String? in
        let name = String(note.path.split(separator: "/").last ?? "")
        let kind =
          switch note.kind {
          case .copy: "copy"
          case .twin: "twin"
          case .alike: "alike"
          case .unfinished: "unfinished"
          default: "other"
          }
        return files.keys.contains(name) ? "\(name) \(kind)" : nil
      }
    }
    #expect(try kinds(["a": shared]) == [])
    #expect(try kinds(["b": shared]) == ["b twin"])
    #expect(try kinds(["c": Self.lines(0..<50)]) == ["c copy"])
    #expect(try kinds(["d": shared + Self.lines(300..<310)]) == ["d twin"])
    #expect(try kinds(["e": shared + Self.lines(400..<410)]) == ["e alike"])
    #expect(try kinds(["f": String(Self.lines(900..<901).dropLast())]) == ["f unfinished"])
    #expect(try kinds(["f": Self.lines(900..<901)]) == [])
  }

  @Test func copiesOfLogsWithDirectivesCutAnywhere() throws {
    let heading =
      "#Version: 1.0\n#Fields: date time cs-method cs-uri-stem sc-status cs(User-Agent)\n"
    let rows = (10..<30).map { "2026-06-01 10:00:\($0) GET /item/\($0) 200 agent+\($0)\n" }.joined()
    let log = Array((heading + rows).utf8)
    let packed = GzipWriter.member(log)
    for whole in [log, packed] {
      let ends = whole == packed ? packed.count : heading.utf8.count + 200
      let before = try StoreFixture()
      #expect(try newLines([["log": log]], in: before) == [22])
      let step = TestRun.size(full: 1, usual: 9) * (whole == packed ? 1 : 5)
      for end in stride(from: 1, to: ends, by: step) {
        let added = try newLines([["copy": Array(whole[..<end])]], in: before)
        #expect(added == [0], "a copy of \(end) bytes of \(whole.count) after the log")
      }
      for end in stride(from: 1, to: ends, by: TestRun.size(full: 23, usual: 97)) {
        let after = try StoreFixture()
        let added = try newLines([["copy": Array(whole[..<end])], ["log": log]], in: after)
        #expect(added.reduce(0, +) == 22, "a copy of \(end) bytes of \(whole.count) before the log")
      }
    }
  }

  @Test func copiesOfAGrowingLog() throws {
    let fixture = try StoreFixture()
    for count in 1...300 { try fixture.write(Self.lines(0..<count).utf8, to: "copy\(count)") }
    var commits = 0
    #expect(try fixture.ingest { _ in commits += 1 }.tally.lines == 300)
    #expect(commits == 2)
  }

  @Test func aShortLogIsSetBack() throws {
    let shared = Self.lines(0..<7)
    let whole = shared + Self.lines(7..<8)
    #expect(try newLines([["a": whole], ["a": String(whole.dropLast(30))]]) == [8, 0])
    #expect(try newLines([["a": whole], ["a": shared + Self.lines(90..<91)]]) == [8, 1])
    #expect(try newLines([["a": whole], ["a": whole], ["b": shared]]) == [8, 0, 0])
  }

  /// A copy of the beginning of a compressed log adds nothing, however long both are.
  @Test(arguments: [5_000, 700_000, 2_000_000]) func copiesOfCompressedLogs(length: Int) throws {
    let text = Array(Self.lines(0..<40_000).utf8)
    let end = text[..<length].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? length
    let nights = [["a.gz": GzipWriter.member(text)], ["b": Array(text[..<end])]]
    #expect(try newLines(nights, in: StoreFixture()) == [40_000, 0])
  }

  /// A short log with the same beginning as a long one isn't mistaken for a copy, wherever it ends.
  @Test(arguments: [61, 80, 500, 650]) func shortLogsThatBeginAsLongOnes(count: Int) throws {
    let shared = Self.lines(0..<60)
    let long = shared + Self.lines(1_000..<6_000)
    let short = shared + Self.lines(9_000..<(8_940 + count))
    #expect(try newLines([["a": long], ["b": short], ["c": shared]]) == [5_060, count, 0])
    #expect(try newLines([["b": short], ["a": long], ["b": short]]) == [count, 5_060, 0])
    #expect(try newLines([["a": long, "b": short, "c": shared]]) == [5_060 + count])
  }

  /// A copy of the beginning of a long log is recognized wherever it ends, even if the log is gone.
  @Test(
    arguments: [50, 4_000, 4_096, 65_530, 65_536, 65_600, 200_000, 393_216, 500_001, 520_000])
  func copiesOfLongLogs(length: Int) throws {
    let (fixture, text) = (try StoreFixture(), Array(Self.lines(0..<6_000).utf8))
    let log = try fixture.folder.write(text, to: "logs/a")
    #expect(try fixture.ingest().tally.lines == 6_000)
    try FileManager.default.removeItem(atPath: log)
    #expect(try newLines([["b": Array(text[..<length])]], in: fixture) == [0])
  }

  /// A long log that is restored to its middle counts from there: up to 64 KiB count twice.
  @Test func aLongLogIsSetBack() throws {
    let other = ["a": Self.lines(0..<3_000) + Self.lines(20_000..<21_000)]
    let counts = try newLines([["a": Self.lines(0..<12_000)], other, other])
    #expect(counts[0] == 12_000 && counts[2] == 0)
    let twice = ContentTrace.blockLength / 80
    #expect((1_000...(1_000 + twice)).contains(counts[1]), "\(counts)")
  }

  @Test func rejectedLinesCountOnce() throws {
    let garbage = (0..<30).map { "garbage \($0)\n" }.joined()
    let request = Self.lines(0..<1)
    #expect(try newLines([["a": request + garbage], ["b": request + garbage]]) == [31, 0])
  }

  /// Lines that can still change become permanent when their day is removed.
  @Test func pendingLinesOfRemovedDaysDoNotComeBack() throws {
    let fixture = try StoreFixture()
    let (first, second) = (Self.lines(0..<2), Self.lines(2..<52, day: 2))
    _ = try newLines([["a": Array(first.utf8)]], in: fixture)
    _ = try fixture.remove(Day("2026-06-01"))
    #expect(try newLines([["a": Array((first + second).utf8)]], in: fixture) == [50])
    #expect(try fixture.days() == ["2026-06-02"])
  }
}
