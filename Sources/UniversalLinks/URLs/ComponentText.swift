internal import Foundations

/// One component of a URL in each form that has been requested.
///
/// The arrays reuse their memory from one URL to the next.
struct ComponentText: Sendable {
  /// The component as the URL spells it, percent-encoded.
  private(set) var source: [UInt8] = []

  /// The component as it was set, if it is unknown whether its escapes are encoded again
  /// (Matching.md, 3.3), else empty.
  private var ambiguousText: [UInt8] = []

  // Each form has a property of its own instead of an entry in an array, because the content of a
  // property can be borrowed without reference counting. Only paths differ from their source when
  // they are encoded.
  private var encodedPath: [UInt8] = []
  private var decoded: [UInt8] = []

  /// Whether each form is up to date.
  private var hasEncodedPath = false
  private var hasDecoded = false

  /// Whether decoding changes anything.
  private var hasEscapes = false

  private let isPath: Bool

  init(isPath: Bool = false) {
    self.isPath = isPath
  }

  /// Replaces the component, and percent-encodes bytes that a URL cannot hold.
  mutating func set(_ text: Span<UInt8>) {
    (hasEncodedPath, hasDecoded) = (false, false)
    source.removeAll(keepingCapacity: true)
    if !ambiguousText.isEmpty { ambiguousText.removeAll(keepingCapacity: true) }
    let escapes = PercentEncoding.append(encoding: text, to: &source)
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

  /// Calls `body` with the bytes of a form, a path's normalized;
  /// ``prepare(_:)`` comes first.
  @inline(__always)
  func withBytes<Result>(_ form: TextForm, _ body: (Span<UInt8>) -> Result) -> Result {
    // A text without escapes is the same decoded.
    if form == .decoded, hasEscapes { return body(decoded.span) }
    return isPath ? body(encodedPath.span) : body(source.span)
  }

  /// The bytes of a form; ``prepare(_:)`` comes first.
  subscript(form: TextForm) -> [UInt8] {
    form == .decoded && hasEscapes ? decoded : isPath ? encodedPath : source
  }

  /// Brings a form up to date.
  mutating func prepare(_ form: TextForm) {
    if form == .decoded, hasEscapes {
      if hasDecoded { return }
      hasDecoded = true
      decoded.removeAll(keepingCapacity: true)
      Self.decode(source, into: &decoded)
      if isPath { PathNormalization.normalize(&decoded) }
    } else if isPath, !hasEncodedPath {
      hasEncodedPath = true
      encodedPath.removeAll(keepingCapacity: true)
      encodedPath.append(contentsOf: source)
      PathNormalization.normalize(&encodedPath)
    }
  }

  private static func decode(_ text: [UInt8], into decoded: inout [UInt8]) {
    PercentEncoding.append(decoding: text.span, to: &decoded)
  }
}

/// A form of a URL's component that rules compare with (Matching.md, 3.2).
package enum TextForm: Int, CaseIterable, BitwiseCopyable, Sendable {
  /// As the URL spells it, percent-encoded.
  case encoded

  /// Percent-decoded.
  case decoded
}
