internal import AccessLogs
internal import Foundations

extension DigestWriter {
  /// Adds the targets of tables, in ascending order.
  ///
  /// - Parameters:
  ///   - targets: The targets, whose scopes are numbers of hosts.
  ///   - hosts: The hosts.
  ///   - requests: The requests of each target by combination.
  ///   - combinations: The combinations of dimensions.
  ///   - visits: The visits of each target by page.
  ///   - pages: The pages.
  ///   - templates: The templates of pages.
  /// - Throws: ``DigestFileError`` if the run can't be written.
  mutating func add(
    _ targets: borrowing ByteTable, of hosts: borrowing ByteTable,
    _ requests: CountRun, _ combinations: borrowing WordTable,
    _ visits: CountRun, _ pages: borrowing WordTable, _ templates: borrowing ByteTable
  ) throws(DigestFileError) {
    var names: [[UInt8]] = []
    for host in 0..<hosts.count { names.append(hosts.array(host)) }
    var ranks = Array(repeating: 0, count: names.count)
    let order = names.indices.sorted { names[$0].lexicographicallyPrecedes(names[$1]) }
    for (rank, host) in order.enumerated() { ranks[host] = rank }

    let numbers = targets.sortedNumbers(ranks: ranks)
    let requestStarts = requests.starts(ofTargets: targets.count)
    let visitStarts = visits.starts(ofTargets: targets.count)
    var record = TargetRecord()
    for index in 0..<numbers.count {
      let target = Int(numbers[index])
      record.removeCounts()
      record.host = names[Int(targets.scope(target))]
      record.target.removeAll(keepingCapacity: true)
      targets.withBytes(target) { $0.append(to: &record.target) }
      for index in Int(requestStarts[target])..<Int(requestStarts[target + 1]) {
        let (other, count) = (requests.counts[index].kind, requests.counts[index].count)
        record.requests.append(
          TargetRecord.Requests(dimensions: combinations[other], count: count))
      }
      for index in Int(visitStarts[target])..<Int(visitStarts[target + 1]) {
        let (page, count) = (
          PageKey(bits: pages[visits.counts[index].kind]), visits.counts[index].count
        )
        record.visits.append(
          TargetRecord.Visits(
            template: page.template, dimensions: combinations[page.combination], count: count))
      }
      record.coalesce()
      try add(&record, names: templates)
    }
  }
}

extension DigestPart {
  /// Writes this part to a run.
  ///
  /// - Returns: The run, or `nil` if there is no target.
  func makeRun(in directory: String) throws(DigestFileError) -> DigestRun? {
    guard targets.count > 0 else { return nil }
    var writer = try DigestWriter.begin(in: directory)
    try writer.add(targets, of: hosts, requests, combinations, pageVisits, pages, templates)
    return try writer.finish()
  }
}
