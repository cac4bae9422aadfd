internal import AccessLogs
internal import Foundations

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
    var merge = try RunMerge(try allRuns(jobs: jobs, in: temporaryDirectory))
    var names = ByteTable()
    while try merge.next(names: &names) {
      if merge.record.key.host == oldName {
        merge.record.key.host = newName
        try renamed.add(&merge.record, names: names)
      } else {
        try others.add(&merge.record, names: names)
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
