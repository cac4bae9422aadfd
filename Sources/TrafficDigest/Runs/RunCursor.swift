internal import AccessLogs
internal import Foundations

/// A place in a run, for reading it target by target.
struct RunCursor {
  private let run: DigestRun
  private var lower: TargetKey?
  private let upper: TargetKey?

  /// The target at the cursor.
  private var key = TargetKey()

  /// The position of the next block in the index.
  private var nextBlock: Int

  // The block that is being read.
  private var stored: [UInt8] = []
  private var payload: [UInt8] = []
  private var reader = PayloadReader(0..<0)
  private var remaining = 0
  private var combinations: [UInt64] = []

  /// The templates of the block, by number, in ``payload``.
  private var templates: [Range<Int>] = []

  /// The number of each template of the block in the output, or -1.
  private var templateNumbers: [Int] = []

  /// Creates a cursor before the targets of a run from `lower` on and before `upper`.
  init(_ run: DigestRun, from lower: TargetKey?, to upper: TargetKey?) {
    self.run = run
    self.lower = lower
    self.upper = upper
    nextBlock = Self.start(in: run, lower)
  }

  /// The position of the block that contains a key, if any, or of an earlier one.
  private static func start(in run: DigestRun, _ key: TargetKey?) -> Int {
    guard let key, !run.index.isEmpty else { return 0 }
    let after = run.index.indices.partitioningIndex { key < run.index[$0].key }
    // The last block that begins with the key or before it. A key that was cut may represent a
    // later one, if this one begins with it.
    var block = max(0, after - 1)
    while block > 0, run.index[block].isCut, run.index[block].key.host == key.host,
      key.target.starts(with: run.index[block].key.target)
    {
      block -= 1
    }
    return block
  }

  /// Sets the key of this cursor to the next target, and returns whether there is one; the reader is
  /// then at the beginning of its counts.
  mutating func advance(_ cursor: Int, of keys: inout KeyHeap) throws(DigestFileError) -> Bool {
    // Taken out while it changes, because the rest of the cursor does, too.
    var key = TargetKey()
    swap(&key, &self.key)
    defer { swap(&key, &self.key) }
    guard try advance(to: &key) else { return false }
    keys.set(cursor, key.host.span, key.target.span)
    return true
  }

  private mutating func advance(to key: inout TargetKey) throws(DigestFileError) -> Bool {
    while true {
      guard try readTarget(&key) else { return false }
      if let lower {
        if key < lower {
          try skipCounts()
          continue
        }
        self.lower = nil
      }
      if let upper, !(key < upper) { return false }
      return true
    }
  }

  /// Adds the counts of the target to a record, once, and their templates to `names`.
  mutating func addCounts(
    to record: inout TargetRecord, names: inout ByteTable
  ) throws(DigestFileError) {
    // Taken out while they change, because the payload of the same cursor is lent.
    var (reader, sum, numbers) = (reader, requestCount, [Int]())
    let first = record.requests.count
    swap(&numbers, &templateNumbers)
    let isValid = Self.addCounts(
      in: payload.span, &reader, combinations.span, templates.span, &numbers, &sum, to: &record,
      &names)
    swap(&numbers, &templateNumbers)
    (self.reader, requestCount) = (reader, sum)
    guard isValid else { throw damage }
    for index in first..<record.requests.count { requestsLeft &-= record.requests[index].count }
  }

  private static func addCounts(
    in bytes: Span<UInt8>, _ reader: inout PayloadReader, _ combinations: Span<UInt64>,
    _ templates: Span<Range<Int>>, _ templateNumbers: inout [Int], _ requestCount: inout UInt64,
    to record: inout TargetRecord, _ names: inout ByteTable
  ) -> Bool {
    var next: UInt64 = 0
    for _ in 0..<reader.count(bytes, ofSize: 2) {
      let combination = reader.number(bytes)
      let count = reader.number(bytes)
      guard combination < UInt64(combinations.count), isPlausible(count, &requestCount) else {
        return false
      }
      let dimensions = combinations[Int(combination)]
      // They ascend; dividing them by days relies on it.
      guard dimensions >= next else { return false }
      next = dimensions + 1
      record.requests.append(TargetRecord.Requests(dimensions: dimensions, count: count))
    }
    for _ in 0..<reader.count(bytes, ofSize: 3) {
      let template = Int(truncatingIfNeeded: reader.number(bytes))
      let combination = reader.number(bytes)
      let count = reader.number(bytes)
      guard templates.indices.contains(template), combination < UInt64(combinations.count),
        isPlausible(count, &requestCount)
      else { return false }
      if templateNumbers[template] < 0 {
        templateNumbers[template] = names.insert(bytes.extracting(templates[template])).id
      }
      record.visits.append(
        TargetRecord.Visits(
          template: templateNumbers[template], dimensions: combinations[Int(combination)],
          count: count))
    }
    return reader.isValid
  }

  /// Discards the numbers of templates in the output.
  mutating func forgetNames() {
    for index in templateNumbers.indices { templateNumbers[index] = -1 }
  }

  /// Upper bound for a valid count, so that sums over several cursors cannot overflow.
  private static let requestLimit: UInt64 = UInt64(DigestSummary.countLimit.upperBound)
  private var requestCount: UInt64 = 0

  /// The requests in the rest of the block, according to the index.
  private var requestsLeft: UInt64 = 0

  /// Returns a Boolean value indicating whether so many more requests are possible in a log.
  @inline(__always)
  private static func isPlausible(_ count: UInt64, _ sum: inout UInt64) -> Bool {
    guard count <= Self.requestLimit else { return false }
    sum += count
    return sum <= Self.requestLimit
  }

  private var damage: DigestFileError {
    run.file.failure(.damaged, at: run.index[max(0, nextBlock - 1)].offset)
  }

  private mutating func skipCounts() throws(DigestFileError) {
    var (reader, requests) = (reader, UInt64(0))
    let isValid = Self.skipCounts(in: payload.span, &reader, &requests)
    self.reader = reader
    guard isValid else { throw damage }
    requestsLeft &-= requests
  }

  private static func skipCounts(
    in bytes: Span<UInt8>, _ reader: inout PayloadReader, _ requests: inout UInt64
  ) -> Bool {
    for _ in 0..<reader.count(bytes, ofSize: 2) {
      _ = reader.number(bytes)
      requests &+= reader.number(bytes)
    }
    for _ in 0..<(3 * reader.count(bytes, ofSize: 3)) { _ = reader.number(bytes) }
    return reader.isValid
  }

  private mutating func readTarget(_ key: inout TargetKey) throws(DigestFileError) -> Bool {
    if remaining == 0 {
      guard requestsLeft == 0 else { throw damage }
      guard nextBlock < run.index.count else { return false }
      try readBlock()
      try readFirstTarget(&key)
    } else {
      // A few bytes represent a complete target if it begins like the previous one.
      guard blockByteCount < run.blockByteLimit, readKey(isFirst: false, &key) else {
        throw damage
      }
    }
    remaining -= 1
    blockByteCount += key.target.count
    return true
  }

  /// Reads the first target of a block, which shares nothing with the previous one.
  private mutating func readFirstTarget(_ key: inout TargetKey) throws(DigestFileError) {
    let previous = key
    key.target.removeAll(keepingCapacity: true)
    guard readKey(isFirst: true, &key) else { throw damage }
    let entry = run.index[nextBlock - 1]
    guard key.host == entry.key.host,
      entry.isCut ? key.target.starts(with: entry.key.target) : key.target == entry.key.target,
      !hasRead || previous < key
    else { throw damage }
    hasRead = true
  }

  /// Reads a target.
  ///
  /// - Returns: Whether it comes after the previous one; merging relies on it.
  @inline(__always)
  private mutating func readKey(isFirst: Bool, _ key: inout TargetKey) -> Bool {
    var reader = reader
    defer { self.reader = reader }
    return Self.readKey(in: payload.span, &reader, isFirst: isFirst, &key)
  }

  private static func readKey(
    in bytes: Span<UInt8>, _ reader: inout PayloadReader, isFirst: Bool, _ key: inout TargetKey
  ) -> Bool {
    let hostCount = reader.number(bytes)
    if hostCount > 0 {
      let range = reader.range(count: Int(truncatingIfNeeded: hostCount &- 1))
      guard isFirst || key.host.span.compare(bytes.extracting(range)) < 0 else { return false }
      key.host.removeAll(keepingCapacity: true)
      bytes.extracting(range).append(to: &key.host)
      key.target.removeAll(keepingCapacity: true)
    } else if isFirst {
      return false
    }
    let shared = Int(truncatingIfNeeded: reader.number(bytes))
    guard shared >= 0, shared <= key.target.count else { return false }
    let rest = reader.range(count: reader.count(bytes))
    guard hostCount > 0 || !rest.isEmpty, reader.isValid,
      shared == key.target.count || bytes[rest.lowerBound] > key.target[shared]
    else { return false }
    key.target.removeLast(key.target.count - shared)
    bytes.extracting(rest).append(to: &key.target)
    return true
  }

  /// A Boolean value indicating whether a target has been read.
  private var hasRead = false

  /// The bytes of the targets of the block that have been read.
  private var blockByteCount = 0

  private mutating func readBlock() throws(DigestFileError) {
    blockByteCount = 0
    let entry = run.index[nextBlock]
    nextBlock += 1
    try run.file.read(into: &stored, count: entry.length, at: entry.offset)
    let stored = stored
    let block = stored.span.extracting(0..<entry.length)
    let length = DigestBlock.open(block, .targets, into: &payload)
    guard let length, DigestBlock.checksum(block) == entry.checksum else { throw damage }
    let content = payload
    let bytes = content.span.extracting(0..<length)
    reader = PayloadReader(0..<length)
    combinations.removeAll(keepingCapacity: true)
    for _ in 0..<reader.count(bytes) {
      let dimensions = Dimensions(bits: reader.number(bytes))
      guard dimensions.isPlausible else { throw damage }
      combinations.append(dimensions.bits)
    }
    templates.removeAll(keepingCapacity: true)
    for _ in 0..<reader.count(bytes) {
      let template = reader.range(count: reader.count(bytes))
      guard reader.isValid, PathTemplate.isPlausible(bytes.extracting(template)) else {
        throw damage
      }
      templates.append(template)
    }
    templateNumbers.removeAll(keepingCapacity: true)
    templateNumbers.append(contentsOf: repeatElement(-1, count: templates.count))
    remaining = reader.count(bytes)
    guard reader.isValid, remaining == entry.targetCount, remaining > 0 else { throw damage }
    requestsLeft = UInt64(entry.requests)
  }
}
