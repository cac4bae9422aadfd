internal import Foundations

/// Reads texts of one part of URLs, along the patterns of all conditions at once.
///
/// A text is read as a URL spells it: bytes that a URL can hold, and escapes. The conditions are
/// compared with its encoded form, its decoded form, and both case-folded (Matching.md, 3). So each
/// condition advances by the meaning of a byte or an escape in its form.
struct TextReader {
  enum Part {
    case path
    case query
    case fragment
  }

  /// A condition, or the name of query items, which is a pattern of its own.
  struct Owner {
    var isDecoded: Bool
    var isFolded: Bool

    /// Whether the pattern is compared with names or values of items rather than
    /// with the whole text.
    var isOfItems: Bool
    var start: Int32

    /// Whether the condition matches the empty text, which represents a part that is missing,
    /// empty, or not UTF-8.
    var matchesNothing = false

    /// Of the rules that need only this condition, the first one of each list.
    var decides: [Int] = []

    /// Of the rules that need it, the first one of each list.
    var uses: [Int] = []
  }

  /// A name of items, and the conditions on their values.
  struct Name {
    var isEmpty: Bool
    var owner: Int
    var conditions: [Int] = []
  }

  let part: Part
  private(set) var graph = PatternGraph()

  /// The conditions, followed by the names.
  private(set) var owners: [Owner] = []
  private(set) var names: [Name] = []
  let conditionCount: Int
  private(set) var hasEncoded = false
  private(set) var hasDecoded = false
  private(set) var hasWhole = false
  private(set) var readsItems = false

  /// Positions from here on are marks: for each owner, three of them.
  private(set) var firstMark: Int32 = 0

  // Space for one step.
  private var reached: [Int32] = []
  private var entering: [(position: Int32, mustRead: Bool)] = []
  private var stamps: [UInt32] = []
  private var stamp: UInt32 = 0

  /// The number of moved positions, a measure of the work done.
  var work = 0

  /// The scalars that were awaited last, and the positions that await them.
  var awaited: (positions: [Int32], scalars: [Unicode.Scalar])?

  /// The rules, for their lists.
  private let rules: [RuleTable.Rule]

  /// Reads texts along some conditions.
  ///
  /// - Parameters:
  ///   - positions: The positions of the conditions in the table.
  ///   - part: The part of URLs that is read.
  ///   - table: The rules.
  init(_ positions: [Int], part: Part, table: RuleTable) {
    let conditions = positions.map { table.conditions[$0] }
    (self.part, rules) = (part, table.rules)
    conditionCount = conditions.count
    for (index, condition) in conditions.enumerated() {
      let isItem = if case .item = condition.part { true } else { false }
      let start = graph.add(condition.tokens, owner: Int32(index))
      let uses = table.uses[positions[index]]
      let decides = uses.filter { table.rules[$0].conditions?.count == 1 }
      // Rules are numbered list by list.
      func firstOfLists(_ rules: [Int]) -> [Int] {
        var firsts: [Int] = []
        for rule in rules
        where firsts.last.map({ table.rules[$0].list != table.rules[rule].list }) ?? true {
          firsts.append(rule)
        }
        return firsts
      }
      owners.append(
        Owner(
          isDecoded: condition.form == .decoded, isFolded: condition.ignoresCase, isOfItems: isItem,
          start: start,
          decides: isItem ? [] : firstOfLists(decides), uses: firstOfLists(uses)))
    }
    addNames(conditions)
    for owner in owners {
      if owner.isDecoded { hasDecoded = true } else { hasEncoded = true }
      if owner.isOfItems { readsItems = true } else { hasWhole = true }
    }
    firstMark = Int32(graph.nodes.count)
    stamps = Array(repeating: 0, count: 2 * graph.nodes.count)
    for index in 0..<conditionCount {
      var state = TextState()
      enterAll([owners[index].start], &state)
      if part == .path { moveText(UInt8(ascii: "/"), &state) }
      owners[index].matchesNothing = state.positions.contains { isEnd($0) }
    }
  }

  private mutating func addNames(_ conditions: [Condition]) {
    var known: [[UInt8]: [Bool: Int]] = [:]
    for (index, condition) in conditions.enumerated() {
      guard case .item(let name) = condition.part else { continue }
      let isDecoded = condition.form == .decoded
      if let position = known[name]?[isDecoded] {
        names[position].conditions.append(index)
        continue
      }
      known[name, default: [:]][isDecoded] = names.count
      let owner = owners.count
      let tokens: [PatternToken] = name.isEmpty ? [] : [.literal(name)]
      let start = graph.add(tokens, owner: Int32(owner))
      owners.append(
        Owner(isDecoded: isDecoded, isFolded: false, isOfItems: true, start: start))
      names.append(Name(isEmpty: name.isEmpty, owner: owner, conditions: [index]))
    }
  }

  /// A Boolean value indicating whether an escape can mean something that its decoded byte can't.
  ///
  /// To the encoded form, an escape is three characters. It never splits items, and a part of a
  /// query may not be UTF-8 on its own.
  var readsAllEscapes: Bool { hasDecoded && (hasEncoded || readsItems && hasWhole) }

  // MARK: - Beginning

  /// The state before every text; a path has begun with its slash.
  mutating func start() -> TextState {
    var state = TextState()
    enterAll(
      owners.indices.filter { $0 < conditionCount && !owners[$0].isOfItems }.map {
        owners[$0].start
      } + names.map { owners[$0.owner].start }, &state)
    if part == .path { read(UInt8(ascii: "/"), &state) }
    return state
  }

  // MARK: - Reading

  /// Reads a byte that isn't part of an escape.
  mutating func read(_ byte: UInt8, _ state: inout TextState) {
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
    moveEncoded(byte, true, items, &state)
    decode(byte, items: items, &state)
    forgetDecided(&state)
  }

  /// Reads an escape: two hexadecimal digits as they are spelled, and their value.
  mutating func readEscape(
    _ first: UInt8, _ second: UInt8, _ value: UInt8, _ state: inout TextState
  ) {
    if readsItems, state.phase == .none { state.phase = .name }
    for byte in [UInt8(ascii: "%"), first, second] {
      moveEncoded(byte, true, readsItems, &state)
    }
    decode(value, items: readsItems, &state)
    forgetDecided(&state)
  }

  /// Moves the patterns of the encoded form only.
  mutating func moveEncoded(_ byte: UInt8, _ whole: Bool, _ items: Bool, _ state: inout TextState) {
    if part == .path {
      let joins = byte == UInt8(ascii: "/") || byte == UInt8(ascii: "*")
      if joins, state.lastEncoded == byte { return }
      state.lastEncoded = joins ? byte : 0
    }
    if hasEncoded {
      move(ScalarText(ascii: byte), isDecoded: false, whole: whole, items: items, &state)
    }
  }

  private mutating func moveText(_ byte: UInt8, _ state: inout TextState) {
    for isDecoded in [false, true] {
      move(ScalarText(ascii: byte), isDecoded: isDecoded, whole: true, items: false, &state)
    }
  }

  private mutating func decode(_ byte: UInt8, items: Bool, _ state: inout TextState) {
    guard hasDecoded else { return }
    guard byte >= 0x80 else {
      endScalar(&state)
      if byte == 0 {
        state.flags.insert(.isEnded)
        if items { state.flags.insert(.isItemEnded) }
      } else {
        moveDecoded(ScalarText(ascii: byte), byte, items: items, &state)
      }
      return
    }
    let awaited = awaitedScalars(in: state)
    switch state.pending.reading(byte, awaited: awaited) {
    case .pending(let pending): state.pending = pending
    case .awaited(let scalar):
      state.pending = .none
      moveDecoded(ScalarText(scalar), 0, items: items, &state)
    case .other:
      state.pending = .none
      moveDecoded(ScalarText(), 0, items: items, &state)
    case .invalid:
      state.pending = .none
      invalidate(&state)
    }
  }

  private mutating func moveDecoded(
    _ text: ScalarText, _ byte: UInt8, items: Bool, _ state: inout TextState
  ) {
    let isOver = state.flags.contains(.isEnded) || state.flags.contains(.isInvalid)
    var whole = !isOver
    if part == .path, !isOver {
      let joins = byte == UInt8(ascii: "/") || byte == UInt8(ascii: "*")
      if joins, state.lastDecoded == byte { whole = false }
      state.lastDecoded = joins ? byte : 0
    }
    let items =
      items && !state.flags.contains(.isItemEnded) && !state.flags.contains(.isItemInvalid)
    move(text, isDecoded: true, whole: whole, items: items, &state)
  }

  /// Ends a scalar; an incomplete one makes the text invalid.
  mutating func endScalar(_ state: inout TextState) {
    guard state.pending != .none else { return }
    state.pending = .none
    invalidate(&state)
  }

  private func invalidate(_ state: inout TextState) {
    state.flags.insert(.isInvalid)
    if readsItems { state.flags.insert(.isItemInvalid) }
    state.positions.removeAll { position in
      position < firstMark && owners[Int(graph.nodes[Int(position)].owner)].isDecoded
    }
    state.lastDecoded = 0
  }

  // MARK: - Moving

  /// Moves the patterns of a form past a scalar.
  mutating func move(
    _ text: ScalarText, isDecoded: Bool, whole: Bool, items: Bool, _ state: inout TextState
  ) {
    beginStep()
    work += state.positions.count + 1
    for position in state.positions {
      guard position < firstMark else {
        reached.append(position)
        continue
      }
      let node = graph.nodes[Int(position)]
      let owner = owners[Int(node.owner)]
      guard owner.isDecoded == isDecoded, owner.isOfItems ? items : whole else {
        reached.append(position)
        continue
      }
      switch node.kind {
      case .any: enter(node.next, mustRead: false)
      case .run, .lastRun: enter(position, mustRead: false)
      case .byte, .values:
        let bytes = owner.isFolded ? text.folded : text.plain
        guard !bytes.isEmpty else { continue }
        var target: Int32? = position
        for byte in bytes { target = target.flatMap { graph.target(of: $0, reading: byte) } }
        if let target { enter(target, mustRead: false) }
      case .fork, .end: break
      }
    }
    state.positions = finishStep()
  }

  mutating func enterAll(_ starts: [Int32], _ state: inout TextState) {
    beginStep()
    reached = state.positions
    for start in starts { enter(start, mustRead: false) }
    state.positions = finishStep()
  }

  private mutating func beginStep() {
    stamp += 1
    reached.removeAll(keepingCapacity: true)
  }

  /// Adds a node and all nodes that can be reached from it without reading.
  ///
  /// - Parameters:
  ///   - position: The node.
  ///   - mustRead: Whether input must be left.
  private mutating func enter(_ position: Int32, mustRead: Bool) {
    // A list instead of recursion: a value can be a hundred thousand stars.
    entering.append((position, mustRead))
    while let (position, mustRead) = entering.popLast() {
      let slot = 2 * Int(position) + (mustRead ? 1 : 0)
      guard stamps[slot] != stamp else { continue }
      stamps[slot] = stamp
      work += 1
      let node = graph.nodes[Int(position)]
      switch node.kind {
      case .byte, .any: insert(position)
      case .end: if !mustRead { insert(position) }
      case .run:
        insert(position)
        entering.append((node.next, true))
      case .lastRun: if mustRead { insert(node.next) } else { insert(position) }
      case .values:
        if node.firstEdge < node.edgeEnd { insert(position) }
        if node.next >= 0 { entering.append((node.next, mustRead)) }
      case .fork:
        for edge in Int(node.firstEdge)..<Int(node.edgeEnd) {
          entering.append((graph.edgeTargets[edge], mustRead))
        }
      }
    }
  }

  private mutating func insert(_ position: Int32) { reached.append(position) }

  /// The positions that have been reached, in order, without those that a later star makes
  /// redundant.
  private mutating func finishStep() -> [Int32] {
    reached.sort()
    var kept: [Int32] = []
    kept.reserveCapacity(reached.count)
    var index = 0
    while index < reached.count {
      guard reached[index] < firstMark else {
        kept += reached[index...]
        break
      }
      let owner = graph.nodes[Int(reached[index])].owner
      var (end, highest) = (index, Int32.min)
      while end < reached.count, reached[end] < firstMark,
        graph.nodes[Int(reached[end])].owner == owner
      {
        highest = max(highest, graph.nodes[Int(reached[end])].order)
        end += 1
      }
      while index < end {
        let position = reached[index]
        if graph.nodes[Int(position)].order == highest, kept.last != position {
          kept.append(position)
        }
        index += 1
      }
    }
    return kept
  }

  /// Drops conditions that can no longer decide, because an earlier rule matches any continuation.
  private mutating func forgetDecided(_ state: inout TextState) {
    work += state.positions.count
    var deciding: [Int: Int] = [:]
    for position in state.positions where position < firstMark {
      let node = graph.nodes[Int(position)]
      guard node.kind == .lastRun else { continue }
      // Decoded text can still turn out not to be UTF-8.
      if owners[Int(node.owner)].isDecoded, readsAllEscapes { continue }
      work += owners[Int(node.owner)].decides.count
      for rule in owners[Int(node.owner)].decides {
        deciding[rules[rule].list] = min(deciding[rules[rule].list] ?? Int.max, rule)
      }
    }
    guard !deciding.isEmpty else { return }
    var isNeeded: [Int32: Bool] = [:]
    var asked = 0
    defer { work += asked }
    state.positions.removeAll { position in
      guard position < firstMark else { return false }
      let owner = graph.nodes[Int(position)].owner
      guard !owners[Int(owner)].isOfItems else { return false }
      if let known = isNeeded[owner] { return !known }
      let needed = owners[Int(owner)].uses.contains {
        asked += 1
        return $0 <= deciding[rules[$0].list] ?? Int.max
      }
      isNeeded[owner] = needed
      return !needed
    }
  }
}

/// A scalar as patterns compare it; empty if no pattern waits for it.
struct ScalarText {
  var plain: [UInt8] = []
  var folded: [UInt8] = []

  init() {}

  init(ascii byte: UInt8) {
    plain = [byte]
    folded = [byte.asciiLowercased]
  }

  init(_ scalar: Unicode.Scalar) {
    plain = Array(scalar.utf8)
    folded = Array(SimpleCaseFolding.fold(scalar).utf8)
  }
}
