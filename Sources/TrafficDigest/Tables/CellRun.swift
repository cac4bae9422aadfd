/// How often something occurred with a target.
struct Cell: RadixSorted {
  /// In the upper half the number of the target, in the lower that of what it
  /// occurred with.
  var key: UInt64

  var count: UInt64

  var sortKey: UInt64 { key }
  var target: Int { Int(key >> 32) }
  var other: Int { Int(key & 0xFFFF_FFFF) }

  /// The key of a target and what it occurs with.
  @inline(__always)
  static func key(target: Int, other: UInt32) -> UInt64 {
    UInt64(target) << 32 | UInt64(other)
  }
}

/// Cells in ascending order of their keys, each key once.
final class CellRun: Sendable {
  let cells: Slab<Cell>

  init(_ cells: consuming Slab<Cell>) {
    self.cells = cells
  }

  /// Sorts keys and counts how often each of them occurs.
  ///
  /// - Parameters:
  ///   - keys: The keys; in no order afterwards.
  ///   - spare: Space for as many keys.
  convenience init(counting keys: inout Slab<UInt64>, spare: inout Slab<UInt64>) {
    RadixSort.sort(&keys, spare: &spare)
    var cells = Slab<Cell>(capacity: max(16, keys.count / 4))
    var index = 0
    while index < keys.count {
      let key = keys[index]
      let start = index
      while index < keys.count, keys[index] == key { index += 1 }
      cells.append(Cell(key: key, count: UInt64(index - start)))
    }
    self.init(cells)
  }

  /// Sorts counts, and adds up those of each key.
  ///
  /// - Parameters:
  ///   - counts: The counts; in no order afterwards.
  ///   - spare: Space for as many.
  convenience init(adding counts: inout Slab<Cell>, spare: inout Slab<Cell>) {
    RadixSort.sort(&counts, spare: &spare)
    var cells = Slab<Cell>(capacity: max(16, counts.count / 4))
    var index = 0
    while index < counts.count {
      var sum = counts[index]
      index += 1
      while index < counts.count, counts[index].key == sum.key {
        sum.count += counts[index].count
        index += 1
      }
      cells.append(sum)
    }
    self.init(cells)
  }

  /// Merges two runs; the counts of a key that is in both add up.
  convenience init(merging first: CellRun, _ second: CellRun) {
    var cells = Slab<Cell>(capacity: first.cells.count + second.cells.count)
    var (one, other) = (0, 0)
    while one < first.cells.count, other < second.cells.count {
      let (left, right) = (first.cells[one], second.cells[other])
      if left.key < right.key {
        cells.append(left)
        one += 1
      } else if right.key < left.key {
        cells.append(right)
        other += 1
      } else {
        cells.append(Cell(key: left.key, count: left.count + right.count))
        one += 1
        other += 1
      }
    }
    while one < first.cells.count {
      cells.append(first.cells[one])
      one += 1
    }
    while other < second.cells.count {
      cells.append(second.cells[other])
      other += 1
    }
    self.init(cells)
  }

  /// For each of some targets, the position of its first cell or of one after it,
  /// and the position after the last.
  func starts(ofTargets count: Int) -> Slab<UInt32> {
    var starts = Slab<UInt32>(capacity: count + 1)
    for cell in 0..<cells.count {
      while starts.count <= cells[cell].target { starts.append(UInt32(cell)) }
    }
    while starts.count <= count { starts.append(UInt32(cells.count)) }
    return starts
  }

  /// The position of the first cell of a target, or of one after it.
  func firstCell(ofTarget target: Int) -> Int {
    var (low, high) = (0, cells.count)
    while low < high {
      let middle = (low + high) / 2
      if cells[middle].target < target { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
