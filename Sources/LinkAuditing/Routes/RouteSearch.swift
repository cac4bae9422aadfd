/// Where a path could be while it is matched.
///
/// A value is used for path after path; it then keeps its space.
struct RouteSearch {
  /// The nodes in which the path could be, and those behind its next segment.
  private(set) var nodes: [Int32] = []
  private(set) var next: [Int32] = []

  /// The numbers of the items of the query that any route needs, each once.
  private(set) var items: [Int32] = []

  /// The step at which each node was last added, and each item.
  private var steps: [UInt64] = []
  private var itemSteps: [UInt64] = []
  private var step: UInt64 = 0
  private var text: [UInt8] = []

  /// A path with its escapes in upper case.
  mutating func raised(_ path: [UInt8]) -> [UInt8] {
    guard path.contains(UInt8(ascii: "%")) else { return path }
    text.removeAll(keepingCapacity: true)
    text += path
    RouteText.raiseEscapes(in: &text)
    return text
  }

  /// Begins at no node.
  mutating func begin(_ count: Int) {
    if steps.count < count {
      steps.append(contentsOf: repeatElement(0, count: count - steps.count))
    }
    items.removeAll(keepingCapacity: true)
    forget()
  }

  /// Begins a new step.
  mutating func forget() {
    step += 1
    next.removeAll(keepingCapacity: true)
  }

  mutating func insert(_ node: Int32) {
    guard steps[Int(node)] != step else { return }
    steps[Int(node)] = step
    next.append(node)
  }

  /// Makes the nodes behind a segment those in which the path could be.
  mutating func swap() { Swift.swap(&nodes, &next) }

  /// Finds the items of a query that any route needs.
  mutating func setItems(
    _ query: [UInt8], _ texts: ByteIndex, _ known: [QueryItemKey: Int32]
  ) {
    let query = raised(query)
    let bytes = query.span
    if itemSteps.count < known.count {
      itemSteps.append(contentsOf: repeatElement(0, count: known.count - itemSteps.count))
    }
    var start = 0
    while start < bytes.count {
      var (end, equals) = (start, -1)
      while end < bytes.count, bytes[end] != UInt8(ascii: "&") {
        if bytes[end] == UInt8(ascii: "="), equals < 0 { equals = end }
        end += 1
      }
      let nameEnd = equals < 0 ? end : equals
      if let name = texts.number(of: bytes.extracting(start..<nameEnd)) {
        insert(known[QueryItemKey(name: name, value: nil)])
        if let value = texts.number(of: bytes.extracting(min(nameEnd + 1, end)..<end)) {
          insert(known[QueryItemKey(name: name, value: value)])
        }
      }
      start = end + 1
    }
  }

  private mutating func insert(_ item: Int32?) {
    guard let item, itemSteps[Int(item)] != step else { return }
    itemSteps[Int(item)] = step
    items.append(item)
  }

  /// Returns a Boolean value indicating whether the query has an item.
  func hasItem(_ item: Int32) -> Bool {
    Int(item) < itemSteps.count && itemSteps[Int(item)] == step
  }
}
