/// A writer of a run to a temporary file, target by target in ascending order.
final class DigestWriter {
  private let file: RandomAccessFile
  private var offset = 0
  private var index: [DigestRun.IndexEntry] = []
  private var builder = TargetBlockBuilder()
  private var namesHosts = false

  /// The days of all requests in blocks that have been written; see ``Dimensions/dayNumber``.
  private(set) var days: Set<Int> = []

  /// Begins a run in a directory.
  init(in directory: String) throws(DigestFileError) {
    file = try .temporary(in: directory)
  }

  /// Adds a target.
  ///
  /// - Parameters:
  ///   - record: The target, in whose visits templates are numbers of `names`.
  ///   - names: The templates.
  /// - Throws: ``DigestFileError`` if the run can't be written.
  func add(_ record: TargetRecord, names: borrowing ByteTable) throws(DigestFileError) {
    builder.add(
      host: record.key.host, target: record.key.target.span, record.requests.span,
      record.visits.span, names: names, weight: record.weight(names: names))
    if !record.key.host.isEmpty { namesHosts = true }
    if builder.isFull { try writeBlock() }
  }

  /// Ends the run.
  func finish() throws(DigestFileError) -> DigestRun {
    try writeBlock()
    return DigestRun(file: file, index: index, isTrusted: true, namesHosts: namesHosts)
  }

  private func writeBlock() throws(DigestFileError) {
    guard let block = builder.take() else { return }
    guard let stored = DigestBlock.block(.targets, block.payload, .none) else {
      throw file.failure(.outOfMemory, at: offset)
    }
    try file.write(stored, at: offset)
    index.append(block.entry(at: offset, stored))
    days.formUnion(block.days)
    offset += stored.count
  }
}
