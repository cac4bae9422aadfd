internal import Foundations
package import TrafficDigest

// The counts of digests as plain values, which tests compare.

extension TrafficDigest {
  /// A line of a digest in its canonical form.
  package struct Record: Hashable, Sendable {
    /// The host, normalized; empty if neither a line nor an option names it.
    package var host: String

    /// The target, as bytes.
    package var target: [UInt8]

    /// The dimensions of the requests.
    package var dimensions: Dimensions

    /// The number of requests.
    package var requests: Int

    /// Creates a record from its parts.
    package init(host: String, target: [UInt8], dimensions: Dimensions, requests: Int) {
      (self.host, self.target, self.dimensions) = (host, target, dimensions)
      self.requests = requests
    }
  }

  /// A line of the same-host visits of a digest in its canonical form, including those of crawlers.
  package struct PageVisit: Hashable, Sendable {
    /// The host, normalized.
    package var host: String

    /// The target, as bytes.
    package var target: [UInt8]

    /// The template of the page with the link, as bytes.
    package var page: [UInt8]

    /// The dimensions of the visits.
    package var dimensions: Dimensions

    /// The number of visits.
    package var visits: Int

    /// Creates visits from their parts.
    package init(
      host: String, target: [UInt8], page: [UInt8], dimensions: Dimensions, visits: Int
    ) {
      (self.host, self.target, self.page) = (host, target, page)
      (self.dimensions, self.visits) = (dimensions, visits)
    }
  }

  /// All counts, each combination once, in ascending order, so that digests of the same requests
  /// are equal.
  ///
  /// - Throws: ``DigestFileError`` if a temporary file can't be read.
  /// - Complexity: O(*n* log *n*), and a copy of every target.
  package func records() throws(DigestFileError) -> [Record] {
    var sums: [Record: Int] = [:]
    try forEachTarget { host, target, names, requests, _ in
      for index in requests.indices {
        let count = requests[index]
        let record = Record(
          host: host, target: target, dimensions: names.combinations[count.kind],
          requests: 0)
        sums[record, default: 0] += count.requests
      }
    }
    return sums.map { record, requests in
      var record = record
      record.requests = requests
      return record
    }.sorted(by: Self.precedes)
  }

  /// All same-host visits in ascending order.
  ///
  /// - Throws: ``DigestFileError`` if a temporary file can't be read.
  package func pageVisits() throws(DigestFileError) -> [PageVisit] {
    var sums: [PageVisit: Int] = [:]
    try forEachTarget { host, target, names, _, visits in
      for index in visits.indices {
        let count = visits[index]
        let page = names.pages[count.kind]
        let visit = PageVisit(
          host: host, target: target, page: names.templates[page.template],
          dimensions: names.combinations[page.combination], visits: 0)
        sums[visit, default: 0] += count.requests
      }
    }
    return sums.map { visit, visits in
      var visit = visit
      visit.visits = visits
      return visit
    }.sorted(by: Self.precedes)
  }

  private func forEachTarget(
    _ body: (_ host: String, _ target: [UInt8], TargetNames, Span<Count>, Span<Count>) -> Void
  ) throws(DigestFileError) {
    let names = TargetNames()
    for slice in slices(jobs: 1) {
      try forEachTarget(in: slice, names: names) { target, host, requests, visits in
        var bytes: [UInt8] = []
        target.append(to: &bytes)
        body(names.hosts[host], bytes, names, requests, visits)
      }
    }
  }

  private static func precedes(_ first: Record, _ second: Record) -> Bool {
    if first.host != second.host { return first.host < second.host }
    if first.target != second.target {
      return first.target.lexicographicallyPrecedes(second.target)
    }
    return first.dimensions.bits < second.dimensions.bits
  }

  private static func precedes(_ first: PageVisit, _ second: PageVisit) -> Bool {
    if first.host != second.host { return first.host < second.host }
    if first.target != second.target {
      return first.target.lexicographicallyPrecedes(second.target)
    }
    if first.page != second.page { return first.page.lexicographicallyPrecedes(second.page) }
    return first.dimensions.bits < second.dimensions.bits
  }
}
