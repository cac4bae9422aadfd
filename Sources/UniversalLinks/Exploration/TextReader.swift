internal import Foundations

/// Reads texts of one part of URLs, along the patterns of all conditions at once.
///
/// A text is read as a URL spells it: bytes that a URL can hold, and escapes. The conditions are
/// compared with its encoded form and with its decoded one (Matching.md, 3). So the reader takes the
/// product of the automata of both forms, each of which reads the meaning of a byte or an escape in
/// its form.
struct TextReader {
  let part: RuleDefinition.Part

  /// For each condition, the first rule of each list that needs it, and the first that needs no
  /// other.
  private var conditions: [(uses: [Int], decides: [Int])] = []

  /// The conditions on the values of items, by name.
  ///
  /// In the automata of items, the numbers of names follow those of conditions.
  private var conditionsOfNames: [[Int]] = []

  /// The conditions on decoded texts that match a text that is empty or not UTF-8.
  private var decodedMatchingNothing: [Int] = []

  /// The conditions on items that hold if no item has the name, as a bit set.
  private var itemsMatchingNothing: [UInt64]

  /// The automata of whole texts and of query items, by form.
  private var automata: [LazyAutomaton?]

  /// The automata that read whole texts, and those that read items.
  private static let whole = stride(from: 0, through: 2, by: 2)
  private static let items = stride(from: 1, through: 3, by: 2)

  private let hasDecoded: Bool
  private let readsItems: Bool

  /// Whether an escape can mean something that its decoded byte can't.
  ///
  /// To the encoded form, an escape is three characters. It never splits items, and a part of a
  /// query may not be UTF-8 on its own.
  private let readsAllEscapes: Bool

  /// Bytes that texts can hold unescaped, one of each class that no automaton distinguishes, in the
  /// order in which examples prefer them.
  private var representatives: [Unit] = []

  /// A measure of the cost.
  private(set) var work: Int

  /// The rules, for their lists, and the number of these.
  private let rules: [RuleTable.Rule]
  private let listCount: Int

  /// About the number of bytes of memory that the positions of the automata use.
  private var positionSize = 0

  /// About the number of bytes of memory that a position uses, and the cost of a program without
  /// any.
  private static let (bytesOfPosition, programCost) = (24, 1_500)

  /// Compiles some conditions, or returns `nil` if their patterns need too many positions.
  ///
  /// Each reference of a variable has its own positions for all values.
  init?(
    _ positions: [Int], part: RuleDefinition.Part, table: RuleTable,
    limits: ExplorationLimits
  ) {
    (self.part, rules, listCount) = (part, table.rules, table.listCount)
    itemsMatchingNothing = [UInt64](bitCount: positions.count)
    var builders = TextForm.allCases.flatMap {
      Array(repeating: PatternProgramBuilder($0), count: 2)
    }
    // By form and name.
    var names = [[[UInt8]: Int]](repeating: [:], count: TextForm.allCases.count)
    for (number, position) in positions.enumerated() {
      let (condition, uses) = (table.conditions[position], table.uses[position])
      let (form, prefix) = (condition.form.rawValue, condition.part.prefix(condition.name))
      let pattern = condition.pattern
      let index = 2 * form + (prefix.isEmpty ? 0 : 1)
      let matchesNothing = pattern.matches(part == .path ? "/" : "")
      conditions.append((table.firstOfLists(uses), []))
      if prefix.isEmpty {
        conditions[number].decides = table.firstOfLists(
          uses.filter { table.rules[$0].conditions?.count == 1 })
        if condition.form == .decoded, matchesNothing { decodedMatchingNothing.append(number) }
      } else {
        if matchesNothing { itemsMatchingNothing.insertBit(number) }
        if names[form][prefix] == nil {
          names[form][prefix] = conditionsOfNames.count
          // Whether an item has the name.
          builders[index].add(
            Pattern([.anyRun], ignoresCase: false), after: prefix,
            number: positions.count + conditionsOfNames.count)
          conditionsOfNames.append([])
        }
        conditionsOfNames[names[form][prefix] ?? 0].append(number)
      }
      let count = PatternProgramBuilder.positionCount(
        of: pattern.tokens, ignoresCase: pattern.ignoresCase)
      positionSize += Self.bytesOfPosition * (prefix.count + count)
      guard positionSize < limits.size else { return nil }
      builders[index].add(pattern, after: prefix, number: number)
    }
    // Laying out a position costs about as much as reading a byte, and each program has its classes.
    work = Self.programCost + positionSize / Self.bytesOfPosition
    var positionsLeft = Int.max
    automata = builders.map {
      $0.patternCount == 0 ? nil : LazyAutomaton(PatternProgram($0, positionsLeft: &positionsLeft))
    }
    let areThere = automata.map { $0 != nil }
    hasDecoded = areThere[2] || areThere[3]
    readsItems = areThere[1] || areThere[3]
    readsAllEscapes =
      hasDecoded && (areThere[0] || areThere[1] || readsItems && areThere[2])
    var known: Set<UInt64> = []
    for byte in Self.preferredBytes where canHold(byte) {
      let key = automata.reduce(isSpecial(byte) ? UInt64(byte) : 0) {
        $0 << 8 | UInt64($1?.byteClass(byte) ?? 0)
      }
      if known.insert(key).inserted { representatives.append(Unit(byte)) }
    }
  }

  /// All bytes that texts can hold unescaped, in the order in which examples prefer them.
  private static let preferredBytes =
    Array("xyzabcdefghijklmnopqrstuvw1234567890XYZABCDEFGHIJKLMNOPQRSTUVW-_.".utf8)
    + Array("/~!$'()+,;:@=&?*".utf8)

  private func canHold(_ byte: UInt8) -> Bool {
    PercentEncoding.isAllowed(byte) && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "#")
      && !(part == .path && byte == UInt8(ascii: "?"))
  }

  /// Whether normalization joins a byte to the same one before it, or it separates query items.
  private func isSpecial(_ byte: UInt8) -> Bool {
    switch part {
    case .path: byte == UInt8(ascii: "/") || byte == UInt8(ascii: "*")
    case .query: readsItems && (byte == UInt8(ascii: "&") || byte == UInt8(ascii: "="))
    case .fragment, .queryItem: false
    }
  }

  /// The number of bytes of memory that the automata and their states use.
  private var size: Int { automata.reduce(positionSize) { $0 + ($1?.size ?? 0) } }

  /// About the number of bytes of memory that a state of the text uses.
  private var stateSize: Int { 300 + 16 * itemsMatchingNothing.count }

  // MARK: - Reading

  /// The smallest unit of a URL's text, by its position in ``spellings``: a byte, or an escape.
  private typealias Unit = Int

  private static let hexadecimalDigits = Array("0123456789ABCDEFabcdef".utf8)

  /// The bytes by their values, then the escapes by the positions of their digits.
  private static let spellings: [[UInt8]] =
    (0...255).map { [$0] }
    + hexadecimalDigits.flatMap { first in
      hexadecimalDigits.map { [UInt8(ascii: "%"), first, $0] }
    }

  /// The unit that every text begins with, the slash of a path.
  private var beginning: Unit? { part == .path ? Unit(UInt8(ascii: "/")) : nil }

  /// The state after the beginning of every text.
  private mutating func start() -> TextState {
    var state = TextState()
    if readsItems {
      state.failed = [UInt64](bitCount: conditions.count)
      state.fulfilled = state.failed
    }
    for index in automata.indices { state.rows[index] = Int32(automata[index]?.start() ?? 0) }
    if let beginning { read(beginning, &state) }
    return state
  }

  private mutating func read(_ unit: Unit, _ state: inout TextState) {
    let bytes = Self.spellings[unit]
    work += bytes.count + itemsMatchingNothing.count / 16
    let begins = readsItems && bytes[0] == UInt8(ascii: "&")
    let separates = readsItems && bytes[0] == UInt8(ascii: "=") && state.phase != .value
    if begins || separates { endScalar(&state) }
    if begins {
      endItem(&state)
      state.phase = .name
      for index in Self.items { beginItem(index, &state) }
    } else if separates {
      endName(&state)
    } else if readsItems, state.phase == .none {
      state.phase = .name
    }
    let readsItem = readsItems && !begins && !separates
    for byte in bytes { readEncoded(byte, readsItem: readsItem, &state) }
    decode(bytes.count == 1 ? bytes[0] : Self.value(bytes[1], bytes[2]), readsItem, &state)
    forgetDecided(&state)
  }

  private mutating func readEncoded(_ byte: UInt8, readsItem: Bool, _ state: inout TextState) {
    read(byte, 0, &state)
    if readsItem { read(byte, 1, &state) }
  }

  /// Reads a byte of the decoded text.
  private mutating func decode(_ byte: UInt8, _ readsItem: Bool, _ state: inout TextState) {
    guard hasDecoded else { return }
    guard let pending = state.pending.reading(byte) else {
      state.pending = PendingScalar()
      return invalidate(&state)
    }
    state.pending = pending
    for index in readsItem ? 2...3 : 2...2 {
      if byte == 0 {
        state.isEnded[index] = true
      } else if !state.isEnded[index], !state.isInvalid[index] {
        read(byte, index, &state)
      }
    }
  }

  /// The value of two hexadecimal digits.
  private static func value(_ first: UInt8, _ second: UInt8) -> UInt8 {
    (first.hexadecimalValue ?? 0) << 4 | (second.hexadecimalValue ?? 0)
  }

  /// Moves an automaton over a byte, unless normalization joins that to the one before.
  private mutating func read(_ byte: UInt8, _ index: Int, _ state: inout TextState) {
    if part == .path {
      let joins = isSpecial(byte)
      if joins, state.last[index] == byte { return }
      state.last[index] = joins ? byte : 0
    }
    move(byte, index, &state)
  }

  /// Ends a scalar; an incomplete one makes the text invalid.
  private mutating func endScalar(_ state: inout TextState) {
    guard state.pending != PendingScalar() else { return }
    state.pending = PendingScalar()
    invalidate(&state)
  }

  private mutating func invalidate(_ state: inout TextState) {
    state.isInvalid[2] = true
    state.last[2] = 0
    restrict(2, &state) { _ in false }
    guard readsItems else { return }
    state.isInvalid[3] = true
    // Of the item, only its name still matters, if that has been read.
    let (count, isValue) = (conditions.count, state.phase == .value)
    restrict(3, &state) { isValue && $0 >= count }
  }

  // MARK: - Automata

  private mutating func move(_ byte: UInt8, _ index: Int, _ state: inout TextState) {
    let row = automata[index]?.next(Int(state.rows[index]), byte, work: &work)
    if let row { state.rows[index] = Int32(row) }
  }

  /// Makes an automaton forget all patterns but some.
  private mutating func restrict(
    _ index: Int, _ state: inout TextState, to isNeeded: (Int) -> Bool
  ) {
    let row = automata[index]?.restrict(Int(state.rows[index]), work: &work) { isNeeded(Int($0)) }
    if let row { state.rows[index] = Int32(row) }
  }

  /// Drops conditions that can no longer decide, because an earlier rule matches any continuation.
  private mutating func forgetDecided(_ state: inout TextState) {
    // The first rule that decides by list; empty if none does.
    var deciding: [Int] = []
    // Decoded text can still turn out not to be UTF-8.
    for index in Self.whole where index == 0 || !readsAllEscapes {
      let settled = automata[index]?.settledPatterns(Int(state.rows[index]), work: &work) ?? []
      for condition in settled {
        work += conditions[Int(condition)].decides.count
        for rule in conditions[Int(condition)].decides {
          if deciding.isEmpty { deciding = Array(repeating: .max, count: listCount) }
          deciding[rules[rule].list] = min(deciding[rules[rule].list], rule)
        }
      }
    }
    guard !deciding.isEmpty else { return }
    work += conditions.count / 64
    var isNeeded = [Bool?](repeating: nil, count: conditions.count)
    var asked = 0
    let (conditions, rules) = (conditions, rules)
    for index in Self.whole {
      restrict(index, &state) { condition in
        asked += 1
        if let known = isNeeded[condition] { return known }
        let needed = conditions[condition].uses.contains {
          asked += 1
          return $0 <= deciding[rules[$0].list]
        }
        isNeeded[condition] = needed
        return needed
      }
    }
    work += asked
  }

  // MARK: - Results

  /// Returns the patterns that match if the text that an automaton reads ends here, ascending.
  private mutating func matches(_ index: Int, _ state: TextState) -> [Int] {
    let found = automata[index]?.matches(Int(state.rows[index])).map(Int.init) ?? []
    work += found.count
    return found
  }

  /// Returns the conditions that hold if the text ends here, ascending.
  mutating func conditions(endingAt state: TextState) -> [Int] {
    var state = state
    endScalar(&state)
    if state.phase != .none { endItem(&state) }
    var found: [Int] = []
    for index in Self.whole {
      if part == .path, state.last[index] == 0 { move(UInt8(ascii: "/"), index, &state) }
      if state.isInvalid[index] {
        work += conditions.count
        found += decodedMatchingNothing
      } else {
        found += matches(index, state)
      }
    }
    if readsItems {
      let holding = itemsMatchingNothing.indices.map { word in
        (itemsMatchingNothing[word] | state.fulfilled[word]) & ~state.failed[word]
      }
      found += holding.bits
    }
    work += found.count
    return found.sorted()
  }
}

// Query items.
extension TextReader {
  /// Begins to read a name or a value, without the conditions that an item has failed.
  private mutating func beginItem(_ index: Int, _ state: inout TextState) {
    (state.isEnded[index], state.isInvalid[index]) = (false, false)
    guard let row = automata[index]?.start() else { return }
    state.rows[index] = Int32(row)
    let (failed, count) = (state.failed, conditions.count)
    guard failed.contains(where: { $0 != 0 }) else { return }
    restrict(index, &state) { $0 >= count || !failed.hasBit($0) }
  }

  /// Continues from the name of an item to its value.
  private mutating func endName(_ state: inout TextState) {
    state.phase = .value
    for index in Self.items {
      // A name that isn't UTF-8 counts as empty.
      if state.isInvalid[index] { beginItem(index, &state) }
      state.isEnded[index] = false
      move(RuleDefinition.Part.separator, index, &state)
    }
  }

  /// Ends an item; one without `=` has an empty value.
  private mutating func endItem(_ state: inout TextState) {
    if state.phase != .value { endName(&state) }
    for index in Self.items {
      let found = matches(index, state)
      guard found.last ?? 0 >= conditions.count else { continue }
      var matching = [UInt64](bitCount: conditions.count)
      for condition in found where condition < conditions.count { matching.insertBit(condition) }
      if state.isInvalid[index] { matching = itemsMatchingNothing }
      for name in found where name >= conditions.count {
        let named = conditionsOfNames[name - conditions.count]
        work += named.count
        for condition in named {
          if matching.hasBit(condition) {
            state.fulfilled.insertBit(condition)
          } else {
            state.failed.insertBit(condition)
          }
        }
      }
    }
    for word in state.fulfilled.indices {
      state.fulfilled[word] &= ~(itemsMatchingNothing[word] | state.failed[word])
    }
  }
}

// MARK: - Exploration

extension TextReader {
  /// A class of texts: the conditions that they fulfil, ascending, by position among those that are
  /// read, and one of them as URLs spell it.
  typealias Class = (conditions: [Int], text: [UInt8])

  /// A state that has been reached, and how.
  private typealias Visit = (state: TextState, cost: Int, parent: Int, unit: Unit?)

  /// Finds the classes of texts that the conditions distinguish.
  ///
  /// Conditions divide the infinitely many texts into finitely many classes: two texts of one class
  /// fulfil the same conditions. A subset construction finds the classes. It reads all texts at
  /// once, unit by unit, and visits every reachable state. The cheapest text that leads to a class
  /// represents it.
  ///
  /// - Parameter limits: The limits, which what the search needs is subtracted from.
  /// - Returns: The classes, and whether there is no other class.
  mutating func explore(_ limits: inout ExplorationLimits) -> (classes: [Class], isComplete: Bool) {
    var (classes, isComplete): ([Class], Bool) = ([], true)
    var visits: [Visit] = [(start(), 0, -1, beginning)]
    var numbers = [visits[0].state: 0]
    // Costs are small numbers, so the cheapest state is found in the next queue.
    var waiting: [[Int]] = [[0]]
    var known: Set<[Int]> = []
    var (cost, listed, size) = (0, 0, 0)
    while cost < waiting.count {
      var index = 0
      while index < waiting[cost].count {
        let number = waiting[cost][index]
        index += 1
        guard visits[number].cost == cost else { continue }
        let state = visits[number].state
        let conditions = conditions(endingAt: state)
        if known.insert(conditions).inserted {
          listed += conditions.count
          classes.append((conditions, Self.text(of: number, in: visits)))
        }
        size = self.size + visits.count * stateSize + 8 * listed
        guard work < limits.work, size < limits.size, visits.count < limits.states else {
          isComplete = false
          continue
        }
        for unit in units(after: state) {
          var next = state
          read(unit, &next)
          let nextCost = cost + (unit > 255 ? Self.escapeCost : Self.cost(of: UInt8(unit)))
          let known = numbers[next]
          if let known, visits[known].cost <= nextCost { continue }
          let nextNumber = known ?? visits.count
          if known == nil {
            numbers[next] = nextNumber
            visits.append((next, nextCost, number, unit))
          } else {
            (visits[nextNumber].cost, visits[nextNumber].parent) = (nextCost, number)
            visits[nextNumber].unit = unit
          }
          while waiting.count <= nextCost { waiting.append([]) }
          waiting[nextCost].append(nextNumber)
        }
      }
      waiting[cost] = []
      cost += 1
    }
    limits.work -= work + visits.count
    limits.size -= size
    limits.states -= visits.count
    return (classes, isComplete)
  }

  private static func text(of number: Int, in visits: [Visit]) -> [UInt8] {
    var (units, number) = ([Unit](), number)
    while number >= 0 {
      if let unit = visits[number].unit { units.append(unit) }
      number = visits[number].parent
    }
    return units.reversed().flatMap { spellings[$0] }
  }

  /// The penalty for showing an escape in an example.
  static let escapeCost = 8

  /// The penalty for showing a byte in an example, which prefers letters and digits.
  static func cost(of byte: UInt8) -> Int {
    switch byte {
    case 0x61...0x7A, 0x30...0x39, UInt8(ascii: "/"), UInt8(ascii: "="): 2
    case 0x41...0x5A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "&"):
      3
    default: 5
    }
  }

  /// Returns the bytes that patterns of a form wait for.
  private mutating func awaitedBytes(_ form: TextForm, in state: TextState) -> ByteSet {
    var bytes = ByteSet()
    for index in (2 * form.rawValue)...(2 * form.rawValue + 1) {
      let awaited = automata[index]?.awaitedBytes(Int(state.rows[index]), work: &work)
      if let awaited { bytes.formUnion(awaited) }
    }
    return bytes
  }

  /// Returns the units that lead from a state to different states, and one unit that represents all
  /// others, which no pattern distinguishes.
  private mutating func units(after state: TextState) -> [Unit] {
    let (encoded, decoded) = (awaitedBytes(.encoded, in: state), awaitedBytes(.decoded, in: state))
    func isRead(_ unit: Unit) -> Bool {
      let byte = UInt8(unit)
      return encoded.contains(byte) || decoded.contains(byte) || isSpecial(byte)
    }
    let other = representatives.first { !isRead($0) }
    var units = representatives.filter(isRead)
    if let other { units.insert(other, at: 0) }
    if hasDecoded || encoded.contains(UInt8(ascii: "%")) || other == nil {
      units += escapes(
        after: state, awaited: decoded, readsAll: readsAllEscapes || other == nil)
    }
    return units
  }

  private mutating func escapes(
    after state: TextState, awaited: ByteSet, readsAll: Bool
  ) -> [Unit] {
    // Every value is looked at.
    work += 32
    let meanings = escapeMeanings(in: state, awaited: awaited, readsAll: readsAll)
    let (digits, count) = (Self.hexadecimalDigits, (meanings.max() ?? 0) + 1)
    // For each class of the first digit, one of the second, and each meaning.
    let classCount = digits.count + 1
    var seen = Array(repeating: false, count: classCount * classCount * count)
    var afterMark = state
    readEncoded(UInt8(ascii: "%"), readsItem: readsItems, &afterMark)
    let firstAwaited = awaitedBytes(.encoded, in: afterMark)
    var seconds: [ByteSet?] = Array(repeating: nil, count: classCount)
    var escapes: [Unit] = []
    for (firstIndex, first) in digits.enumerated() {
      let firstClass = firstAwaited.contains(first) ? firstIndex + 1 : 0
      if seconds[firstClass] == nil {
        var afterFirst = afterMark
        readEncoded(first, readsItem: readsItems, &afterFirst)
        seconds[firstClass] = awaitedBytes(.encoded, in: afterFirst)
      }
      for (secondIndex, second) in digits.enumerated() {
        let meaning = meanings[Int(Self.value(first, second))]
        guard meaning >= 0 else { continue }
        let secondClass = seconds[firstClass]?.contains(second) == true ? secondIndex + 1 : 0
        let key = (firstClass * classCount + secondClass) * count + meaning
        if !seen[key] { escapes.append(256 + firstIndex * digits.count + secondIndex) }
        seen[key] = true
      }
    }
    return escapes
  }

  /// Returns for each escaped value the number of its meaning to the patterns of the decoded form.
  ///
  /// The number is -1 if another unit that means the same is read anyway.
  private func escapeMeanings(
    in state: TextState, awaited: ByteSet, readsAll: Bool
  ) -> [Int] {
    guard hasDecoded else { return Array(repeating: 0, count: 256) }
    // Values that no pattern distinguishes differ in the bytes that have to follow.
    var known: [(pending: PendingScalar?, number: Int)] = []
    var count = 0
    return (0...255).map { (value: UInt8) in
      let isAwaited = awaited.contains(value)
      let pending = state.pending.reading(value)
      let isRead =
        value < 0x80
        ? isAwaited && value > 0 && (!canHold(value) || readsItems && isSpecial(value))
        : pending != nil && (isAwaited || state.pending.count > 0)
      guard readsAll || isRead else { return -1 }
      let isAlone = isAwaited || value == 0 || part == .path && isSpecial(value)
      if !isAlone, let same = known.first(where: { $0.pending == pending }) { return same.number }
      if !isAlone { known.append((pending, count)) }
      count += 1
      return count - 1
    }
  }
}

/// The state of a text that has been read: everything that can still matter for any condition.
struct TextState: Hashable {
  /// The state of each automaton, by the place of its row.
  var rows = SIMD4<Int32>()

  /// The last byte of each automaton's text if path normalization joins the same byte to it, or 0.
  var last = SIMD4<UInt8>()

  /// Whether each automaton's text has ended with a NUL, and whether it isn't UTF-8, so that it
  /// counts as empty.
  var isEnded = SIMDMask<SIMD4<Int8>>()
  var isInvalid = SIMDMask<SIMD4<Int8>>()

  /// The conditions that an item has failed, and those that one fulfils while the lack of one
  /// wouldn't, as bit sets.
  var failed: [UInt64] = []
  var fulfilled: [UInt64] = []

  /// The rest of a scalar of several bytes of the decoded text.
  var pending = PendingScalar()

  var phase = ItemPhase.none

  func hash(into hasher: inout Hasher) {
    // States that only differ in the rest are few.
    hasher.combine(rows)
    hasher.combine(failed)
    hasher.combine(fulfilled)
    hasher.combine(pending.count)
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

  /// Returns the bytes that have to follow after another byte, or `nil` if that can't be next.
  func reading(_ byte: UInt8) -> PendingScalar? {
    if count > 0 { return next.contains(byte) ? PendingScalar(count: count - 1) : nil }
    return switch byte {
    case ..<0x80: self
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
