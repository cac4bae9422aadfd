internal import AccessLogs
internal import Foundations

/// A builder that divides targets, in ascending order, into the payloads of blocks.
struct TargetBlockBuilder: ~Copyable {
  /// The payload of a block, and its data for the index.
  struct Block: Sendable {
    var payload: [UInt8] = []
    var targetCount = 0

    /// The host and the start of the first target.
    var key = TargetKey()

    /// The days of its requests; see ``Dimensions/dayNumber``.
    var days: Set<Int> = []

    /// Returns the index entry of the block when it has been stored.
    func entry(at offset: Int, _ stored: [UInt8]) -> DigestRun.IndexEntry {
      DigestRun.IndexEntry(
        offset: offset, length: stored.count, checksum: DigestBlock.checksum(stored.span),
        targetCount: targetCount, key: key)
    }
  }

  private var body: [UInt8] = []
  private var block = Block()
  private var combinations = WordTable()
  private var templates = ByteTable()

  // The previous target.
  private var last = TargetKey()

  /// A Boolean value indicating whether the block must be taken before more targets are added.
  var isFull: Bool { body.count + templates.contentByteCount >= DigestBlock.targetLength }

  /// Adds a target.
  ///
  /// - Parameters:
  ///   - record: The target, in whose visits templates are numbers of `names`; its
  ///     counts are coalesced.
  ///   - names: The templates.
  mutating func add(_ record: inout TargetRecord, names: borrowing ByteTable) {
    if block.targetCount == 0 {
      block.key = TargetKey(
        host: record.key.host, target: Array(record.key.target.prefix(DigestBlock.indexKeyLimit)))
      last = TargetKey()
    }
    if block.targetCount > 0, record.key.host == last.host {
      body.append(0)
    } else {
      body.append(variableLength: UInt64(record.key.host.count) + 1)
      body += record.key.host
      last.host = record.key.host
      last.target.removeAll(keepingCapacity: true)
    }
    let target = record.key.target
    let shared = Self.sharedCount(last.target, target)
    body.append(variableLength: UInt64(shared))
    body.append(counted: target.span.extracting(shared..<target.count))
    last.target.removeLast(last.target.count - shared)
    last.target += target[shared...]

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
    block.targetCount += 1
  }

  /// Takes the block, or returns `nil` if it is empty.
  mutating func take() -> Block? {
    guard block.targetCount > 0 else { return nil }
    var payload: [UInt8] = []
    payload.reserveCapacity(body.count + templates.contentByteCount + combinations.count * 6 + 16)
    payload.append(variableLength: UInt64(combinations.count))
    for number in 0..<combinations.count {
      payload.append(variableLength: combinations[number])
      block.days.insert(Dimensions(bits: combinations[number]).dayNumber)
    }
    payload.append(variableLength: UInt64(templates.count))
    for number in 0..<templates.count {
      templates.withBytes(number) { payload.append(counted: $0) }
    }
    payload.append(variableLength: UInt64(block.targetCount))
    payload += body
    block.payload = payload
    let taken = block
    block = Block()
    body.removeAll(keepingCapacity: true)
    combinations.removeAll()
    templates.removeAll()
    return taken
  }

  private static func sharedCount(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var count = 0
    while count < one.count, count < other.count, one[count] == other[count] { count += 1 }
    return count
  }

  private static func sort(_ visits: inout [TargetRecord.Visits], by names: borrowing ByteTable) {
    // Targets mostly have few kinds of visits in common; where there are many, each template is
    // copied once.
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
