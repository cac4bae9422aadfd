internal import AccessLogs
internal import Foundations

/// A digest file in the making: the targets of the incomplete block, and the data for the end of
/// the file.
final class DigestFileDraft {
  /// The day of all requests, or `nil` for requests without a time or on any days.
  let day: Day?

  /// Whether the inputs are days, so that their counts have fingerprints, rather than logs.
  private let fingerprintsDays: Bool

  /// The incomplete block, and the weight of its targets.
  private var open: Locked<TargetBlockBuilder>
  private var weight = 0

  /// The targets that come next in the incomplete block.
  private var waiting: [(batch: TargetBatch, share: Int, range: Range<Int>)] = []
  var isWaiting: Bool { !waiting.isEmpty }

  /// The work on a block, for any worker.
  ///
  /// It returns the complete block, or `nil` if the block is incomplete or empty.
  typealias Work = @Sendable () -> Result<TargetBlockBuilder.Block?, DigestFileError>

  private var index: [DigestRun.IndexEntry] = []
  private var days: Set<Int> = []
  private var fingerprints = DayFingerprints()

  /// The number of bytes that have been written, or will be before all others.
  private var byteCount = DigestBlock.startLength

  /// The number of requests in blocks that have been written.
  private(set) var requests = 0

  init(day: Day? = nil, fingerprintsDays: Bool) {
    self.day = day
    self.fingerprintsDays = fingerprintsDays
    open = Locked(TargetBlockBuilder(fingerprintsDays: fingerprintsDays))
  }

  /// Adds a share of a batch, whose targets come after all others, and returns the work on blocks
  /// that become complete, in their order.
  func add(_ batch: TargetBatch, share: Int) -> [Work] {
    var work: [Work] = []
    let entries = batch.shares[share].entries
    var start = 0
    for index in entries.indices {
      weight += Int(entries[index].weight)
      guard weight >= DigestBlock.targetWeight else { continue }
      waiting.append((batch, share, start..<(index + 1)))
      work.append(takeWork(completing: true))
      start = index + 1
    }
    if start < entries.count { waiting.append((batch, share, start..<entries.count)) }
    return work
  }

  /// Takes the work on the incomplete block: to add the waiting targets, and to encode the block if
  /// they complete it.
  func takeWork(completing isComplete: Bool) -> Work {
    // Only one worker has a builder at a time.
    let (builder, pieces) = (open, waiting)
    waiting = []
    if isComplete {
      open = Locked(TargetBlockBuilder(fingerprintsDays: fingerprintsDays))
      weight = 0
    }
    return {
      builder.withLock { builder in
        for piece in pieces { piece.batch.add(piece.range, of: piece.share, to: &builder) }
        do throws(DigestFileError) {
          return .success(isComplete ? try builder.take(isDeflated: true) : nil)
        } catch {
          return .failure(error)
        }
      }
    }
  }

  /// Records the block that is written next.
  func add(_ block: TargetBlockBuilder.Block) {
    var entry = block.entry
    entry.offset = byteCount
    index.append(entry)
    days.formUnion(block.days)
    if let other = block.fingerprints { fingerprints.add(other) }
    requests += entry.requests
    byteCount += entry.length
  }

  /// Returns the summary, the index and the end in their stored forms, which follow all blocks.
  func end(_ summary: DigestSummary) throws -> [[UInt8]] {
    var summary = summary
    summary.days = days.sorted()
    if fingerprintsDays { summary = try fingerprints.identified(summary) }
    let stored = try DigestBlock.block(.summary, summary.payload)
    return [
      stored, try DigestBlock.block(.index, DigestFile.payload(of: index)),
      DigestBlock.end(summaryOffset: byteCount, indexOffset: byteCount + stored.count),
    ]
  }
}

extension TargetSources {
  /// The number of pieces that each worker merges before blocks are encoded; each is about a block.
  private static let piecesPerJob = 16

  /// The number of ranges among which these are divided, if there are so many.
  private static let rangesPerJob = 4

  /// The maximum number of pieces of a range, which a worker holds in memory.
  private static let rangeLimit = 96

  /// Merges all targets into batches and writes them to drafts, by all workers.
  ///
  /// `draft` returns the draft that receives a share of a batch, or `nil` if it needs none.
  func write(
    jobs: Int, output: (@Sendable (_ day: Int) -> Int)?,
    to draft: (_ batch: TargetBatch, _ share: Int) throws -> DigestFileDraft?,
    _ sink: (_ draft: DigestFileDraft, _ bytes: [UInt8]) throws -> Void
  ) throws {
    var drafts: [DigestFileDraft] = []
    let (bounds, length) = bounds(jobs: jobs)
    let ranges = zip([nil] + bounds, bounds + [nil]).map { (lower: $0, upper: $1) }
    let count = max(1, jobs) * max(1, Self.piecesPerJob / length)
    for start in stride(from: 0, to: ranges.count, by: count) {
      let batches = Array(ranges[start..<min(start + count, ranges.count)])
        .mapInParallel(jobs: jobs) { range in
          Result { () throws(DigestFileError) in
            try TargetBatch(self, from: range.lower, to: range.upper, output: output)
          }
        }
      var work: [(draft: DigestFileDraft, work: DigestFileDraft.Work)] = []
      for result in batches {
        let batch = try result.get()
        for share in batch.shares.indices {
          guard let draft = try draft(batch, share) else { continue }
          if !drafts.contains(where: { $0 === draft }) { drafts.append(draft) }
          work += draft.add(batch, share: share).map { (draft, $0) }
        }
      }
      work += drafts.filter(\.isWaiting).map { ($0, $0.takeWork(completing: false)) }
      try Self.finish(work, jobs: jobs, sink)
    }
    try Self.finish(drafts.map { ($0, $0.takeWork(completing: true)) }, jobs: jobs, sink)
  }

  private static func finish(
    _ work: [(draft: DigestFileDraft, work: DigestFileDraft.Work)], jobs: Int,
    _ sink: (_ draft: DigestFileDraft, _ bytes: [UInt8]) throws -> Void
  ) throws {
    let results = work.map(\.work).mapInParallel(jobs: jobs) { $0() }
    for (draft, result) in zip(work.map(\.draft), results) {
      guard let block = try result.get() else { continue }
      draft.add(block)
      try sink(draft, block.stored)
    }
  }

  /// The keys that divide the targets into ranges, ascending, and the number of pieces of a range.
  private func bounds(jobs: Int) -> (keys: [TargetKey], length: Int) {
    var keys = parts.mapInParallel(jobs: jobs) { $0.pieceStarts() }.flatMap { $0 }
    for run in runs { keys += run.index.map(\.key) }
    keys.sort { $0 < $1 }
    // A cursor of a run reads a block from its beginning, so ranges have several blocks of each.
    let spread = keys.count / (max(1, jobs) * Self.rangesPerJob)
    let usual = min(Self.piecesPerJob / Self.rangesPerJob, spread)
    let length = max(1, usual, min(2 * runs.count, Self.rangeLimit))
    var bounds: [TargetKey] = []
    for index in stride(from: length, to: keys.count, by: length)
    where bounds.last.map({ $0 < keys[index] }) ?? true {
      bounds.append(keys[index])
    }
    return (bounds, length)
  }
}
