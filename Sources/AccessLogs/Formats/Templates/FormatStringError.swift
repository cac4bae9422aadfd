internal import Foundations

/// A mistake in a format that was given as text, and its place.
public struct FormatStringError: Error, Hashable, Sendable {
  /// The mistake, in a sentence without a full stop.
  public var message: String

  /// The remedy, in a sentence without a full stop.
  public var remedy: String

  /// The text of the format.
  public var text: String

  /// The part of the text that is wrong, in bytes of UTF-8.
  public var range: Range<Int>

  init(_ message: String, remedy: String, in text: [UInt8], at range: Range<Int>) {
    self.message = message
    self.remedy = remedy
    self.text = String(decoding: text, as: UTF8.self)
    // An empty text has no bytes to name.
    self.range = range.clamped(to: 0..<text.count)
  }

  /// The line of the text in which the wrong part begins, and carets under that
  /// part.
  public var excerpt: (line: String, carets: String) {
    let bytes = Array(text.utf8)
    let before = bytes[..<min(range.lowerBound, bytes.count)]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let lineEnd = bytes[lineStart...].firstIndex(of: 0x0A) ?? bytes.count
    func plain(_ range: Range<Int>) -> String {
      // A tab would put the carets elsewhere.
      String(decoding: bytes[range].map { $0 == 0x09 ? 0x20 : $0 }, as: UTF8.self)
    }
    let end = max(range.lowerBound, min(range.upperBound, lineEnd))
    let width = max(1, plain(range.lowerBound..<end).count)
    return (
      plain(lineStart..<lineEnd),
      String(repeating: " ", count: plain(lineStart..<range.lowerBound).count)
        + String(repeating: "^", count: width)
    )
  }
}

extension FormatStringError: CustomStringConvertible {
  public var description: String { message }
}
