internal import Foundations

/// The keys under which JSON logs hold the fields, as paths from the outermost object.
///
/// Keys are compared without letter case, and a hyphen equals an underscore, because logs spell the
/// same name in many ways.
struct JSONKeyTree: Hashable, Sendable {
  struct Path: Hashable, Sendable {
    var keys: [String]
    var field: LogField

    /// The quality of the place, 0 best, where several can hold the field.
    var rank: UInt8
  }

  /// The meaning of a key: a field, or further keys below it.
  private struct Entry {
    /// The field that the value is, if it is a string or a number, and its rank.
    var meaning: (field: LogField, rank: UInt8)?

    /// The node of the value if it is an object that can hold fields, or -1.
    var child: Int16 = -1

    /// The next entry with the same slot, or -1.
    var next: Int16

    /// The position of the key among the keys.
    var start: Int32
    var count: Int32
  }

  /// The start of each slot in ``entries`` for each node, or -1.
  private var slots: [Int16] = []
  private var entries: [Entry] = []

  /// The keys of all entries, one after another.
  private var keys: [UInt8] = []

  private static let slotCount = 128

  /// A bit for each length of a key and for each first letter, by node; most keys of a log are
  /// irrelevant.
  private var lengths: [UInt64] = []
  private var letters: [UInt32] = []

  /// The paths that the tree was made from.
  let paths: [Path]

  /// The keys of objects that collectors wrap around the contents of the outermost object.
  let wrappers: [String]

  init(_ paths: [Path], wrappers: [String] = []) {
    self.paths = paths
    self.wrappers = wrappers
    _ = addNode()
    for wrapper in wrappers { entries[entry(for: wrapper, at: 0)].child = 0 }
    for path in paths {
      var node = 0
      for (depth, key) in path.keys.enumerated() {
        let entry = entry(for: key, at: node)
        if depth == path.keys.count - 1 {
          if entries[entry].meaning.map({ $0.rank > path.rank }) ?? true {
            entries[entry].meaning = (path.field, path.rank)
          }
        } else {
          if entries[entry].child < 0 { entries[entry].child = Int16(addNode()) }
          node = Int(entries[entry].child)
        }
      }
    }
  }

  private mutating func addNode() -> Int {
    slots.append(contentsOf: repeatElement(-1, count: Self.slotCount))
    lengths.append(0)
    letters.append(0)
    return lengths.count - 1
  }

  private mutating func entry(for name: String, at node: Int) -> Int {
    let key = name.utf8.map(Self.normalized)
    let known = find(key.span, at: node)
    if known >= 0 { return known }
    let slot = node * Self.slotCount + Self.slot(key.span)
    entries.append(
      Entry(next: slots[slot], start: Int32(keys.count), count: Int32(key.count)))
    keys += key
    lengths[node] |= 1 << UInt64(min(key.count, 63))
    letters[node] |= 1 << UInt32(key.first.map { $0 & 31 } ?? 0)
    slots[slot] = Int16(entries.count - 1)
    return entries.count - 1
  }

  /// Finds a key of a node.
  ///
  /// - Returns: The position of its entry, or -1.
  @inline(__always)
  func find(_ key: Span<UInt8>, at node: Int) -> Int {
    guard node >= 0, key.count > 0, lengths[node] >> UInt64(min(key.count, 63)) & 1 == 1,
      letters[node] >> UInt32(Self.normalized(key.byte(0)) & 31) & 1 == 1
    else { return -1 }
    var entry = Int(slots[node * Self.slotCount + Self.slot(key)])
    while entry >= 0 {
      if isEqual(key, entries[entry]) { return entry }
      entry = Int(entries[entry].next)
    }
    return -1
  }

  @inline(__always)
  func field(of entry: Int) -> (field: LogField, rank: UInt8)? { entries[entry].meaning }

  /// Returns the field of each of some names of columns, or `nil` if it has none.
  ///
  /// If several names have the same field, only the best has it, or the first of the best ones.
  func fields(of names: [[UInt8]]) -> [LogField?] {
    var best: [LogField: (rank: UInt8, column: Int)] = [:]
    for (column, name) in names.enumerated() {
      let entry = find(name.span, at: 0)
      guard entry >= 0, let (field, rank) = field(of: entry) else { continue }
      if best[field].map({ rank < $0.rank }) ?? true { best[field] = (rank, column) }
    }
    var fields = [LogField?](repeating: nil, count: names.count)
    for (field, place) in best { fields[place.column] = field }
    return fields
  }

  /// Returns whether there can be fields in an object or array that an entry leads to.
  @inline(__always)
  func leads(_ entry: Int, isArray: Bool) -> Bool {
    entries[entry].child >= 0 || isArray && entries[entry].meaning != nil
  }

  @inline(__always)
  func child(of entry: Int) -> Int16 { entries[entry].child }

  @inline(__always)
  private static func slot(_ key: Span<UInt8>) -> Int {
    let (first, last) = (normalized(key.byte(0)), normalized(key.byte(key.count - 1)))
    return (key.count &* 29 &+ Int(first) &* 7 &+ Int(last)) & (slotCount - 1)
  }

  @inline(__always)
  private func isEqual(_ key: Span<UInt8>, _ entry: Entry) -> Bool {
    guard key.count == Int(entry.count) else { return false }
    let known = keys.span
    for index in key.indices
    where Self.normalized(key.byte(index)) != known.byte(Int(entry.start) + index) {
      return false
    }
    return true
  }

  @inline(__always)
  private static func normalized(_ byte: UInt8) -> UInt8 {
    byte == UInt8(ascii: "-") ? UInt8(ascii: "_") : byte.asciiLowercased
  }

  static func == (one: JSONKeyTree, other: JSONKeyTree) -> Bool {
    one.paths == other.paths && one.wrappers == other.wrappers
  }

  func hash(into hasher: inout Hasher) { hasher.combine(paths) }
}
