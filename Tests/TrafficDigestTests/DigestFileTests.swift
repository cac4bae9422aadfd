import AccessLogs
import Foundation
import TestSupport
import Testing

@testable import Foundations
@testable import TrafficDigest

@Suite struct DigestFileTests {
  /// The logs of a seed, written to a folder.
  static func logs(
    _ count: Int, lines: Int, seed: UInt64 = TestRun.seed, in folder: TemporaryFolder
  ) throws -> [LogInput] {
    var log = RandomLog(seed: seed)
    return try (0..<count).map { number in
      let text = (0..<lines).map { _ in log.line(host: true) + "\n" }.joined()
      let path = try folder.write(text.utf8, to: "logs/\(number).log")
      return LogInput(path: path, size: text.utf8.count)
    }
  }

  static func options(
    _ folder: TemporaryFolder, jobs: Int = 1, memory: Int = 1 << 30
  ) -> ReductionOptions {
    var options = ReductionOptions(defaultHost: "www.example.com", format: .vcombined, jobs: jobs)
    options.memoryLimit = memory
    options.temporaryDirectory = folder.path
    options.fingerprintsContent = true
    return options
  }

  static func bytes(
    _ digest: TrafficDigest, _ folder: TemporaryFolder, jobs: Int = 1
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try digest.write(jobs: jobs, temporaryDirectory: folder.path) { bytes += $0 }
    return bytes
  }

  static func write(
    _ digest: TrafficDigest, to name: String, _ folder: TemporaryFolder
  ) throws -> DigestFile {
    try DigestFile(opening: try folder.write(try bytes(digest, folder), to: name))
  }

  static func reading(_ files: [DigestFile], _ folder: TemporaryFolder) throws -> TrafficDigest {
    try TrafficDigest.empty.adding(files, jobs: 2, temporaryDirectory: folder.path)
  }

  /// The summary as if the inputs had been read here.
  static func summary(_ digest: TrafficDigest) -> DigestSummary {
    var summary = digest.summary
    for number in summary.inputs.indices {
      summary.inputs[number].digest = nil
      summary.inputs[number].unreadStart = []
    }
    return summary
  }

  /// Reads everything in a digest.
  static func readWhole(_ path: String) throws {
    let file = try DigestFile(opening: path)
    try file.verify()
    _ = try TrafficDigest.empty.adding([file], jobs: 1, temporaryDirectory: "/tmp").records()
  }

  @Test func readingReturnsTheWrittenDigest() throws {
    let folder = try TemporaryFolder()
    let inputs = try Self.logs(3, lines: 3_000, in: folder)
    let digest = try TrafficDigest.reduce(inputs, options: Self.options(folder, jobs: 2))
    let file = try Self.write(digest, to: "day.digest", folder)
    let read = try Self.reading([file], folder)
    #expect(try read.records() == digest.records())
    #expect(try read.pageVisits() == digest.pageVisits())
    #expect(Self.summary(read) == Self.summary(digest))
    #expect(read.times == digest.times && read.tally == digest.tally)
    #expect(
      file.targetCount == Set(try digest.records().map { [Array($0.host.utf8), $0.target] }).count)
    var requests = 0
    try file.verify { _, _, count in requests += count }
    #expect(requests == digest.tally.requests)
  }

  @Test func bytesDependOnTheLogsAlone() throws {
    var generator = SeededGenerator()
    let folder = try TemporaryFolder()
    let inputs = try Self.logs(5, lines: 2_500, in: folder)
    let one = try Self.bytes(
      try TrafficDigest.reduce(inputs, options: Self.options(folder)), folder)
    for (jobs, memory) in [(1, 0), (2, 1 << 30), (3, 1 << 16), (7, 0)] {
      let digest = try TrafficDigest.reduce(
        inputs.shuffled(using: &generator),
        options: Self.options(folder, jobs: jobs, memory: memory))
      #expect(try Self.bytes(digest, folder, jobs: jobs) == one, "jobs: \(jobs)")
    }

    // A digest of digests, together with a log, equals that of all logs.
    let parts = try [inputs[0...1], inputs[3...3], inputs[4...4]].enumerated().map {
      number, part in
      let digest = try TrafficDigest.reduce(Array(part), options: Self.options(folder))
      return try Self.write(digest, to: "\(number).digest", folder)
    }
    let log = try TrafficDigest.reduce([inputs[2]], options: Self.options(folder, jobs: 2))
    let all = try log.adding(parts, jobs: 2, temporaryDirectory: folder.path)
    #expect(try Self.bytes(all, folder, jobs: 2) == one)
  }

  /// A log whose digest has many blocks, with targets on several hosts and days.
  static func longLog(_ lines: Int) -> String {
    var generator = SeededGenerator()
    return (0..<lines).map { _ in
      let word = String(UInt64.random(in: 0...UInt64.max, using: &generator), radix: 36)
      let number = Int.random(in: 0..<(lines / 3), using: &generator)
      let path = "/\(String(repeating: "\(number * 7_919)-", count: number % 40))/\(number)"
      let page = number.isMultiple(of: 3) ? "https://h\(number % 4)/from/\(word)" : "-"
      let day = Int.random(in: 1...4, using: &generator)
      return "h\(number % 4) 192.0.2.1 - - [0\(day)/Jun/2026:10:00:00 +0200] "
        + "\"GET \(path) HTTP/1.1\" 200 5 \"\(page)\" "
        + "\"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 "
        + "(KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1\"\n"
    }.joined()
  }

  /// Workers that merge and encode ranges of targets write the blocks of one that takes target after
  /// target.
  @Test func blocksAreThoseOfAPlainWriter() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.longLog(16_000).utf8, to: "long.log")
    var other = Self.options(folder, jobs: 3, memory: 1 << 20)
    other.temporaryDirectory = folder.path
    let digests = try [Self.options(folder), Self.options(folder, jobs: 3), other].map {
      try TrafficDigest.reduce([LogInput(path: path)], options: $0)
    }

    var merge = try RunMerge(try digests[0].sources(jobs: 1, in: folder.path))
    var names = ByteTable()
    var builder = TargetBlockBuilder()
    var blocks: [TargetBlockBuilder.Block] = []
    func take() { if let block = builder.take() { blocks.append(block) } }
    while try merge.next(names: &names) {
      let record = merge.record
      builder.add(
        host: record.key.host, target: record.key.target.span, record.requests.span,
        record.visits.span, names: names, weight: record.weight(names: names))
      if builder.isFull { take() }
    }
    take()
    let checksums = blocks.map { block in
      DigestBlock.block(.targets, block.payload, .deflate).map { DigestBlock.checksum($0.span) }
    }
    #expect(blocks.count > 6)

    for (digest, workers) in zip(digests, [[1, 2, 16], [5], [1, 3]]) {
      for jobs in workers {
        let bytes = try Self.bytes(digest, folder, jobs: jobs)
        let file = try DigestFile(bytes: bytes, name: "long.digest")
        #expect(file.index.map(\.checksum) == checksums, "jobs: \(jobs)")
        #expect(file.index.map(\.targetCount) == blocks.map(\.targetCount))
        #expect(file.index.map(\.key) == blocks.map(\.key))
      }
    }
  }

  @Test func moreDigestsThanCanBeOpenAreRead() throws {
    let folder = try TemporaryFolder()
    let inputs = try Self.logs(150, lines: 4, seed: 3, in: folder)
    let files = try inputs.enumerated().map { number, input in
      try Self.write(
        TrafficDigest.reduce([input], options: Self.options(folder)), to: "\(number).digest",
        folder)
    }
    let whole = try TrafficDigest.reduce(inputs, options: Self.options(folder))
    let read = try Self.reading(files, folder)
    #expect(read.runs.count <= DigestRun.fanIn)
    #expect(try read.records() == whole.records())
    #expect(try Self.bytes(read, folder) == Self.bytes(whole, folder))
  }

  @Test(arguments: [0, 1])
  func logsWithoutRequestsHaveDigests(lines: Int) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(repeating: UInt8(ascii: "\n"), count: lines), to: "log")
    let digest = try TrafficDigest.reduce(
      [LogInput(path: path, size: lines)], options: Self.options(folder))
    let file = try Self.write(digest, to: "empty.digest", folder)
    try file.verify()
    let read = try Self.reading([file], folder)
    #expect(try read.records().isEmpty)
    #expect(read.inputs.count == 1 && read.tally.lines == lines)
    #expect(file.days.isEmpty && file.times == nil && file.targetCount == 0)
  }

  /// Targets of all bytes and many lengths, with common prefixes longer than the index stores.
  @Test func hostileTargetsComeBack() throws {
    var generator = SeededGenerator()
    let folder = try TemporaryFolder()
    var bytes: [UInt8] = []
    for number in 0..<3_000 {
      let prefix = generator.pick([0, 3, 255, 256, 257, 5_000])
      let rest = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }.filter { ![0x0A, 0x0D, 0x20, 0x22, 0x5C].contains($0) }
      bytes += Array("h\(number % 3) 192.0.2.1 - - [x] \"GET /".utf8)
      bytes += [UInt8](repeating: 0xFF, count: prefix) + rest
      bytes += Array(" HTTP/1.1\" 200 5 \"-\" \"-\"\n".utf8)
    }
    let digest = try TrafficDigest.reduce(log: bytes, options: Self.options(folder, memory: 0))
    let read = try Self.reading([try Self.write(digest, to: "x.digest", folder)], folder)
    #expect(try read.records() == digest.records())
    for jobs in [1, 2, 16] {
      let names = TargetNames()
      var targets = 0
      for slice in read.slices(jobs: jobs) {
        try read.forEachTarget(in: slice, names: names) { _, _, _, _ in targets += 1 }
      }
      #expect(targets == read.runs[0].index.reduce(0) { $0 + $1.targetCount })
    }
  }
}

// MARK: - Damage

extension DigestFileTests {
  /// A digest of a few lines.
  static func smallDigest(_ folder: TemporaryFolder) throws -> [UInt8] {
    let inputs = try logs(1, lines: 6, seed: 8, in: folder)
    return try bytes(TrafficDigest.reduce(inputs, options: options(folder)), folder)
  }

  @Test func anotherVersionIsDetectedFromItsNumber() throws {
    let folder = try TemporaryFolder()
    var bytes = try Self.smallDigest(folder)
    bytes[16] = 2
    bytes.replaceSubrange(20..<24, with: Self.fixed(Checksum.crc32(bytes.span.extracting(0..<20))))
    let path = try folder.write(bytes, to: "other.digest")
    let error = #expect(throws: DigestFileError.self) { try DigestFile(opening: path) }
    #expect(error?.reason == .unknownVersion(2))
    #expect(error?.description.contains("version 2") == true)
    #expect(error?.description.contains("only version 5") == true)
  }

  private static func fixed(_ number: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(fixed: number)
    return bytes
  }

  @Test func onlyDigestsAreDetectedAsDigests() throws {
    let folder = try TemporaryFolder()
    let digest = try folder.write(try Self.smallDigest(folder), to: "log.gz")
    #expect(DigestFile.isDigest(digest))
    let log = try folder.write("192.0.2.1 - - [x] \"GET / HTTP/1.1\" 200 5\n".utf8, to: "a.digest")
    #expect(!DigestFile.isDigest(log) && !DigestFile.isDigest(folder.path + "/none"))
    #expect(throws: DigestFileError.self) { try DigestFile(opening: log) }
    #expect(throws: DigestFileError.self) { try DigestFile(opening: folder.path) }
  }

  /// Content with correct checksums may be anything: it is read or refused, and never ends the
  /// program.
  @Test func blocksThatMakeNoSenseAreRefused() throws {
    var generator = SeededGenerator()
    let folder = try TemporaryFolder()
    let inputs = try Self.logs(1, lines: 40, in: folder)
    let digest = try TrafficDigest.reduce(inputs, options: Self.options(folder))
    let file = try Self.write(digest, to: "x.digest", folder)
    let whole = try Data(contentsOf: URL(fileURLWithPath: file.path))
    let entry = try #require(file.index.first)
    var targets: [UInt8] = []
    let stored = Array(whole[entry.offset..<(entry.offset + entry.length)])
    let count = try #require(DigestBlock.open(stored.span, .targets, into: &targets))
    targets.removeLast(targets.count - count)
    let summary = file.summary.payload(days: file.dayNumbers)

    for round in 0..<1_500 {
      var (changed, changedSummary) = (targets, summary)
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let value =
          generator.pick([0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &generator)])
        if round % 3 == 0 {
          changedSummary[Int.random(in: 0..<summary.count, using: &generator)] = value
        } else {
          let place = Int.random(in: 0..<changed.count, using: &generator)
          if round % 3 == 1 { changed[place] = value } else { changed.insert(value, at: place) }
        }
      }
      let path = try folder.write(
        Self.assembled(changed, changedSummary, entry), to: "changed.digest")
      do {
        try Self.readWhole(path)
      } catch {
        #expect(error is DigestFileError)
      }
    }
  }

  /// A file of one block, with correct checksums.
  private static func assembled(
    _ targets: [UInt8], _ summary: [UInt8], _ entry: DigestRun.IndexEntry
  ) -> [UInt8] {
    var bytes = DigestBlock.start
    let block = DigestBlock.block(.targets, targets, .none) ?? []
    var entry = entry
    (entry.length, entry.checksum) = (block.count, DigestBlock.checksum(block.span))
    bytes += block
    let summaryOffset = bytes.count
    bytes += DigestBlock.block(.summary, summary, .none) ?? []
    let indexOffset = bytes.count
    bytes += DigestBlock.block(.index, DigestFile.payload(of: [entry]), .deflate) ?? []
    return bytes + DigestBlock.end(summaryOffset: summaryOffset, indexOffset: indexOffset)
  }

  @Test func noClientAddressAndNoAgentIsKept() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "203.0.113.77 - - [01/Jun/2026:10:00:00 +0200] \"GET / HTTP/1.1\" 200 5 \"-\" \"Secret/1\"\n"
        .utf8,
      to: "log")
    let junk = try folder.write("203.0.113.77 no request of Secret/1\n".utf8, to: "junk")
    var options = Self.options(folder)
    options.format = nil
    let digest = try TrafficDigest.reduce(
      [LogInput(path: path), LogInput(path: junk)], options: options)
    let file = try Self.write(digest, to: "x.digest", folder)
    var content = file.summary.payload(days: file.dayNumbers)
    let whole = try Array(Data(contentsOf: URL(fileURLWithPath: file.path)))
    for entry in file.index {
      var payload: [UInt8] = []
      let block = Array(whole[entry.offset..<(entry.offset + entry.length)])
      _ = DigestBlock.open(block.span, .targets, into: &payload)
      content += payload
    }
    for word in ["203.0.113.77", "Secret"] {
      #expect(content.firstRange(of: Array(word.utf8)) == nil)
    }
  }
}
