internal import Foundations

/// The smallest unit of a URL's text.
enum TextUnit {
  case byte(UInt8)

  /// Two hexadecimal digits as they are spelled, and their value.
  case escape(UInt8, UInt8, value: UInt8)

  /// The penalty for showing this unit in an example, which prefers letters and digits.
  var cost: Int {
    switch self {
    case .escape: 8
    case .byte(let byte):
      switch byte {
      case 0x61...0x7A, 0x30...0x39, UInt8(ascii: "/"), UInt8(ascii: "="): 2
      case 0x41...0x5A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
        UInt8(ascii: "&"):
        3
      default: 5
      }
    }
  }

  /// The bytes as the URL spells them.
  var bytes: [UInt8] {
    switch self {
    case .byte(let byte): [byte]
    case .escape(let first, let second, _): [UInt8(ascii: "%"), first, second]
    }
  }
}

extension TextReader {
  /// All bytes that texts can hold unescaped, in the order in which examples prefer
  /// them.
  private static let preferredBytes: [UInt8] =
    Array("xyzabcdefghijklmnopqrstuvw1234567890XYZABCDEFGHIJKLMNOPQRSTUVW-_.".utf8)
    + Array("/~!$'()+,;:@=&?*".utf8)

  /// All hexadecimal digits.
  private static let hexadecimalDigits = Array("0123456789ABCDEFabcdef".utf8)

  /// Returns a Boolean value indicating whether a text can hold a byte unescaped.
  private func canHold(_ byte: UInt8) -> Bool {
    PercentEncoding.isAllowed(byte) && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "#")
      && !(part == .path && byte == UInt8(ascii: "?"))
  }

  /// Returns the units that lead from a state to different states, and one unit that represents all
  /// others, which no pattern distinguishes.
  mutating func units(after state: TextState) -> [TextUnit] {
    let encoded = awaitedBytes(in: state)
    let scalars = hasDecoded ? awaitedScalars(in: state) : []
    var awaited = encoded
    for scalar in scalars where scalar.value < 0x80 { awaited.insert(UInt8(scalar.value)) }
    switch part {
    case .path:
      awaited.insert(UInt8(ascii: "/"))
      awaited.insert(UInt8(ascii: "*"))
    case .query where readsItems:
      awaited.insert(UInt8(ascii: "&"))
      awaited.insert(UInt8(ascii: "="))
    case .query, .fragment: break
    }
    var units: [TextUnit] = []
    let other = Self.preferredBytes.first { canHold($0) && !awaited.contains($0) }
    if let other { units.append(.byte(other)) }
    for byte in Self.preferredBytes where awaited.contains(byte) && canHold(byte) {
      units.append(.byte(byte))
    }
    if readsAllEscapes || hasDecoded || encoded.contains(UInt8(ascii: "%")) || other == nil {
      addEscapes(to: &units, after: state, scalars: scalars)
    }
    return units
  }

  /// Adds the escapes that patterns distinguish.
  private mutating func addEscapes(
    to units: inout [TextUnit], after state: TextState, scalars: [Unicode.Scalar]
  ) {
    let (meanings, count) = escapeMeanings(in: state, scalars: scalars)
    let digits = Self.hexadecimalDigits
    // For each class of the first digit, one of the second, and each meaning.
    let classCount = digits.count + 1
    var seen = Array(repeating: false, count: classCount * classCount * count)
    var afterMark = state
    moveEncoded(UInt8(ascii: "%"), true, readsItems, &afterMark)
    let firstAwaited = awaitedBytes(in: afterMark)
    var seconds: [ByteSet?] = Array(repeating: nil, count: classCount)
    for (firstIndex, first) in digits.enumerated() {
      let firstClass = firstAwaited.contains(first) ? firstIndex + 1 : 0
      let secondAwaited: ByteSet
      if let known = seconds[firstClass] {
        secondAwaited = known
      } else {
        var afterFirst = afterMark
        moveEncoded(first, true, readsItems, &afterFirst)
        secondAwaited = awaitedBytes(in: afterFirst)
        seconds[firstClass] = secondAwaited
      }
      for (secondIndex, second) in digits.enumerated() {
        let value =
          (first.hexadecimalValue ?? 0) << 4 | (second.hexadecimalValue ?? 0)
        let meaning = meanings[Int(value)]
        guard meaning >= 0 else { continue }
        let secondClass = secondAwaited.contains(second) ? secondIndex + 1 : 0
        let key = (firstClass * classCount + secondClass) * count + meaning
        guard !seen[key] else { continue }
        seen[key] = true
        units.append(.escape(first, second, value: value))
      }
    }
  }

  /// The meaning of an escape's value to the patterns of the decoded form.
  private enum EscapeMeaning: Equatable {
    case ascii(UInt8)
    case otherASCII
    case scalar(PendingScalar.Reading)
  }

  /// Returns the number of meanings of escapes, and for each escaped value the number of its
  /// meaning.
  ///
  /// The number is -1 if another unit that means the same is read anyway.
  private func escapeMeanings(
    in state: TextState, scalars: [Unicode.Scalar]
  ) -> (numbers: [Int], count: Int) {
    guard hasDecoded else { return (Array(repeating: 0, count: 256), 1) }
    var known: [EscapeMeaning] = []
    let numbers = (0...255).map { (value: UInt8) in
      guard let meaning = escapeMeaning(of: value, in: state, scalars: scalars) else { return -1 }
      if let number = known.lastIndex(of: meaning) { return number }
      known.append(meaning)
      return known.count - 1
    }
    return (numbers, known.count)
  }

  private func escapeMeaning(
    of value: UInt8, in state: TextState, scalars: [Unicode.Scalar]
  ) -> EscapeMeaning? {
    guard value >= 0x80 else {
      let isSpecial =
        value == 0 || part == .path && (value == UInt8(ascii: "/") || value == UInt8(ascii: "*"))
      let isAwaited =
        scalars.first(notBefore: { $0.value < UInt32(value) }) == Unicode.Scalar(value)
      if readsAllEscapes { return isSpecial || isAwaited ? .ascii(value) : .otherASCII }
      let splits = readsItems && (value == UInt8(ascii: "&") || value == UInt8(ascii: "="))
      return isAwaited && value > 0 && (splits || !canHold(value)) ? .ascii(value) : nil
    }
    let reading = state.pending.reading(value, awaited: scalars)
    if readsAllEscapes { return .scalar(reading) }
    switch reading {
    case .awaited, .pending(.awaited): return .scalar(reading)
    case .pending, .other, .invalid: return nil
    }
  }

  /// The bytes that patterns of the encoded form wait for.
  private func awaitedBytes(in state: TextState) -> ByteSet {
    var awaited = ByteSet()
    for position in state.positions where position < firstMark {
      let owner = owners[Int(graph.nodes[Int(position)].owner)]
      guard !owner.isDecoded else { continue }
      graph.forEachByte(of: position) { byte, _ in
        awaited.insert(byte)
        if owner.isFolded, (0x61...0x7A).contains(byte) { awaited.insert(byte - 0x20) }
      }
    }
    return awaited
  }

  /// Returns the scalars that patterns of the decoded form wait for, ascending.
  ///
  /// They are cached, because they are needed repeatedly for the same positions and can be many.
  mutating func awaitedScalars(in state: TextState) -> [Unicode.Scalar] {
    if let awaited, awaited.positions == state.positions { return awaited.scalars }
    let scalars = collectedScalars(in: state)
    awaited = (state.positions, scalars)
    work += scalars.count
    return scalars
  }

  private func collectedScalars(in state: TextState) -> [Unicode.Scalar] {
    var found: Set<Unicode.Scalar> = []
    for position in state.positions where position < firstMark {
      let owner = owners[Int(graph.nodes[Int(position)].owner)]
      guard owner.isDecoded else { continue }
      graph.forEachByte(of: position) { lead, target in
        collectScalars(
          [lead], from: target, length: lead.scalarLength, into: &found,
          isFolded: owner.isFolded)
      }
    }
    return found.sorted()
  }

  private func collectScalars(
    _ bytes: [UInt8], from node: Int32, length: Int, into found: inout Set<Unicode.Scalar>,
    isFolded: Bool
  ) {
    guard bytes.count == length else {
      graph.forEachByte(of: node) { byte, target in
        collectScalars(
          bytes + [byte], from: target, length: length, into: &found, isFolded: isFolded)
      }
      return
    }
    guard let scalar = String(decoding: bytes, as: UTF8.self).unicodeScalars.first else { return }
    found.insert(scalar)
    if isFolded { found.formUnion(SimpleCaseFolding.sources[scalar] ?? []) }
  }
}
