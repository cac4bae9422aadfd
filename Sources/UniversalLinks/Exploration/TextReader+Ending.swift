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
    work += conditionCount
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
