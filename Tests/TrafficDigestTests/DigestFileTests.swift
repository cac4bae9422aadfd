import AccessLogs
import TestSupport
import Testing

@testable import Foundations
@testable import TrafficDigest

extension TrafficDigest {
  static func reduce(
    _ inputs: [LogInput], _ folder: TemporaryFolder, jobs: Int = 1, memory: Int = 1 << 30
  ) throws -> TrafficDigest {
    let options = DigestFileTests.options(folder, jobs: jobs, memory: memory)
    return try reduce(inputs, options: options)
  }

  func bytes(_ folder: TemporaryFolder, jobs: Int = 1) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try write(jobs: jobs, temporaryDirectory: folder.path) { bytes += $0 }
    return bytes
  }

  func written(to name: String, _ folder: TemporaryFolder) throws -> DigestFile {
    try DigestFile(opening: folder.write(bytes(folder), to: name))
  }

  static func reading(_ files: [DigestFile], _ folder: TemporaryFolder) throws -> TrafficDigest {
    try empty.adding(files, jobs: 2, temporaryDirectory: folder.path)
  }

  /// The summary as if the inputs had been read here, not from a digest.
  var ownSummary: DigestSummary {
    var summary = summary
    for number in summary.inputs.indices {
      summary.inputs[number].digest = nil
      summary.inputs[number].unreadStart = []
    }
    return summary
  }
}

@Suite struct DigestFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static func logs(
    _ count: Int, lines: Int, seed: UInt64 = TestRun.seed, in folder: TemporaryFolder
  ) throws -> [LogInput] {
    var log = RandomLog(seed: seed)
    return try (0..<count).map { number in
      let text = log.text(lines, host: true)
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

  static func readWhole(_ path: String) throws {
    let file = try DigestFile(opening: path)
    try file.verify()
    _ = try TrafficDigest.empty.adding([file], jobs: 1, temporaryDirectory: "/tmp").records()
  }

  @Test func readingReturnsTheWrittenDigest() throws {
    let inputs = try Self.logs(3, lines: 3_000, in: folder)
    let digest = try TrafficDigest.reduce(inputs, folder, jobs: 2)
    let file = try digest.written(to: "day.digest", folder)
    let read = try TrafficDigest.reading([file], folder)
    #expect(try read.records() == digest.records())
    #expect(try read.pageVisits() == digest.pageVisits())
    #expect(read.ownSummary == digest.ownSummary)
    #expect(read.times == digest.times && read.tally == digest.tally)
    #expect(
      file.targetCount == Set(try digest.records().map { [Array($0.host.utf8), $0.target] }).count)
    #expect(try file.verify() == digest.tally.requests)
  }

  @Test func bytesDependOnTheLogsAlone() throws {
    var generator = SeededGenerator()
    let inputs = try Self.logs(5, lines: 2_500, in: folder)
    let one = try TrafficDigest.reduce(inputs, folder).bytes(folder)
    for (jobs, memory) in [(1, 0), (2, 1 << 30), (3, 1 << 16), (7, 0)] {
      let shuffled = inputs.shuffled(using: &generator)
      let digest = try TrafficDigest.reduce(shuffled, folder, jobs: jobs, memory: memory)
      #expect(try digest.bytes(folder, jobs: jobs) == one, "jobs: \(jobs)")
    }

    // A digest of digests, together with a log, equals that of all logs.
    let parts = try [inputs[0...1], inputs[3...3], inputs[4...4]].map { part in
      try TrafficDigest.reduce(Array(part), folder).written(to: "\(part.startIndex)", folder)
    }
    let log = try TrafficDigest.reduce([inputs[2]], folder, jobs: 2)
    let all = try log.adding(parts, jobs: 2, temporaryDirectory: folder.path)
    #expect(try all.bytes(folder, jobs: 2) == one)
  }

  /// Workers that merge and encode ranges of targets write the blocks of one that takes all targets.
  @Test func blocksAreThoseOfAPlainWriter() throws {
    var generator = SeededGenerator()
    // The digest has many blocks, with targets on several hosts and days.
    let lines = (0..<16_000).map { _ in
      let word = String(UInt64.random(in: 0...UInt64.max, using: &generator), radix: 36)
      let number = Int.random(in: 0..<(16_000 / 3), using: &generator)
      let path = "/\(String(repeating: "\(number * 7_919)-", count: number % 40))/\(number)"
      let page = number.isMultiple(of: 3) ? "https://h\(number % 4)/from/\(word)" : "-"
      let time = "0\(Int.random(in: 1...4, using: &generator))/Jun/2026:10:00:00 +0200"
      return logLine(path, host: "h\(number % 4)", at: time, from: page, agent: RandomLog.phone)
    }
    let input = LogInput(path: try folder.write(lines.joined().utf8, to: "long.log"))
    let digests = try [(1, 1 << 30), (3, 1 << 30), (3, 1 << 20)].map { jobs, memory in
      try TrafficDigest.reduce([input], folder, jobs: jobs, memory: memory)
    }

    var merge = try RunMerge(try digests[0].sources(jobs: 1, in: folder.path))
    var names = ByteTable()
    var builder = TargetBlockBuilder()
    var blocks: [TargetBlockBuilder.Block] = []
    var weight = 0
    func take() throws {
      if let block = try builder.take(isDeflated: true) { blocks.append(block) }
      weight = 0
    }
    while try merge.next(names: &names) {
      let record = merge.record
      builder.add(
        host: record.key.host, target: record.key.target.span, record.requests.span,
        record.visits.span, names: names)
      weight += record.key.weight(record.requests.span, record.visits.span, names: names)
      if weight >= DigestBlock.targetWeight { try take() }
    }
    try take()
    #expect(blocks.count > 6)

    for (digest, workers) in zip(digests, [[1, 2, 16], [5], [1, 3]]) {
      for jobs in workers {
        let file = try DigestFile(bytes: digest.bytes(folder, jobs: jobs), name: "long.digest")
        #expect(file.index.map(\.checksum) == blocks.map(\.entry.checksum), "jobs: \(jobs)")
        #expect(file.index.map(\.targetCount) == blocks.map(\.entry.targetCount))
        #expect(file.index.map(\.key) == blocks.map(\.entry.key))
      }
    }
  }

  @Test func moreDigestsThanCanBeOpenAreRead() throws {
    let inputs = try Self.logs(150, lines: 4, seed: 3, in: folder)
    let files = try inputs.enumerated().map { number, input in
      try TrafficDigest.reduce([input], folder).written(to: "\(number).digest", folder)
    }
    let whole = try TrafficDigest.reduce(inputs, folder)
    let read = try TrafficDigest.reading(files, folder)
    #expect(read.runs.count <= DigestRun.fanIn)
    #expect(try read.records() == whole.records())
    #expect(try read.bytes(folder) == whole.bytes(folder))
  }

  @Test(arguments: [0, 1]) func logsWithoutRequestsHaveDigests(lines: Int) throws {
    let path = try folder.write(Array(repeating: UInt8(ascii: "\n"), count: lines), to: "log")
    let digest = try TrafficDigest.reduce([LogInput(path: path, size: lines)], folder)
    let file = try digest.written(to: "empty.digest", folder)
    try file.verify()
    let read = try TrafficDigest.reading([file], folder)
    #expect(try read.records().isEmpty)
    #expect(read.inputs.count == 1 && read.tally.lines == lines)
    #expect(file.days.isEmpty && file.times == nil && file.targetCount == 0)
  }

  /// Targets of all bytes and many lengths, with common prefixes longer than the index stores.
  @Test func hostileTargetsComeBack() throws {
    var generator = SeededGenerator()
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
    let read = try TrafficDigest.reading([digest.written(to: "x.digest", folder)], folder)
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
  static func smallDigest(_ folder: TemporaryFolder) throws -> [UInt8] {
    try TrafficDigest.reduce(logs(1, lines: 6, seed: 8, in: folder), folder).bytes(folder)
  }

  @Test func anotherVersionIsDetectedFromItsNumber() throws {
    var bytes = try Self.smallDigest(folder)
    bytes[16] = 2
    var checksum: [UInt8] = []
    checksum.append(fixed: bytes.span.extracting(0..<20).crc32())
    bytes.replaceSubrange(20..<24, with: checksum)
    let path = try folder.write(bytes, to: "other.digest")
    let error = #expect(throws: DigestFileError.self) { try DigestFile(opening: path) }
    #expect(error?.reason == .unknownVersion(2))
  }

  @Test func onlyDigestsAreDetectedAsDigests() throws {
    let digest = try folder.write(try Self.smallDigest(folder), to: "log.gz")
    #expect(DigestFile.isDigest(digest))
    let log = try folder.write("192.0.2.1 - - [x] \"GET / HTTP/1.1\" 200 5\n".utf8, to: "a.digest")
    #expect(!DigestFile.isDigest(log) && !DigestFile.isDigest(folder.path + "/none"))
    #expect(throws: DigestFileError.self) { try DigestFile(opening: log) }
    #expect(throws: DigestFileError.self) { try DigestFile(opening: folder.path) }
  }

  /// Content with correct checksums may be anything: it is read or refused, and nothing traps.
  @Test func blocksThatMakeNoSenseAreRefused() throws {
    var generator = SeededGenerator()
    let digest = try TrafficDigest.reduce(Self.logs(1, lines: 40, in: folder), folder)
    let file = try digest.written(to: "x.digest", folder)
    let entry = try #require(file.index.first)
    let targets = try Self.payload(entry, of: digest.bytes(folder))
    let summary = try file.summary.payload

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
      let bytes = try Self.assembled(changed, changedSummary, entry)
      let path = try folder.write(bytes, to: "changed.digest")
      do {
        try Self.readWhole(path)
      } catch {
        #expect(error is DigestFileError)
      }
    }
  }

  private static func payload(_ entry: DigestRun.IndexEntry, of file: [UInt8]) throws -> [UInt8] {
    var payload: [UInt8] = []
    let block = file.span.extracting(entry.offset..<(entry.offset + entry.length))
    let count = DigestBlock.open(block, .targets, into: &payload)
    return Array(payload[..<(try #require(count))])
  }

  private static func assembled(
    _ targets: [UInt8], _ summary: [UInt8], _ entry: DigestRun.IndexEntry
  ) throws -> [UInt8] {
    let block = try DigestBlock.block(.targets, targets, isDeflated: false)
    var entry = entry
    (entry.length, entry.checksum) = (block.count, DigestBlock.checksum(block.span))
    var bytes = DigestBlock.start + block
    let summaryOffset = bytes.count
    bytes += try DigestBlock.block(.summary, summary, isDeflated: false)
    let indexOffset = bytes.count
    bytes += try DigestBlock.block(.index, DigestFile.payload(of: [entry]))
    return bytes + DigestBlock.end(summaryOffset: summaryOffset, indexOffset: indexOffset)
  }

  @Test func noClientAddressAndNoAgentIsKept() throws {
    let line = logLine(agent: "Secret/1").replacing("192.0.2.1", with: "203.0.113.77")
    let path = try folder.write(line.utf8, to: "log")
    let junk = try folder.write("203.0.113.77 no request of Secret/1\n".utf8, to: "junk")
    var options = Self.options(folder)
    options.format = nil
    let digest = try TrafficDigest.reduce(
      [LogInput(path: path), LogInput(path: junk)], options: options)
    let whole = try digest.bytes(folder)
    let file = try DigestFile(bytes: whole, name: "x.digest")
    var content = try file.summary.payload
    for entry in file.index { content += try Self.payload(entry, of: whole) }
    for word in ["203.0.113.77", "Secret"] { #expect(!content.contains(word.utf8)) }
  }

  enum Use: CaseIterable { case describe, report, merge }

  private static let name = "x.digest"

  /// The reason why a digest can't be used, or `nil` if it can.
  private static func failure(_ bytes: [UInt8], _ use: Use) throws -> DigestFileError? {
    do {
      let file = try DigestFile(bytes: bytes, name: name)
      let digest = try TrafficDigest.empty.adding([file], jobs: 1, temporaryDirectory: "/tmp")
      switch use {
      case .describe: try file.verify()
      case .report: _ = try digest.records()
      case .merge: try digest.write(jobs: 1, temporaryDirectory: "/tmp") { _ in }
      }
      return nil
    } catch let error as DigestFileError {
      return error
    }
  }

  @Test(arguments: Use.allCases) func everyFlippedBitIsFound(use: Use) throws {
    var bytes = try Self.smallDigest(folder)
    #expect(try Self.failure(bytes, use) == nil)
    var missed: [Int] = []
    for bit in 0..<(bytes.count * 8) {
      bytes[bit / 8] ^= 1 << (bit % 8)
      if try Self.failure(bytes, use)?.path != Self.name { missed.append(bit) }
      bytes[bit / 8] ^= 1 << (bit % 8)
    }
    #expect(missed.isEmpty)
    #expect(try Self.failure(bytes, use) == nil)
  }

  @Test(arguments: Use.allCases) func everyCutIsFound(use: Use) throws {
    let whole = try Self.smallDigest(folder)
    for count in 0..<whole.count {
      let error = try Self.failure(Array(whole[..<count]), use)
      #expect(error?.path == Self.name, "\(count)")
      #expect(error?.reason == .truncated, "\(count)")
    }
    #expect(try Self.failure(whole + [0x0A], use) != nil)
  }

  /// A digest that was cut within its first bytes isn't read as a log either.
  @Test func everyPrefixIsDetectedAsADigest() throws {
    let whole = try Self.smallDigest(folder)
    for count in 1...60 {
      let path = try folder.write(whole[..<count], to: Self.name)
      #expect(DigestFile.isDigest(path), "\(count)")
      let error = #expect(throws: DigestFileError.self) { try DigestFile(opening: path) }
      #expect(error?.reason == .truncated && error?.path == path, "\(count)")
    }
    #expect(!DigestFile.isDigest(try folder.write([], to: "empty")))
  }

  @Test(arguments: Use.allCases) func flippedBitsOfManyBlocksAreFound(use: Use) throws {
    var generator = SeededGenerator()
    let lines = (0..<15_000).map { number in
      let words = (0..<3).map { _ in String(generator.next(), radix: 36) }
      let time = "0\(number % 7 + 1)/Jun/2026:10:00:00 +0200"
      return logLine("/\(words.joined(separator: "/"))/\(number)", host: "h", at: time)
    }
    let digest = try TrafficDigest.reduce(log: lines.joined().utf8, options: Self.options(folder))
    var bytes = try digest.bytes(folder)
    #expect(try DigestFile(bytes: bytes, name: Self.name).index.count > 5)
    for _ in 0..<12 {
      let bit = Int.random(in: 0..<(bytes.count * 8), using: &generator)
      bytes[bit / 8] ^= 1 << (bit % 8)
      #expect(try Self.failure(bytes, use)?.path == Self.name, "bit \(bit)")
      bytes[bit / 8] ^= 1 << (bit % 8)
    }
  }

  @Test func filesAreReadAsBytesInMemoryAre() throws {
    var generator = SeededGenerator()
    let whole = try Self.smallDigest(folder)
    for _ in 0..<300 {
      var bytes = whole
      let bit = Int.random(in: 0..<(bytes.count * 8), using: &generator)
      bytes[bit / 8] ^= 1 << (bit % 8)
      let path = try folder.write(bytes, to: Self.name)
      let error = #expect(throws: DigestFileError.self, "bit \(bit)") { try Self.readWhole(path) }
      let expected = try Self.failure(bytes, .report)
      #expect(error?.reason == expected?.reason && error?.offset == expected?.offset)
    }
  }
}
