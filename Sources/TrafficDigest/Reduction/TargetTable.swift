/// The counts of one worker: for each host and target, and for each combination
/// of dimensions that occurred, a number of requests.
///
/// Most targets of a log have one combination only, so the first is stored with
/// the target; all others are found through a second table.
struct TargetTable: ~Copyable {
  /// A number of requests of one target that agree in all dimensions.
  struct Cell: BitwiseCopyable {
    /// The dimensions, packed.
    var dimensions: UInt64

    /// The number of the referring page's template plus one, or 0 for none.
    var referrer: UInt32

    /// The next cell of the target plus one, or 0 for none.
    var next: UInt32

    var count: UInt64

    /// The target that the cell counts.
    var target: UInt64
  }

  /// The targets; the scope is the number of the host.
  private(set) var targets = ByteTable(capacity: 1024)

  /// The first cell of each target.
  private var heads = Slab<Cell>(capacity: 1024)

  /// The cells beyond the first of each target.
  private var others = Slab<Cell>(capacity: 256)

  /// For each slot, the number of one of `others` plus one, or 0.
  private var slots = Slab<UInt32>(repeating: 0, count: 512)

  /// The number of distinct targets.
  var count: Int { targets.count }

  /// Counts a request.
  @inline(__always)
  mutating func add(
    _ target: Span<UInt8>, host: UInt32, dimensions: UInt64, referrer: UInt32, count: UInt64 = 1
  ) {
    let (id, isNew) = targets.insert(target, scope: host)
    if isNew {
      heads.append(
        Cell(
          dimensions: dimensions, referrer: referrer, next: 0, count: count, target: UInt64(id)))
    } else if heads[id].dimensions == dimensions, heads[id].referrer == referrer {
      heads[id].count += count
    } else {
      addToOthers(id, dimensions: dimensions, referrer: referrer, count: count)
    }
  }

  /// Counts a request.
  mutating func add(_ target: [UInt8], host: UInt32, dimensions: UInt64, referrer: UInt32) {
    add(target.span, host: host, dimensions: dimensions, referrer: referrer)
  }

  private static func hash(_ target: UInt64, _ dimensions: UInt64, _ referrer: UInt32) -> Int {
    Int(truncatingIfNeeded: ByteHash.hash(dimensions, target << 32 | UInt64(referrer)))
  }

  private mutating func addToOthers(
    _ id: Int, dimensions: UInt64, referrer: UInt32, count: UInt64
  ) {
    let mask = slots.count - 1
    var slot = Self.hash(UInt64(id), dimensions, referrer) & mask
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      let cell = others[index]
      if cell.dimensions == dimensions, cell.target == UInt64(id), cell.referrer == referrer {
        others[index].count += count
        return
      }
      slot = (slot + 1) & mask
    }
    others.append(
      Cell(
        dimensions: dimensions, referrer: referrer, next: heads[id].next, count: count,
        target: UInt64(id)))
    heads[id].next = UInt32(others.count)
    slots[slot] = UInt32(others.count)
    if others.count * 2 > slots.count { rehash() }
  }

  private mutating func rehash() {
    slots = Slab(repeating: 0, count: slots.count * 2)
    let mask = slots.count - 1
    for index in 0..<others.count {
      let cell = others[index]
      var slot = Self.hash(cell.target, cell.dimensions, cell.referrer) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(index + 1)
    }
  }

  /// Calls `body` with each cell of a target.
  @inline(__always)
  func forEachCell(of target: Int, _ body: (Cell) -> Void) {
    var cell = heads[target]
    body(cell)
    while cell.next != 0 {
      cell = others[Int(cell.next) - 1]
      body(cell)
    }
  }
}
