extension TrafficDigest {
  /// A target and everything that is counted of it.
  package struct TargetCounts {
    /// The host, normalised; empty if neither a line nor an option names it.
    package var host: String

    /// The target, as bytes.
    package var target: [UInt8]

    /// The numbers of requests by dimensions, in a fixed order.
    package var requests: [(dimensions: PackedDimensions, count: Int)]

    /// The numbers of visits from pages of the same host, in a fixed order.
    ///
    /// They are counted by the template of the page, as bytes, and by dimensions.
    package var visits: [(page: [UInt8], dimensions: PackedDimensions, count: Int)]
  }

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
    var merge = try RunMerge(try allRuns(jobs: jobs, in: temporaryDirectory))
    var names = ByteTable()
    var counts = TargetCounts(host: "", target: [], requests: [], visits: [])
    var host: [UInt8] = []
    while try merge.next(names: &names) {
      if merge.record.host != host {
        host = merge.record.host
        counts.host = String(decoding: host, as: UTF8.self)
      }
      counts.target = merge.record.target
      counts.requests = merge.record.requests.map {
        (PackedDimensions(bits: $0.dimensions), Int(truncatingIfNeeded: $0.count))
      }
      counts.visits = merge.record.visits.map {
        (
          names.array($0.template), PackedDimensions(bits: $0.dimensions),
          Int(truncatingIfNeeded: $0.count)
        )
      }
      counts.requests.sort { $0.dimensions.bits < $1.dimensions.bits }
      counts.visits.sort { first, second in
        first.page == second.page
          ? first.dimensions.bits < second.dimensions.bits
          : first.page.lexicographicallyPrecedes(second.page)
      }
      try body(counts)
    }
  }
}
