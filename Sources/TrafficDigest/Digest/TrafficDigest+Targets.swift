internal import AccessLogs
internal import Foundations

extension TrafficDigest {
  /// A piece of a digest's targets, for one worker at a time.
  package enum Slice: Sendable {
    /// Some targets of a part in memory.
    case memory(part: Int, targets: Range<Int>)

    /// The targets of all runs on disk between two keys.
    case runs(from: TargetKey?, to: TargetKey?)
  }

  /// A function that receives a target, the number of its host, its requests by combination of
  /// dimensions, and its same-host visits by page.
  package typealias TargetBody = (
    _ target: Span<UInt8>, _ host: Int, _ requests: Span<Count>, _ visits: Span<Count>
  ) -> Void

  /// The number of targets in a slice of a part in memory.
  private static let sliceLength = 8_192

  /// The number of slices into which runs on disk are cut for each worker.
  private static let runSlicesPerJob = 4

  /// Cuts the targets into pieces of about the same size.
  ///
  /// Two pieces can contain the same target; its counts add up.
  ///
  /// - Parameter jobs: The number of workers.
  /// - Returns: The pieces.
  package func slices(jobs: Int) -> [Slice] {
    var slices = parts.enumerated().flatMap { index, part in
      stride(from: 0, to: part.targets.count, by: Self.sliceLength).map { start in
        Slice.memory(
          part: index,
          targets: start..<Swift.min(start + Self.sliceLength, part.targets.count))
      }
    }
    guard !runs.isEmpty else { return slices }
    let keys = runs.flatMap { $0.index.map(\.key) }.sorted { $0 < $1 }
    let count = jobs > 1 ? Swift.min(keys.count, jobs * Self.runSlicesPerJob) : 1
    var lower: TargetKey?
    for number in 1..<Swift.max(count, 1) {
      let upper = keys[number * keys.count / count]
      slices.append(.runs(from: lower, to: upper))
      lower = upper
    }
    slices.append(.runs(from: lower, to: nil))
    return slices
  }

  /// Returns a Boolean value indicating whether a part in memory has a host.
  package func holdsInMemory(host: [UInt8]) -> Bool { parts.contains { $0.hosts.contains(host) } }

  /// Calls `body` with each target of a slice.
  ///
  /// - Parameters:
  ///   - slice: The slice.
  ///   - names: The names of the numbers, which can change before each call of `body`.
  ///   - body: A function that is called with each target.
  /// - Throws: ``DigestFileError`` if a temporary file can't be read.
  package func forEachTarget(
    in slice: Slice, names: TargetNames,
    _ body: TargetBody
  ) throws(DigestFileError) {
    switch slice {
    case .memory(let part, let targets):
      names.become(parts[part])
      forEachTarget(of: parts[part], in: targets, body)
    case .runs(let lower, let upper):
      try forEachTarget(from: lower, to: upper, names: names, body)
    }
  }

  private func forEachTarget(
    from lower: TargetKey?, to upper: TargetKey?, names: TargetNames,
    _ body: TargetBody
  ) throws(DigestFileError) {
    names.removeAll()
    var merge = try RunMerge(TargetSources(runs: runs), from: lower, to: upper)
    var isFirst = true
    var requests: [Count] = []
    var visits: [Count] = []
    while try merge.next(names: &names.templateNumbers) {
      names.addTemplates()
      // Hosts are in order, so each is new only once.
      if isFirst || merge.hasNewHost { names.append(host: merge.record.key.host) }
      isFirst = false
      requests.removeAll(keepingCapacity: true)
      for count in merge.record.requests {
        let number = names.number(ofCombination: count.dimensions)
        requests.append(Count(key: UInt64(number), count: count.count))
      }
      visits.removeAll(keepingCapacity: true)
      for count in merge.record.visits {
        let page = PageKey(
          template: UInt32(truncatingIfNeeded: count.template),
          combination: names.number(ofCombination: count.dimensions))
        visits.append(Count(key: UInt64(names.number(ofPage: page)), count: count.count))
      }
      body(merge.record.key.target.span, names.hosts.count - 1, requests.span, visits.span)
      if names.areFull {
        names.removeAll()
        merge.forgetNames()
        isFirst = true
      }
    }
  }

  private func forEachTarget(
    of part: DigestPart, in targets: Range<Int>,
    _ body: TargetBody
  ) {
    let selected = dayNumber.flatMap { part.combinations(onDay: $0) }
    var (selectedRequests, selectedVisits): ([Count], [Count]) = ([], [])
    var request = part.requests.firstCount(ofTarget: targets.lowerBound)
    var visit = part.pageVisits.firstCount(ofTarget: targets.lowerBound)
    for id in targets {
      let requests = part.requests.range(ofTarget: id, from: request)
      let visits = part.pageVisits.range(ofTarget: id, from: visit)
      (request, visit) = (requests.upperBound, visits.upperBound)
      let host = Int(part.targets.scope(id))
      part.targets.withBytes(id) { target in
        guard let selected else {
          part.requests.counts.withElements(requests) { requests in
            part.pageVisits.counts.withElements(visits) { body(target, host, requests, $0) }
          }
          return
        }
        selectedRequests.removeAll(keepingCapacity: true)
        for index in requests where selected[part.requests.counts[index].kind] {
          selectedRequests.append(part.requests.counts[index])
        }
        if selectedRequests.isEmpty { return }
        selectedVisits.removeAll(keepingCapacity: true)
        for index in visits {
          let count = part.pageVisits.counts[index]
          let combination = PageKey(bits: part.pages[count.kind]).combination
          if selected[combination] { selectedVisits.append(count) }
        }
        body(target, host, selectedRequests.span, selectedVisits.span)
      }
    }
  }
}

extension DigestPart {
  /// Which combinations of dimensions have a day, by number, or `nil` if all have it.
  fileprivate func combinations(onDay day: Int) -> [Bool]? {
    let selected = (0..<combinations.count).map {
      Dimensions(bits: combinations[$0]).dayNumber == day
    }
    return selected.allSatisfy(\.self) ? nil : selected
  }
}

extension ByteTable {
  /// The bytes of a string.
  package func array(_ id: Int) -> [UInt8] {
    withBytes(id) { bytes in
      var copy: [UInt8] = []
      bytes.append(to: &copy)
      return copy
    }
  }

  /// Returns a string, with replacement characters for invalid UTF-8.
  func string(_ id: Int) -> String {
    String(decoding: array(id), as: UTF8.self)
  }
}

extension TrafficDigest {
  /// A target and everything that is counted of it: the host, normalized, or empty if neither a
  /// line nor an option names it; the requests by dimensions; and the visits from pages of the same
  /// host by the template of the page, as bytes, and by dimensions; both in a fixed order.
  package typealias TargetCounts = (
    host: String, target: [UInt8], requests: [(dimensions: Dimensions, count: Int)],
    visits: [(page: [UInt8], dimensions: Dimensions, count: Int)]
  )

  /// Calls `body` with each target, once, in ascending order of host and target.
  ///
  /// - Parameters:
  ///   - jobs: The number of workers.
  ///   - temporaryDirectory: The directory of temporary files.
  ///   - body: A function that is called with each target.
  /// - Throws: ``DigestFileError`` if a file can't be read or a temporary file can't be written;
  ///   and any error of `body`.
  package func forEachSortedTarget(
    jobs: Int, temporaryDirectory: String, _ body: (TargetCounts) throws -> Void
  ) throws {
    var merge = try RunMerge(try sources(jobs: jobs, in: temporaryDirectory))
    var names = ByteTable()
    var host = ""
    while try merge.next(names: &names) {
      let record = merge.record
      if merge.hasNewHost { host = String(decoding: record.key.host, as: UTF8.self) }
      // Both are in order already; see ``TargetRecord``.
      let requests = record.requests.map {
        (Dimensions(bits: $0.dimensions), Int(truncatingIfNeeded: $0.count))
      }
      let visits = record.visits.map {
        let count = Int(truncatingIfNeeded: $0.count)
        return (names.array($0.template), Dimensions(bits: $0.dimensions), count)
      }
      try body((host, record.key.target, requests, visits))
    }
  }
}

/// The names of hosts, templates and dimensions, to which the numbers in targets and counts refer.
///
/// It grows as targets are read. Numbers are stable as long as ``generation`` stays the same.
package final class TargetNames {
  /// The maximum number of bytes of names; beyond it, all are discarded and numbered again.
  static let byteLimit = 1 << 22

  /// The same limit for the number of hosts.
  static let hostLimit = 1 << 16

  /// A number that changes when all numbers are discarded.
  package private(set) var generation = 0

  /// A number that changes with every name.
  package private(set) var version = 0

  /// The part whose names these are, or `nil` if they are those of runs.
  private var part: DigestPart?

  /// The hosts.
  package private(set) var hosts: [String] = []

  /// The hosts of runs as bytes.
  private var runHosts: [[UInt8]] = []

  /// A host as bytes; as text, different hosts may be equal.
  package func hostBytes(_ number: Int) -> [UInt8] {
    part?.hosts.array(number) ?? runHosts[number]
  }

  /// The combinations of dimensions.
  package private(set) var combinations: [Dimensions] = []

  /// The pages with links that same-host visits followed.
  package private(set) var pages: [PageKey] = []

  /// The templates of those pages, as logged.
  package private(set) var templates: [[UInt8]] = []

  package init() {}

  /// Switches to the numbers of a part of a digest, unless they are in use already.
  func become(_ part: DigestPart) {
    guard self.part !== part else { return }
    removeAll()
    self.part = part
    hosts = (0..<part.hosts.count).map { part.hosts.string($0) }
    combinations = (0..<part.combinations.count).map {
      Dimensions(bits: part.combinations[$0])
    }
    pages = (0..<part.pages.count).map { PageKey(bits: part.pages[$0]) }
    templates = (0..<part.templates.count).map { part.templates.array($0) }
  }

  // The values of runs that have been numbered, in the order of their names.
  private var combinationNumbers = WordTable()
  private var pageNumbers = WordTable()

  /// The templates of runs, which ``RunMerge`` numbers; ``addTemplates()`` adds their names.
  var templateNumbers = ByteTable()

  /// A Boolean value indicating whether the names of runs must be discarded before others are added.
  var areFull: Bool {
    templateNumbers.byteCount + pageNumbers.byteCount + combinationNumbers.byteCount
      > Self.byteLimit || hosts.count >= Self.hostLimit
  }

  /// Discards all names.
  func removeAll() {
    generation += 1
    version += 1
    part = nil
    (hosts, runHosts) = ([], [])
    (combinations, pages, templates) = ([], [], [])
    combinationNumbers = WordTable()
    pageNumbers = WordTable()
    templateNumbers = ByteTable()
  }

  /// Adds a host of runs, which gets the next number.
  func append(host: [UInt8]) {
    hosts.append(String(decoding: host, as: UTF8.self))
    runHosts.append(host)
    version += 1
  }

  /// Adds the names of templates that have new numbers.
  func addTemplates() {
    while templates.count < templateNumbers.count {
      templates.append(templateNumbers.array(templates.count))
      version += 1
    }
  }

  /// Returns the number of a combination of dimensions of runs, which gets the next one if it is
  /// new.
  func number(ofCombination dimensions: UInt64) -> UInt32 {
    let number = combinationNumbers.insert(dimensions)
    if number == combinations.count {
      combinations.append(Dimensions(bits: dimensions))
      version += 1
    }
    return number
  }

  /// Returns the number of a page of runs, which gets the next one if it is new.
  func number(ofPage page: PageKey) -> UInt32 {
    let number = pageNumbers.insert(page.bits)
    if number == pages.count {
      pages.append(page)
      version += 1
    }
    return number
  }
}
