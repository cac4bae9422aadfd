internal import UniversalLinks

extension Comparison {
  /// The changes in one sentence.
  ///
  /// An example is `2.3% of visits change: 1.9% newly claimed (0.4% without a route).` Shares are
  /// of visits, or of requests if there are no visits.
  public var summary: String {
    let byVisits = total.visits > 0
    let thing = byVisits ? "visits" : "requests"
    let whole = byVisits ? total.visits : total.requests
    func part(_ traffic: Traffic) -> Int { byVisits ? traffic.visits : traffic.requests }
    guard whole > 0 else { return "There is no traffic to compare the files by." }
    guard changed.requests > 0 else { return unchangedSummary }
    guard part(changed) > 0 else {
      return
        "No visit changes, \(changed.requests.counted("request")) that \(changed.requests == 1 ? "isn't a visit does" : "aren't visits do")."
    }
    var parts: [String] = []
    if part(newlyClaimed) > 0 {
      var text = "\(part(newlyClaimed).share(of: whole)) newly claimed"
      if let without = newlyClaimedWithoutRoute, part(without) > 0 {
        text += " (\(part(without).share(of: whole)) without a route)"
      }
      parts.append(text)
    }
    if part(noLongerClaimed) > 0 {
      parts.append("\(part(noLongerClaimed).share(of: whole)) no longer claimed")
    }
    if part(newlyExcluded) > 0 {
      parts.append("\(part(newlyExcluded).share(of: whole)) newly excluded")
    }
    if part(noLongerExcluded) > 0 {
      parts.append("\(part(noLongerExcluded).share(of: whole)) no longer excluded")
    }
    if part(opensAnotherApp) > 0 {
      parts.append("\(part(opensAnotherApp).share(of: whole)) open another app")
    }
    return "\(part(changed).share(of: whole)) of \(thing) change: \(parts.joined(separator: "; "))."
  }

  /// The summary where the site's verdicts stay the same.
  private var unchangedSummary: String {
    let start = "No request of these logs changes its verdict"
    let heaviest = apps.max { ($1.gained + $1.lost).isHeavier(than: $0.gained + $0.lost) }
    guard let heaviest, (heaviest.gained + heaviest.lost).requests > 0 else { return start + "." }
    let parts = [(heaviest.lost, "loses"), (heaviest.gained, "gains")].filter {
      $0.0.requests > 0
    }.map { "\($0.1) \($0.0.weightText)" }
    return
      "\(start) for the site, but some do for single apps: \(heaviest.app.text) \(parts.joined(separator: " and "))."
  }
}

extension Int {
  /// Returns this number's share of a whole in percent with one decimal, or an upper bound of a
  /// tiny share.
  fileprivate func share(of whole: Int) -> String {
    let share = percent(of: whole)
    return share == "0.0%" ? "less than 0.1%" : share
  }
}
