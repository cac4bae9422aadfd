extension TrafficDigest {
  /// Adds digests in files to this one.
  ///
  /// - Parameters:
  ///   - files: The digests that count. Their blocks are read on demand.
  ///   - outside: Digests whose requests don't count, but whose inputs are named.
  ///   - emptyInputs: Inputs without lines, which are named, too.
  ///   - jobs: The number of workers.
  ///   - temporaryDirectory: The directory of temporary files. If too many digests would be open at
  ///     a time, they are merged there.
  /// - Returns: The combined digest.
  /// - Throws: ``DigestFileError`` if a digest can't be read, or a temporary file can't be written.
  public func adding(
    _ files: [DigestFile], outside: [DigestFile] = [], emptyInputs: [Input] = [], jobs: Int,
    temporaryDirectory: String
  ) throws(DigestFileError) -> TrafficDigest {
    var empty = DigestSummary()
    empty.inputs = emptyInputs
    let summaries = files.map(\.summary) + outside.map(\.withoutRequests) + [empty]
    var rest = files[...]
    var merged: [DigestRun] = []
    // Opened in groups, because only so many can be open.
    while runs.count + merged.count + rest.count > DigestRun.fanIn, rest.count > 1 {
      var group: [DigestRun] = []
      for file in rest.prefix(DigestRun.fanIn / 2) { group.append(try file.run()) }
      rest = rest.dropFirst(group.count)
      merged.append(try .merging(group, in: temporaryDirectory))
    }
    var all = runs + merged
    for file in rest { all.append(try file.run()) }
    return TrafficDigest(
      DigestSummary(adding: [summary] + summaries), parts: parts,
      runs: try DigestRun.limiting(all, in: temporaryDirectory, jobs: jobs),
      rejectedLineSpool: rejectedLineSpool, reducedPaths: reducedPaths)
  }

  /// An empty digest.
  public static let empty = TrafficDigest(DigestSummary(), parts: [], runs: [])
}

extension DigestFile {
  /// The summary as if all requests were outside the span of time.
  fileprivate var withoutRequests: DigestSummary {
    var summary = summary
    (summary.dailyFetches, summary.dailyClients, summary.dayTimes) = ([], [], DayTimes())
    for number in summary.inputs.indices {
      summary.inputs[number].tally.outside += summary.inputs[number].tally.requests
      summary.inputs[number].tally.requests = 0
      summary.inputs[number].times = nil
    }
    return summary
  }
}
