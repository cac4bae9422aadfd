internal import Foundations

/// The keys under which JSON logs hold the fields, as paths from the outermost object.
///
/// Keys are compared without letter case, and a hyphen equals an underscore, because logs spell the
/// same name in many ways.
///
/// It is a class so that reading a line counts one reference, or none.
final class JSONKeyTree: Hashable, Sendable {
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
  private let slots: [Int16]
  private let entries: [Entry]

  /// The keys of all entries, one after another.
  private let keys: [UInt8]

  private static let slotCount = 128

  /// A bit for each length of a key and for each first letter, by node; most keys of a log are
  /// irrelevant.
  private let lengths: [UInt64]
  private let letters: [UInt32]

  /// The paths that the tree was made from.
  let paths: [Path]

  /// The keys of objects that collectors wrap around the contents of the outermost object.
  let wrappers: [String]

  init(_ paths: [Path], wrappers: [String] = []) {
    var (slots, lengths, letters): ([Int16], [UInt64], [UInt32]) = ([], [], [])
    var (entries, keys): ([Entry], [UInt8]) = ([], [])
    func addNode() -> Int16 {
      slots.append(contentsOf: repeatElement(-1, count: Self.slotCount))
      lengths.append(0)
      letters.append(0)
      return Int16(lengths.count - 1)
    }
    func entry(for name: String, at node: Int16) -> Int {
      let key = name.utf8.map(Self.normalized)
      let slot = Int(node) * Self.slotCount + Self.slot(key.span)
      let known = Self.find(key.span, from: slots[slot], entries, keys)
      if known >= 0 { return known }
      entries.append(
        Entry(next: slots[slot], start: Int32(keys.count), count: Int32(key.count)))
      keys += key
      lengths[Int(node)] |= 1 << UInt64(min(key.count, 63))
      letters[Int(node)] |= 1 << UInt32(key.first.map { $0 & 31 } ?? 0)
      slots[slot] = Int16(entries.count - 1)
      return entries.count - 1
    }

    let root = addNode()
    for wrapper in wrappers { entries[entry(for: wrapper, at: root)].child = root }
    for path in paths {
      var node = root
      for (depth, key) in path.keys.enumerated() {
        let entry = entry(for: key, at: node)
        if depth == path.keys.count - 1 {
          if entries[entry].meaning.map({ $0.rank > path.rank }) ?? true {
            entries[entry].meaning = (path.field, path.rank)
          }
        } else {
          if entries[entry].child < 0 { entries[entry].child = addNode() }
          node = entries[entry].child
        }
      }
    }
    (self.paths, self.wrappers) = (paths, wrappers)
    (self.slots, self.lengths, self.letters) = (slots, lengths, letters)
    (self.entries, self.keys) = (entries, keys)
  }

  /// A tree of its own for each worker, as counting references to a common one takes long.
  var copy: JSONKeyTree { JSONKeyTree(paths, wrappers: wrappers) }

  /// Finds a key of a node.
  ///
  /// - Returns: The position of its entry, or -1.
  @inline(__always)
  func find(_ key: Span<UInt8>, at node: Int) -> Int {
    guard node >= 0, key.count > 0, lengths[node] >> UInt64(min(key.count, 63)) & 1 == 1,
      letters[node] >> UInt32(Self.normalized(key.byte(0)) & 31) & 1 == 1
    else { return -1 }
    return Self.find(key, from: slots[node * Self.slotCount + Self.slot(key)], entries, keys)
  }

  /// Finds a key among the entries of a slot, the first of which is given.
  @inline(__always)
  private static func find(
    _ key: Span<UInt8>, from first: Int16, _ entries: [Entry], _ keys: [UInt8]
  ) -> Int {
    var entry = Int(first)
    while entry >= 0 {
      if isEqual(key, entries[entry], of: keys) { return entry }
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
  private static func isEqual(_ key: Span<UInt8>, _ entry: Entry, of keys: [UInt8]) -> Bool {
    guard key.count == Int(entry.count) else { return false }
    let known = keys.span
    for index in key.indices
    where normalized(key.byte(index)) != known.byte(Int(entry.start) + index) {
      return false
    }
    return true
  }

  @inline(__always)
  private static func normalized(_ byte: UInt8) -> UInt8 {
    byte == UInt8(ascii: "-") ? UInt8(ascii: "_") : byte.asciiLowercased
  }

  static func == (one: JSONKeyTree, other: JSONKeyTree) -> Bool {
    one === other || one.paths == other.paths && one.wrappers == other.wrappers
  }

  func hash(into hasher: inout Hasher) { hasher.combine(paths) }
}
