internal import Foundations
internal import TrafficDigest
internal import UniversalLinks

/// The traffic of each day.
struct DayTallies: Sendable {
  /// The counts of one day.
  struct DayTally: Sendable {
    var verdicts = CaseCounts<Verdict>()
    var platforms = CaseCounts<Platform>()
    var referrals = CaseCounts<Referral>()
    var causes = CaseCounts<Cause>()
  }

  private var tallies: [DayTally] = []
  private var days: [Day?] = []
  private var positions: [Int: Int] = [:]

  /// The last requested day: consecutive counts often have the same day.
  private var lastNumber = -1
  private var lastPosition = 0

  private mutating func position(_ dimensions: Dimensions) -> Int {
    let number = dimensions.dayNumber
    if number == lastNumber { return lastPosition }
    lastNumber = number
    if let known = positions[number] {
      lastPosition = known
    } else {
      lastPosition = tallies.count
      positions[number] = lastPosition
      tallies.append(DayTally())
      days.append(dimensions.day)
    }
    return lastPosition
  }

  /// Counts traffic under a verdict, and by its cause if it is claimed.
  mutating func add(
    _ traffic: Traffic, _ verdict: Verdict, _ cause: Cause?, on dimensions: Dimensions
  ) {
    let position = position(dimensions)
    tallies[position].verdicts[verdict] += traffic
    tallies[position].platforms[dimensions.platform] += traffic
    if verdict == .claimed { tallies[position].referrals[dimensions.referral] += traffic }
    if let cause { tallies[position].causes[cause] += traffic }
  }

  /// The counts by day.
  var byDay: [(day: Day?, tally: DayTally)] { Array(zip(days, tallies)) }

  /// Adds the counts of another worker.
  mutating func merge(_ other: DayTallies) {
    for (day, tally) in other.byDay {
      let dimensions = Dimensions(
        day: day, platform: .other, referral: .none, isGet: true, status: 0)
      let position = position(dimensions)
      tallies[position].verdicts += tally.verdicts
      tallies[position].platforms += tally.platforms
      tallies[position].referrals += tally.referrals
      tallies[position].causes += tally.causes
    }
  }
}
