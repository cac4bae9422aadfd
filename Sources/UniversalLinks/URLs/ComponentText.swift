internal import Foundations

/// One component of a URL in each form that has been requested.
///
/// The arrays reuse their memory from one URL to the next.
struct ComponentText: Sendable {
  /// The component as the URL spells it, percent-encoded.
  private(set) var encodedSource: [UInt8] = []

  /// The component as it was set, if it is unknown whether its escapes are encoded again
  /// (Matching.md, 3.3), else empty.
  private var ambiguousText: [UInt8] = []

  // Each form has a property of its own instead of an entry in an array, because the content of a
  // property can be borrowed without reference counting.
  private var encoded: [UInt8] = []
  private var decoded: [UInt8] = []

  /// Whether each form is up to date.
  private var (hasEncoded, hasDecoded) = (false, false)

  /// A Boolean value indicating whether decoding changes anything.
  private(set) var hasEscapes = false

  private let isPath: Bool

  init(isPath: Bool = false) { self.isPath = isPath }

  /// Replaces the component, and percent-encodes bytes that a URL cannot hold.
  mutating func set(_ text: Span<UInt8>) {
    (hasEncoded, hasDecoded) = (false, false)
    encodedSource.removeAll(keepingCapacity: true)
    if !ambiguousText.isEmpty { ambiguousText.removeAll(keepingCapacity: true) }
    let escapes = PercentEncoding.append(encoding: text, to: &encodedSource)
    hasEscapes = escapes.areThere
    if escapes.areMixed { text.append(to: &ambiguousText) }
  }

  /// Encodes the escapes again, if systems may do so.
  ///
  /// - Returns: Whether anything has changed.
  mutating func encodeEscapesAgain() -> Bool {
    if ambiguousText.isEmpty { return false }
    var encoded: [UInt8] = []
    PercentEncoding.append(encoding: ambiguousText.span, keepsEscapes: false, to: &encoded)
    set(encoded.span)
    return true
  }

  var isEmpty: Bool { encodedSource.isEmpty }

  /// Calls `body` with the bytes of a form, a path's normalized; ``prepare(_:)`` comes first.
  @inline(__always)
  func withBytes<Result>(_ form: TextForm, _ body: (Span<UInt8>) -> Result) -> Result {
    // A text without escapes is the same decoded.
    if form == .decoded, hasEscapes { return body(decoded.span) }
    return isPath ? body(encoded.span) : body(encodedSource.span)
  }

  /// The bytes of a form; ``prepare(_:)`` comes first.
  subscript(form: TextForm) -> [UInt8] {
    form == .decoded && hasEscapes ? decoded : isPath ? encoded : encodedSource
  }

  mutating func prepare(_ form: TextForm) {
    if form == .decoded, hasEscapes {
      if hasDecoded { return }
      hasDecoded = true
      decoded.removeAll(keepingCapacity: true)
      let source = encodedSource
      PercentEncoding.append(decoding: source.span, to: &decoded)
      if isPath { PathNormalization.normalize(&decoded) }
    } else if isPath {
      if hasEncoded { return }
      hasEncoded = true
      encoded.removeAll(keepingCapacity: true)
      encoded.append(contentsOf: encodedSource)
      PathNormalization.normalize(&encoded)
    }
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
  /// The positions of names and values in the bytes.
  private(set) var items: [(name: Range<Int>, value: Range<Int>)] = []

  /// The names and values, one after another.
  private(set) var bytes: [UInt8] = []

  private var isPrepared = false

  mutating func invalidate() { isPrepared = false }

  /// Splits a query, if it has changed since it was last split.
  mutating func prepare(_ query: ComponentText, form: TextForm) {
    guard !isPrepared else { return }
    isPrepared = true
    items.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    guard !query.isEmpty else { return }
    query.encodedSource.span.forEachQueryItem { name, value in
      items.append((append(name, form), append(value, form)))
    }
  }

  /// Calls `body` with the name and the value of each item.
  @inline(__always)
  func forEach(_ body: (_ name: Span<UInt8>, _ value: Span<UInt8>) -> Void) {
    let bytes = bytes.span
    for item in items { body(bytes.extracting(item.name), bytes.extracting(item.value)) }
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
