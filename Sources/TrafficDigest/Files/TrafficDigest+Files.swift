internal import AccessLogs
internal import Foundations

extension TrafficDigest {
  /// Writes this digest as a file.
  ///
  /// The bytes don't depend on the number of workers, the order of inputs, or the memory. A digest
  /// of digests has the same bytes as one of their logs.
  ///
  /// - Parameters:
  ///   - jobs: The number of workers.
  ///   - temporaryDirectory: The directory of temporary files.
  ///   - sink: A function that receives the bytes, piece by piece.
  /// - Throws: ``DigestFileError`` if a file can't be read or a temporary file can't be written;
  ///   and any error of `sink`.
  public func write(
    jobs: Int, temporaryDirectory: String, to sink: (_ bytes: [UInt8]) throws -> Void
  ) throws {
    let draft = DigestFileDraft(fingerprintsDays: inputsAreDays)
    try sink(DigestBlock.start)
    try sources(jobs: jobs, in: temporaryDirectory)
      .write(jobs: jobs, output: nil, to: { _, _ in draft }, { _, bytes in try sink(bytes) })
    for bytes in try draft.end(summary) { try sink(bytes) }
  }

  /// All targets, with at most as many runs as can be read at a time.
  func sources(jobs: Int, in directory: String) throws(DigestFileError) -> TargetSources {
    assert(dayNumber == nil, "the traffic of a day in memory can only be judged")
    return TargetSources(
      parts: parts.filter { $0.targets.count > 0 }.mapInParallel(jobs: jobs) { SortedPart($0) },
      runs: try DigestRun.limiting(runs, in: directory, jobs: jobs))
  }

  /// A Boolean value indicating whether some requests have no host, because neither their lines nor
  /// an option names it.
  public var hasNamelessHost: Bool {
    runs.contains { $0.index.first?.key.host.isEmpty ?? false }
      || holdsInMemory { $0.isEmpty }
  }

  /// A Boolean value indicating whether some requests have a host.
  package var namesHosts: Bool {
    runs.contains(where: \.namesHosts)
      || holdsInMemory { !$0.isEmpty }
  }

  /// Returns a Boolean value indicating whether a target in memory has a host that fulfils a
  /// condition.
  private func holdsInMemory(hostWhere condition: (Span<UInt8>) -> Bool) -> Bool {
    parts.contains { part in
      (0..<part.targets.count).contains { id in
        part.hosts.withBytes(Int(part.targets.scope(id)), condition)
      }
    }
  }

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
      merged.append(try .merging(TargetSources(runs: group), in: temporaryDirectory))
    }
    var all = runs + merged
    for file in rest { all.append(try file.run()) }
    return TrafficDigest(
      DigestSummary(adding: [summary] + summaries), parts: parts,
      runs: try DigestRun.limiting(all, in: temporaryDirectory, jobs: jobs),
      keptLines: keptLines, dayNumber: dayNumber)
  }

  /// An empty digest.
  public static let empty = TrafficDigest(DigestSummary(), parts: [], runs: [])
}

extension DigestFile {
  /// The summary as if all requests were outside the span of time.
  fileprivate var withoutRequests: DigestSummary {
    var summary = summary
    (summary.dailyFetches, summary.dailyClients, summary.dayTimes) = ([], [], [:])
    for number in summary.inputs.indices {
      summary.inputs[number].tally.outside += summary.inputs[number].tally.requests
      summary.inputs[number].tally.requests = 0
      summary.inputs[number].times = nil
    }
    return summary
  }
}

extension TrafficDigest {
  /// Counts the requests for a host as requests for another one.
  ///
  /// Referrals keep their kinds, because a digest doesn't contain referrers on other hosts.
  ///
  /// - Parameters:
  ///   - old: The host whose requests are renamed.
  ///   - new: The host that they count for, together with its own.
  ///   - jobs: The number of workers.
  ///   - temporaryDirectory: The directory of temporary files, which hold all targets.
  /// - Returns: The digest with the requests of both under the new name.
  /// - Throws: ``DigestFileError`` if a digest can't be read, or a temporary file can't be written.
  public func renamingHost(
    _ old: String, to new: String, jobs: Int, temporaryDirectory: String
  ) throws(DigestFileError) -> TrafficDigest {
    let (oldName, newName) = (Array(old.utf8), Array(new.utf8))
    // Targets are in the order of their hosts, so the renamed ones form a run of their own.
    let others = try DigestWriter(in: temporaryDirectory)
    let renamed = try DigestWriter(in: temporaryDirectory)
    var merge = try RunMerge(try sources(jobs: jobs, in: temporaryDirectory))
    var names = ByteTable()
    while try merge.next(names: &names) {
      if merge.record.key.host == oldName {
        merge.record.key.host = newName
        try renamed.add(merge.record, names: names)
      } else {
        try others.add(merge.record, names: names)
      }
    }
    var summary = summary
    summary.dailyFetches = summary.dailyFetches.map { daily in
      let fetches = daily.counts.map { fetch in
        var fetch = fetch
        if fetch.host.hasSameBytes(as: old) { fetch.host = new }
        return fetch
      }
      return Daily(day: daily.day, counts: Fetch.sums(fetches))
    }
    return TrafficDigest(
      summary, parts: [], runs: [try others.finish(), try renamed.finish()],
      keptLines: keptLines)
  }
}
