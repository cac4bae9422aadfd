internal import Foundations

/// The memory of a parser of JSON: the shape of most lines, and the keys of the last line in order,
/// with the tree entry of each.
///
/// Lines of a log mostly have the same keys in the same order. Comparing a key with the expected
/// one is cheaper than finding it.
struct JSONLineMemory {
  /// The shape that most lines have.
  var shape = JSONLineShape()

  /// A key that was found.
  private struct Known: BitwiseCopyable {
    /// The node at which it was looked for, and the position of its entry, or -1.
    var node: Int32
    var entry: Int32

    /// The position of the key in the text.
    var start: Int32
    var count: Int32
  }

  private var keys: [Known] = []
  private var text: [UInt8] = []

  /// The number of keys in the current line so far.
  private var next = 0

  /// Upper bounds for kept keys; others are found in the tree.
  private let countLimit: Int
  private static let byteLimit = 8_192

  /// Creates a memory that knows no key and keeps up to a number of them.
  init(countLimit: Int = 256) { self.countLimit = countLimit }

  /// A memory that stays empty, for a single line.
  static var none: JSONLineMemory { JSONLineMemory(countLimit: 0) }

  /// Begins with another line.
  @inline(__always)
  mutating func beginLine() {
    next = 0
    if countLimit > 0 { shape.beginLine() }
  }

  /// Finds a key of a node of a tree; the tree is the same for all lines.
  ///
  /// - Returns: The position of its entry, or -1.
  @inline(__always)
  mutating func find(_ key: Span<UInt8>, at node: Int, of tree: JSONKeyTree) -> Int {
    if next < keys.count {
      let known = keys[next]
      if Int(known.count) == key.count, Int(known.node) == node,
        key.holds(text.span, Int(known.start), key.count, at: 0)
      {
        next += 1
        return Int(known.entry)
      }
    }
    return findAnew(key, at: node, of: tree)
  }

  /// Finds a key in the tree, and expects it at this place from now on.
  @inline(never)
  private mutating func findAnew(
    _ key: Span<UInt8>, at node: Int, of tree: JSONKeyTree
  ) -> Int {
    let entry = tree.find(key, at: node)
    if next < keys.count {
      text.removeLast(text.count - Int(keys[next].start))
      keys.removeLast(keys.count - next)
    }
    guard keys.count < countLimit, text.count + key.count <= Self.byteLimit else {
      return entry
    }
    keys.append(
      Known(
        node: Int32(truncatingIfNeeded: node), entry: Int32(truncatingIfNeeded: entry),
        start: Int32(truncatingIfNeeded: text.count), count: Int32(truncatingIfNeeded: key.count)))
    key.append(to: &text)
    next += 1
    return entry
  }
}
