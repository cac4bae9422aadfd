internal import Foundations

/// The merged targets of a range of keys, with their counts divided among outputs.
///
/// A worker merges a range without knowing where blocks begin, because that depends on the targets
/// before it. The blocks of several ranges are then encoded by all workers.
final class TargetBatch: Sendable {
  /// The targets with counts for one output.
  struct Share: Sendable {
    /// The number of the output.
    let output: Int

    /// A target; its bytes and counts follow those of the previous one.
    struct Entry: BitwiseCopyable {
      /// The number of the host.
      var host: Int32

      /// Its weight; see ``TargetRecord/weight(names:)``.
      var weight: Int32

      // The ends of its bytes and counts.
      var byteEnd: Int
      var requestEnd: Int
      var visitEnd: Int
    }

    private(set) var entries: [Entry] = []
    private(set) var bytes: [UInt8] = []
    private(set) var requests: [TargetRecord.Requests] = []
    private(set) var visits: [TargetRecord.Visits] = []

    init(output: Int) { self.output = output }

    fileprivate mutating func add(
      _ record: borrowing TargetRecord, host: Int, names: borrowing ByteTable
    ) {
      record.key.target.span.append(to: &bytes)
      let (newRequests, newVisits) = (record.requests.span, record.visits.span)
      for index in newRequests.indices { requests.append(newRequests[index]) }
      for index in newVisits.indices { visits.append(newVisits[index]) }
      entries.append(
        Entry(
          host: Int32(truncatingIfNeeded: host),
          weight: Int32(clamping: record.weight(names: names)), byteEnd: bytes.count,
          requestEnd: requests.count, visitEnd: visits.count))
    }
  }

  let hosts: [[UInt8]]

  /// The templates of pages.
  let templates: ByteTable

  let shares: [Share]

  /// Merges the targets from `lower` on and before `upper`.
  ///
  /// - Parameters:
  ///   - sources: The targets.
  ///   - lower: The first target, or `nil` for all.
  ///   - upper: The target after the last one, or `nil` for all.
  ///   - output: Returns the number of the output of a day, which is a number, too; or `nil` if
  ///     there is only one output, with the number 0.
  /// - Throws: ``DigestFileError`` if a run can't be read.
  init(
    _ sources: TargetSources, from lower: TargetKey?, to upper: TargetKey?,
    output: ((_ day: Int) -> Int)?
  ) throws(DigestFileError) {
    var merge = try RunMerge(sources, from: lower, to: upper)
    var names = ByteTable()
    var hosts: [[UInt8]] = []
    var division = TargetDivision(output)
    while try merge.next(names: &names, keepsNames: true) {
      if hosts.isEmpty || merge.hasNewHost { hosts.append(merge.record.key.host) }
      division.divide(&merge.record) { $0.add($1, host: hosts.count - 1, names: names) }
    }
    self.hosts = hosts
    shares = division.shares
    templates = names
  }

  func add(_ range: Range<Int>, of share: Int, to builder: inout TargetBlockBuilder) {
    let share = shares[share]
    let (entries, bytes) = (share.entries.span, share.bytes.span)
    let (requests, visits) = (share.requests.span, share.visits.span)
    var (number, host): (Int32, [UInt8]) = (-1, [])
    for index in range {
      let entry = entries[index]
      let last = index > 0 ? entries[index - 1] : nil
      if entry.host != number { (number, host) = (entry.host, hosts[Int(entry.host)]) }
      builder.add(
        host: host,
        target: bytes.extracting((last?.byteEnd ?? 0)..<entry.byteEnd),
        requests.extracting((last?.requestEnd ?? 0)..<entry.requestEnd),
        visits.extracting((last?.visitEnd ?? 0)..<entry.visitEnd), names: templates,
        weight: Int(entry.weight))
    }
  }

  /// Calls `body` with the targets of a share, one after another.
  ///
  /// The counts of several days are in the order of days; see ``TargetRecord/coalesce(names:)``.
  func forEachTarget<Failure: Error>(
    of share: Int, _ body: (_ record: inout TargetRecord) throws(Failure) -> Void
  ) throws(Failure) {
    let share = shares[share]
    var record = TargetRecord()
    var (byte, request, visit) = (0, 0, 0)
    for entry in share.entries {
      record.key.host = hosts[Int(entry.host)]
      record.key.target = Array(share.bytes[byte..<entry.byteEnd])
      record.requests = Array(share.requests[request..<entry.requestEnd])
      record.visits = Array(share.visits[visit..<entry.visitEnd])
      try body(&record)
      (byte, request, visit) = (entry.byteEnd, entry.requestEnd, entry.visitEnd)
    }
  }
}

/// Divides the counts of targets among outputs by their days.
private struct TargetDivision {
  private let output: ((_ day: Int) -> Int)?

  /// Whether there are several outputs.
  private let isDivided: Bool

  private(set) var shares: [TargetBatch.Share] = []

  /// The places in ``shares``, by output.
  private var places: [Int: Int] = [:]

  /// The last day, and the place of its output.
  private var last = (day: -1, place: -1)

  /// The counts of a target for one output.
  private var record = TargetRecord()

  /// The days of the visits of a target and their positions.
  private var visitDays: [(day: Int, position: Int)] = []

  init(_ output: ((_ day: Int) -> Int)?) {
    self.output = output
    isDivided = output != nil
    if output == nil { shares = [TargetBatch.Share(output: 0)] }
  }

  /// Calls `body` with the share of each output that has counts of a target, and those counts.
  ///
  /// The target's key is in use until this returns.
  @inline(__always)
  mutating func divide(
    _ whole: inout TargetRecord,
    _ body: (_ share: inout TargetBatch.Share, _ record: borrowing TargetRecord) -> Void
  ) {
    // The day is in the highest bits, so the counts of a day are consecutive.
    if !isDivided {
      body(&shares[0], whole)
    } else if let first = whole.requests.first?.dayNumber,
      whole.requests[whole.requests.count - 1].dayNumber == first,
      whole.visits.allSatisfy({ $0.dayNumber == first })
    {
      let place = place(of: first)
      body(&shares[place], whole)
    } else {
      divideDays(&whole, body)
    }
  }

  /// Does the same for a target with counts of several days.
  private mutating func divideDays(
    _ whole: inout TargetRecord,
    _ body: (_ share: inout TargetBatch.Share, _ record: borrowing TargetRecord) -> Void
  ) {
    visitDays.removeAll(keepingCapacity: true)
    for (position, visits) in whole.visits.enumerated() {
      visitDays.append((visits.dayNumber, position))
    }
    visitDays.sort { $0 < $1 }
    swap(&record.key, &whole.key)
    record.removeCounts()
    var (request, visit) = (0, 0)
    var current: Int?
    while request < whole.requests.count || visit < visitDays.count {
      let day = min(
        request < whole.requests.count ? whole.requests[request].dayNumber : .max,
        visit < visitDays.count ? visitDays[visit].day : .max)
      let place = place(of: day)
      if let current, current != place {
        body(&shares[current], record)
        record.removeCounts()
      }
      current = place
      while request < whole.requests.count, whole.requests[request].dayNumber == day {
        record.requests.append(whole.requests[request])
        request += 1
      }
      while visit < visitDays.count, visitDays[visit].day == day {
        record.visits.append(whole.visits[visitDays[visit].position])
        visit += 1
      }
    }
    if let current { body(&shares[current], record) }
    swap(&record.key, &whole.key)
  }

  @inline(__always)
  private mutating func place(of day: Int) -> Int {
    day == last.day ? last.place : findPlace(of: day)
  }

  private mutating func findPlace(of day: Int) -> Int {
    let number = output?(day) ?? 0
    let place = places[number] ?? shares.count
    if place == shares.count {
      places[number] = place
      shares.append(TargetBatch.Share(output: number))
    }
    last = (day, place)
    return place
  }
}
