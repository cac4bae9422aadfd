/// The classes of texts of one part of URLs that some conditions distinguish.
///
/// Conditions divide the infinitely many texts into finitely many classes: two texts of one class
/// fulfil the same conditions. A subset construction finds the classes. It reads all texts at once,
/// unit by unit, and visits every reachable state. The cheapest text that leads to a class
/// represents it.
struct TextExploration {
  /// A class of texts.
  struct Class {
    /// The conditions that its texts fulfil, ascending, by position among those
    /// explored.
    var conditions: [Int]

    /// One of its texts, as URLs spell it.
    var text: [UInt8]
  }

  private(set) var classes: [Class] = []

  /// A Boolean value indicating whether there is no other class.
  private(set) var isComplete = true

  /// A measure of the cost, about the number of bytes of memory that it needed, and the number of
  /// states.
  private(set) var (work, size, stateCount) = (0, 0, 0)

  /// A state that has been reached, and how.
  private struct Visit {
    var state: TextState
    var cost: Int
    var parent: Int
    var unit: TextUnit?
  }

  init(reading reader: TextReader, limits: ExplorationLimits) {
    guard !reader.isCut else {
      isComplete = false
      return
    }
    var reader = reader
    let beginning = reader.part == .path ? TextUnit.byte(UInt8(ascii: "/")) : nil
    var visits = [Visit(state: reader.start(), cost: 0, parent: -1, unit: beginning)]
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
          classes.append(Class(conditions: conditions, text: Self.text(of: number, in: visits)))
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
            visits.append(Visit(state: next, cost: nextCost, parent: number, unit: unit))
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

  var flags: Flags = []
  var phase = ItemPhase.none

  struct Flags: OptionSet, Hashable {
    let rawValue: UInt8

    /// The decoded text has ended with a NUL.
    static let isEnded = Flags(rawValue: 1)

    /// The decoded text isn't UTF-8, so that it counts as empty.
    static let isInvalid = Flags(rawValue: 2)

    /// The decoded name or value that is being read has ended with a NUL, or isn't UTF-8.
    static let isItemEnded = Flags(rawValue: 4)
    static let isItemInvalid = Flags(rawValue: 8)
  }

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
