internal import AccessLogs
internal import Foundations

extension TrafficDigest {
  /// The greatest number of requests that a digest can hold: sums of lines, clients, fetches and referring
  /// hosts have to stay within ``DigestSummary/countLimit``.
  public static let lineLimit = DigestSummary.countLimit.upperBound / 4

  /// This digest without anything that tells in which logs its requests were, and when on a day: its
  /// bytes depend on the counts of requests by day alone.
  ///
  /// It has one input for each day, named as the day, with as many lines as requests, as
  /// ``writeByDay(jobs:temporaryDirectory:to:)`` has. Rejected lines, hosts that referrers name, and sizes
  /// of responses are left out; times of first and last requests are those of their days.
  public var countsOnly: TrafficDigest {
    var kept = DigestSummary()
    var requests: [Day?: Int] = [:]
    for daily in summary.dailyClients {
      requests[daily.day, default: 0] += daily.counts.reduce(0) { $0 + $1.requests }
    }
    for (day, requests) in requests {
      var input = Input(path: day?.description ?? "undated")
      (input.tally.lines, input.tally.requests) = (requests, requests)
      input.times = day?.wholeTimes
      kept.inputs.append(input)
      if let times = input.times { kept.dayTimes.add(times) }
    }
    kept.inputs.sort(by: Input.precedes)
    kept.dailyClients = summary.dailyClients
    kept.dailyFetches = summary.dailyFetches.map { daily in
      let fetches = daily.counts.map { fetch in
        var fetch = fetch
        fetch.figures = FetchFigures(
          requests: fetch.requests, first: daily.day?.wholeTimes.lowerBound,
          last: daily.day?.wholeTimes.upperBound)
        return fetch
      }
      return Daily(day: daily.day, counts: fetches)
    }
    kept.firstUnlistedFetchHost = summary.firstUnlistedFetchHost
    return TrafficDigest(kept, parts: parts, runs: runs)
  }
}

extension Day {
  /// The times between which requests are of which only the day is known.
  var wholeTimes: ClosedRange<LogTime> {
    let start = LogTime(secondsSince1970: daysSince1970 * 86_400, offsetInMinutes: 0)
    var end = start
    end.secondsSince1970 += 86_399
    return start...end
  }
}
