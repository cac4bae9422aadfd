internal import Foundations

/// The items of a query in one form (Matching.md, 3b.2).
///
/// The query is split at `&` and each item at its first `=` before anything is
/// decoded.
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

  /// Forgets the items.
  mutating func invalidate() { isPrepared = false }

  /// Splits a query, if it has changed since it was last split.
  mutating func prepare(_ query: ComponentText, form: TextForm) {
    guard !isPrepared else { return }
    isPrepared = true
    items.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    guard !query.isEmpty else { return }
    // Plain text is the same in all forms.
    let form = query.isPlain ? .encoded : form
    query.withEncodedSource { query in
      query.forEachQueryItem { name, value in
        items.append(Item(name: append(name, form), value: append(value, form)))
      }
    }
  }

  /// Calls `body` with the name and the value of each item.
  @inline(__always)
  func forEach(_ body: (_ name: Span<UInt8>, _ value: Span<UInt8>) -> Void) {
    let (items, bytes) = (items.span, bytes.span)
    for index in items.indices {
      body(bytes.extracting(items[index].name), bytes.extracting(items[index].value))
    }
  }

  private mutating func append(_ text: Span<UInt8>, _ form: TextForm) -> Range<Int> {
    let start = bytes.count
    switch form {
    case .encoded: text.append(to: &bytes)
    case .decoded: PercentEncoding.append(decoding: text, to: &bytes)
    }
    return start..<bytes.count
  }
}
