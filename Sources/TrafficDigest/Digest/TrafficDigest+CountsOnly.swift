internal import AccessLogs
internal import Foundations

extension TrafficDigest {
  /// The maximum number of requests in a digest.
  ///
  /// Sums of lines, clients, fetches and referring hosts must stay within
  /// ``DigestSummary/countLimit``.
  public static let lineLimit = DigestSummary.countLimit.upperBound / 4

  /// This digest without information about logs and times of day.
  ///
  /// Its bytes depend only on the counts of requests by day.
  ///
  /// It has one input for each day, named as the day, with as many lines as requests and a
  /// fingerprint of their counts, as ``writeByDay(jobs:temporaryDirectory:to:)`` has. Rejected
  /// lines, hosts that referrers name, and sizes of responses are left out; times of first and last
  /// requests are those of their days.
  public var countsOnly: TrafficDigest {
    var kept = DigestSummary()
    var requests: [Day?: Int] = [:]
    for daily in summary.dailyClients {
      requests[daily.day, default: 0] += daily.counts.reduce(0) { $0 + $1.requests }
    }
    for (day, requests) in requests {
      var input = Input(of: day, requests: requests)
      input.times = day?.wholeTimes
      kept.inputs.append(input)
      if let times = input.times { kept.dayTimes.add(times) }
    }
    kept.inputs.sort(by: Input.precedes)
    kept.dailyClients = summary.dailyClients
    kept.dailyFetches = summary.dailyFetches.map(\.withoutTimesAndSizes)
    kept.firstUnlistedFetchHost = summary.firstUnlistedFetchHost
    kept.inputsAreDays = true
    return TrafficDigest(kept, parts: parts, runs: runs)
  }
}

extension TrafficDigest.Input {
  /// The path of the input that represents the requests of a day.
  static func name(of day: Day?) -> String { day?.description ?? "undated" }

  /// Creates the input that represents the requests of a day, which have neither format nor times.
  init(of day: Day?, requests: Int) {
    self.init(path: Self.name(of: day))
    (tally.lines, tally.requests) = (requests, requests)
  }
}

extension TrafficDigest.Daily<TrafficDigest.Fetch> {
  /// These fetches without times of day.
  var withoutTimesAndSizes: Self {
    var counts = self
    for index in counts.counts.indices {
      counts.counts[index].figures = FetchFigures(
        requests: counts.counts[index].requests, times: day?.wholeTimes)
    }
    return counts
  }
}

extension Day {
  /// The bounds of the times of requests of which only the day is known.
  var wholeTimes: ClosedRange<LogTime> {
    let start = LogTime(secondsSince1970: daysSince1970 * 86_400, offsetInMinutes: 0)
    var end = start
    end.secondsSince1970 += 86_399
    return start...end
  }
}
