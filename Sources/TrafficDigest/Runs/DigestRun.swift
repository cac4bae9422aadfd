/// Targets and their counts in a file, in ascending order, each target once.
final class DigestRun: Sendable {
  /// Where a block of targets stands, and the key of its first target.
  struct IndexEntry: Sendable {
    var offset: Int
    var host: [UInt8]

    /// The target, or its first bytes if there are more than the limit.
    var target: [UInt8]

    /// A Boolean value indicating whether there may be more bytes.
    var isCut: Bool { target.count >= DigestBlock.indexKeyLimit }
  }

  let file: TemporaryFile

  /// The blocks in their order.
  let index: [IndexEntry]

  /// The offset behind the last block of targets.
  let end: Int

  init(file: TemporaryFile, index: [IndexEntry], end: Int) {
    self.file = file
    self.index = index
    self.end = end
  }
}

/// A key at which a digest is cut into parts for workers.
package struct TargetKey: Sendable {
  var host: [UInt8]
  var target: [UInt8]

  static func < (first: TargetKey, second: TargetKey) -> Bool {
    TargetOrder.precedes(first.host, first.target, second.host, second.target)
  }
}
