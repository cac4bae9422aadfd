internal import AccessLogs
internal import Foundations

/// Finds the templates of paths, as ``PathTemplate`` defines them, a table look-up
/// for each byte.
package struct TemplateScanner: ~Copyable {
  /// The meaning of a path's byte for its template.
  private enum ByteClass {
    /// With such a byte, a segment is no number and the like.
    static let literal: UInt8 = 0

    /// Numbers, UUIDs and hexadecimal numbers are made of these.
    static let numeral: UInt8 = 1

    static let slash: UInt8 = 2

    /// A path ends before it.
    static let end: UInt8 = 3

    /// A template has to spell it otherwise.
    static let special: UInt8 = 4
  }

  private var classes = Slab<UInt8>(repeating: ByteClass.literal, count: 256)

  package init() {
    for byte in UInt8.min...UInt8.max where byte.isHexadecimalDigit {
      classes[Int(byte)] = ByteClass.numeral
    }
    classes[Int(UInt8(ascii: "-"))] = ByteClass.numeral
    classes[Int(UInt8(ascii: "/"))] = ByteClass.slash
    for byte in "?#".utf8 { classes[Int(byte)] = ByteClass.end }
    for byte in "{}\\".utf8 { classes[Int(byte)] = ByteClass.special }
  }

  @inline(__always)
  private func byteClass(_ index: Int, in text: Span<UInt8>) -> UInt8 {
    index < text.count ? classes[Int(text.byte(index))] : ByteClass.end
  }

  /// Returns where the path that begins at `start` ends, if that path is not empty
  /// and is its own template for sure, or `nil`.
  @inline(__always)
  func endOfTemplate(in text: Span<UInt8>, from start: Int) -> Int? {
    var (index, slashes) = (start, 0)
    while true {
      let segment = index
      while byteClass(index, in: text) == ByteClass.numeral { index += 1 }
      if byteClass(index, in: text) == ByteClass.literal {
        index += 1
        while byteClass(index, in: text) < ByteClass.slash { index += 1 }
      } else if index > segment {
        // A number, or what looks like one.
        return nil
      }
      guard byteClass(index, in: text) == ByteClass.slash else { break }
      index += 1
      slashes += 1
    }
    guard slashes < PathTemplate.segmentLimit, index > start,
      byteClass(index, in: text) == ByteClass.end
    else { return nil }
    return index
  }

  /// Returns a Boolean value indicating whether a path is its own template for sure.
  package func isTemplate(_ path: Span<UInt8>) -> Bool {
    endOfTemplate(in: path, from: 0) == path.count
  }

  /// Appends the template of a path to `output`.
  package func append(folding path: Span<UInt8>, to output: inout [UInt8]) {
    let outputStart = output.count
    var (start, copied, slashes) = (0, 0, 0)
    while true {
      var index = start
      while byteClass(index, in: path) == ByteClass.numeral { index += 1 }
      let isNumeral = index > start && byteClass(index, in: path) != ByteClass.literal
      while byteClass(index, in: path) < ByteClass.slash { index += 1 }
      // Rare bytes, and paths of very many segments, step by step.
      let isSpecial = index < path.count && byteClass(index, in: path) != ByteClass.slash
      if isSpecial || slashes >= PathTemplate.segmentLimit {
        output.removeLast(output.count - outputStart)
        PathTemplate.append(folding: path, to: &output)
        return
      }
      if isNumeral {
        path.extracting(copied..<start).append(to: &output)
        append(numeral: path.extracting(start..<index), to: &output)
        copied = index
      }
      guard index < path.count else { break }
      start = index + 1
      slashes += 1
    }
    path.extracting(copied..<path.count).append(to: &output)
  }

  /// Appends the placeholder of a segment of digits, letters up to F, and hyphens,
  /// or the segment if it has none.
  @inline(__always)
  private func append(numeral segment: Span<UInt8>, to output: inout [UInt8]) {
    var index = 0
    while index < segment.count, segment.byte(index).isDigit { index += 1 }
    guard index == segment.count else {
      return PathTemplate.append(segment: segment, to: &output)
    }
    // As `PathTemplate.number` has it; almost all numerals are numbers.
    output.append(UInt8(ascii: "{"))
    output.append(UInt8(ascii: "n"))
    output.append(UInt8(ascii: "}"))
  }
}
