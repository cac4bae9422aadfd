internal import Foundations

/// The targets of a digest: those that are in memory, and those in runs.
struct TargetSources: Sendable {
  var parts: [SortedPart] = []
  var runs: [DigestRun] = []
}

/// Several sources of targets read as one: targets in ascending order, each once, with the counts
/// of all sources added up.
struct RunMerge: ~Copyable {
  private var parts: [PartCursor] = []
  private var runs: [RunCursor] = []

  /// The targets at the cursors, first of parts, then of runs.
  private var keys: [TargetKey] = []

  /// The positions of cursors, as a heap: none precedes the one at half its position.
  private var heap: [Int] = []

  /// The target that was read last.
  var record = TargetRecord()

  /// Starts reading the targets of some sources from `lower` on and before `upper`.
  init(
    _ sources: TargetSources, from lower: TargetKey? = nil, to upper: TargetKey? = nil
  ) throws(DigestFileError) {
    for part in sources.parts {
      var cursor = PartCursor(part, from: lower, to: upper)
      var key = TargetKey()
      guard cursor.advance(to: &key) else { continue }
      parts.append(cursor)
      keys.append(key)
    }
    for run in sources.runs {
      var cursor = RunCursor(run, from: lower, to: upper)
      var key = TargetKey()
      guard try cursor.advance(to: &key) else { continue }
      runs.append(cursor)
      keys.append(key)
    }
    heap = Array(keys.indices)
    for position in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(position) }
  }

  /// Reads the next target.
  ///
  /// - Parameters:
  ///   - names: The templates; the record refers to them by number.
  ///   - keepsNames: Whether to keep the templates if they take too much memory.
  /// - Returns: Whether there is one.
  /// - Throws: ``DigestFileError`` if a run can't be read.
  mutating func next(
    names: inout ByteTable, keepsNames: Bool = false
  ) throws(DigestFileError) -> Bool {
    if !keepsNames, names.byteCount > TargetNames.byteLimit {
      names = ByteTable()
      forgetNames()
    }
    guard let first = heap.first else { return false }
    keys[first].copy(to: &record.key)
    record.removeCounts()
    // A run has the counts of a target in their order.
    var isInOrder = first >= parts.count
    try take(&names)
    while let next = heap.first, keys[next].isEqual(to: record.key) {
      try take(&names)
      isInOrder = false
    }
    if !isInOrder { record.coalesce(names: names) }
    return true
  }

  /// Discards the numbers of templates.
  mutating func forgetNames() {
    for cursor in runs.indices { runs[cursor].forgetNames() }
  }

  /// Adds the counts of the first cursor and advances it.
  private mutating func take(_ names: inout ByteTable) throws(DigestFileError) {
    let first = heap[0]
    let hasNext: Bool
    if first < parts.count {
      parts[first].addCounts(to: &record, names: &names)
      hasNext = parts[first].advance(to: &keys[first])
    } else {
      let run = first - parts.count
      try runs[run].addCounts(to: &record, names: &names)
      hasNext = try runs[run].advance(to: &keys[first])
    }
    if !hasNext {
      let last = heap.removeLast()
      if heap.isEmpty { return }
      heap[0] = last
    }
    sink(0)
  }

  private mutating func sink(_ start: Int) {
    var position = start
    while true {
      var least = 2 * position + 1
      guard least < heap.count else { return }
      if least + 1 < heap.count, precedes(least + 1, least) { least += 1 }
      guard precedes(least, position) else { return }
      heap.swapAt(least, position)
      position = least
    }
  }

  private func precedes(_ one: Int, _ other: Int) -> Bool { keys[heap[one]] < keys[heap[other]] }
}

extension DigestRun {
  /// The maximum number of runs that are read at a time; each is an open file, and other files are
  /// needed, too.
  static let fanIn = max(2, min(128, OpenFileLimit.count - 12))

  /// Merges sources into a run.
  static func merging(_ sources: TargetSources, in directory: String) throws(DigestFileError)
    -> DigestRun
  {
    var merge = try RunMerge(sources)
    let writer = try DigestWriter(in: directory)
    var names = ByteTable()
    while try merge.next(names: &names) { try writer.add(merge.record, names: names) }
    return try writer.finish()
  }

  /// Merges runs until all of them can be read at a time.
  static func limiting(
    _ runs: [DigestRun], in directory: String, jobs: Int
  ) throws(DigestFileError) -> [DigestRun] {
    var runs = runs
    while runs.count > fanIn {
      // Merge as few as possible, the shortest first, because each target is written and read once
      // more.
      runs.sort { $0.byteCount < $1.byteCount }
      let surplus = runs.count - fanIn
      let groupCount = (surplus + fanIn - 2) / (fanIn - 1)
      let merged = min(runs.count, surplus + groupCount)
      let groups = (0..<groupCount).map { group in
        Array(runs[(group * merged / groupCount)..<((group + 1) * merged / groupCount)])
      }
      let results = groups.mapInParallel(jobs: jobs) { group in
        Result { () throws(DigestFileError) in
          try DigestRun.merging(TargetSources(runs: group), in: directory)
        }
      }
      runs.removeFirst(merged)
      for result in results { runs.append(try result.get()) }
    }
    return runs
  }
}
