// Unsafe code: the bytes that were just appended are changed in place, without a check of bounds at
// each of them.

internal import Foundations

/// The encoding of a field's text in its line.
enum FieldEncoding: UInt8, Hashable, Sendable {
  /// With the escapes of ``LogEscapes``.
  case escaped

  /// Verbatim; a backslash is a backslash.
  case plain

  /// A string of JSON (RFC 8259, 7) with escapes.
  case json

  /// With each quote doubled (RFC 4180, 2).
  case doubledQuotes

  /// With plus signs or percent-encoding for bytes that would end a column.
  case encodedSpaces

  /// Percent-encoded completely, once.
  case percent

  /// An object of JSON whose members are the items of a query.
  case members
}

extension FieldEncoding {
  /// Appends a field with the escapes of ``LogEscapes``, whatever its line uses.
  func append(_ field: Span<UInt8>, to output: inout [UInt8]) {
    switch self {
    case .escaped: field.append(to: &output)
    case .plain: Self.appendPlain(field, to: &output)
    case .json: Self.appendJSON(field, to: &output)
    case .doubledQuotes: Self.appendDoubledQuotes(field, to: &output)
    case .encodedSpaces: Self.appendEncodedSpaces(field, to: &output)
    case .percent: Self.appendPercent(field, to: &output)
    case .members: QueryMembers.append(field, to: &output)
    }
  }

  private static let backslash = UInt8(ascii: "\\")

  private static func append(_ byte: UInt8, to output: inout [UInt8]) {
    if byte == backslash { output.append(backslash) }
    output.append(byte)
  }

  private static func appendPlain(_ field: Span<UInt8>, to output: inout [UInt8]) {
    guard field.firstIndex(of: backslash) != nil else { return field.append(to: &output) }
    for index in field.indices { append(field[index], to: &output) }
  }

  private static func appendDoubledQuotes(_ field: Span<UInt8>, to output: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    guard field.firstIndex(of: quote) != nil else { return appendPlain(field, to: &output) }
    var index = 0
    while index < field.count {
      append(field[index], to: &output)
      let isPair =
        field[index] == quote && index + 1 < field.count && field[index + 1] == quote
      index += isPair ? 2 : 1
    }
  }

  /// Undoes the escapes of JSON, and `\xHH`, which nginx writes unless `escape=json` is set.
  private static func appendJSON(_ field: Span<UInt8>, to output: inout [UInt8]) {
    var index = 0
    while index < field.count {
      let escape = field.firstIndex(of: backslash, from: index) ?? field.count
      field.extracting(index..<escape).append(to: &output)
      guard escape < field.count else { return }
      guard escape + 1 < field.count else { return append(backslash, to: &output) }
      let letter = field[escape + 1]
      index = escape + 2
      if let control = letter.escapedControl {
        output.append(control)
        continue
      }
      switch letter {
      case UInt8(ascii: "x"):
        if let byte = field.hexadecimal(index, digits: 2) {
          append(UInt8(truncatingIfNeeded: byte), to: &output)
          index += 2
        } else {
          output.append(letter)
        }
      case UInt8(ascii: "u"):
        guard let scalar = field.escapedScalar(at: &index) else {
          output.append(letter)
          continue
        }
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
          append(byte, to: &output)
        }
      default: append(letter, to: &output)
      }
    }
  }

  /// Undoes the encoding of spaces: plus signs in IIS logs, percent-encoding once or twice in
  /// CloudFront logs, or both in Akamai's.
  private static func appendEncodedSpaces(_ field: Span<UInt8>, to output: inout [UInt8]) {
    guard field.firstIndex(of: UInt8(ascii: " ")) == nil, field.firstIndex(of: backslash) == nil
    else { return appendPlain(field, to: &output) }
    let start = output.count
    field.append(to: &output)
    let isPercentEncoded = field.firstIndex(of: UInt8(ascii: "%")) != nil
    // Where the slash is encoded, the encoding is that of forms.
    if !isPercentEncoded || field.begins(with: "Mozilla%2F") {
      replacePluses(&output, start..<output.count)
    }
    let end = isPercentEncoded ? decodePercent(&output, from: start) : output.count
    output.removeLast(output.count - end)
    // A backslash that was encoded is a literal one.
    guard isPercentEncoded, output.span.firstIndex(of: backslash, from: start) != nil else {
      return
    }
    let decoded = Array(output[start...])
    output.removeLast(output.count - start)
    appendPlain(decoded.span, to: &output)
  }

  private static func appendPercent(_ field: Span<UInt8>, to output: inout [UInt8]) {
    guard let decoded = field.percentDecoded() else { return appendPlain(field, to: &output) }
    appendPlain(decoded.span, to: &output)
  }

  /// Replaces plus signs by spaces in a part of a text.
  static func replacePluses(_ output: inout [UInt8], _ range: Range<Int>) {
    unsafe output.withUnsafeMutableBufferPointer { text in
      // A write for every byte, so that the compiler can take many at a time.
      for index in range.clamped(to: text.indices) {
        let byte = unsafe text[index]
        unsafe text[index] = byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte
      }
    }
  }

  /// Undoes percent-encoding in place, twice where a percent sign was encoded itself.
  ///
  /// - Returns: The end of the text.
  private static func decodePercent(_ output: inout [UInt8], from start: Int) -> Int {
    var text = output.mutableSpan
    var (read, write) = (start, start)
    while read < text.count {
      var byte = text[read]
      read += 1
      if byte == UInt8(ascii: "%"), let decoded = text.span.hexadecimal(read, digits: 2) {
        byte = UInt8(truncatingIfNeeded: decoded)
        read += 2
        if byte == UInt8(ascii: "%"), let inner = text.span.hexadecimal(read, digits: 2) {
          byte = UInt8(truncatingIfNeeded: inner)
          read += 2
        }
      }
      text[write] = byte
      write += 1
    }
    return write
  }
}

/// The escapes with which servers write bytes that would break a line.
public enum LogEscapes {
  /// Appends `field` with its escapes undone.
  ///
  /// Apache writes `\"`, `\\`, `\n` and the like, and `\xHH`; nginx writes `\xHH` for a quote, a
  /// backslash, controls, and bytes beyond ASCII. A backslash before anything else is a backslash.
  public static func append(undoing field: Span<UInt8>, to output: inout [UInt8]) {
    var index = 0
    while index < field.count {
      let byte = field[index]
      guard byte == UInt8(ascii: "\\"), index + 1 < field.count else {
        output.append(byte)
        index += 1
        continue
      }
      if field[index + 1] == UInt8(ascii: "x"), index + 3 < field.count,
        let byte = field.hexadecimal(index + 2, digits: 2)
      {
        output.append(UInt8(truncatingIfNeeded: byte))
        index += 4
      } else if let escaped = character(field[index + 1]) {
        output.append(escaped)
        index += 2
      } else {
        output.append(byte)
        index += 1
      }
    }
  }

  /// The byte that a backslash and `letter` represent.
  private static func character(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): letter
    case UInt8(ascii: "v"): 0x0B
    default: letter.escapedControl
    }
  }
}
