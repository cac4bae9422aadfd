internal import Foundations

/// Reads texts of one part of URLs, along the patterns of all conditions at once.
///
/// A text is read as a URL spells it: bytes that a URL can hold, and escapes. The conditions are
/// compared with its encoded form and with its decoded one (Matching.md, 3). So the reader takes the
/// product of the automata of both forms, each of which reads the meaning of a byte or an escape in
/// its form.
struct TextReader {
  /// A condition as texts are read.
  ///
  /// `isItem` says whether values of query items are compared instead of whole texts, and
  /// `matchesNothing` whether a text that is missing, empty, or not UTF-8 matches.
  /// `uses` has the first rule of each list that needs the condition, and `decides` the first that
  /// needs no other.
  private typealias Reading = (
    form: TextForm, isItem: Bool, matchesNothing: Bool, decides: [Int], uses: [Int]
  )

  let part: RuleDefinition.Part

  private var conditions: [Reading] = []

  /// The conditions on the values of items, by name.
  ///
  /// In the automata of items, the numbers of names follow those of conditions.
  private var conditionsOfNames: [[Int]] = []

  /// The conditions on items that hold if no item has the name, as a bit set.
  private var itemsMatchingNothing: [UInt64] = []

  /// The automata of whole texts and of query items, by form.
  private var automata: [LazyAutomaton?]
  private(set) var hasDecoded = false
  private(set) var readsItems = false

  /// A Boolean value indicating whether an escape can mean something that its decoded byte can't.
  ///
  /// To the encoded form, an escape is three characters. It never splits items, and a part of a
  /// query may not be UTF-8 on its own.
  private(set) var readsAllEscapes = false

  /// Bytes that texts can hold unescaped, one of each class that no automaton distinguishes, in the
  /// order in which examples prefer them.
  private(set) var representatives: [UInt8] = []

  var work = 0

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
    (self.part, rules) = (part, table.rules)
    listCount = table.firstRules.count
    var builders = [PatternProgramBuilder?](repeating: nil, count: TextForm.allCases.count * 2)
    // By form and name.
    var names = [[[UInt8]: Int]](repeating: [:], count: TextForm.allCases.count)
    for (number, position) in positions.enumerated() {
      let condition = table.conditions[position]
      let (isItem, name) = (condition.part == .queryItem, condition.name)
      if isItem {
        let index = names[condition.form.rawValue][name] ?? conditionsOfNames.count
        if index == conditionsOfNames.count { conditionsOfNames.append([]) }
        names[condition.form.rawValue][name] = index
        conditionsOfNames[index].append(number)
      }
      // Rules are numbered list by list.
      func firstOfLists(_ rules: [Int]) -> [Int] {
        var firsts: [Int] = []
        for rule in rules
        where firsts.last.map({ table.rules[$0].list != table.rules[rule].list }) ?? true {
          firsts.append(rule)
        }
        return firsts
      }
      let uses = table.uses[position]
      let decides = isItem ? [] : uses.filter { table.rules[$0].conditions?.count == 1 }
      conditions.append(
        (
          condition.form, isItem, condition.pattern.matches(part == .path ? "/" : ""),
          firstOfLists(decides), firstOfLists(uses)
        ))
      let index = Self.automaton(condition.form, ofItems: isItem)
      if builders[index] == nil { builders[index] = PatternProgramBuilder(condition.form) }
      let count = PatternProgramBuilder.positionCount(
        of: condition.pattern.tokens, ignoresCase: condition.pattern.ignoresCase)
      let prefix = condition.part.prefix(condition.name)
      positionSize += Self.bytesOfPosition * (prefix.count + count)
      guard positionSize < limits.size else { return nil }
      builders[index]?.add(condition.pattern, after: prefix, number: number)
    }
    // Laying out a position costs about as much as reading a byte, and each program has its classes.
    work = Self.programCost + positionSize / Self.bytesOfPosition
    // Whether an item has a name.
    for (form, names) in names.enumerated() {
      for (name, index) in names {
        builders[2 * form + 1]?.add(
          Pattern([.anyRun], ignoresCase: false), after: RuleDefinition.Part.queryItem.prefix(name),
          number: conditions.count + index)
      }
    }
    var positionsLeft = Int.max
    automata = builders.map { builder in
      builder.map { LazyAutomaton(PatternProgram($0, positionsLeft: &positionsLeft)) }
    }
    itemsMatchingNothing = [UInt64](bitCount: conditions.count)
    for (number, condition) in conditions.enumerated()
    where condition.isItem && condition.matchesNothing {
      itemsMatchingNothing.insertBit(number)
    }
    let hasEncoded = automata[0] != nil || automata[1] != nil
    hasDecoded = automata[2] != nil || automata[3] != nil
    readsItems = !conditionsOfNames.isEmpty
    let hasWhole = automata[0] != nil || automata[2] != nil
    readsAllEscapes = hasDecoded && (hasEncoded || readsItems && hasWhole)
    var known: Set<UInt64> = []
    for byte in TextUnit.preferredBytes where canHold(byte) {
      var key: UInt64 = isSpecial(byte) ? UInt64(byte) : 0
      for index in automata.indices {
        key = key << 8 | UInt64(automata[index]?.byteClass(byte) ?? 0)
      }
      if known.insert(key).inserted { representatives.append(byte) }
    }
  }

  func canHold(_ byte: UInt8) -> Bool {
    PercentEncoding.isAllowed(byte) && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "#")
      && !(part == .path && byte == UInt8(ascii: "?"))
  }

  /// Whether normalization joins a byte to the same one before it, or it separates query items.
  func isSpecial(_ byte: UInt8) -> Bool {
    switch part {
    case .path: byte == UInt8(ascii: "/") || byte == UInt8(ascii: "*")
    case .query: readsItems && (byte == UInt8(ascii: "&") || byte == UInt8(ascii: "="))
    case .fragment, .queryItem: false
    }
  }

  private static func automaton(_ form: TextForm, ofItems: Bool) -> Int {
    2 * form.rawValue + (ofItems ? 1 : 0)
  }

  /// The number of bytes of memory that the automata and their states use.
  var size: Int { automata.reduce(positionSize) { $0 + ($1?.size ?? 0) } }

  /// About the number of bytes of memory that a state of the text uses.
  var stateSize: Int { 300 + 16 * itemsMatchingNothing.count }

  // MARK: - Beginning

  /// The state before every text; a path has begun with its slash.
  mutating func start() -> TextState {
    var state = TextState()
    if readsItems {
      let none = [UInt64](bitCount: conditions.count)
      (state.failed, state.fulfilled) = (none, none)
    }
    for index in automata.indices {
      if let row = automata[index]?.start() { state.rows[index] = Int32(row) }
    }
    if part == .path { read(UInt8(ascii: "/"), &state) }
    return state
  }

  // MARK: - Reading

  mutating func read(_ byte: UInt8, _ state: inout TextState) {
    work += 1 + itemsMatchingNothing.count / 16
    var items = readsItems
    if readsItems {
      let begins = byte == UInt8(ascii: "&")
      let separates = byte == UInt8(ascii: "=") && state.phase != .value
      if begins || separates {
        endScalar(&state)
        items = false
        if begins { endItem(&state) } else { endName(&state) }
      }
      if begins {
        beginItem(&state)
      } else if state.phase == .none, !separates {
        state.phase = .name
      }
    }
    readEncoded(byte, items: items, &state)
    decode(byte, items: items, &state)
    forgetDecided(&state)
  }

  /// Reads an escape: two hexadecimal digits as they are spelled, and their value.
  mutating func readEscape(
    _ first: UInt8, _ second: UInt8, _ value: UInt8, _ state: inout TextState
  ) {
    work += 3 + itemsMatchingNothing.count / 16
    if readsItems, state.phase == .none { state.phase = .name }
    for byte in [UInt8(ascii: "%"), first, second] {
      readEncoded(byte, items: readsItems, &state)
    }
    decode(value, items: readsItems, &state)
    forgetDecided(&state)
  }

  mutating func readEncoded(_ byte: UInt8, items: Bool, _ state: inout TextState) {
    if part == .path {
      let joins = isSpecial(byte)
      if joins, state.lastEncoded == byte { return }
      state.lastEncoded = joins ? byte : 0
    }
    move(byte, .encoded, ofItems: false, &state)
    if items { move(byte, .encoded, ofItems: true, &state) }
  }

  private mutating func decode(_ byte: UInt8, items: Bool, _ state: inout TextState) {
    guard hasDecoded else { return }
    if byte < 0x80 {
      endScalar(&state)
    } else if let pending = state.pending.reading(byte) {
      state.pending = pending
    } else {
      state.pending = PendingScalar()
      return invalidate(&state)
    }
    if byte == 0 {
      state.isEnded = true
      if items { state.isItemEnded = true }
      return
    }
    if !state.isEnded, !state.isInvalid {
      let joins = part == .path && isSpecial(byte)
      if !joins || state.lastDecoded != byte { move(byte, .decoded, ofItems: false, &state) }
      if part == .path { state.lastDecoded = joins ? byte : 0 }
    }
    if items, !state.isItemEnded, !state.isItemInvalid {
      move(byte, .decoded, ofItems: true, &state)
    }
  }

  /// Ends a scalar; an incomplete one makes the text invalid.
  private mutating func endScalar(_ state: inout TextState) {
    guard state.pending != PendingScalar() else { return }
    state.pending = PendingScalar()
    invalidate(&state)
  }

  private mutating func invalidate(_ state: inout TextState) {
    state.isInvalid = true
    state.lastDecoded = 0
    restrict(.decoded, ofItems: false, &state) { _ in false }
    guard readsItems else { return }
    state.isItemInvalid = true
    // Of the item, only its name still matters, if that has been read.
    let (count, isValue) = (conditions.count, state.phase == .value)
    restrict(.decoded, ofItems: true, &state) { isValue && $0 >= count }
  }

  private mutating func move(
    _ byte: UInt8, _ form: TextForm, ofItems: Bool, _ state: inout TextState
  ) {
    let index = Self.automaton(form, ofItems: ofItems)
    let row = automata[index]?.next(Int(state.rows[index]), byte, work: &work)
    if let row { state.rows[index] = Int32(row) }
  }

  /// Makes the automaton of a form forget all patterns but some.
  private mutating func restrict(
    _ form: TextForm, ofItems: Bool, _ state: inout TextState, to isNeeded: (Int) -> Bool
  ) {
    let index = Self.automaton(form, ofItems: ofItems)
    let row = automata[index]?.restrict(Int(state.rows[index]), work: &work) { isNeeded(Int($0)) }
    if let row { state.rows[index] = Int32(row) }
  }

  /// Drops conditions that can no longer decide, because an earlier rule matches any continuation.
  private mutating func forgetDecided(_ state: inout TextState) {
    // The first rule that decides by list; empty if none does.
    var deciding: [Int] = []
    // Decoded text can still turn out not to be UTF-8.
    for form in readsAllEscapes ? [.encoded] : TextForm.allCases {
      let index = Self.automaton(form, ofItems: false)
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
    for form in TextForm.allCases {
      restrict(form, ofItems: false, &state) { condition in
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

  /// Returns the bytes that patterns of a form wait for.
  mutating func awaitedBytes(_ form: TextForm, in state: TextState) -> ByteSet {
    var bytes = ByteSet()
    for ofItems in [false, true] {
      let index = Self.automaton(form, ofItems: ofItems)
      let awaited = automata[index]?.awaitedBytes(Int(state.rows[index]), work: &work)
      if let awaited { bytes.formUnion(awaited) }
    }
    return bytes
  }

  /// Returns the patterns that match if the text that an automaton reads ends here, ascending.
  private mutating func matches(_ form: TextForm, ofItems: Bool, _ state: TextState) -> [Int] {
    let index = Self.automaton(form, ofItems: ofItems)
    let found = automata[index]?.matches(Int(state.rows[index])).map(Int.init) ?? []
    work += found.count
    return found
  }

  /// Returns the conditions that hold if the text ends here, ascending.
  mutating func conditions(endingAt state: TextState) -> [Int] {
    var state = state
    endScalar(&state)
    if part == .path {
      let slash = UInt8(ascii: "/")
      if state.lastEncoded == 0 { move(slash, .encoded, ofItems: false, &state) }
      if state.lastDecoded == 0 { move(slash, .decoded, ofItems: false, &state) }
    }
    if state.phase != .none { endItem(&state) }
    var found = matches(.encoded, ofItems: false, state)
    if state.isInvalid {
      work += conditions.count
      found += conditions.indices.filter {
        let condition = conditions[$0]
        return condition.form == .decoded && !condition.isItem && condition.matchesNothing
      }
    } else {
      found += matches(.decoded, ofItems: false, state)
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
  private mutating func beginItem(_ state: inout TextState) {
    state.phase = .name
    (state.isItemEnded, state.isItemInvalid) = (false, false)
    for form in TextForm.allCases { beginItem(form, &state) }
  }

  /// Begins to read an item in a form, without the conditions that an item has failed.
  private mutating func beginItem(_ form: TextForm, _ state: inout TextState) {
    let index = Self.automaton(form, ofItems: true)
    guard let row = automata[index]?.start() else { return }
    state.rows[index] = Int32(row)
    let (failed, count) = (state.failed, conditions.count)
    guard failed.contains(where: { $0 != 0 }) else { return }
    restrict(form, ofItems: true, &state) { $0 >= count || !failed.hasBit($0) }
  }

  /// Continues from the name of an item to its value.
  private mutating func endName(_ state: inout TextState) {
    // A name that isn't UTF-8 counts as empty.
    if state.isItemInvalid { beginItem(.decoded, &state) }
    state.phase = .value
    (state.isItemEnded, state.isItemInvalid) = (false, false)
    for form in TextForm.allCases {
      move(RuleDefinition.Part.separator, form, ofItems: true, &state)
    }
  }

  /// Ends an item; one without `=` has an empty value.
  private mutating func endItem(_ state: inout TextState) {
    if state.phase != .value { endName(&state) }
    for form in TextForm.allCases {
      let found = matches(form, ofItems: true, state)
      guard found.last ?? 0 >= conditions.count else { continue }
      let isNothing = form == .decoded && state.isItemInvalid
      var matching = [UInt64](bitCount: conditions.count)
      for condition in found where condition < conditions.count { matching.insertBit(condition) }
      if isNothing { matching = itemsMatchingNothing }
      for name in found where name >= conditions.count {
        let named = conditionsOfNames[name - conditions.count]
        work += named.count
        count(named, matching: matching, &state.failed, &state.fulfilled)
      }
    }
  }

  /// Counts an item for the conditions on its name, of which some match its value.
  private func count(
    _ named: [Int], matching: [UInt64], _ failed: inout [UInt64], _ fulfilled: inout [UInt64]
  ) {
    var failed = failed.mutableSpan
    var fulfilled = fulfilled.mutableSpan
    for condition in named {
      let (word, bit) = (condition >> 6, UInt64(1) &<< UInt64(condition & 63))
      if matching[word] & bit == 0 {
        failed[word] |= bit
        fulfilled[word] &= ~bit
      } else if (itemsMatchingNothing[word] | failed[word]) & bit == 0 {
        fulfilled[word] |= bit
      }
    }
  }
}
