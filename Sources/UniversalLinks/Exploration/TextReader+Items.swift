extension TextReader {
  /// What has to be kept of the items that have been read.
  enum Mark: Int32 {
    /// Of a condition: an item has failed it.
    case failed

    /// Of a condition: an item fulfils it, where the lack of one wouldn't.
    case fulfilled

    /// Of a name: the value that is being read is that of such an item.
    case named
  }

  func mark(_ mark: Mark, _ owner: Int) -> Int32 {
    firstMark + 3 * Int32(owner) + mark.rawValue
  }

  func has(_ mark: Mark, _ owner: Int, _ state: TextState) -> Bool {
    state.positions.contains(self.mark(mark, owner))
  }

  mutating func beginItem(_ state: inout TextState) {
    state.phase = .name
    state.flags.remove(.isItemEnded)
    state.flags.remove(.isItemInvalid)
    enterAll(names.map { owners[$0.owner].start }, &state)
  }

  /// Goes on from the name of an item to its value.
  mutating func endName(_ state: inout TextState) {
    let found = names.filter { isNamed($0, state) }
    dropItemPositions(&state)
    state.phase = .value
    state.flags.remove(.isItemEnded)
    state.flags.remove(.isItemInvalid)
    var starts: [Int32] = []
    for name in found {
      state.positions.append(mark(.named, name.owner))
      for condition in name.conditions where !has(.failed, condition, state) {
        starts.append(owners[condition].start)
      }
    }
    enterAll(starts, &state)
  }

  private func isNamed(_ name: Name, _ state: TextState) -> Bool {
    owners[name.owner].isDecoded && state.flags.contains(.isItemInvalid)
      ? name.isEmpty : isAtEnd(name.owner, state)
  }

  /// Ends an item, whose name or value has been read.
  mutating func endItem(_ state: inout TextState) {
    let isValue = state.phase == .value
    for name in names
    where isValue ? has(.named, name.owner, state) : isNamed(name, state) {
      for index in name.conditions where !has(.failed, index, state) {
        let condition = owners[index]
        let isNothing =
          !isValue || condition.isDecoded && state.flags.contains(.isItemInvalid)
        if !(isNothing ? condition.matchesNothing : isAtEnd(index, state)) {
          state.positions.removeAll { $0 == mark(.fulfilled, index) }
          state.positions.append(mark(.failed, index))
        } else if !condition.matchesNothing, !has(.fulfilled, index, state) {
          state.positions.append(mark(.fulfilled, index))
        }
      }
    }
    dropItemPositions(&state)
    state.positions.removeAll { position in
      names.contains { mark(.named, $0.owner) == position }
    }
    state.positions.sort()
  }

  private func dropItemPositions(_ state: inout TextState) {
    state.positions.removeAll { position in
      position < firstMark && owners[Int(graph.nodes[Int(position)].owner)].isOfItems
    }
  }
}
