/// Targets and their counts in a file, in ascending order, each target once.
final class DigestRun: Sendable {
  /// The position of a block of targets, its sums, and its first target.
  struct IndexEntry: Hashable, Sendable {
    var offset = 0

    /// The number of bytes with the header.
    var length = 0

    /// The block's CRC-32.
    var checksum: UInt32 = 0

    var targetCount = 0

    /// The number of requests for its targets.
    var requests = 0

    /// The key of the first target, or its first bytes if there are more than the limit.
    var key = TargetKey()

    /// A Boolean value indicating whether the target may be longer.
    var isCut: Bool { key.target.count >= DigestBlock.indexKeyLimit }
  }

  let file: RandomAccessFile

  /// The blocks in their order.
  let index: [IndexEntry]

  /// The number of bytes that the blocks take.
  var byteCount: Int {
    (index.last.map { $0.offset + $0.length } ?? 0) - (index.first?.offset ?? 0)
  }

  /// The number of bytes of targets with which a block is certainly complete.
  let blockByteLimit: Int

  /// A Boolean value indicating whether a request is for a host, as far as that is known.
  ///
  /// The last block of an external run can have such a request after its first target.
  let namesHosts: Bool

  /// Creates a run of blocks in a file.
  ///
  /// `isTrusted` says whether this process has written it. An external file could be crafted so
  /// that a few bytes represent gigabytes of targets. `namesHosts` says whether a request is for a
  /// host; it is `nil` if that isn't known.
  init(
    file: RandomAccessFile, index: [IndexEntry], isTrusted: Bool, namesHosts: Bool? = nil
  ) {
    self.file = file
    self.index = index
    self.namesHosts = namesHosts ?? index.contains { !$0.key.host.isEmpty }
    // A target weighs at least its bytes.
    blockByteLimit = isTrusted ? .max : DigestBlock.targetWeight
  }
}

/// A writer of a run to a temporary file, target by target in ascending order.
final class DigestWriter {
  private let file: RandomAccessFile
  private var offset = 0
  private var index: [DigestRun.IndexEntry] = []
  private var builder = TargetBlockBuilder()
  private var weight = 0
  private var namesHosts = false

  /// The days of all requests in blocks that have been written; see ``Dimensions/dayNumber``.
  private(set) var days: Set<Int> = []

  init(in directory: String) throws(DigestFileError) { file = try .temporary(in: directory) }

  /// Adds a target, in whose visits templates are numbers of `names`.
  func add(_ record: TargetRecord, names: borrowing ByteTable) throws(DigestFileError) {
    let key = record.key
    let (requests, visits) = (record.requests.span, record.visits.span)
    builder.add(host: key.host, target: key.target.span, requests, visits, names: names)
    if !key.host.isEmpty { namesHosts = true }
    weight += key.weight(requests, visits, names: names)
    if weight >= DigestBlock.targetWeight { try writeBlock() }
  }

  /// Adds the targets of a share of a batch; the visits of several days are in the order of days.
  func add(_ batch: TargetBatch, share: Int) throws(DigestFileError) {
    for (index, entry) in batch.shares[share].entries.enumerated() {
      batch.add(index..<(index + 1), of: share, to: &builder)
      if !batch.hosts[Int(entry.host)].isEmpty { namesHosts = true }
      weight += Int(entry.weight)
      if weight >= DigestBlock.targetWeight { try writeBlock() }
    }
  }

  func finish() throws(DigestFileError) -> DigestRun {
    try writeBlock()
    return DigestRun(file: file, index: index, isTrusted: true, namesHosts: namesHosts)
  }

  private func writeBlock() throws(DigestFileError) {
    guard var block = try builder.take(isDeflated: false) else { return }
    try file.write(block.stored, at: offset)
    block.entry.offset = offset
    index.append(block.entry)
    days.formUnion(block.days)
    offset += block.stored.count
    weight = 0
  }
}
