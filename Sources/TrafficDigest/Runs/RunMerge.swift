internal import Foundations

/// Several runs read as one: targets in ascending order, each once, with the counts of all runs
/// added up.
struct RunMerge: ~Copyable {
  private var cursors: [RunCursor] = []

  /// The positions of cursors, as a heap: none precedes the one at half its position.
  private var heap: [Int] = []

  /// The target that was read last; writing it sorts its counts.
  var record = TargetRecord()

  /// Starts reading the targets of some runs from `lower` on and before `upper`.
  init(
    _ runs: [DigestRun], from lower: TargetKey? = nil, to upper: TargetKey? = nil
  ) throws(DigestFileError) {
    for run in runs {
      var cursor = RunCursor(run, from: lower, to: upper)
      guard try cursor.advance() else { continue }
      heap.append(cursors.count)
      cursors.append(cursor)
    }
    for position in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(position) }
  }

  /// Reads the next target.
  ///
  /// - Parameter names: The templates; the record refers to them by number. They are discarded if
  ///   they take too much memory.
  /// - Returns: Whether there is one.
  /// - Throws: ``DigestFileError`` if a run can't be read.
  mutating func next(names: inout ByteTable) throws(DigestFileError) -> Bool {
    if names.byteCount > TargetNames.byteLimit {
      names = ByteTable()
      forgetNames()
    }
    guard let first = heap.first else { return false }
    if record.key.host != cursors[first].key.host { record.key.host = cursors[first].key.host }
    record.key.target.replaceAll(with: cursors[first].key.target)
    record.removeCounts()
    try take(&names)
    var sources = 1
    while let next = heap.first, cursors[next].key.target == record.key.target,
      cursors[next].key.host == record.key.host
    {
      try take(&names)
      sources += 1
    }
    if sources > 1 { record.coalesce() }
    return true
  }

  /// Discards the numbers of templates.
  mutating func forgetNames() {
    for cursor in cursors.indices { cursors[cursor].forgetNames() }
  }

  /// Adds the counts of the first cursor and advances it.
  private mutating func take(_ names: inout ByteTable) throws(DigestFileError) {
    let first = heap[0]
    try cursors[first].addCounts(to: &record, names: &names)
    if try !cursors[first].advance() {
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

  private func precedes(_ one: Int, _ other: Int) -> Bool {
    cursors[heap[one]].key < cursors[heap[other]].key
  }
}

extension [UInt8] {
  /// Becomes equal to `other` and keeps its own memory.
  fileprivate mutating func replaceAll(with other: [UInt8]) {
    removeAll(keepingCapacity: true)
    append(contentsOf: other)
  }
}

extension DigestRun {
  /// The maximum number of runs that are read at a time; each is an open file, and other files are
  /// needed, too.
  static let fanIn = max(2, min(128, OpenFileLimit.count - 12))

  /// Merges runs into one.
  static func merging(_ runs: [DigestRun], in directory: String) throws(DigestFileError)
    -> DigestRun
  {
    var merge = try RunMerge(runs)
    let writer = try DigestWriter(in: directory)
    var names = ByteTable()
    while try merge.next(names: &names) {
      try writer.add(&merge.record, names: names)
    }
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
        Result { () throws(DigestFileError) in try DigestRun.merging(group, in: directory) }
      }
      runs.removeFirst(merged)
      for result in results { runs.append(try result.get()) }
    }
    return runs
  }
}
