internal import AccessLogs

/// A place in a run, from which it is read target by target.
struct RunCursor {
  private let run: DigestRun
  private let upper: TargetKey?

  /// The offset of the next block.
  private var offset: Int

  // The block that is being read.
  private var header: [UInt8] = []
  private var payload: [UInt8] = []
  private var reader = PayloadReader(0..<0)
  private var remaining = 0
  private var combinations: [UInt64] = []

  /// The templates of the block, by number, as they stand in ``payload``.
  private var templates: [Range<Int>] = []

  /// For each template of the block, its number where the targets go, or -1.
  private var templateNumbers: [Int] = []

  // The target at the cursor, whose counts begin at the reader's place.
  private(set) var host: [UInt8] = []
  private(set) var target: [UInt8] = []

  /// A cursor at the first target of a run from `lower` on and before `upper`.
  ///
  /// ``advance()`` comes first.
  init(_ run: DigestRun, from lower: TargetKey?, to upper: TargetKey?) {
    self.run = run
    self.upper = upper
    offset = Self.start(in: run, lower)
    self.lower = lower
  }

  private var lower: TargetKey?

  /// The offset of the block in which a key stands, if it is there, or of one in
  /// front of it.
  private static func start(in run: DigestRun, _ key: TargetKey?) -> Int {
    guard let key, !run.index.isEmpty else { return run.index.first?.offset ?? run.end }
    var (low, high) = (0, run.index.count)
    while low < high {
      let middle = (low + high) / 2
      let entry = run.index[middle]
      if TargetOrder.precedes(key.host, key.target, entry.host, entry.target) {
        high = middle
      } else {
        low = middle + 1
      }
    }
    // The last block that begins with the key or before it. A key that was cut may
    // stand for one behind, if it is how this one begins.
    var block = max(0, low - 1)
    while block > 0, run.index[block].isCut, run.index[block].host == key.host,
      key.target.starts(with: run.index[block].target)
    {
      block -= 1
    }
    return run.index[block].offset
  }

  /// Goes to the next target.
  ///
  /// - Returns: Whether there is one.
  mutating func advance() throws(DigestFileError) -> Bool {
    while true {
      guard try readTarget() else { return false }
      if let lower {
        if TargetOrder.precedes(host, target, lower.host, lower.target) {
          try skipCounts()
          continue
        }
        self.lower = nil
      }
      if let upper, !TargetOrder.precedes(host, target, upper.host, upper.target) { return false }
      return true
    }
  }

  /// Adds the counts of the target to a record, once.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - names: The templates by whose numbers the record names them.
  /// - Throws: ``DigestFileError`` if the run makes no sense.
  mutating func addCounts(to record: inout TargetRecord, names: inout ByteTable)
    throws(DigestFileError)
  {
    let payload = payload
    let bytes = payload.span
    for _ in 0..<reader.count(bytes, ofSize: 2) {
      let combination = reader.number(bytes)
      let count = reader.number(bytes)
      guard combination < UInt64(combinations.count) else { throw damage }
      record.requests.append(
        TargetRecord.Requests(dimensions: combinations[Int(combination)], count: count))
    }
    for _ in 0..<reader.count(bytes, ofSize: 3) {
      let template = Int(truncatingIfNeeded: reader.number(bytes))
      let combination = reader.number(bytes)
      let count = reader.number(bytes)
      guard templates.indices.contains(template), combination < UInt64(combinations.count) else {
        throw damage
      }
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

  /// Forgets how templates are numbered where the targets go.
  mutating func forgetNames() {
    for index in templateNumbers.indices { templateNumbers[index] = -1 }
  }

  private var damage: DigestFileError { run.file.failure(.damaged, at: offset) }

  private mutating func skipCounts() throws(DigestFileError) {
    let payload = payload
    let bytes = payload.span
    for _ in 0..<reader.count(bytes, ofSize: 2) {
      _ = reader.number(bytes)
      _ = reader.number(bytes)
    }
    for _ in 0..<reader.count(bytes, ofSize: 3) {
      _ = reader.number(bytes)
      _ = reader.number(bytes)
      _ = reader.number(bytes)
    }
    guard reader.isValid else { throw damage }
  }

  private mutating func readTarget() throws(DigestFileError) -> Bool {
    while remaining == 0 {
      guard offset < run.end else { return false }
      try readBlock()
    }
    remaining -= 1
    let payload = payload
    let bytes = payload.span
    let hostCount = reader.number(bytes)
    if hostCount > 0 {
      host.removeAll(keepingCapacity: true)
      bytes.extracting(reader.range(count: Int(truncatingIfNeeded: hostCount - 1))).append(
        to: &host)
    }
    let shared = Int(truncatingIfNeeded: reader.number(bytes))
    guard shared >= 0, shared <= target.count else { throw damage }
    target.removeLast(target.count - shared)
    bytes.extracting(reader.range(count: reader.count(bytes))).append(to: &target)
    guard reader.isValid else { throw damage }
    return true
  }

  private mutating func readBlock() throws(DigestFileError) {
    try run.file.read(into: &header, count: DigestBlock.headerLength, at: offset)
    guard
      let length = DigestBlock.payloadLength(
        header.span.extracting(0..<DigestBlock.headerLength)),
      offset + DigestBlock.headerLength + length <= run.end
    else { throw damage }
    try run.file.read(into: &payload, count: length, at: offset + DigestBlock.headerLength)
    let (header, payload) = (header, payload)
    let bytes = payload.span.extracting(0..<length)
    guard DigestBlock.isWhole(header.span.extracting(0..<DigestBlock.headerLength), bytes) else {
      throw damage
    }
    reader = PayloadReader(0..<length)
    combinations.removeAll(keepingCapacity: true)
    for _ in 0..<reader.count(bytes) { combinations.append(reader.number(bytes)) }
    templates.removeAll(keepingCapacity: true)
    for _ in 0..<reader.count(bytes) {
      templates.append(reader.range(count: reader.count(bytes)))
    }
    templateNumbers.removeAll(keepingCapacity: true)
    templateNumbers.append(contentsOf: repeatElement(-1, count: templates.count))
    remaining = reader.count(bytes)
    guard reader.isValid else { throw damage }
    offset += DigestBlock.headerLength + length
    // The first target of a block shares nothing with one before.
    target.removeAll(keepingCapacity: true)
  }
}
