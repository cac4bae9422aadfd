internal import TrafficDigest
internal import UniversalLinks

/// What one worker, or all of them, have counted for a site.
struct SiteTally: Sendable {
  /// What paths are counted by, besides their template.
  struct PathKey: Hashable, Sendable {
    var template: Int
    var verdict: Verdict
    var system: OperatingSystem

    /// The list that decided, and its rule.
    var list: Int?
    var rule: Int?

    /// The position of the app's route that the path has.
    var route: Int?
  }

  /// The templates of two pages.
  struct PairKey: Hashable, Sendable {
    var from: Int
    var to: Int
  }

  /// The counts of one day.
  struct DayTally: Sendable {
    var verdicts: [Verdict: Traffic] = [:]
    var sameHost = Traffic()
  }

  var current: GenerationTally
  var legacy: GenerationTally
  var verdicts: [Verdict: Traffic] = [:]
  var platforms: [Platform: Traffic] = [:]
  var referrals: [Referral: Traffic] = [:]
  var days: [Day?: DayTally] = [:]
  var paths: [PathKey: Traffic] = [:]
  var pairs: [PairKey: Int] = [:]

  init(_ site: CompiledSite) {
    current = GenerationTally(site.current)
    legacy = GenerationTally(site.legacy)
  }

  /// Adds the counts of another worker, where `template` returns the number of a
  /// template here, given its number there.
  mutating func merge(_ other: SiteTally, template: (Int) -> Int) {
    current.merge(other.current)
    legacy.merge(other.legacy)
    verdicts.merge(other.verdicts, uniquingKeysWith: +)
    platforms.merge(other.platforms, uniquingKeysWith: +)
    referrals.merge(other.referrals, uniquingKeysWith: +)
    for (day, tally) in other.days {
      days[day, default: DayTally()].verdicts.merge(tally.verdicts, uniquingKeysWith: +)
      days[day, default: DayTally()].sameHost += tally.sameHost
    }
    for (key, traffic) in other.paths {
      var key = key
      key.template = template(key.template)
      paths[key, default: Traffic()] += traffic
    }
    for (pair, visits) in other.pairs {
      let own = PairKey(from: template(pair.from), to: template(pair.to))
      pairs[own, default: 0] += visits
    }
  }
}
