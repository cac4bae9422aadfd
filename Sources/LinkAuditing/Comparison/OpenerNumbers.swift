internal import UniversalLinks

/// The app that opens where a list of rules claims, as numbers that two files share.
///
/// They are needed for each target, so nothing may be looked up then.
struct OpenerNumbers: Sendable {
  /// By list of the old file and of the new one.
  private let current: (old: [Int], new: [Int])
  private let legacy: (old: [Int], new: [Int])

  init(old: CompiledSite, new: CompiledSite) {
    func numbers(_ system: OperatingSystem) -> (old: [Int], new: [Int]) {
      var numbers: [ApplicationIdentifier: Int] = [:]
      func openers(_ matcher: LinkMatcher) -> [Int] {
        var openers = Array(repeating: -1, count: matcher.ruleLists.count)
        for app in matcher.apps where openers[app.ruleList] < 0 {
          let number = numbers[app.identifier] ?? numbers.count
          numbers[app.identifier] = number
          openers[app.ruleList] = number
        }
        return openers
      }
      return (openers(old.matcher(system)), openers(new.matcher(system)))
    }
    (current, legacy) = (numbers(.current), numbers(.legacy))
  }

  /// Returns a Boolean value indicating whether the same app opens where an old and a new
  /// list claim.
  func areEqual(_ oldList: Int, _ newList: Int, _ system: OperatingSystem) -> Bool {
    switch system {
    case .current: current.old[oldList] == current.new[newList]
    case .legacy: legacy.old[oldList] == legacy.new[newList]
    }
  }
}
