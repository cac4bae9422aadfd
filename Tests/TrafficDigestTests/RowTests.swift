import AccessLogs
import TestSupport
import Testing

@testable import Foundations
@testable import TrafficDigest

/// Rows that a warehouse made from lines give the digest of the lines.
@Suite struct RowTests {
  /// A day, host, method, target, status, referrer, agent and size in the log's own text.
  typealias Key = [String?]

  typealias Group = (count: Int, times: [(time: LogTime, text: String)])

  static func groups(_ lines: [String], _ format: LogFormat) -> [Key: Group] {
    var parser = LogParser(format)
    var groups: [Key: Group] = [:]
    for line in lines {
      parser.reset()
      let bytes = Array(line.utf8)
      guard case .request(let record) = parser.parse(bytes.span) else { continue }
      func text(_ range: Range<Int>?) -> String? {
        range.map { String(decoding: parser.text[$0], as: UTF8.self) }
      }
      let time = text(record.time).flatMap { LogTime(reading: Array($0.utf8)) }
      let target = text(record.target) ?? ""
      let size = parser.size(of: record, in: bytes.span).map { "\($0)" }
      let key: Key = [
        time?.day.description, text(record.host), text(record.method) ?? "", target,
        "\(record.status)", text(record.referrer), text(record.agent),
        target.contains("apple-app-site-association") ? size : nil,
      ]
      groups[key, default: (0, [])].count += 1
      if let time { groups[key]?.times.append((time, text(record.time) ?? "")) }
    }
    return groups
  }

  enum Form: CaseIterable { case json, csv }

  /// Writes rows in random order, some groups in several rows.
  static func rows(
    _ groups: [Key: Group], as form: Form, hasTimes: Bool, using generator: inout SeededGenerator
  ) -> [String] {
    var rows: [String] = []
    for (key, group) in groups {
      var counts = group.count > 2 ? [group.count - 2, 2] : [group.count]
      if Bool.random(using: &generator) { counts = Array(repeating: 1, count: group.count) }
      let times = hasTimes ? group.times.sorted { $0.time < $1.time }.map { $0.text } : []
      for count in counts {
        var values = [hasTimes ? nil : key[0], times.first, times.last]
        values += key.dropFirst() + ["\(count)"]
        rows.append(text(Array(zip(names, values)), as: form))
      }
    }
    return rows.shuffled(using: &generator)
  }

  static let names = "day,first,last,host,method,target,status,referrer,agent,size,count"
    .split(separator: ",").map(String.init)

  private static func text(_ values: [(String, String?)], as form: Form) -> String {
    switch form {
    case .csv:
      return values.map { _, value in
        let value = value ?? ""
        return value.contains { "\",".contains($0) }
          ? "\"" + value.replacing("\"", with: "\"\"") + "\"" : value
      }.joined(separator: ",")
    case .json:
      let members = values.compactMap { name, value in
        value.map { value in
          let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
          return "\"\(name)\":\"\(escaped)\""
        }
      }
      return "{" + members.joined(separator: ",") + "}"
    }
  }

  @Test(arguments: Form.allCases, [LogFormat.combined, .vcombined])
  func rowsGiveTheDigestOfTheirLines(form: Form, format: LogFormat) throws {
    var generator = SeededGenerator()
    let distinct = RandomLog.lines(2_000, host: format == .vcombined)
    let lines = (distinct + distinct + distinct).shuffled(using: &generator)
    let whole = try ReductionTests.reduce([lines], format: format)
    let groups = Self.groups(lines, format)
    #expect(groups.values.contains { $0.count > 2 })
    let folder = try TemporaryFolder()
    let bytes = try whole.countsOnly.bytes(folder)
    for (jobs, files, memory, hasTimes) in [
      (1, 1, 1 << 30, true), (3, 4, 1 << 30, false), (2, 7, 0, true), (1, 3, 400_000, false),
    ] {
      let rows = Self.rows(groups, as: form, hasTimes: hasTimes, using: &generator)
      let parts = (0..<files).map { part in
        (form == .csv ? [Self.names.joined(separator: ",")] : [])
          + rows[(part * rows.count / files)..<((part + 1) * rows.count / files)]
      }
      let digest = try ReductionTests.reduce(parts, jobs: jobs, format: .rows, memoryLimit: memory)
      let context: Comment = "jobs: \(jobs), files: \(files)"
      #expect(try digest.records() == whole.records(), context)
      #expect(try digest.pageVisits() == whole.pageVisits(), context)
      #expect(digest.clients == whole.clients, context)
      #expect(digest.referringHosts == whole.referringHosts, context)
      #expect(digest.tally.requests == whole.tally.requests, context)
      #expect(digest.days == whole.days, context)
      if hasTimes {
        #expect(digest.fetches == whole.fetches, context)
        #expect(digest.times == whole.times, context)
      }
      let countsOnly = digest.countsOnly
      #expect(try countsOnly.bytes(folder, jobs: jobs) == bytes, context)
      #expect(countsOnly.tally.lines == whole.tally.requests, context)
    }
  }

  @Test func countsOfDaysMerge() throws {
    let folder = try TemporaryFolder()
    let lines = RandomLog.lines(2_000, seed: 5)
    let whole = try ReductionTests.reduce([lines], format: .combined).countsOnly
    let files = try ["01", "02", "03", "-"].map { day in
      try ReductionTests.reduce([lines.filter { $0.contains("[\(day)") }], format: .combined)
        .countsOnly.written(to: "\(day).digest", folder)
    }
    let merged = try TrafficDigest.reading(files, folder)
    #expect(try merged.bytes(folder) == whole.bytes(folder))
    #expect(merged.inputs.map(\.path) == ["2026-06-01", "2026-06-02", "2026-06-03", "undated"])
  }

  /// The counts identify a day of counts, not only their sum.
  @Test func daysOfEqualNumbersAreTwo() throws {
    let folder = try TemporaryFolder()
    func row(_ target: String, agent: String = "", status: Int = 200) -> String {
      #"{"target":"\#(target)","status":\#(status),"count":1,"day":"2026-06-01","agent":"\#(agent)"}"#
    }
    let rows = [
      row("/a"), row("/b"), row("/a", status: 404), row("/a", agent: "Chrome/120.0"),
      row("/.well-known/apple-app-site-association"),
    ]
    let files = try rows.enumerated().map { number, row in
      try ReductionTests.reduce([[row]], format: .rows).countsOnly
        .written(to: "\(number).digest", folder)
    }
    let merged = try TrafficDigest.reading(files, folder)
    #expect(merged.tally.requests == rows.count)
    #expect(Set(merged.inputs.map(\.fingerprint)).count == rows.count)

    // The same counts are in a digest of several days and in that of one of them.
    let later = #"{"target":"/a","status":200,"count":1,"day":"2026-06-02"}"#
    let both = try ReductionTests.reduce([[later], [rows[0]]], format: .rows).countsOnly
      .written(to: "both.digest", folder)
    let selection = try DigestSelection([files[0], both], in: TimeSpan())
    #expect(selection.files.map(\.path) == [both.path])
    #expect(selection.repeated.map { $0.path } == [files[0].path])
  }

  @Test func rowsOfADayHaveItsTimes() throws {
    let row = #"{"target":"/apple-app-site-association","status":200,"count":2,"#
    let rows = [
      #""day":"2026-06-02"}"#, #""day":"2026-06-02 13:00:00"}"#,
      #""first":"2026-06-03T10:00:00+02:00","last":"2026-06-03T11:00:00+02:00"}"#,
      // The last request can't be before the first, or on another day.
      #""first":"2026-06-03T12:00:00+02:00","last":"2026-06-03T11:00:00+02:00"}"#,
      #""first":"2026-06-03T12:00:00+02:00","last":"2026-06-04T11:00:00+02:00"}"#,
    ].map { row + $0 }
    let digest = try ReductionTests.reduce([rows], format: .rows)
    let ranges = digest.summary.dayTimes.sorted { $0.key < $1.key }.map {
      "\($0.value.lowerBound) \($0.value.upperBound)"
    }
    #expect(
      ranges == [
        "2026-06-02T00:00:00+00:00 2026-06-02T23:59:59+00:00",
        "2026-06-03T10:00:00+02:00 2026-06-03T12:00:00+02:00",
      ])
    #expect(digest.fetches.map(\.requests) == [10])
    #expect(digest.fetches.first?.first?.description == "2026-06-02T00:00:00+00:00")
    #expect(digest.fetches.first?.last?.description == "2026-06-03T12:00:00+02:00")
    #expect(digest.tally.unreadTimes == 4)
  }

  /// Sums that exceed a digest's limit are detected, and no number overflows.
  @Test func moreRequestsThanADigestHoldsAreSeen() throws {
    let row = #"{"target":"/","status":200,"count":4398046511104,"referrer":"https://a.example/"}"#
    let most = try ReductionTests.reduce([[row]], format: .rows)
    #expect(most.tally.lines == TrafficDigest.lineLimit)
    for jobs in [1, 3] {
      let rows = Array(repeating: row, count: 20_000)
      let digest = try ReductionTests.reduce([rows, rows, rows], jobs: jobs, format: .rows)
      #expect(digest.tally.lines > TrafficDigest.lineLimit)
    }
  }

  @Test func rejectedRowsAreNamedByTheirLines() throws {
    let row = #"{"target":"/a","status":200,"count":1000,"day":"2026-06-02"}"#
    var rows = Array(repeating: row, count: 20_000)
    for number in [3, 7_000, 19_999] { rows[number - 1] = #"{"target":"/a","status":200}"# }
    let digest = try ReductionTests.reduce([rows], jobs: 3, format: .rows)
    #expect(digest.rejectedLines.map(\.line) == [3, 7_000, 19_999])
    #expect(digest.rejections == [.noCount: 3])
    #expect(digest.tally.requests == 19_997_000 && digest.tally.rejected == 3)
  }
}
