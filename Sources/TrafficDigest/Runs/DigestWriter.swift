internal import AccessLogs

/// Writes a run, target by target in ascending order.
struct DigestWriter: ~Copyable {
  private let file: TemporaryFile
  private var offset: Int
  private var index: [DigestRun.IndexEntry] = []

  // The block that is being filled.
  private var body: [UInt8] = []
  private var targetCount = 0
  private var combinations = WordTable()
  private var templates = ByteTable()

  // The target before.
  private var host: [UInt8] = []
  private var target: [UInt8] = []

  private var payload: [UInt8] = []
  private var block: [UInt8] = []

  private init(_ file: TemporaryFile, offset: Int) {
    self.file = file
    self.offset = offset
  }

  /// Begins a run in a directory.
  static func begin(in directory: String) throws(DigestFileError) -> DigestWriter {
    let file = try TemporaryFile(in: directory)
    var start = DigestBlock.magic
    start.append(fixed: DigestBlock.version)
    try file.write(start, at: 0)
    return DigestWriter(file, offset: start.count)
  }

  /// Adds a target.
  ///
  /// - Parameters:
  ///   - record: The target, in whose visits templates are numbers of `names`; its
  ///     counts are coalesced.
  ///   - names: The templates.
  /// - Throws: ``DigestFileError`` if the run can't be written.
  mutating func add(_ record: inout TargetRecord, names: borrowing ByteTable)
    throws(DigestFileError)
  {
    if targetCount == 0 {
      index.append(
        DigestRun.IndexEntry(
          offset: offset, host: record.host,
          target: Array(record.target.prefix(DigestBlock.indexKeyLimit))))
      (host, target) = ([], [])
    }
    if targetCount > 0, record.host == host {
      body.append(0)
    } else {
      body.append(variableLength: UInt64(record.host.count) + 1)
      body += record.host
      host = record.host
      target.removeAll(keepingCapacity: true)
    }
    let shared = Self.sharedCount(target, record.target)
    body.append(variableLength: UInt64(shared))
    body.append(counted: record.target.span.extracting(shared..<record.target.count))
    target.removeLast(target.count - shared)
    target += record.target[shared...]

    body.append(variableLength: UInt64(record.requests.count))
    for requests in record.requests {
      body.append(variableLength: UInt64(combinations.insert(requests.dimensions)))
      body.append(variableLength: requests.count)
    }
    if record.visits.count > 1 { Self.sort(&record.visits, by: names) }
    body.append(variableLength: UInt64(record.visits.count))
    for visits in record.visits {
      let template = names.withBytes(visits.template) { templates.insert($0).id }
      body.append(variableLength: UInt64(template))
      body.append(variableLength: UInt64(combinations.insert(visits.dimensions)))
      body.append(variableLength: visits.count)
    }
    targetCount += 1
    if body.count + templates.contentByteCount >= DigestBlock.targetLength { try endBlock() }
  }

  /// Ends the run.
  consuming func finish() throws(DigestFileError) -> DigestRun {
    try endBlock()
    let end = offset
    payload.removeAll(keepingCapacity: true)
    payload.append(variableLength: UInt64(index.count))
    for entry in index {
      payload.append(variableLength: UInt64(entry.offset))
      payload.append(counted: entry.host.span)
      payload.append(counted: entry.target.span)
    }
    block.removeAll(keepingCapacity: true)
    DigestBlock.append(.index, payload, to: &block)
    block.append(fixed: UInt64(end))
    block += DigestBlock.magic.prefix(8)
    try write(block)
    return DigestRun(file: file, index: index, end: end)
  }

  private mutating func endBlock() throws(DigestFileError) {
    guard targetCount > 0 else { return }
    payload.removeAll(keepingCapacity: true)
    payload.append(variableLength: UInt64(combinations.count))
    for number in 0..<combinations.count { payload.append(variableLength: combinations[number]) }
    payload.append(variableLength: UInt64(templates.count))
    for number in 0..<templates.count {
      templates.withBytes(number) { payload.append(counted: $0) }
    }
    payload.append(variableLength: UInt64(targetCount))
    payload += body
    block.removeAll(keepingCapacity: true)
    DigestBlock.append(.targets, payload, to: &block)
    try write(block)
    body.removeAll(keepingCapacity: true)
    targetCount = 0
    combinations.removeAll()
    templates.removeAll()
  }

  private mutating func write(_ bytes: [UInt8]) throws(DigestFileError) {
    try file.write(bytes, at: offset)
    offset += bytes.count
  }

  private static func sharedCount(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var count = 0
    while count < one.count, count < other.count, one[count] == other[count] { count += 1 }
    return count
  }

  private static func sort(_ visits: inout [TargetRecord.Visits], by names: borrowing ByteTable) {
    // Few kinds of visits have a target in common; where many have, each template
    // is copied out once.
    var texts: [Int: [UInt8]] = [:]
    for visit in visits where texts[visit.template] == nil {
      texts[visit.template] = names.array(visit.template)
    }
    visits.sort { first, second in
      if first.template == second.template { return first.dimensions < second.dimensions }
      guard let one = texts[first.template], let other = texts[second.template] else {
        return false
      }
      return one.span.compare(other.span) < 0
    }
  }
}
