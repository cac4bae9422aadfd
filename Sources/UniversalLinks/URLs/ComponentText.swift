internal import Foundations

/// One component of a URL in each form that has been asked for.
///
/// The arrays keep their space from one URL to the next.
struct ComponentText: Sendable {
  /// The component as the URL spells it, percent-encoded.
  private(set) var encodedSource: [UInt8] = []

  /// The component as it was set, if it is unknown whether its escapes are encoded again
  /// (Matching.md, 3.3), else empty.
  private var ambiguousText: [UInt8] = []

  // A property for each form, not an array of them: what a property holds can be
  // lent without counting references.
  private var encoded: [UInt8] = []
  private var decoded: [UInt8] = []
  private var encodedFolded: [UInt8] = []
  private var decodedFolded: [UInt8] = []

  /// A bit for each form that is up to date.
  private var prepared: UInt8 = 0

  /// Whether decoding changes anything.
  private var hasEscapes = false

  /// Whether all forms are the same and up to date.
  private var isPlain = false

  private let isPath: Bool

  init(isPath: Bool = false) {
    self.isPath = isPath
  }

  /// Replaces the component, percent-encoding what a URL cannot hold.
  mutating func set(_ text: Span<UInt8>) {
    // Most URLs have no query and no fragment, as the one before.
    if text.count == 0, isPlain, encodedSource.isEmpty, !isPath { return }
    prepared = 0
    if !encodedSource.isEmpty { encodedSource.removeAll(keepingCapacity: true) }
    if !ambiguousText.isEmpty { ambiguousText.removeAll(keepingCapacity: true) }
    isPlain = Self.isPlain(text)
    guard isPlain else {
      let escapes = PercentEncoding.append(encoding: text, to: &encodedSource)
      hasEscapes = escapes.areThere
      if escapes.areMixed { text.append(to: &ambiguousText) }
      return
    }
    hasEscapes = false
    if text.count > 0 { text.append(to: &encodedSource) }
    if !encoded.isEmpty { encoded.removeAll(keepingCapacity: true) }
    guard isPath else {
      if text.count > 0 { text.append(to: &encoded) }
      return
    }
    // Normalisation would do the same to such a path.
    if text.count == 0 || text[0] != UInt8(ascii: "/") { encoded.append(UInt8(ascii: "/")) }
    text.append(to: &encoded)
    if encoded.count > 1, encoded[encoded.count - 1] != UInt8(ascii: "/") {
      encoded.append(UInt8(ascii: "/"))
    }
  }

  /// Encodes the escapes again, if it is unknown whether that is done.
  ///
  /// - Returns: Whether anything has changed.
  mutating func encodeEscapesAgain() -> Bool {
    if ambiguousText.isEmpty { return false }
    var encoded: [UInt8] = []
    PercentEncoding.append(encoding: ambiguousText.span, keepsEscapes: false, to: &encoded)
    set(encoded.span)
    return true
  }

  /// Returns a Boolean value indicating whether nothing in a text is to be encoded,
  /// decoded, folded, or joined by normalisation: most texts in logs are so.
  private static func isPlain(_ text: Span<UInt8>) -> Bool {
    var previous: UInt8 = 0
    for index in text.indices {
      let byte = text[index]
      let bits = byte < 64 ? plainBytes.low : plainBytes.high
      guard byte < 128, bits >> UInt64(byte & 63) & 1 == 1 else { return false }
      if byte == UInt8(ascii: "/"), previous == byte { return false }
      previous = byte
    }
    // Normalisation leaves a single character as it is (Matching.md, 3a).
    return text.count != 1 || previous == UInt8(ascii: "/")
  }

  /// A bit for each byte below 64, and from 64 to 127, that is the same in all
  /// forms: `a` to `z`, `0` to `9`, and `-._=&/`.
  private static let plainBytes: (low: UInt64, high: UInt64) = (
    0x23FF_E040_0000_0000, 0x07FF_FFFE_8000_0000
  )

  /// A Boolean value indicating whether there is nothing in the component.
  var isEmpty: Bool { encodedSource.isEmpty }

  /// The form that stands for another one: what has no escapes is the same
  /// decoded.
  @inline(__always)
  private func kept(_ form: TextForm) -> TextForm {
    if isPlain { return [] }
    return hasEscapes ? form : form.subtracting(.decoded)
  }

  /// Calls `body` with the bytes of a form, a path's normalised;
  /// ``prepare(_:)`` comes first.
  @inline(__always)
  func withBytes<Result>(_ form: TextForm, _ body: (Span<UInt8>) -> Result) -> Result {
    switch kept(form) {
    case [.decoded, .folded]: body(decodedFolded.span)
    case .folded: body(encodedFolded.span)
    case .decoded: body(decoded.span)
    default: body(encoded.span)
    }
  }

  /// The bytes of a form; ``prepare(_:)`` comes first.
  subscript(form: TextForm) -> [UInt8] {
    switch kept(form) {
    case [.decoded, .folded]: decodedFolded
    case .folded: encodedFolded
    case .decoded: decoded
    default: encoded
    }
  }

  /// Brings a form up to date.
  mutating func prepare(_ form: TextForm) {
    if isPlain { return }
    let form = kept(form)
    let bit: UInt8 = 1 << form.rawValue
    guard prepared & bit == 0 else { return }
    prepared |= bit
    switch form {
    case [.decoded, .folded]:
      prepare(.decoded)
      Self.fold(decoded, into: &decodedFolded)
    case .folded:
      prepare([])
      Self.fold(encoded, into: &encodedFolded)
    case .decoded:
      decoded.removeAll(keepingCapacity: true)
      Self.decode(encodedSource, into: &decoded)
      if isPath { PathNormalization.normalize(&decoded) }
    default:
      encoded.removeAll(keepingCapacity: true)
      encoded.append(contentsOf: encodedSource)
      if isPath { PathNormalization.normalize(&encoded) }
    }
  }

  private static func fold(_ text: [UInt8], into folded: inout [UInt8]) {
    folded.removeAll(keepingCapacity: true)
    SimpleCaseFolding.append(folding: text, to: &folded)
  }

  private static func decode(_ text: [UInt8], into decoded: inout [UInt8]) {
    PercentEncoding.append(decoding: text.span, to: &decoded)
  }
}
