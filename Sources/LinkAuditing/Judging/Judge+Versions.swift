internal import TrafficDigest

extension Judge {
  /// Judges a target of a site with several versions, each count of requests under the version
  /// of its day.
  @inline(never)
  mutating func judgeByDay(
    _ target: Span<UInt8>, host: Int, site: Int, _ requests: [TrafficDigest.Count],
    _ visits: [TrafficDigest.Count]
  ) {
    var (someRequests, someVisits): ([TrafficDigest.Count], [TrafficDigest.Count]) = ([], [])
    swap(&someRequests, &versionRequests)
    swap(&someVisits, &versionVisits)
    let history = sites[site]
    countVersions.removeAll(keepingCapacity: true)
    for count in requests {
      countVersions.append(
        history.version(onDay: combinations[count.kind].dimensions.dayNumber))
    }
    var judged = -1
    while true {
      // The next version in whose time there are requests.
      var next = Int.max
      for (count, version) in zip(requests, countVersions) where version > judged {
        if version < next {
          next = version
          someRequests.removeAll(keepingCapacity: true)
        }
        if version == next { someRequests.append(count) }
      }
      guard next < Int.max else { break }
      someVisits.removeAll(keepingCapacity: true)
      for count in visits where history.version(onDay: pages[count.kind].day) == next {
        someVisits.append(count)
      }
      judge(
        target, host: host, site: site, version: firstVersions[site] + next, someRequests,
        someVisits)
      judged = next
    }
    swap(&someRequests, &versionRequests)
    swap(&someVisits, &versionVisits)
  }

  /// The decisions of rules, by site and version.
  var ruleTalliesBySite: [[RuleTallies]] {
    sites.indices.map { site in
      Array(ruleTallies[firstVersions[site]...].prefix(sites[site].versions.count))
    }
  }
}
