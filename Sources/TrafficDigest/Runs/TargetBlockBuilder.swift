internal import AccessLogs
internal import Foundations

/// A builder of a block from targets in ascending order.
struct TargetBlockBuilder: ~Copyable, Sendable {
  /// A block in its stored form, and its data for the index.
  struct Block: Sendable {
    var stored: [UInt8] = []

    /// Its entry in the index, without its place in the file.
    var entry = DigestRun.IndexEntry()

    /// The days of its requests; see ``Dimensions/dayNumber``.
    var days: Set<Int> = []

    /// The fingerprints of its counts, if they are wanted.
    var fingerprints: DayFingerprints?
  }

  private var body = Buffer<UInt8>(capacity: 1024)
  private var block = Block()
  private var combinations = WordTable()
  private var templates = ByteTable()
  private let fingerprintsDays: Bool

  // The previous target.
  private var last = TargetKey()

  init(fingerprintsDays: Bool = false) {
    self.fingerprintsDays = fingerprintsDays
    if fingerprintsDays { block.fingerprints = DayFingerprints() }
  }

  /// Adds a target, with its requests and visits in their order, and the templates of these.
  mutating func add(
    host: [UInt8], target: Span<UInt8>, _ requests: Span<TargetRecord.Requests>,
    _ visits: Span<TargetRecord.Visits>, names: borrowing ByteTable
  ) {
    let isFirst = block.entry.targetCount == 0
    if isFirst { begin(host, target) }
    if !isFirst, host == last.host {
      body.append(0)
    } else {
      body.append(variableLength: UInt64(host.count) + 1)
      body.append(contentsOf: host.span)
      last.host = host
      last.target.removeAll(keepingCapacity: true)
      block.fingerprints?.begin(host: host.span)
    }
    let shared = Self.sharedCount(last.target.span, target)
    let rest = target.extracting(shared..<target.count)
    body.append(variableLength: UInt64(shared))
    body.append(variableLength: UInt64(rest.count))
    body.append(contentsOf: rest)
    last.target.removeLast(last.target.count - shared)
    rest.append(to: &last.target)

    body.append(variableLength: UInt64(requests.count))
    for index in requests.indices {
      let requests = requests[index]
      body.append(variableLength: UInt64(combinations.insert(requests.dimensions)))
      body.append(variableLength: requests.count)
      block.entry.requests += Int(truncatingIfNeeded: requests.count)
    }
    body.append(variableLength: UInt64(visits.count))
    for index in visits.indices {
      let visits = visits[index]
      let template = names.withBytes(visits.template) { templates.insert($0).id }
      body.append(variableLength: UInt64(template))
      body.append(variableLength: UInt64(combinations.insert(visits.dimensions)))
      body.append(variableLength: visits.count)
    }
    if fingerprintsDays { block.fingerprints?.add(target, requests, visits, names: names) }
    block.entry.targetCount += 1
  }

  /// Begins a block with its first target.
  private mutating func begin(_ host: [UInt8], _ target: Span<UInt8>) {
    block.entry.key.host = host
    let length = min(target.count, DigestBlock.indexKeyLimit)
    target.extracting(0..<length).append(to: &block.entry.key.target)
    last = TargetKey()
  }

  /// Takes the block, or returns `nil` if it is empty.
  mutating func take(isDeflated: Bool) throws(DigestFileError) -> Block? {
    guard block.entry.targetCount > 0 else { return nil }
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
    payload.append(variableLength: UInt64(block.entry.targetCount))
    body.withElements(0..<body.count) { $0.append(to: &payload) }
    var taken = block
    taken.stored = try DigestBlock.block(.targets, payload, isDeflated: isDeflated)
    taken.entry.length = taken.stored.count
    taken.entry.checksum = DigestBlock.checksum(taken.stored.span)
    block = Block()
    if fingerprintsDays { block.fingerprints = DayFingerprints() }
    body.removeAll()
    combinations.removeAll()
    templates.removeAll()
    return taken
  }

  private static func sharedCount(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Int {
    let limit = min(one.count, other.count)
    var count = 0
    while count < limit, one[count] == other[count] { count += 1 }
    return count
  }
}

/// The fingerprints of the counts of days.
///
/// A fingerprint is a sum of hashes, each multiplied by its count. So it depends neither on the
/// order of counts, nor on how they are divided among logs, blocks and workers.
struct DayFingerprints: Sendable {
  /// The sums of days, by number; mostly there is one.
  private var sums: [(day: Int, sum: ContentFingerprint)] = []

  /// The place of the day that was added to last.
  private var last = 0

  /// The fingerprint of the host.
  private var host = ContentFingerprint(length: 0, first: 0, second: 0)

  /// Sets the host of the targets that are added next.
  mutating func begin(host: Span<UInt8>) { self.host = ContentFingerprint(host) }

  /// Adds the counts of a target.
  mutating func add(
    _ target: Span<UInt8>, _ requests: Span<TargetRecord.Requests>,
    _ visits: Span<TargetRecord.Visits>, names: borrowing ByteTable
  ) {
    var key = ContentFingerprint(target)
    key.mix(host.first, host.second)
    for index in requests.indices {
      let requests = requests[index]
      var hash = key
      hash.mix(requests.dimensions, 0)
      add(hash, times: requests.count, to: requests.dayNumber)
    }
    for index in visits.indices {
      let visits = visits[index]
      var hash = names.withBytes(visits.template) { ContentFingerprint($0) }
      hash.mix(key.first, key.second)
      hash.mix(visits.dimensions, 1)
      add(hash, times: visits.count, to: visits.dayNumber)
    }
  }

  /// Adds the sums of other counts.
  mutating func add(_ other: DayFingerprints) {
    for (day, sum) in other.sums {
      let place = place(of: day)
      sums[place].sum.length &+= sum.length
      sums[place].sum.first &+= sum.first
      sums[place].sum.second &+= sum.second
    }
  }

  private mutating func add(_ hash: ContentFingerprint, times count: UInt64, to day: Int) {
    let place = place(of: day)
    sums[place].sum.length &+= Int(truncatingIfNeeded: count)
    sums[place].sum.first &+= hash.first &* count
    sums[place].sum.second &+= hash.second &* count
  }

  private mutating func place(of day: Int) -> Int {
    // The counts of a target ascend by day.
    for next in last...(last + 1) where next < sums.count && sums[next].day == day {
      last = next
      return next
    }
    if let known = sums.firstIndex(where: { $0.day == day }) {
      last = known
    } else {
      last = sums.count
      sums.append((day, ContentFingerprint(length: 0, first: 0, second: 0)))
    }
    return last
  }

  /// Returns a summary whose inputs are days, with their fingerprints.
  consuming func identified(_ summary: DigestSummary) throws -> DigestSummary {
    for (day, value) in try summary.dailyValues() {
      add(ContentFingerprint(value.span), times: 1, to: day?.number ?? 0)
    }
    let fingerprints = Dictionary(
      uniqueKeysWithValues: sums.map { day, sum in
        var sum = sum
        sum.length = max(0, sum.length)
        return (TrafficDigest.Input.name(of: Day(rawValue: day)), sum)
      })
    var summary = summary
    for index in summary.inputs.indices {
      summary.inputs[index].fingerprint = fingerprints[summary.inputs[index].path]
    }
    return summary
  }
}
