internal import Foundations

/// The classes of texts of one part of URLs that some conditions distinguish.
///
/// Conditions divide the infinitely many texts into finitely many classes: two texts of one class
/// fulfil the same conditions. A subset construction finds the classes. It reads all texts at once,
/// unit by unit, and visits every reachable state. The cheapest text that leads to a class
/// represents it.
struct TextExploration {
  /// A class of texts: the conditions that they fulfil, ascending, by position among those explored,
  /// and one of them as URLs spell it.
  typealias Class = (conditions: [Int], text: [UInt8])

  private(set) var classes: [Class] = []

  /// A Boolean value indicating whether there is no other class.
  private(set) var isComplete = true

  /// A measure of the cost, about the number of bytes of memory that it needed, and the number of
  /// states.
  private(set) var (work, size, stateCount) = (0, 0, 0)

  /// A state that has been reached, and how.
  private typealias Visit = (state: TextState, cost: Int, parent: Int, unit: TextUnit?)

  init(reading reader: TextReader?, limits: ExplorationLimits) {
    guard var reader else {
      isComplete = false
      return
    }
    let beginning = reader.part == .path ? TextUnit.byte(UInt8(ascii: "/")) : nil
    var visits: [Visit] = [(reader.start(), 0, -1, beginning)]
    var numbers = [visits[0].state: 0]
    // Costs are small numbers, so the cheapest state is found in the next queue.
    var waiting: [[Int]] = [[0]]
    var known: Set<[Int]> = []
    var (cost, listed) = (0, 0)
    defer { (work, stateCount) = (reader.work + visits.count, visits.count) }
    while cost < waiting.count {
      var index = 0
      while index < waiting[cost].count {
        let number = waiting[cost][index]
        index += 1
        guard visits[number].cost == cost else { continue }
        let state = visits[number].state
        let conditions = reader.conditions(endingAt: state)
        if known.insert(conditions).inserted {
          listed += conditions.count
          classes.append((conditions, Self.text(of: number, in: visits)))
        }
        size = reader.size + visits.count * reader.stateSize + 8 * listed
        guard reader.work < limits.work, size < limits.size, visits.count < limits.states else {
          isComplete = false
          continue
        }
        for unit in reader.units(after: state) {
          var next = state
          switch unit {
          case .byte(let byte): reader.read(byte, &next)
          case .escape(let first, let second, let value):
            reader.readEscape(first, second, value, &next)
          }
          let nextCost = cost + unit.cost
          if let old = numbers[next] {
            guard nextCost < visits[old].cost else { continue }
            visits[old].cost = nextCost
            (visits[old].parent, visits[old].unit) = (number, unit)
            Self.append(old, at: nextCost, to: &waiting)
          } else {
            numbers[next] = visits.count
            visits.append((next, nextCost, number, unit))
            Self.append(visits.count - 1, at: nextCost, to: &waiting)
          }
        }
      }
      waiting[cost] = []
      cost += 1
    }
  }

  private static func append(_ number: Int, at cost: Int, to waiting: inout [[Int]]) {
    while waiting.count <= cost { waiting.append([]) }
    waiting[cost].append(number)
  }

  private static func text(of number: Int, in visits: [Visit]) -> [UInt8] {
    var units: [TextUnit] = []
    var number = number
    while number >= 0 {
      if let unit = visits[number].unit { units.append(unit) }
      number = visits[number].parent
    }
    return units.reversed().flatMap(\.bytes)
  }
}

/// The state of a text that has been read: everything that can still matter for any condition.
struct TextState: Hashable {
  /// The state of each automaton, by the place of its row.
  var rows = SIMD4<Int32>()

  /// The conditions that an item has failed, and those that one fulfils while the lack of one
  /// wouldn't, as bit sets.
  var failed: [UInt64] = []
  var fulfilled: [UInt64] = []

  /// The last byte of the encoded text and of the decoded one, or 0.
  ///
  /// It is 0 for bytes that path normalization doesn't join.
  var lastEncoded: UInt8 = 0
  var lastDecoded: UInt8 = 0

  /// The rest of a scalar of several bytes of the decoded text.
  var pending = PendingScalar()

  /// Whether the decoded text has ended with a NUL, and whether it isn't UTF-8, so that it counts as
  /// empty.
  var isEnded = false
  var isInvalid = false

  /// The same for the decoded name or value that is being read.
  var isItemEnded = false
  var isItemInvalid = false

  var phase = ItemPhase.none

  /// The position of the text within a query's items.
  enum ItemPhase: UInt8, Hashable {
    /// The query is empty so far, or its items don't matter.
    case none
    case name
    case value
  }
}

/// The bytes that have to follow for a text to be UTF-8 (RFC 3629).
struct PendingScalar: Hashable {
  /// The number of bytes, and those that the first of them can be.
  var count: UInt8 = 0
  var next: ClosedRange<UInt8> = 0x80...0xBF

  /// Returns the bytes that have to follow another byte above 0x7F, or `nil` if that can't be next.
  func reading(_ byte: UInt8) -> PendingScalar? {
    if count > 0 { return next.contains(byte) ? PendingScalar(count: count - 1) : nil }
    return switch byte {
    case 0xC2...0xDF: PendingScalar(count: 1)
    case 0xE0: PendingScalar(count: 2, next: 0xA0...0xBF)
    case 0xED: PendingScalar(count: 2, next: 0x80...0x9F)
    case 0xE1...0xEF: PendingScalar(count: 2)
    case 0xF0: PendingScalar(count: 3, next: 0x90...0xBF)
    case 0xF1...0xF3: PendingScalar(count: 3)
    case 0xF4: PendingScalar(count: 3, next: 0x80...0x8F)
    default: nil
    }
  }
}

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
      case 0x41...0x5A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "&"):
        3
      default: 5
      }
    }
  }

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
  private static let hexadecimalDigits = Array("0123456789ABCDEFabcdef".utf8)

  /// Returns the units that lead from a state to different states, and one unit that represents all
  /// others, which no pattern distinguishes.
  mutating func units(after state: TextState) -> [TextUnit] {
    let (encoded, decoded) = (awaitedBytes(.encoded, in: state), awaitedBytes(.decoded, in: state))
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
        let value = (first.hexadecimalValue ?? 0) << 4 | (second.hexadecimalValue ?? 0)
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
        isASCII ? state.pending.count == 0 ? PendingScalar() : nil : state.pending.reading(value)
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
