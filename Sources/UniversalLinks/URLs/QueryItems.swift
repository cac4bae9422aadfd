internal import Foundations

/// The items of a query in one form (Matching.md, 3b.2).
///
/// The query is split at `&` and each item at its first `=` before anything is
/// decoded. Names are never folded (Matching.md, 3b.4).
struct QueryItems: Sendable {
  /// The positions of an item's name and value in the bytes.
  struct Item: Sendable {
    var name: Range<Int>
    var value: Range<Int>
  }

  private(set) var items: [Item] = []

  /// The names and values, one after another.
  private(set) var bytes: [UInt8] = []

  private var isPrepared = false
  private var folding: [UInt8] = []

  /// Forgets the items.
  mutating func invalidate() { isPrepared = false }

  /// Splits a query, unless that has been done since it changed.
  mutating func prepare(_ query: [UInt8], form: TextForm) {
    guard !isPrepared else { return }
    isPrepared = true
    if !items.isEmpty { items.removeAll(keepingCapacity: true) }
    if !bytes.isEmpty { bytes.removeAll(keepingCapacity: true) }
    guard !query.isEmpty else { return }
    var start = 0
    for index in 0...query.count
    where index == query.count || query[index] == UInt8(ascii: "&") {
      add(query.span.extracting(start..<index), form: form)
      start = index + 1
    }
  }

  private mutating func add(_ item: Span<UInt8>, form: TextForm) {
    var end = 0
    while end < item.count, item[end] != UInt8(ascii: "=") { end += 1 }
    let name = append(item.extracting(0..<end), form: form.subtracting(.folded))
    let value = append(item.extracting(min(end + 1, item.count)..<item.count), form: form)
    items.append(Item(name: name, value: value))
  }

  private mutating func append(_ text: Span<UInt8>, form: TextForm) -> Range<Int> {
    let start = bytes.count
    if form.contains(.folded) {
      folding.removeAll(keepingCapacity: true)
      Self.append(text, isDecoded: form.contains(.decoded), to: &folding)
      SimpleCaseFolding.append(folding: folding, to: &bytes)
    } else {
      Self.append(text, isDecoded: form.contains(.decoded), to: &bytes)
    }
    return start..<bytes.count
  }

  private static func append(_ text: Span<UInt8>, isDecoded: Bool, to output: inout [UInt8]) {
    if isDecoded {
      PercentEncoding.append(decoding: text, to: &output)
    } else {
      text.append(to: &output)
    }
  }
}
