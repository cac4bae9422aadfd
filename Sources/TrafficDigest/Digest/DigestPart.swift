internal import AccessLogs
internal import Foundations

/// The final counts of targets of one worker.
final class DigestPart: Sendable {
  let hosts: ByteTable

  /// The targets; the scope is the number of the host.
  let targets: ByteTable

  /// The requests of each target by combination of dimensions.
  let requests: CountRun
  let combinations: WordTable

  /// The visits of each target that came from pages of the same host.
  let pageVisits: CountRun
  let pages: WordTable

  /// The templates of those pages.
  let templates: ByteTable

  init(
    hosts: consuming ByteTable, targets: consuming ByteTable, requests: CountRun,
    combinations: consuming WordTable, pageVisits: CountRun, pages: consuming WordTable,
    templates: consuming ByteTable
  ) {
    self.hosts = hosts
    self.targets = targets
    self.requests = requests
    self.combinations = combinations
    self.pageVisits = pageVisits
    self.pages = pages
    self.templates = templates
  }

  /// Writes this part to a run, in ascending order of targets.
  ///
  /// - Parameter directory: The directory of temporary files.
  /// - Returns: The run, or `nil` if there is no target.
  /// - Throws: ``DigestFileError`` if the run can't be written.
  func makeRun(in directory: String) throws(DigestFileError) -> DigestRun? {
    guard targets.count > 0 else { return nil }
    let writer = try DigestWriter(in: directory)
    var names: [[UInt8]] = []
    for host in 0..<hosts.count { names.append(hosts.array(host)) }
    var ranks = Array(repeating: 0, count: names.count)
    let order = names.indices.sorted { names[$0].lexicographicallyPrecedes(names[$1]) }
    for (rank, host) in order.enumerated() { ranks[host] = rank }

    let numbers = targets.sortedNumbers(ranks: ranks)
    let requestStarts = requests.starts(ofTargets: targets.count)
    let visitStarts = pageVisits.starts(ofTargets: targets.count)
    var record = TargetRecord()
    for index in 0..<numbers.count {
      let target = Int(numbers[index])
      record.removeCounts()
      record.key.host = names[Int(targets.scope(target))]
      record.key.target.removeAll(keepingCapacity: true)
      targets.withBytes(target) { $0.append(to: &record.key.target) }
      for index in Int(requestStarts[target])..<Int(requestStarts[target + 1]) {
        let count = requests.counts[index]
        record.requests.append(
          TargetRecord.Requests(dimensions: combinations[count.kind], count: count.count))
      }
      for index in Int(visitStarts[target])..<Int(visitStarts[target + 1]) {
        let count = pageVisits.counts[index]
        let page = PageKey(bits: pages[count.kind])
        record.visits.append(
          TargetRecord.Visits(
            template: page.template, dimensions: combinations[page.combination],
            count: count.count))
      }
      record.coalesce()
      try writer.add(&record, names: templates)
    }
    return try writer.finish()
  }
}

/// The final counts of one worker other than those of targets.
struct WorkerCounts: Sendable {
  var rejections: RejectionTally
  var doubtfulLines: DoubtfulLines
  var fetches: FetchTally

  /// The requests by kind of client; see ``ClientTally/counts``.
  var clients: [(day: Int, count: TrafficDigest.ClientCount)]
  var referringHosts: [TrafficDigest.ReferringHost]

  /// The times of the first and the last request of each day.
  var dayTimes: DayTimes

  /// The lines of each chunk.
  var tallies: [ChunkTally]
}
