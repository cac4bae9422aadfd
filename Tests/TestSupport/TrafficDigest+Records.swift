internal import Foundations
package import TrafficDigest

// The counts of digests as plain values, which tests compare.

extension TrafficDigest {
  /// A line of a digest in its canonical form: of its requests, or of its same-host visits.
  package struct Record: Hashable, Sendable {
    /// The host, normalized; empty if neither a line nor an option names it.
    package var host: String

    /// The target, as bytes.
    package var target: [UInt8]

    /// The template of the page with the link, as bytes; empty for requests.
    package var page: [UInt8]

    /// The dimensions of the requests.
    package var dimensions: Dimensions

    /// The number of requests, or of visits.
    package var requests: Int

    /// Creates a record from its parts.
    package init(
      host: String, target: [UInt8], page: [UInt8] = [], dimensions: Dimensions, requests: Int = 0
    ) {
      (self.host, self.target, self.page) = (host, target, page)
      (self.dimensions, self.requests) = (dimensions, requests)
    }

    /// Records with the number of each.
    package static func counted(_ counts: [Record: Int]) -> Set<Record> {
      let records = counts.map { record, requests in
        var record = record
        record.requests = requests
        return record
      }
      return Set(records)
    }
  }

  /// All counts, each combination once, so that digests of the same requests are equal.
  package func records() throws(DigestFileError) -> Set<Record> { try allRecords().requests }

  /// All same-host visits, including those of crawlers.
  package func pageVisits() throws(DigestFileError) -> Set<Record> { try allRecords().visits }

  private func allRecords() throws(DigestFileError) -> (requests: Set<Record>, visits: Set<Record>)
  {
    var requestSums: [Record: Int] = [:]
    var visitSums: [Record: Int] = [:]
    let names = TargetNames()
    for slice in slices(jobs: 1) {
      try forEachTarget(in: slice, names: names) { target, host, requests, visits in
        var record = Record(host: names.hosts[host], target: [], dimensions: Dimensions(bits: 0))
        target.append(to: &record.target)
        for index in requests.indices {
          record.dimensions = names.combinations[requests[index].kind]
          requestSums[record, default: 0] += requests[index].requests
        }
        for index in visits.indices {
          let page = names.pages[visits[index].kind]
          record.page = names.templates[page.template]
          record.dimensions = names.combinations[page.combination]
          visitSums[record, default: 0] += visits[index].requests
        }
      }
    }
    return (Record.counted(requestSums), Record.counted(visitSums))
  }

  /// What the requests determine, however they were split and read.
  package struct Counts: Equatable {
    var records, pageVisits: Set<Record>
    var requests: Int
    var times: ClosedRange<LogTime>?
    var fetches: [Daily<Fetch>]
    var clients: [Daily<ClientCount>]
  }

  /// All counts.
  package func counts() throws -> Counts {
    try Counts(
      records: records(), pageVisits: pageVisits(), requests: tally.requests, times: times,
      fetches: dailyFetches, clients: dailyClients)
  }
}
