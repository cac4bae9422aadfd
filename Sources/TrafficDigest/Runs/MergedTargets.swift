/// The targets of runs, with counts by the numbers that judges use: those of hosts, combinations
/// and pages.
struct MergedTargets: ~Copyable {
  private var merge: RunMerge
  private let names: TargetNames

  // The values numbered so far, in the order of their names.
  private var combinationNumbers = WordTable()
  private var pageNumbers = WordTable()
  private var templateNumbers = ByteTable()
  private var lastHost: [UInt8]?

  /// The number of the target's host.
  private(set) var host = 0

  /// The requests by combination of dimensions, and the visits by page.
  private(set) var requests: [TrafficDigest.Count] = []
  private(set) var visits: [TrafficDigest.Count] = []

  init(
    _ runs: [DigestRun], from lower: TargetKey?, to upper: TargetKey?, names: TargetNames
  ) throws(DigestFileError) {
    merge = try RunMerge(runs, from: lower, to: upper)
    self.names = names
  }

  /// The target.
  var target: [UInt8] { merge.record.key.target }

  /// Reads the next target.
  ///
  /// - Returns: Whether there is one.
  mutating func next() throws(DigestFileError) -> Bool {
    if templateNumbers.byteCount + pageNumbers.byteCount + combinationNumbers.byteCount
      > TargetNames.byteLimit
      || names.hosts.count >= TargetNames.hostLimit
    {
      forgetNames()
    }
    guard try merge.next(names: &templateNumbers) else { return false }
    while names.templates.count < templateNumbers.count {
      names.append(template: templateNumbers.array(names.templates.count))
    }
    // Hosts are in order, so each is new only once.
    if merge.record.key.host != lastHost {
      lastHost = merge.record.key.host
      host = names.hosts.count
      names.append(host: merge.record.key.host)
    }
    if !requests.isEmpty { requests.removeAll(keepingCapacity: true) }
    for count in merge.record.requests {
      let number = combinationNumber(count.dimensions)
      requests.append(TrafficDigest.Count(key: UInt64(number), count: count.count))
    }
    if !visits.isEmpty { visits.removeAll(keepingCapacity: true) }
    for count in merge.record.visits {
      let key = PageKey(
        template: UInt32(truncatingIfNeeded: count.template),
        combination: combinationNumber(count.dimensions)
      ).bits
      let number = pageNumbers.insert(key)
      if number == names.pages.count { names.append(page: key) }
      visits.append(TrafficDigest.Count(key: UInt64(number), count: count.count))
    }
    return true
  }

  private mutating func combinationNumber(_ dimensions: UInt64) -> UInt32 {
    let number = combinationNumbers.insert(dimensions)
    if number == names.combinations.count { names.append(combination: dimensions) }
    return number
  }

  private mutating func forgetNames() {
    combinationNumbers = WordTable()
    pageNumbers = WordTable()
    templateNumbers = ByteTable()
    lastHost = nil
    names.removeAll()
    merge.forgetNames()
  }
}
