internal import Foundations

/// Scanning a line that holds a JSON object for the fields of a tree.
///
/// The object is scanned once, and quotes are found 64 bytes at a time. A time or a name that
/// collectors put before the object is skipped. A value can be missing: nginx omits it where a
/// variable is empty. A line with several requests is rejected, as a line can count only once.
extension JSONKeyTree {
  /// Upper bound for nesting; no log has deeper objects and arrays.
  private static let depthLimit = 64

  /// The owner of an open bracket.
  private struct Level {
    /// The node of an object.
    var node: Int16 = 0

    /// The entry that led to an array, or -1.
    var entry: Int16 = -1
    var isArray = false
  }

  /// Finds the fields.
  ///
  /// - Returns: Why the line has none, or `nil` if it holds one complete JSON object.
  func scan(_ line: Span<UInt8>, into fields: inout LineFields) -> RejectionReason? {
    var shape = JSONLineShape.none
    return scan(line, &shape, into: &fields)
  }

  /// Finds the fields of one of many lines, which mostly have the same shape.
  func scan(
    _ line: Span<UInt8>, _ shape: inout JSONLineShape, into fields: inout LineFields
  ) -> RejectionReason? {
    if shape.match(line, into: &fields) { return nil }
    fields.removeAll()
    return scanAny(line, &shape, into: &fields)
  }

  /// Finds the fields of a line, as ``scan(_:_:into:)`` does, whatever the previous one was.
  @inline(never)
  private func scanAny(
    _ line: Span<UInt8>, _ shape: inout JSONLineShape, into fields: inout LineFields
  ) -> RejectionReason? {
    guard var position = line.firstIndex(of: UInt8(ascii: "{")) else {
      return line.isListBracket ? .heading : .noFields
    }
    let start = position
    shape.beginLine()
    // Something that varies from line to line can precede the object.
    if start > 0 { shape.giveUp() }
    var list = List()
    guard let failure = scan(line, &position, &list, &shape, into: &fields) else {
      shape.endLine(line)
      if !fields.holds(.time), let end = line.leadingTimeEnd(before: start) {
        fields.set(.time, 0, end, .plain)
      }
      return nil
    }
    fields.failure = min(failure, line.count)
    return list.holdsSeveral ? .severalRequests : .noFields
  }

  /// The outermost list of objects that the scan is in.
  private struct List {
    /// The number of brackets around its elements, or 0 outside of lists.
    var depth = 0

    var start = 0
    var elementStart = 0
    var holdsSeveral = false

    /// Returns whether a value belongs to another request than the one found in the list.
    ///
    /// Such a value is in a later element, or under the same keys.
    ///
    /// A list of texts is one value.
    @inline(__always)
    func isOfAnother(
      _ field: LogField, _ rank: UInt8, isInArray: Bool, _ fields: LineFields
    ) -> Bool {
      guard depth > 0, field.tellsRequests else { return false }
      let known = fields[field]
      guard fields.holds(field), Int(known.start) > start else { return false }
      return Int(known.start) < elementStart || !isInArray && known.rank == rank
    }
  }

  /// Finds the fields of the object that begins at a position.
  ///
  /// - Returns: The position of a syntax error, or `nil`.
  @inline(__always)
  private func scan(
    _ line: Span<UInt8>, _ position: inout Int, _ list: inout List, _ shape: inout JSONLineShape,
    into fields: inout LineFields
  ) -> Int? {
    var levels = InlineArray<64, Level>(repeating: Level())
    var (level, depth) = (Level(), 0)
    var marks = ByteMarks.ofStrings
    position += 1
    while true {
      // A value, with its key in an object; or the end of the object or array.
      line.skipBlanks(&position)
      guard position < line.count else { return position }
      var entry = Int(level.entry)
      if !level.isArray {
        if line.byte(position) == UInt8(ascii: "\"") {
          let start = position + 1
          guard let end = marks.stringEnd(start, in: line) else { return position }
          entry = find(line.extracting(start..<end.position), at: Int(level.node))
          position = end.position + 1
          line.skipBlanks(&position)
          guard position < line.count, line.byte(position) == UInt8(ascii: ":") else {
            return position
          }
          position += 1
          line.skipBlanks(&position)
          guard position < line.count else { return position }
        } else if line.byte(position) != UInt8(ascii: "}") {
          return position
        }
      }
      let meaning = entry >= 0 ? field(of: entry) : nil
      switch line.byte(position) {
      case UInt8(ascii: "\""):
        let start = position + 1
        guard let end = marks.stringEnd(start, in: line) else { return position }
        shape.add(start..<end.position, of: line, .string, meaning)
        // An empty value leaves the field to another key.
        if let (field, rank) = meaning, !line.isAbsent(start..<end.position) {
          if list.isOfAnother(field, rank, isInArray: level.isArray, fields) {
            list.holdsSeveral = true
            return start
          }
          fields.set(field, start, end.position, end.hasEscapes ? .json : .plain, rank: rank)
        }
        position = end.position + 1
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if entry < 0 || !leads(entry, isArray: line.byte(position) == UInt8(ascii: "[")) {
          // Nothing in there is needed.
          guard let end = line.bracketEnd(position, &marks) else { return line.count }
          let isObject = line.byte(position) == UInt8(ascii: "{")
          let query = isObject && meaning?.field == .query ? meaning : nil
          shape.add(position..<end, of: line, isObject ? .object : .array, query)
          if let (field, rank) = query { fields.set(field, membersOf: position..<end, rank) }
          position = end
          break
        }
        guard depth < Self.depthLimit else { return position }
        let isArray = line.byte(position) == UInt8(ascii: "[")
        if level.isArray, !isArray {
          // Whether a value is another request's depends on where the others are.
          shape.giveUp()
          if list.depth == 0 { (list.depth, list.start) = (depth, position) }
          if list.depth == depth { list.elementStart = position }
        }
        levels[depth] = level
        depth += 1
        level =
          isArray
          ? Level(entry: Int16(truncatingIfNeeded: entry), isArray: true)
          : Level(node: child(of: entry))
        position += 1
        continue
      case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","):
        break
      default:
        let start = position
        line.skipScalar(&position)
        shape.add(start..<position, of: line, .scalar, meaning)
        if let (field, rank) = meaning, !line.isNull(start..<position) {
          if list.isOfAnother(field, rank, isInArray: level.isArray, fields) {
            list.holdsSeveral = true
            return start
          }
          fields.set(field, start, position, .plain, rank: rank)
        }
      }
      // After a value: another one, or the ends of objects and arrays.
      while true {
        line.skipBlanks(&position)
        guard position < line.count else { return position }
        let byte = line.byte(position)
        position += 1
        if byte == UInt8(ascii: ",") { break }
        let close = level.isArray ? UInt8(ascii: "]") : UInt8(ascii: "}")
        guard byte == close else { return position }
        guard depth > 0 else {
          guard let end = line.jsonEnd(position) else { return nil }
          list.holdsSeveral = line.byte(end) == UInt8(ascii: "{") && fields.tellRequest
          return end
        }
        depth -= 1
        if depth < list.depth { list.depth = 0 }
        level = levels[depth]
      }
    }
  }
}

extension LogField {
  /// A Boolean value indicating whether a line has as many requests as this field.
  @inline(__always)
  fileprivate var tellsRequests: Bool {
    switch self {
    case .target, .request, .status, .message: true
    default: false
    }
  }
}

extension LineFields {
  /// A Boolean value indicating whether something of a request was found.
  fileprivate var tellRequest: Bool {
    LogField.allCases.contains { $0.tellsRequests && holds($0) }
  }
}

extension ByteMarks {
  /// The marks in which strings end, and those that escape them.
  static var ofStrings: ByteMarks { ByteMarks(of: UInt8(ascii: "\""), UInt8(ascii: "\\")) }

  /// Returns the position of the quote that ends the string from `start` on, and whether the string
  /// has escapes.
  ///
  /// Returns `nil` if the string has no end. The marks are ``ofStrings``.
  @inline(__always)
  mutating func stringEnd(
    _ start: Int, in line: Span<UInt8>
  ) -> (position: Int, hasEscapes: Bool)? {
    var (position, hasEscapes) = (next(from: start, in: line), false)
    while position < line.count {
      if line.byte(position) == UInt8(ascii: "\"") { return (position, hasEscapes) }
      hasEscapes = true
      position = next(from: position + 2, in: line)
    }
    return nil
  }
}

extension Span<UInt8> {
  /// Whether a line is only the beginning or the end of a list over several lines.
  fileprivate var isListBracket: Bool {
    func isBracket(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
    }
    return indices.allSatisfy {
      isBracket(self[$0]) || self[$0].isBlank || self[$0] == UInt8(ascii: ",")
    } && indices.contains { isBracket(self[$0]) }
  }

  /// The end of the time before an object, as Caddy's console format has it, or `nil`
  /// if there is none.
  ///
  ///     2026/11/19 08:00:01.123	INFO	http.log.access	handled request	{"request": {
  @inline(never)
  fileprivate func leadingTimeEnd(before end: Int) -> Int? {
    guard end >= 20, self[0].isDigit, self[4] == self[7],
      self[4] == UInt8(ascii: "-") || self[4] == UInt8(ascii: "/"), self[13] == UInt8(ascii: ":")
    else { return nil }
    return Swift.min(firstBlank(from: 19), end)
  }

  @inline(__always)
  fileprivate func skipBlanks(_ position: inout Int) {
    while position < count, byte(position).isBlank { position += 1 }
  }

  /// Returns the position after the bracket that closes the one at `start`, or `nil` if there is
  /// none.
  ///
  /// Only the nesting of brackets is checked between them.
  @inline(__always)
  func bracketEnd(_ start: Int, _ marks: inout ByteMarks) -> Int? {
    var (position, depth) = (start, 0)
    // For each open bracket, whether it is that of an array; the innermost one comes last.
    var kinds: UInt64 = 0
    while position < count {
      switch byte(position) {
      case UInt8(ascii: "\""):
        guard let end = marks.stringEnd(position + 1, in: self) else { return nil }
        position = end.position
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard depth < 64 else { return nil }
        kinds = kinds << 1 | (byte(position) == UInt8(ascii: "[") ? 1 : 0)
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard kinds & 1 == (byte(position) == UInt8(ascii: "]") ? 1 : 0) else { return nil }
        kinds >>= 1
        depth -= 1
        if depth == 0 { return position + 1 }
      default: break
      }
      position += 1
    }
    return nil
  }

  /// Skips a number or a literal.
  @inline(__always)
  func skipScalar(_ position: inout Int) {
    while position + 8 <= count {
      let ends = word(position).scalarEnds
      if ends != 0 {
        position += ends.trailingZeroBitCount >> 3
        return
      }
      position += 8
    }
    while position < count, UInt64(byte(position)).scalarEnds & 0x80 == 0 { position += 1 }
  }

  func isNull(_ range: Range<Int>) -> Bool {
    range.count == 4 && begins(with: "null", at: range.lowerBound)
  }

  /// Returns the position of the first byte after an object, or `nil` if there is none.
  ///
  /// Bytes between the objects of a list are skipped.
  fileprivate func jsonEnd(_ start: Int) -> Int? {
    (start..<count).first {
      !byte($0).isBlank && byte($0) != UInt8(ascii: ",") && byte($0) != UInt8(ascii: "]")
    }
  }
}

extension UInt64 {
  /// The highest bit of each byte that ends a number or a literal, a comma, a closing bracket or a
  /// blank; those above the lowest one of them may be wrong.
  @inline(__always)
  fileprivate var scalarEnds: UInt64 {
    // Both closing brackets are the same but for this bit.
    let brackets = (self | 0x2020_2020_2020_2020) ^ 0x7D7D_7D7D_7D7D_7D7D
    return brackets.zeroBytes | (self ^ 0x2C2C_2C2C_2C2C_2C2C).zeroBytes
      | (self ^ 0x2020_2020_2020_2020).zeroBytes | (self ^ 0x0909_0909_0909_0909).zeroBytes
  }
}
