/// A writer of a run to a temporary file, target by target in ascending order.
struct DigestWriter: ~Copyable {
  private let file: RandomAccessFile
  private var offset = 0
  private var index: [DigestRun.IndexEntry] = []
  private var builder = TargetBlockBuilder()
  private var namesHosts = false

  private init(_ file: RandomAccessFile) { self.file = file }

  /// Begins a run in a directory.
  static func begin(in directory: String) throws(DigestFileError) -> DigestWriter {
    DigestWriter(try RandomAccessFile.temporary(in: directory))
  }

  /// Adds a target.
  ///
  /// - Parameters:
  ///   - record: The target, in whose visits templates are numbers of `names`; its
  ///     counts are coalesced.
  ///   - names: The templates.
  /// - Throws: ``DigestFileError`` if the run can't be written.
  mutating func add(_ record: inout TargetRecord, names: borrowing ByteTable)
    throws(DigestFileError)
  {
    builder.add(&record, names: names)
    if !record.host.isEmpty { namesHosts = true }
    if builder.isFull { try writeBlock() }
  }

  /// Ends the run.
  consuming func finish() throws(DigestFileError) -> DigestRun {
    try writeBlock()
    return DigestRun(file: file, index: index, isTrusted: true, namesHosts: namesHosts)
  }

  private mutating func writeBlock() throws(DigestFileError) {
    guard let block = builder.take() else { return }
    guard let stored = DigestBlock.block(.targets, block.payload, .none) else {
      throw file.failure(.outOfMemory, at: offset)
    }
    try file.write(stored, at: offset)
    index.append(block.entry(at: offset, stored))
    offset += stored.count
  }
}
