internal import AccessLogs
internal import Foundations

// Unsafe code: templates are written to a sufficiently large buffer, without a bounds check at each
// byte.

/// Finds the templates of paths, as ``PathTemplate`` defines them, with a table look-up for each
/// byte.
package struct TemplateScanner: ~Copyable {
  // The classes of a path's bytes for its template.

  /// A segment with such a byte isn't a number or the like.
  private static let literal: UInt8 = 0

  /// Numbers are made of these.
  private static let digit: UInt8 = 1

  /// UUIDs and hexadecimal numbers are made of these and digits.
  private static let numeral: UInt8 = 2
  private static let slash: UInt8 = 3

  /// A path ends before such a byte.
  private static let end: UInt8 = 4

  /// A template has to encode it, or the text may not be a path.
  private static let special: UInt8 = 5

  private var classes = Buffer<UInt8>(repeating: Self.literal, count: 256)

  package init() {
    for byte in UInt8.min...UInt8.max where byte.isHexadecimalDigit {
      classes[Int(byte)] = byte.isDigit ? Self.digit : Self.numeral
    }
    classes[Int(UInt8(ascii: "-"))] = Self.numeral
    classes[Int(UInt8(ascii: "/"))] = Self.slash
    for byte in "?#".utf8 { classes[Int(byte)] = Self.end }
    for byte in "{}\\ \t".utf8 { classes[Int(byte)] = Self.special }
  }

  @inline(__always)
  private func byteClass(_ index: Int, in text: Span<UInt8>) -> UInt8 {
    index < text.count ? classes[Int(text.byte(index))] : Self.end
  }

  /// Returns the end of the path at `start` if that path is not empty and certainly its own
  /// template, or `nil`.
  @inline(__always)
  func endOfTemplate(in text: Span<UInt8>, from start: Int) -> Int? {
    var (index, slashes) = (start, 0)
    while true {
      let segment = index
      while byteClass(index, in: text) &- 1 < 2 { index += 1 }
      if byteClass(index, in: text) == Self.literal {
        index += 1
        while byteClass(index, in: text) < Self.slash { index += 1 }
      } else if index > segment {
        // A number, or what looks like one.
        return nil
      }
      guard byteClass(index, in: text) == Self.slash else { break }
      index += 1
      slashes += 1
    }
    guard slashes < PathTemplate.segmentLimit, index > start,
      byteClass(index, in: text) == Self.end
    else { return nil }
    return index
  }

  /// Writes the template of the path that begins at `start`.
  ///
  /// - Parameters:
  ///   - text: The text with the path, and a query or fragment after it.
  ///   - start: The position of the path.
  ///   - buffer: The buffer for the template, which is written to its beginning; it grows if
  ///     necessary.
  /// - Returns: The length of the template, the end of the path, and whether the template has a
  ///   placeholder; or `nil` if rare bytes or very many segments require ``PathTemplate``.
  package func fold(
    _ text: Span<UInt8>, from start: Int, into buffer: inout [UInt8]
  ) -> (count: Int, end: Int, hasPlaceholder: Bool)? {
    // A digit becomes at most three bytes.
    let room = 3 * (text.count - start) + 8
    if buffer.count < room {
      buffer.append(contentsOf: repeatElement(0, count: 2 * room - buffer.count))
    }
    return unsafe buffer.withUnsafeMutableBufferPointer { output in
      var (index, count, slashes, hasPlaceholder) = (start, 0, 0, false)
      while true {
        let (segment, begin) = (index, count)
        var (kinds, byte): (UInt8, UInt8) = (0, byteClass(index, in: text))
        while byte &- 1 < 2 {
          unsafe output[count] = text.byte(index)
          (index, count, kinds) = (index + 1, count + 1, kinds | byte)
          byte = byteClass(index, in: text)
        }
        if byte != Self.literal {
          if kinds == Self.digit {
            unsafe output[begin] = UInt8(ascii: "{")
            unsafe output[begin + 1] = UInt8(ascii: "n")
            unsafe output[begin + 2] = UInt8(ascii: "}")
            (count, hasPlaceholder) = (begin + 3, true)
          } else if kinds != 0,
            let placeholder = PathTemplate.placeholder(of: text.extracting(segment..<index))
          {
            (count, hasPlaceholder) = (begin, true)
            for byte in placeholder.utf8 {
              unsafe output[count] = byte
              count += 1
            }
          }
        }
        while byte < Self.slash {
          unsafe output[count] = text.byte(index)
          (index, count) = (index + 1, count + 1)
          byte = byteClass(index, in: text)
        }
        if byte == Self.end { return (count, index, hasPlaceholder) }
        guard byte == Self.slash, slashes < PathTemplate.segmentLimit else { return nil }
        unsafe output[count] = UInt8(ascii: "/")
        (index, count, slashes) = (index + 1, count + 1, slashes + 1)
      }
    }
  }
}
