import FileDelivery
import TestSupport

@testable import AccessLogs
@testable import Foundations
@testable import LinkAuditing
@testable import TrafficDigest

/// The dimensions that fields give, and their counts.
extension FuzzTarget {
  static let dimensions = [userAgents, times, templates, reduction, rows]

  private static let userAgents = FuzzTarget(
    "user-agents", words: AgentWords.shared.words + ["17_5_1", "Version/26.0", "OS 12"],
    texts: [FormatExample.phone, "AASA-Bot/1.0.0", "swcd (unknown version) CFNetwork/1 Darwin/2"],
    seeds: { _ in
      RandomLog.lines(30, seed: 20).compactMap { line in
        line.split(separator: "\"").last.map { Array($0.utf8) }
      }
    },
    run: { input in
      let bytes = input.bytes
      let words = AgentWords.shared
      try requireEqual(
        words.find(in: bytes.span), words.plainFind(in: bytes.span), "words of \(bytes.text)")
      let agent = UserAgent(bytes.span)
      if let version = UserAgent.version(in: bytes.span)?.major {
        try require(version < 100, "\(agent): version \(version)")
      }
    })

  /// Times in all notations of logs, bounds of reports, and dates of HTTP.
  private static let times = FuzzTarget(
    "times",
    words: [
      "Jan", "Feb", "Dec", "Z", "+0530", "-00:30", "T", ".", "AM", "PM", "yesterday", "today",
      "now", "GMT", "Sun, ",
    ],
    texts: [
      "10/Oct/2000:13:55:36 -0700", "2026-11-19T08:00:01.186641Z", "1693840791.7564995",
      "03/20/01, 7:55:20", "Sun, 06 Nov 1994 08:49:37 GMT", "2026-06-01", "7d", "2026-06-01 10:00",
      "1712790000100000000", "08:00:01", "2024-02-29T23:59:60+14:00",
      "Mon, 15 Jun 2026 10:00:00 +0200",
    ],
    run: { input in
      let bytes = input.bytes
      if let time = LogTime(bytes.span) {
        let text = time.description
        // Years of other lengths don't have this notation.
        if text.utf8.count == 25 {
          let again = LogTime(Array(text.utf8).span)
          try requireEqual(again, time, "\(bytes.text) as \(text)")
        }
        try require(Day(rawValue: time.day.number) == time.day, "the day of \(text)")
      }
      let text = bytes.text
      if let day = Day(text) { try requireEqual(Day(day.description), day, "the day \(text)") }
      for isEnd in [false, true] {
        guard let bound = TimeBound(text, now: 1_780_000_000, isEnd: isEnd) else { continue }
        for offset in [-1_080, 0, 1_080] { _ = bound.moment(offsetInMinutes: offset) }
      }
      if let date = HTTPDate(text) { _ = date.description }
      _ = BaseURL(text)
    })

  /// A fan-out, then paths, a line each.
  private static let templates = FuzzTarget(
    "templates", words: ["/{n}", "{*}", "{hex}", "/123", "/deadbeef12", "//", "%41", "\\"],
    texts: [
      "\u{2}/a/x/1\n/a/y/2\n/a/z/3\n/a/z/77\n/b", "\u{1}/buy/123e4567-e89b-12d3-a456-426614174000",
      "\u{3}/a/b/c\n/a/{n}/c\n/x//y/\n/é/ü",
    ],
    run: { input in
      let fanOut = input.byte() % 8 + 1
      let scanner = TemplateScanner()
      var templates: [String] = []
      for line in input.bytes.split(separator: UInt8(ascii: "\n")).prefix(60) {
        var (plain, buffer): ([UInt8], [UInt8]) = ([], [])
        PathTemplate.append(folding: Array(line).span, to: &plain)
        if let folded = scanner.fold(Array(line).span, from: 0, into: &buffer),
          folded.end == line.count
        {
          try requireEqual(
            plain, Array(buffer[..<folded.count]), "the template of \(Array(line).text)")
        }
        if line.first == UInt8(ascii: "/"), plain.allSatisfy({ $0 < 0x80 && $0 != 0x0D }) {
          templates.append(plain.text)
        }
      }
      var tree = PathGroupTree(fanOut: fanOut)
      let numbers = templates.map { tree.insert(Array($0.utf8).span) }
      let expected = PlainPathGroups.groups(templates, fanOut: fanOut)
      try requireEqual(numbers.map { tree.text($0) }, expected, "path groups of \(templates)")
      // Any split into two.
      let half = templates.count / 2
      var (first, second) = (PathGroupTree(fanOut: fanOut), PathGroupTree(fanOut: fanOut))
      let firsts = templates[..<half].map { first.insert(Array($0.utf8).span) }
      let seconds = templates[half...].map { second.insert(Array($0.utf8).span) }
      let merged = first.merge(second)
      try requireEqual(
        firsts.map { first.text($0) } + seconds.map { first.text(merged[$0]) }, expected,
        "path groups of two trees of \(templates)")
    })

  /// A format, the split of the lines, and lines.
  ///
  /// Counts don't depend on the split, the number of workers or memory, and are read back
  /// unchanged.
  private static let reduction = FuzzTarget(
    "reduction", words: logWords + ["/.well-known/apple-app-site-association", "/item/", "?q="],
    seeds: { _ in
      let lines = RandomLog.lines(60, seed: 20, host: true).map { $0 + "\n" }
      var seeds = stride(from: 0, to: 60, by: 6).map { start in
        [2, UInt8(start)] + Array(lines[start..<(start + 6)].joined().utf8)
      }
      for (number, format) in LogFormat.named.enumerated() {
        let example = FormatExample.all.first { $0.format == format.name }
        guard let example else { continue }
        let text = Array((example.heading + example.line + "\n" + example.line).utf8)
        seeds += [[UInt8(number), 3] + text, [255, 3] + text]
      }
      return seeds
    },
    run: { input in
      let (number, place) = (input.byte(), input.byte())
      let text = input.bytes
      let format = number < 200 ? LogFormat.named[number % LogFormat.named.count] : nil
      let whole = try reduce([text], format, jobs: 1)
      // Without its end, a line may continue.
      let ends = text.indices.filter { text[$0] == UInt8(ascii: "\n") }
      let canSplit = format.map { !$0.hasHeadings } ?? false
      let end = canSplit && !ends.isEmpty ? ends[place % ends.count] + 1 : 0
      let parts = end > 0 ? [Array(text[..<end]), Array(text[end...])] : [text]
      let split = try reduce(parts, format, jobs: 2, memory: place % 3 == 0 ? 0 : 1 << 30)
      try requireEqual(try split.counts(), try whole.counts(), "counts of \(parts.count) parts")
      try requireEqual(split.tally, whole.tally, "tally")
      try requireEqual(split.rejections, whole.rejections, "rejections")
      let read = try rewritten(split)
      try requireEqual(try read.records(), try whole.records(), "records that were written")
      _ = try Auditor(sites: [site()]).audit(read)
    })

  /// A number, and rows.
  ///
  /// Counts don't depend on workers and memory, and are read back unchanged without other data,
  /// too.
  private static let rows = FuzzTarget(
    "rows",
    words: logWords + [
      "\"target\":\"/a\"", "\"status\":200", "\"count\":", "17592186044416",
      "\"day\":\"2026-06-01\"", "\"first\":", "\"last\":", "referrer", "agent", "size",
      "/.well-known/apple-app-site-association",
    ],
    seeds: { _ in
      [
        #"{"day":"2026-06-01","host":"www.example.com","method":"GET","target":"/a\\x22","status":200,"#
          + #""referrer":"https://www.example.com/b","agent":"curl/8","count":3}"# + "\n",
        #"{"first":"2026-06-01T10:00:00Z","last":"2026-06-01T11:00:00Z","size":5,"count":"2","status":404,"#
          + #""target":"/.well-known/apple-app-site-association"}"# + "\n",
        "target,status,count,day,agent\n/a,200,3,2026-06-01,\"a \"\"b\"\"\"\n/b,301,17592186044416,,\n",
      ].map { [UInt8(1)] + Array($0.utf8) }
    },
    run: { input in
      let memory = input.byte() % 3 == 0 ? 0 : 1 << 30
      let text = input.bytes
      try use(.rows, on: text)
      let whole = try reduce([text], .rows, jobs: 1)
      let split = try reduce([text], .rows, jobs: 2, memory: memory)
      try requireEqual(try split.counts(), try whole.counts(), "counts of rows")
      try requireEqual(split.tally, whole.tally, "tally of rows")
      // More than these don't fit into a digest.
      guard whole.tally.lines <= TrafficDigest.lineLimit else { return }
      let read = try rewritten(split.countsOnly)
      try requireEqual(try read.records(), try whole.records(), "counts that were written")
      try requireEqual(read.tally.requests, whole.tally.requests, "requests that were written")
    })

  static func reduce(
    _ texts: [[UInt8]], _ format: LogFormat?, jobs: Int, memory: Int = 1 << 30,
    fingerprintsContent: Bool = false
  ) throws -> TrafficDigest {
    let files = try texts.map { try ScratchFile($0) }
    var options = ReductionOptions(defaultHost: "www.example.com", format: format, jobs: jobs)
    options.memoryLimit = memory
    options.temporaryDirectory = ScratchFile.folder
    options.fingerprintsContent = fingerprintsContent
    return try TrafficDigest.reduce(files.map(\.input), options: options)
  }
}
