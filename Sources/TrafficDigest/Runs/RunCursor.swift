internal import AccessLogs
internal import Foundations

/// A place in a run, for reading it target by target.
struct RunCursor {
  private let run: DigestRun
  private let upper: TargetKey?

  /// The position of the next block in the index.
  private var nextBlock: Int

  // The block that is being read.
  private var stored: [UInt8] = []
  private var payload: [UInt8] = []
  private var reader = PayloadReader(0..<0)
  private var remaining = 0
  private var combinations: [UInt64] = []

  /// A Boolean value indicating whether no target of the block has been read.
  private var isAtBlockStart = false

  /// The templates of the block, by number, in ``payload``.
  private var templates: [Range<Int>] = []

  /// The number of each template of the block in the output, or -1.
  private var templateNumbers: [Int] = []

  // The target at the cursor; the reader is at the beginning of its counts.
  private(set) var key = TargetKey()

  /// Creates a cursor for the targets of a run from `lower` on and before `upper`.
  ///
  /// Call ``advance()`` before the first target.
  init(_ run: DigestRun, from lower: TargetKey?, to upper: TargetKey?) {
    self.run = run
    self.upper = upper
    nextBlock = Self.start(in: run, lower)
    self.lower = lower
  }

  private var lower: TargetKey?

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

  /// Goes to the next target.
  ///
  /// - Returns: Whether there is one.
  mutating func advance() throws(DigestFileError) -> Bool {
    while true {
      guard try readTarget() else { return false }
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

  /// Adds the counts of the target to a record, once.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - names: The templates; the record refers to them by number.
  /// - Throws: ``DigestFileError`` if the run is inconsistent.
  mutating func addCounts(to record: inout TargetRecord, names: inout ByteTable)
    throws(DigestFileError)
  {
    let payload = payload
    let bytes = payload.span
    for _ in 0..<reader.count(bytes, ofSize: 2) {
      let combination = reader.number(bytes)
      let count = reader.number(bytes)
      guard combination < UInt64(combinations.count), isPlausible(count) else { throw damage }
      record.requests.append(
        TargetRecord.Requests(dimensions: combinations[Int(combination)], count: count))
    }
    for _ in 0..<reader.count(bytes, ofSize: 3) {
      let template = Int(truncatingIfNeeded: reader.number(bytes))
      let combination = reader.number(bytes)
      let count = reader.number(bytes)
      guard templates.indices.contains(template), combination < UInt64(combinations.count),
        isPlausible(count)
      else { throw damage }
      if templateNumbers[template] < 0 {
        templateNumbers[template] = names.insert(bytes.extracting(templates[template])).id
      }
      record.visits.append(
        TargetRecord.Visits(
          template: templateNumbers[template], dimensions: combinations[Int(combination)],
          count: count))
    }
    guard reader.isValid else { throw damage }
  }

  /// Discards the numbers of templates in the output.
  mutating func forgetNames() {
    for index in templateNumbers.indices { templateNumbers[index] = -1 }
  }

  /// Upper bound for a valid count, so that sums over several cursors cannot overflow.
  private static let requestLimit: UInt64 = UInt64(DigestSummary.countLimit.upperBound)
  private var requestCount: UInt64 = 0

  /// Returns a Boolean value indicating whether so many more requests are possible in a log.
  private mutating func isPlausible(_ count: UInt64) -> Bool {
    guard count <= Self.requestLimit else { return false }
    requestCount += count
    return requestCount <= Self.requestLimit
  }

  private var damage: DigestFileError {
    run.file.failure(.damaged, at: run.index[max(0, nextBlock - 1)].offset)
  }

  private mutating func skipCounts() throws(DigestFileError) {
    let payload = payload
    let bytes = payload.span
    for size in 2...3 {
      for _ in 0..<(size * reader.count(bytes, ofSize: size)) { _ = reader.number(bytes) }
    }
    guard reader.isValid else { throw damage }
  }

  private mutating func readTarget() throws(DigestFileError) -> Bool {
    while remaining == 0 {
      guard nextBlock < run.index.count else { return false }
      try readBlock()
    }
    remaining -= 1
    // The first target of a block shares nothing with the previous one.
    let previous = isAtBlockStart ? key : nil
    if isAtBlockStart { key.target.removeAll(keepingCapacity: true) }
    let payload = payload
    let bytes = payload.span
    let hostCount = reader.number(bytes)
    guard hostCount > 0 || !isAtBlockStart else { throw damage }
    if hostCount > 0 {
      let range = reader.range(count: Int(truncatingIfNeeded: hostCount &- 1))
      guard isAtBlockStart || key.host.span.compare(bytes.extracting(range)) < 0 else {
        throw damage
      }
      key.host.removeAll(keepingCapacity: true)
      bytes.extracting(range).append(to: &key.host)
      key.target.removeAll(keepingCapacity: true)
    }
    let shared = Int(truncatingIfNeeded: reader.number(bytes))
    guard shared >= 0, shared <= key.target.count else { throw damage }
    let rest = reader.range(count: reader.count(bytes))
    // Targets ascend strictly; merging relies on it.
    guard hostCount > 0 || !rest.isEmpty, reader.isValid,
      shared == key.target.count || bytes[rest.lowerBound] > key.target[shared]
    else { throw damage }
    key.target.removeLast(key.target.count - shared)
    bytes.extracting(rest).append(to: &key.target)
    if let previous { try beginBlock(after: previous) }
    try countBytes()
    return true
  }

  /// Checks the first target of a block.
  private mutating func beginBlock(after previous: TargetKey) throws(DigestFileError) {
    let entry = run.index[nextBlock - 1]
    guard key.host == entry.key.host,
      entry.isCut ? key.target.starts(with: entry.key.target) : key.target == entry.key.target,
      !hasRead || previous < key
    else { throw damage }
    (isAtBlockStart, hasRead) = (false, true)
  }

  /// A Boolean value indicating whether a target has been read.
  private var hasRead = false

  /// The bytes of the targets that have been read.
  ///
  /// A few bytes represent a complete target if it begins like the previous one.
  private var byteCount = 0

  private mutating func countBytes() throws(DigestFileError) {
    byteCount += key.target.count
    guard byteCount <= run.targetByteLimit else { throw damage }
  }

  private mutating func readBlock() throws(DigestFileError) {
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
    isAtBlockStart = true
  }
}
