internal import CProcessor
internal import Foundations

// Unsafe code: a function of C reads the bytes of a text.

/// One component of a URL in each form that has been requested.
///
/// The arrays reuse their memory from one URL to the next.
struct ComponentText: Sendable {
  /// The component as the URL spells it, percent-encoded, if it isn't plain.
  private var source: [UInt8] = []

  /// The component if it is plain: the bytes up to ``plainCount``, the first of which the URL may
  /// lack, and after those it has ``sourceCount``.
  private var plain: [UInt8] = []
  private var plainCount = 0
  private var sourceStart = 0
  private var sourceCount = 0

  /// The component as it was set, if it is unknown whether its escapes are encoded again
  /// (Matching.md, 3.3), else empty.
  private var ambiguousText: [UInt8] = []

  // Each form has a property of its own instead of an entry in an array, because the content of a
  // property can be borrowed without reference counting.
  private var encoded: [UInt8] = []
  private var decoded: [UInt8] = []

  /// Whether each form is up to date.
  private var hasEncoded = false
  private var hasDecoded = false

  /// Whether decoding changes anything.
  private var hasEscapes = false

  /// A Boolean value indicating whether all forms are the same and up to date.
  ///
  /// The URL spells the component the same way, except for a slash at the start and the end of a
  /// path.
  private(set) var isPlain = false

  private let isPath: Bool

  init(isPath: Bool = false) {
    self.isPath = isPath
  }

  /// Replaces the component, and percent-encodes bytes that a URL cannot hold.
  mutating func set(_ text: Span<UInt8>) {
    if text.plainPrefix() == text.count, setPlain(text) { return }
    isPlain = false
    (hasEncoded, hasDecoded) = (false, false)
    source.removeAll(keepingCapacity: true)
    if !ambiguousText.isEmpty { ambiguousText.removeAll(keepingCapacity: true) }
    let escapes = PercentEncoding.append(encoding: text, to: &source)
    hasEscapes = escapes.areThere
    if escapes.areMixed { text.append(to: &ambiguousText) }
  }

  /// Replaces the component by a text of plain bytes, unless normalization treats it differently.
  ///
  /// - Returns: Whether it was replaced.
  @inline(__always)
  mutating func setPlain(_ text: Span<UInt8>) -> Bool {
    // Normalization does not change a single character (Matching.md, 3a).
    if text.count == 1, text[0] != UInt8(ascii: "/") { return false }
    isPlain = true
    let room = text.count + 2
    if plain.count < room {
      plain.append(contentsOf: repeatElement(0, count: 2 * room - plain.count))
    }
    let (isPath, count) = (isPath, text.count)
    let lacksSlash = isPath && (count == 0 || text[0] != UInt8(ascii: "/"))
    let start = lacksSlash ? 1 : 0
    var end = start + count
    var bytes = plain.mutableSpan
    _ = bytes.copy(text, at: start)
    // Normalization would do the same to such a path.
    if lacksSlash { bytes[0] = UInt8(ascii: "/") }
    if isPath, end > 1, bytes[end - 1] != UInt8(ascii: "/") {
      bytes[end] = UInt8(ascii: "/")
      end += 1
    }
    (sourceStart, sourceCount, plainCount) = (start, count, end)
    return true
  }

  /// The component as the URL spells it, percent-encoded.
  var encodedSource: [UInt8] {
    isPlain ? Array(plain[sourceStart..<(sourceStart + sourceCount)]) : source
  }

  /// Calls `body` with ``encodedSource``.
  @inline(__always)
  func withEncodedSource<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    isPlain
      ? body(plain.span.extracting(sourceStart..<(sourceStart + sourceCount))) : body(source.span)
  }

  /// Encodes the escapes again, if systems may do so.
  ///
  /// - Returns: Whether anything has changed.
  mutating func encodeEscapesAgain() -> Bool {
    if isPlain || ambiguousText.isEmpty { return false }
    var encoded: [UInt8] = []
    PercentEncoding.append(encoding: ambiguousText.span, keepsEscapes: false, to: &encoded)
    set(encoded.span)
    return true
  }

  /// A Boolean value indicating whether the component is empty.
  var isEmpty: Bool { isPlain ? sourceCount == 0 : source.isEmpty }

  /// Returns the form to use in place of another one: a text without escapes is the same decoded.
  @inline(__always)
  private func kept(_ form: TextForm) -> TextForm { hasEscapes ? form : .encoded }

  /// Calls `body` with the bytes of a form, a path's normalized;
  /// ``prepare(_:)`` comes first.
  @inline(__always)
  func withBytes<Result>(_ form: TextForm, _ body: (Span<UInt8>) -> Result) -> Result {
    if isPlain { return body(plain.span.extracting(0..<plainCount)) }
    return switch kept(form) {
    case .encoded: body(encoded.span)
    case .decoded: body(decoded.span)
    }
  }

  /// The bytes of a form; ``prepare(_:)`` comes first.
  subscript(form: TextForm) -> [UInt8] {
    if isPlain { return Array(plain[..<plainCount]) }
    return switch kept(form) {
    case .encoded: encoded
    case .decoded: decoded
    }
  }

  /// Brings a form up to date.
  mutating func prepare(_ form: TextForm) {
    if isPlain { return }
    switch kept(form) {
    case .encoded:
      if hasEncoded { return }
      hasEncoded = true
      encoded.removeAll(keepingCapacity: true)
      encoded.append(contentsOf: source)
      if isPath { PathNormalization.normalize(&encoded) }
    case .decoded:
      if hasDecoded { return }
      hasDecoded = true
      decoded.removeAll(keepingCapacity: true)
      Self.decode(source, into: &decoded)
      if isPath { PathNormalization.normalize(&decoded) }
    }
  }

  private static func decode(_ text: [UInt8], into decoded: inout [UInt8]) {
    PercentEncoding.append(decoding: text.span, to: &decoded)
  }
}

extension Span<UInt8> {
  /// Returns the length of the longest beginning that needs no encoding, decoding, folding or
  /// normalization.
  ///
  /// Most texts in logs need none.
  @inline(__always)
  func plainPrefix() -> Int {
    unsafe withUnsafeBufferPointer { unsafe plain_prefix($0.baseAddress, $0.count) }
  }
}

/// A form of a URL's component that rules compare with (Matching.md, 3.2).
package enum TextForm: Int, CaseIterable, BitwiseCopyable, Sendable {
  /// As the URL spells it, percent-encoded.
  case encoded

  /// Percent-decoded.
  case decoded
}

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
