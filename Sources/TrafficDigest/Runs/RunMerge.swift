internal import Foundations

/// The targets of a digest: those that are in memory, and those in runs.
struct TargetSources: Sendable {
  var parts: [SortedPart] = []
  var runs: [DigestRun] = []
}

/// Several sources of targets read as one: targets in ascending order, each once, with the counts
/// of all sources added up.
struct RunMerge: ~Copyable {
  /// The targets at the cursors, first of parts, then of runs.
  private var keys = KeyHeap()

  private var parts: [PartCursor] = []
  private var runs: [RunCursor] = []

  /// The target that was read last.
  var record = TargetRecord()

  /// A Boolean value indicating whether its host is another one than that of the target before.
  private(set) var hasNewHost = false

  /// Starts reading the targets of some sources from `lower` on and before `upper`.
  init(
    _ sources: TargetSources, from lower: TargetKey? = nil, to upper: TargetKey? = nil
  ) throws(DigestFileError) {
    for part in sources.parts {
      var cursor = PartCursor(part, from: lower, to: upper)
      if cursor.advance(parts.count, of: &keys) { parts.append(cursor) }
    }
    for run in sources.runs {
      var cursor = RunCursor(run, from: lower, to: upper)
      if try cursor.advance(parts.count + runs.count, of: &keys) { runs.append(cursor) }
    }
    keys.begin(count: parts.count + runs.count)
  }

  /// Reads the next target, whose record refers to templates by their numbers in `names`; and
  /// returns whether there is one.
  ///
  /// Unless `keepsNames` is set, the templates are discarded when they take too much memory.
  mutating func next(
    names: inout ByteTable, keepsNames: Bool = false
  ) throws(DigestFileError) -> Bool {
    if !keepsNames, names.byteCount > TargetNames.byteLimit {
      names = ByteTable()
      forgetNames()
    }
    guard let first = keys.first else { return false }
    hasNewHost = keys.copyFirst(to: &record.key)
    record.removeCounts()
    // A run has the counts of a target in their order; that of a group of days has visits by day
    // first, and is divided by day again.
    var isInOrder = first >= parts.count
    try take(first, &names)
    while let next = keys.first, keys.isFirst(record.key) {
      try take(next, &names)
      isInOrder = false
    }
    if !isInOrder { record.coalesce(names: names) }
    return true
  }

  /// Discards the numbers of templates.
  mutating func forgetNames() {
    for cursor in parts.indices { parts[cursor].forgetNames() }
    for cursor in runs.indices { runs[cursor].forgetNames() }
  }

  /// Adds the counts of the first cursor and advances it.
  private mutating func take(_ first: Int, _ names: inout ByteTable) throws(DigestFileError) {
    let hasNext: Bool
    if first < parts.count {
      parts[first].addCounts(to: &record, names: &names)
      hasNext = parts[first].advance(first, of: &keys)
    } else {
      let run = first - parts.count
      try runs[run].addCounts(to: &record, names: &names)
      hasNext = try runs[run].advance(first, of: &keys)
    }
    keys.replaceFirst(isAtEnd: !hasNext)
  }
}

/// The targets at the cursors of a merge, the least of them first.
///
/// All bytes are in one buffer, because comparing arrays would count references to each of them.
struct KeyHeap: ~Copyable {
  /// Where the host and the target of a cursor are in the bytes, and the room for both.
  struct Place: BitwiseCopyable {
    var start = 0
    var hostCount = 0
    var targetCount = 0
    var room = 0
  }

  private var bytes = Buffer<UInt8>(capacity: 1024)
  private var places = Buffer<Place>()

  /// The cursors that are not at their ends; none precedes the one at half its position.
  private var heap = Buffer<Int>()

  /// The cursor with the least target, or `nil` if all are at their ends.
  var first: Int? { heap.count > 0 ? heap[0] : nil }

  /// Sets the target at a cursor; ``begin(count:)`` or ``replaceFirst(isAtEnd:)`` has to follow.
  mutating func set(_ cursor: Int, _ host: Span<UInt8>, _ target: Span<UInt8>) {
    while places.count <= cursor { places.append(Place()) }
    var place = places[cursor]
    (place.hostCount, place.targetCount) = (host.count, target.count)
    let length = host.count + target.count
    if length > place.room {
      (place.start, place.room) = (bytes.count, 2 * length)
      bytes.setCount(place.start + place.room, filling: 0)
    }
    bytes.replace(at: place.start, with: host)
    bytes.replace(at: place.start + host.count, with: target)
    places[cursor] = place
  }

  /// Puts cursors that all have targets in order.
  mutating func begin(count: Int) {
    for cursor in 0..<count { heap.append(cursor) }
    for position in stride(from: count / 2 - 1, through: 0, by: -1) { sink(position) }
  }

  /// Puts the first cursor in its place after it has advanced.
  mutating func replaceFirst(isAtEnd: Bool) {
    if isAtEnd {
      let last = heap.removeLast()
      if heap.count == 0 { return }
      heap[0] = last
    }
    sink(0)
  }

  /// Copies the least target to a key, and returns whether that had another host.
  func copyFirst(to key: inout TargetKey) -> Bool {
    let place = places[heap[0]]
    let hostEnd = place.start + place.hostCount
    let isNew = bytes.withElements(place.start..<hostEnd) { host in
      if host.isEqual(to: key.host.span) { return false }
      key.host.removeAll(keepingCapacity: true)
      host.append(to: &key.host)
      return true
    }
    key.target.removeAll(keepingCapacity: true)
    bytes.withElements(hostEnd..<(hostEnd + place.targetCount)) { $0.append(to: &key.target) }
    return isNew
  }

  /// Returns a Boolean value indicating whether the least target is a given one.
  @inline(__always)
  func isFirst(_ key: borrowing TargetKey) -> Bool {
    let place = places[heap[0]]
    guard place.targetCount == key.target.count, place.hostCount == key.host.count else {
      return false
    }
    let hostEnd = place.start + place.hostCount
    return bytes.withElements(hostEnd..<(hostEnd + place.targetCount)) {
      $0.isEqual(to: key.target.span)
    } && bytes.withElements(place.start..<hostEnd) { $0.isEqual(to: key.host.span) }
  }

  private mutating func sink(_ start: Int) {
    var position = start
    while true {
      var least = 2 * position + 1
      guard least < heap.count else { return }
      if least + 1 < heap.count, precedes(heap[least + 1], heap[least]) { least += 1 }
      guard precedes(heap[least], heap[position]) else { return }
      (heap[least], heap[position]) = (heap[position], heap[least])
      position = least
    }
  }

  private func precedes(_ one: Int, _ other: Int) -> Bool {
    let (one, other) = (places[one], places[other])
    let order = compare(one.start, one.hostCount, other.start, other.hostCount)
    if order != 0 { return order < 0 }
    return compare(
      one.start + one.hostCount, one.targetCount, other.start + other.hostCount,
      other.targetCount) < 0
  }

  @inline(__always)
  private func compare(
    _ start: Int, _ count: Int, _ otherStart: Int, _ otherCount: Int
  ) -> Int {
    bytes.withElements(start..<(start + count)) { one in
      bytes.withElements(otherStart..<(otherStart + otherCount)) { one.compare($0) }
    }
  }
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
