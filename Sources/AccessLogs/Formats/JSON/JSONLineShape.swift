internal import Foundations

/// All of a line of JSON but its values: the texts between them, and the field of each value.
///
/// Most lines of a log differ in their values only. Comparing the texts between them is much cheaper
/// than reading objects and keys. A shape is learned from a line that was scanned, and then finds
/// the same fields in lines of the same shape.
struct JSONLineShape {
  enum Notation: UInt8 {
    /// A string; its quotes belong to the texts around it.
    case string

    /// A number or a literal.
    case scalar

    /// An object or an array that holds no field, except that an object can be a query.
    case object
    case array
  }

  private struct Value {
    /// The length of the text before it.
    var count: Int32
    var notation: Notation
    var meaning: (field: LogField, rank: UInt8)?
  }

  private var values: [Value] = []

  /// The texts before the values, and the one after the last value.
  private var text: [UInt8] = []

  /// The position of the text after the last value, or -1 if no shape is known.
  private var tail = -1

  /// The end of the last value in the line that is being learned, or -1 if none is.
  private var lastEnd = -1

  /// The number of lines of other shapes until one is learned.
  ///
  /// Lines of several shapes can alternate; learning each would take longer than it saves.
  private var patience = 0

  /// The patience after a line of this shape, and after one whose shape can't be learned.
  private static let usualPatience = 4
  private static let longPatience = 1_000

  /// Upper bounds for a shape; longer lines are scanned.
  private static let valueLimit = 256
  private static let byteLimit = 8_192

  /// A shape that learns nothing, for a single line.
  static var none: JSONLineShape {
    var shape = JSONLineShape()
    shape.patience = .max
    return shape
  }

  /// Finds the fields of a line of this shape.
  ///
  /// - Returns: Whether the line has this shape; if not, `fields` mean nothing.
  @inline(__always)
  mutating func match(_ line: Span<UInt8>, into fields: inout LineFields) -> Bool {
    guard tail >= 0, hasShape(line, &fields) else { return false }
    patience = Self.usualPatience
    return true
  }

  private func hasShape(_ line: Span<UInt8>, _ fields: inout LineFields) -> Bool {
    var marks = ByteMarks.ofStrings
    let text = text.span
    var (position, textStart) = (0, 0)
    var holdsEscapes = false
    for index in values.indices {
      let value = values[index]
      let count = Int(value.count)
      guard line.holds(text, textStart, count, at: position) else { return false }
      (position, textStart) = (position + count, textStart + count)
      switch value.notation {
      case .string:
        guard let end = marks.stringEnd(position, in: line) else { return false }
        if let (field, rank) = value.meaning, !line.isAbsent(position..<end.position) {
          fields.set(field, position, end.position, end.hasEscapes ? .json : .plain, rank: rank)
        }
        holdsEscapes = holdsEscapes || end.hasEscapes
        position = end.position
      case .scalar:
        guard position < line.count, !line.byte(position).beginsString else { return false }
        let start = position
        line.skipScalar(&position)
        // A missing value, and one with quotes or backslashes, are left to the scanner.
        guard position > start, marks.next(from: start, in: line) >= position else { return false }
        if let (field, rank) = value.meaning, !line.isNull(start..<position) {
          fields.set(field, start, position, .plain, rank: rank)
        }
      case .object, .array:
        let bracket = value.notation == .object ? UInt8(ascii: "{") : UInt8(ascii: "[")
        guard position < line.count, line.byte(position) == bracket,
          let end = line.bracketEnd(position, &marks)
        else { return false }
        if let (field, rank) = value.meaning {
          fields.set(field, membersOf: position..<end, rank)
        }
        position = end
      }
    }
    fields.mayHoldEscapes = holdsEscapes
    let rest = line.count - position
    return rest == text.count - tail && line.holds(text, tail, rest, at: position)
  }

  /// Begins to learn from a line that doesn't have this shape, if that is worth it.
  @inline(__always)
  mutating func beginLine() {
    lastEnd = -1
    guard patience == 0 else {
      patience -= 1
      return
    }
    values.removeAll(keepingCapacity: true)
    text.removeAll(keepingCapacity: true)
    (tail, lastEnd) = (-1, 0)
  }

  /// Learns a value, whose position excludes its quotes; values come in order.
  @inline(__always)
  mutating func add(
    _ range: Range<Int>, of line: Span<UInt8>, _ notation: Notation,
    _ meaning: (field: LogField, rank: UInt8)?
  ) {
    if lastEnd >= 0 { learn(range, line, notation, meaning) }
  }

  @inline(never)
  private mutating func learn(
    _ range: Range<Int>, _ line: Span<UInt8>, _ notation: Notation,
    _ meaning: (field: LogField, rank: UInt8)?
  ) {
    let count = range.lowerBound - lastEnd
    guard values.count < Self.valueLimit, text.count + count <= Self.byteLimit else {
      return giveUp()
    }
    values.append(
      Value(count: Int32(truncatingIfNeeded: count), notation: notation, meaning: meaning))
    line.extracting(lastEnd..<range.lowerBound).append(to: &text)
    lastEnd = range.upperBound
  }

  /// Stops learning: the meaning of the line's values depends on more than its shape.
  mutating func giveUp() { (lastEnd, patience) = (-1, Self.longPatience) }

  /// Ends a line whose fields were found.
  @inline(__always)
  mutating func endLine(_ line: Span<UInt8>) {
    guard lastEnd >= 0, line.count - lastEnd <= Self.byteLimit else { return }
    tail = text.count
    line.extracting(lastEnd..<line.count).append(to: &text)
    (lastEnd, patience) = (-1, Self.usualPatience)
  }
}

extension UInt8 {
  /// A Boolean value indicating whether a value that begins with this byte is no scalar.
  fileprivate var beginsString: Bool {
    self == UInt8(ascii: "\"") || self == UInt8(ascii: "{") || self == UInt8(ascii: "[")
  }
}
