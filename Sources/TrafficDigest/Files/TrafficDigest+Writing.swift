internal import AccessLogs

extension TrafficDigest {
  /// Writes this digest as a file.
  ///
  /// The bytes are the same for any number of workers, any order of inputs, and any
  /// memory, and for a digest of digests as for one of their logs.
  ///
  /// - Parameters:
  ///   - jobs: The number of workers.
  ///   - temporaryDirectory: The directory of temporary files.
  ///   - sink: A function that is given the bytes, piece by piece.
  /// - Throws: ``DigestFileError`` if what is in files can't be read or temporary ones
  ///   can't be written, and what `sink` throws.
  public func write(
    jobs: Int, temporaryDirectory: String, to sink: (_ bytes: [UInt8]) throws -> Void
  ) throws {
    let runs = try allRuns(jobs: jobs, in: temporaryDirectory)
    var writer = DigestFileWriter(jobs: jobs)
    var merge = try RunMerge(runs)
    var names = ByteTable()
    try sink(DigestBlock.start)
    while try merge.next(names: &names) {
      try writer.add(&merge.record, names: names, to: sink)
      if names.byteCount > TargetNames.byteLimit {
        names = ByteTable()
        merge.forgetNames()
      }
    }
    try writer.finish(summary, to: sink)
  }

  /// All targets in runs, no more than can be read at a time.
  private func allRuns(jobs: Int, in directory: String) throws(DigestFileError) -> [DigestRun] {
    let counter = WorkCounter(upTo: parts.count)
    let results: [Result<[DigestRun], DigestFileError>] = inParallel(
      jobs: min(jobs, max(1, parts.count))
    ) { _ in
      var own: [DigestRun] = []
      do throws(DigestFileError) {
        while let number = counter.draw() {
          if let run = try parts[number].makeRun(in: directory) { own.append(run) }
        }
        return .success(own)
      } catch {
        return .failure(error)
      }
    }
    var all = runs
    for result in results { all += try result.get() }
    return try DigestRun.limiting(all, in: directory, jobs: jobs)
  }

  /// A Boolean value indicating whether some requests are for no host: their lines name
  /// none, and nothing else tells it.
  public var hasNamelessHost: Bool {
    runs.contains { $0.index.first?.host.isEmpty ?? false }
      || parts.contains { part in
        (0..<part.targets.count).contains { id in
          let host = Int(part.targets.scope(id))
          return part.hosts.withBytes(host) { $0.isEmpty }
        }
      }
  }
}

/// Makes the blocks of a digest file, compressing some at a time in parallel.
private struct DigestFileWriter: ~Copyable {
  private let jobs: Int
  private var builder = TargetBlockBuilder()
  private var pending: [TargetBlockBuilder.Block] = []
  private var index: [DigestRun.IndexEntry] = []
  private var days: Set<Int> = []
  private var offset = DigestBlock.startLength

  /// The number of blocks that each worker compresses at a time.
  private static let blocksPerJob = 16

  init(jobs: Int) { self.jobs = max(1, jobs) }

  mutating func add(
    _ record: inout TargetRecord, names: borrowing ByteTable, to sink: ([UInt8]) throws -> Void
  ) throws {
    builder.add(&record, names: names)
    guard builder.isFull, let block = builder.take() else { return }
    pending.append(block)
    if pending.count >= jobs * Self.blocksPerJob { try flush(to: sink) }
  }

  /// Writes the blocks that wait for it.
  private mutating func flush(to sink: ([UInt8]) throws -> Void) throws {
    let blocks = pending
    pending.removeAll(keepingCapacity: true)
    let counter = WorkCounter(upTo: blocks.count)
    let results = inParallel(jobs: min(jobs, blocks.count)) { _ in
      var own: [(number: Int, bytes: [UInt8]?)] = []
      while let number = counter.draw() {
        own.append((number, DigestBlock.block(.targets, blocks[number].payload, .deflate)))
      }
      return own
    }
    for (number, bytes) in results.joined().sorted(by: { $0.number < $1.number }) {
      let bytes = try Self.compressed(bytes)
      index.append(blocks[number].entry(at: offset, bytes))
      days.formUnion(blocks[number].days)
      try sink(bytes)
      offset += bytes.count
    }
  }

  /// Writes what is left, the summary, and the index.
  consuming func finish(_ summary: DigestSummary, to sink: ([UInt8]) throws -> Void) throws {
    if let block = builder.take() { pending.append(block) }
    if !pending.isEmpty { try flush(to: sink) }
    var payload: [UInt8] = []
    summary.value(days: days.sorted()).append(to: &payload)
    let summaryBlock = try Self.compressed(DigestBlock.block(.summary, payload, .deflate))
    try sink(summaryBlock)
    let indexOffset = offset + summaryBlock.count
    try sink(
      try Self.compressed(DigestBlock.block(.index, DigestFile.payload(of: index), .deflate)))
    try sink(DigestBlock.end(summaryOffset: offset, indexOffset: indexOffset))
  }

  private static func compressed(_ bytes: [UInt8]?) throws(DigestFileError) -> [UInt8] {
    guard let bytes else {
      throw DigestFileError(path: "", reason: .outOfMemory, isTemporary: false, offset: 0)
    }
    return bytes
  }
}
