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

      /// Its weight; see ``TargetKey/weight(_:_:names:)``.
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
      _ key: TargetKey, _ newRequests: Span<TargetRecord.Requests>,
      _ newVisits: Span<TargetRecord.Visits>, host: Int, names: borrowing ByteTable
    ) {
      key.target.span.append(to: &bytes)
      for index in newRequests.indices { requests.append(newRequests[index]) }
      for index in newVisits.indices { visits.append(newVisits[index]) }
      let weight = key.weight(newRequests, newVisits, names: names)
      entries.append(
        Entry(
          host: Int32(truncatingIfNeeded: host), weight: Int32(clamping: weight),
          byteEnd: bytes.count, requestEnd: requests.count, visitEnd: visits.count))
    }
  }

  let hosts: [[UInt8]]

  /// The templates of pages.
  let templates: ByteTable

  let shares: [Share]

  /// Merges the targets from `lower` on and before `upper`.
  ///
  /// `output` returns the number of the output of a day, which is a number, too; without it, there is
  /// only one output, with the number 0.
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
      division.add(&merge.record, host: hosts.count - 1, names: names)
    }
    self.hosts = hosts
    shares = division.shares
    templates = names
  }

  /// Adds some targets of a share to a block.
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
        visits.extracting((last?.visitEnd ?? 0)..<entry.visitEnd), names: templates)
    }
  }
}

/// Divides the counts of targets among outputs by their days.
private struct TargetDivision {
  private let output: ((_ day: Int) -> Int)?

  private(set) var shares: [TargetBatch.Share] = []

  /// The places in ``shares``, by output.
  private var places: [Int: Int] = [:]

  /// The last day, and the place of its output.
  private var last = (day: -1, place: -1)

  init(_ output: ((_ day: Int) -> Int)?) {
    self.output = output
    if output == nil { shares = [TargetBatch.Share(output: 0)] }
  }

  /// Adds the counts of a target to the shares of their outputs.
  ///
  /// If outputs depend on days, this sorts the visits of several days by day.
  @inline(__always)
  mutating func add(_ record: inout TargetRecord, host: Int, names: borrowing ByteTable) {
    var place = 0
    if output != nil {
      // The day is in the highest bits, so the counts of a day are consecutive.
      guard let first = record.requests.first?.dayNumber,
        record.requests[record.requests.count - 1].dayNumber == first,
        record.visits.allSatisfy({ $0.dayNumber == first })
      else { return addDays(of: &record, host: host, names: names) }
      place = self.place(of: first)
    }
    shares[place].add(
      record.key, record.requests.span, record.visits.span, host: host, names: names)
  }

  /// Adds the counts of a target that has several days, and sorts its visits by day.
  private mutating func addDays(
    of record: inout TargetRecord, host: Int, names: borrowing ByteTable
  ) {
    record.visits.sort { $0.dayNumber < $1.dayNumber }
    let (requests, visits) = (record.requests, record.visits)
    var (request, visit) = (0, 0)
    /// Returns the day of the next counts, or `.max` if there are none.
    func nextDay() -> Int {
      min(
        request < requests.count ? requests[request].dayNumber : .max,
        visit < visits.count ? visits[visit].dayNumber : .max)
    }
    var day = nextDay()
    while day < .max {
      let place = place(of: day)
      let (firstRequest, firstVisit) = (request, visit)
      // Consecutive days can have the same output.
      repeat {
        while request < requests.count, requests[request].dayNumber == day { request += 1 }
        while visit < visits.count, visits[visit].dayNumber == day { visit += 1 }
        day = nextDay()
      } while day < .max && self.place(of: day) == place
      shares[place].add(
        record.key, requests.span.extracting(firstRequest..<request),
        visits.span.extracting(firstVisit..<visit), host: host, names: names)
    }
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
