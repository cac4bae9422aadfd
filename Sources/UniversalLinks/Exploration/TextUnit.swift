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

  /// All bytes that texts can hold unescaped, in the order in which examples prefer them.
  static let preferredBytes: [UInt8] =
    Array("xyzabcdefghijklmnopqrstuvw1234567890XYZABCDEFGHIJKLMNOPQRSTUVW-_.".utf8)
    + Array("/~!$'()+,;:@=&?*".utf8)
}

extension TextReader {
  /// All hexadecimal digits.
  private static let hexadecimalDigits = Array("0123456789ABCDEFabcdef".utf8)

  /// Returns the units that lead from a state to different states, and one unit that represents all
  /// others, which no pattern distinguishes.
  mutating func units(after state: TextState) -> [TextUnit] {
    let (encoded, decoded) = (
      awaitedBytes(.encoded, in: state), awaitedBytes(.decoded, in: state)
    )
    var awaited = encoded
    awaited.formUnion(decoded)
    let other = representatives.first { !awaited.contains($0) && !isSpecial($0) }
    var units: [TextUnit] = []
    if let other { units.append(.byte(other)) }
    for byte in representatives where awaited.contains(byte) || isSpecial(byte) {
      units.append(.byte(byte))
    }
    if readsAllEscapes || hasDecoded || encoded.contains(UInt8(ascii: "%")) || other == nil {
      addEscapes(
        to: &units, after: state, awaited: decoded, readsAll: readsAllEscapes || other == nil)
    }
    return units
  }

  /// Adds the escapes that patterns distinguish.
  private mutating func addEscapes(
    to units: inout [TextUnit], after state: TextState, awaited: ByteSet, readsAll: Bool
  ) {
    // Every value is looked at.
    work += 32
    let (meanings, count) = escapeMeanings(in: state, awaited: awaited, readsAll: readsAll)
    let digits = Self.hexadecimalDigits
    // For each class of the first digit, one of the second, and each meaning.
    let classCount = digits.count + 1
    var seen = Array(repeating: false, count: classCount * classCount * count)
    var afterMark = state
    readEncoded(UInt8(ascii: "%"), items: readsItems, &afterMark)
    let firstAwaited = awaitedBytes(.encoded, in: afterMark)
    var seconds: [ByteSet?] = Array(repeating: nil, count: classCount)
    for (firstIndex, first) in digits.enumerated() {
      let firstClass = firstAwaited.contains(first) ? firstIndex + 1 : 0
      let secondAwaited: ByteSet
      if let known = seconds[firstClass] {
        secondAwaited = known
      } else {
        var afterFirst = afterMark
        readEncoded(first, items: readsItems, &afterFirst)
        secondAwaited = awaitedBytes(.encoded, in: afterFirst)
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

  /// Returns the number of meanings of escapes to the patterns of the decoded form, and for each
  /// escaped value the number of its meaning.
  ///
  /// The number is -1 if another unit that means the same is read anyway.
  private func escapeMeanings(
    in state: TextState, awaited: ByteSet, readsAll: Bool
  ) -> (numbers: [Int], count: Int) {
    guard hasDecoded else { return (Array(repeating: 0, count: 256), 1) }
    // Values that no pattern distinguishes differ in the bytes that have to follow.
    var known: [(pending: PendingScalar?, number: Int)] = []
    var count = 0
    let numbers = (0...255).map { (value: UInt8) in
      let isASCII = value < 0x80
      let isAwaited = awaited.contains(value)
      let pending =
        isASCII
        ? state.pending.count == 0 ? PendingScalar() : nil
        : state.pending.reading(value)
      let isRead =
        isASCII
        ? isAwaited && value > 0 && (!canHold(value) || readsItems && isSpecial(value))
        : pending != nil && (isAwaited || state.pending.count > 0)
      guard readsAll || isRead else { return -1 }
      let isAlone = isAwaited || value == 0 || part == .path && isSpecial(value)
      if !isAlone, let same = known.first(where: { $0.pending == pending }) { return same.number }
      if !isAlone { known.append((pending, count)) }
      count += 1
      return count - 1
    }
    return (numbers, count)
  }
}
