internal import AccessLogs
internal import Foundations

/// A digest file in the making: the targets of the incomplete block, and the data for the end of
/// the file.
final class DigestFileDraft {
  /// The day of all requests, or `nil` for requests without a time or on any days.
  let day: Day?

  private var builder = TargetBlockBuilder()
  private var index: [DigestRun.IndexEntry] = []
  private var days: Set<Int> = []

  /// The fingerprints of days, or `nil` if the inputs are logs.
  private var fingerprints: DayFingerprints?

  /// The number of bytes that have been written, or will be before all others.
  private(set) var byteCount = DigestBlock.startLength

  /// The number of requests that have been added.
  private(set) var requests = 0

  /// The number of targets in blocks that have been written.
  var targetCount: Int { index.reduce(0) { $0 + $1.targetCount } }

  /// Creates a file without targets.
  ///
  /// - Parameters:
  ///   - day: The day of all requests, or `nil` for requests without a time or on any days.
  ///   - fingerprintsDays: Whether the inputs of its summary are days.
  init(day: Day? = nil, fingerprintsDays: Bool) {
    self.day = day
    if fingerprintsDays { fingerprints = DayFingerprints() }
  }

  /// A Boolean value indicating whether the block must be taken before more targets are added.
  var isFull: Bool { builder.isFull }

  /// Adds a target; they come in ascending order.
  ///
  /// - Parameters:
  ///   - record: The target, in whose visits templates are numbers of `names`; its
  ///     counts are coalesced.
  ///   - names: The templates.
  func add(_ record: inout TargetRecord, names: borrowing ByteTable) {
    requests += record.requests.reduce(0) { $0 + Int(truncatingIfNeeded: $1.count) }
    builder.add(&record, names: names)
    fingerprints?.add(record, names: names)
  }

  /// Takes the block of the waiting targets, or returns `nil` if no targets wait.
  func takeBlock() -> TargetBlockBuilder.Block? { builder.take() }

  /// Records the block that is written next.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - stored: The stored block.
  func add(_ block: TargetBlockBuilder.Block, stored: [UInt8]) {
    index.append(block.entry(at: byteCount, stored))
    days.formUnion(block.days)
    byteCount += stored.count
  }

  /// Returns the bytes that follow all blocks.
  ///
  /// - Parameter summary: The summary.
  /// - Returns: The summary, the index, and the end, each in its stored form.
  /// - Throws: ``DigestFileError`` if there is no memory.
  func end(_ summary: DigestSummary) throws(DigestFileError) -> [[UInt8]] {
    let summary = fingerprints?.identified(summary) ?? summary
    let summaryOffset = byteCount
    let pieces = [
      try BlockCompressor.compressed(.summary, summary.payload(days: days.sorted())),
      try BlockCompressor.compressed(.index, DigestFile.payload(of: index)),
    ]
    let indexOffset = summaryOffset + pieces[0].count
    let end = DigestBlock.end(summaryOffset: summaryOffset, indexOffset: indexOffset)
    byteCount = indexOffset + pieces[1].count + end.count
    return pieces + [end]
  }
}

/// Compresses blocks of digest files, some at a time in parallel.
struct BlockCompressor {
  private let jobs: Int
  private var pending: [(draft: DigestFileDraft, block: TargetBlockBuilder.Block)] = []

  /// The number of blocks that each worker compresses at a time.
  private static let blocksPerJob = 16

  /// Creates a compressor for a number of workers.
  init(jobs: Int) { self.jobs = max(1, jobs) }

  /// Adds the next block of a file.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - draft: The file.
  ///   - body: A function that is called with files and their next bytes.
  /// - Throws: ``DigestFileError`` if there is no memory, and what `body` throws.
  mutating func add(
    _ block: TargetBlockBuilder.Block, to draft: DigestFileDraft,
    _ body: (_ draft: DigestFileDraft, _ bytes: [UInt8]) throws -> Void
  ) throws {
    pending.append((draft, block))
    if pending.count >= jobs * Self.blocksPerJob { try flush(body) }
  }

  /// Compresses the waiting blocks.
  ///
  /// - Parameter body: A function that is called with files and their next bytes.
  /// - Throws: ``DigestFileError`` if there is no memory, and what `body` throws.
  mutating func flush(
    _ body: (_ draft: DigestFileDraft, _ bytes: [UInt8]) throws -> Void
  ) throws {
    let waiting = pending
    pending.removeAll(keepingCapacity: true)
    let stored = waiting.map(\.block.payload).mapInParallel(jobs: jobs) { payload in
      DigestBlock.block(.targets, payload, .deflate)
    }
    for ((draft, block), bytes) in zip(waiting, stored) {
      guard let bytes else { throw Self.noMemory }
      draft.add(block, stored: bytes)
      try body(draft, bytes)
    }
  }

  /// A payload as a block, compressed.
  ///
  /// - Throws: ``DigestFileError`` if there is no memory.
  static func compressed(
    _ kind: DigestBlock.Kind, _ payload: [UInt8]
  ) throws(DigestFileError) -> [UInt8] {
    guard let bytes = DigestBlock.block(kind, payload, .deflate) else { throw noMemory }
    return bytes
  }

  private static var noMemory: DigestFileError {
    DigestFileError(path: "", reason: .outOfMemory, isTemporary: false, offset: 0)
  }
}

/// The fingerprints of the counts of days, which depend neither on the order nor on the logs that
/// the counts come from.
struct DayFingerprints {
  /// The sums of the fingerprints of all counts, by the number of their day; a sum doesn't depend on
  /// the order.
  private var sums: [Int: ContentFingerprint] = [:]

  private var bytes: [UInt8] = []

  /// Adds the counts of a target, which are coalesced.
  mutating func add(_ record: TargetRecord, names: borrowing ByteTable) {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(variableLength: UInt64(record.key.host.count))
    bytes += record.key.host
    bytes.append(variableLength: UInt64(record.key.target.count))
    bytes += record.key.target
    bytes.append(0)
    let start = bytes.count
    // The day is in the highest bits, so the counts of a day are consecutive.
    var day: Int?
    for requests in record.requests {
      let next = Dimensions(bits: requests.dimensions).dayNumber
      if let day, next != day { addBytes(to: day, keeping: start) }
      day = next
      bytes.append(variableLength: requests.dimensions)
      bytes.append(variableLength: requests.count)
    }
    if let day { addBytes(to: day, keeping: start) }
    bytes[start - 1] = 1
    for visits in record.visits {
      bytes.append(variableLength: visits.dimensions)
      bytes.append(variableLength: visits.count)
      names.withBytes(visits.template) { $0.append(to: &bytes) }
      addBytes(to: Dimensions(bits: visits.dimensions).dayNumber, keeping: start)
    }
  }

  /// Adds the fingerprint of the bytes to a day, and keeps only the first of them.
  private mutating func addBytes(to day: Int, keeping start: Int) {
    let fingerprint = ContentFingerprint(bytes.span)
    var sum = sums[day] ?? ContentFingerprint(length: 0, first: 0, second: 0)
    sum.length += fingerprint.length
    sum.first &+= fingerprint.first
    sum.second &+= fingerprint.second
    sums[day] = sum
    bytes.removeLast(bytes.count - start)
  }

  /// Returns a summary whose inputs are days, with their fingerprints.
  consuming func identified(_ summary: DigestSummary) -> DigestSummary {
    summary.forEachDay { day, value in
      bytes.removeAll(keepingCapacity: true)
      value.append(to: &bytes)
      addBytes(to: day?.number ?? 0, keeping: 0)
    }
    let fingerprints = Dictionary(
      uniqueKeysWithValues: sums.map { (TrafficDigest.Input.name(of: .numbered($0)), $1) })
    var summary = summary
    for index in summary.inputs.indices {
      summary.inputs[index].fingerprint = fingerprints[summary.inputs[index].path]
    }
    return summary
  }
}
