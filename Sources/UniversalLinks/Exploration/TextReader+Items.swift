/// Reads names and values of query items.
///
/// Any number of conditions can apply to query items, so the state is looked up once for all
/// conditions, never for each.
extension TextReader {
  /// The facts to remember about the items that have been read.
  enum Mark: Int32 {
    /// A condition that an item has failed.
    case failed

    /// A condition that an item fulfils, while the lack of one wouldn't.
    case fulfilled

    /// A name whose item's value is being read.
    case named
  }

  /// The cost of finding an element in a set, or of adding it, in moved positions.
  private static let setCost = 12

  func mark(_ mark: Mark, _ owner: Int) -> Int32 {
    firstMark + 3 * Int32(owner) + mark.rawValue
  }

  /// The marks among the positions of a state.
  func marks(of state: TextState) -> Set<Int32> {
    Set(state.positions.lazy.filter { $0 >= firstMark })
  }

  /// The owners that would match if their text ended here.
  private func endingOwners(of state: TextState) -> Set<Int> {
    var ending: Set<Int> = []
    for position in state.positions where isEnd(position) {
      ending.insert(Int(graph.nodes[Int(position)].owner))
    }
    return ending
  }

  mutating func beginItem(_ state: inout TextState) {
    state.phase = .name
    state.flags.remove(.isItemEnded)
    state.flags.remove(.isItemInvalid)
    enterAll(names.map { owners[$0.owner].start }, &state)
  }

  /// Continues from the name of an item to its value.
  mutating func endName(_ state: inout TextState) {
    work += names.count + Self.setCost * state.positions.count
    let (ending, marks) = (endingOwners(of: state), marks(of: state))
    let found = names.filter { isNamed($0, state, ending) }
    dropItemPositions(&state)
    state.phase = .value
    state.flags.remove(.isItemEnded)
    state.flags.remove(.isItemInvalid)
    var starts: [Int32] = []
    for name in found {
      state.positions.append(mark(.named, name.owner))
      work += Self.setCost * name.conditions.count
      for condition in name.conditions where !marks.contains(mark(.failed, condition)) {
        starts.append(owners[condition].start)
      }
    }
    enterAll(starts, &state)
  }

  private func isNamed(_ name: Name, _ state: TextState, _ ending: Set<Int>) -> Bool {
    owners[name.owner].isDecoded && state.flags.contains(.isItemInvalid)
      ? name.isEmpty : ending.contains(name.owner)
  }

  /// Ends an item, whose name or value has been read.
  mutating func endItem(_ state: inout TextState) {
    work += names.count + Self.setCost * state.positions.count
    let isValue = state.phase == .value
    let ending = endingOwners(of: state)
    var marks = marks(of: state)
    for name in names
    where isValue ? marks.contains(mark(.named, name.owner)) : isNamed(name, state, ending) {
      work += Self.setCost * name.conditions.count
      for index in name.conditions where !marks.contains(mark(.failed, index)) {
        let condition = owners[index]
        let isNothing =
          !isValue || condition.isDecoded && state.flags.contains(.isItemInvalid)
        if !(isNothing ? condition.matchesNothing : ending.contains(index)) {
          marks.remove(mark(.fulfilled, index))
          marks.insert(mark(.failed, index))
        } else if !condition.matchesNothing {
          marks.insert(mark(.fulfilled, index))
        }
      }
    }
    for name in names { marks.remove(mark(.named, name.owner)) }
    dropItemPositions(&state)
    state.positions.removeAll { $0 >= firstMark }
    state.positions.append(contentsOf: marks.sorted())
  }

  private func dropItemPositions(_ state: inout TextState) {
    state.positions.removeAll { position in
      position < firstMark && owners[Int(graph.nodes[Int(position)].owner)].isOfItems
    }
  }
}

// The conditions that match if a text ends.
extension TextReader {
  /// Returns a Boolean value indicating whether a pattern at a position would match if its text
  /// ended here; marks are not such positions.
  func isEnd(_ position: Int32) -> Bool {
    guard position < firstMark else { return false }
    let kind = graph.nodes[Int(position)].kind
    return kind == .end || kind == .lastRun
  }

  /// The conditions that hold if the text ends here, ascending.
  mutating func conditions(endingAt state: TextState) -> [Int] {
    var state = state
    endScalar(&state)
    if part == .path {
      if state.lastEncoded == 0 { moveEncoded(UInt8(ascii: "/"), true, true, &state) }
      if state.lastDecoded == 0 {
        move(.init("/"), isDecoded: true, whole: true, items: false, &state)
      }
    }
    if state.phase != .none { endItem(&state) }
    work += state.positions.count
    // Positions are in the order of their conditions.
    var ending: [Int] = []
    for position in state.positions where isEnd(position) {
      let owner = Int(graph.nodes[Int(position)].owner)
      guard owner < conditionCount, ending.last != owner else { continue }
      ending.append(owner)
    }
    guard readsItems || state.flags.contains(.isInvalid) else { return ending }
    work += Self.setCost * conditionCount
    let (holding, marks) = (Set(ending), marks(of: state))
    return (0..<conditionCount).filter { index in
      let owner = owners[index]
      if owner.isOfItems {
        return !marks.contains(mark(.failed, index))
          && (owner.matchesNothing || marks.contains(mark(.fulfilled, index)))
      }
      return owner.isDecoded && state.flags.contains(.isInvalid)
        ? owner.matchesNothing : holding.contains(index)
    }
  }
}
