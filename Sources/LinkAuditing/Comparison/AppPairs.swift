internal import UniversalLinks

/// The lists of rules that decide for each app on one generation of systems under two files,
/// grouped by apps with the same lists.
struct AppPairs: Sendable {
  /// The lists of an app under both files; `nil` where a file doesn't name it.
  struct Lists: Hashable, Sendable {
    var old: Int?
    var new: Int?
  }

  /// Some apps and their lists.
  struct Pair: Sendable {
    var apps: [ApplicationIdentifier]
    var lists: Lists
  }

  /// The pairs in the order in which the new file, then the old one, names their first apps.
  let pairs: [Pair]

  /// The app that opens where a list claims, by list of each file, as numbers that both files
  /// share: they are needed for each target, so nothing may be looked up then.
  private let openers: (old: [Int], new: [Int])

  init(_ system: OperatingSystem, old: CompiledSite, new: CompiledSite) {
    let matchers = (old: old.matchers[system], new: new.matchers[system])
    let lists = (old: matchers.old.ruleListByApp, new: matchers.new.ruleListByApp)
    pairs = (new.site.file.entries + old.site.file.entries).distinctApps
      .grouped { Lists(old: lists.old[$0], new: lists.new[$0]) }
      .filter { $0.lists != Lists() }
      .map { Pair(apps: $0.apps, lists: $0.lists) }
    var numbers = Numbering<ApplicationIdentifier>()
    func openers(_ matcher: LinkMatcher) -> [Int] {
      var openers = Array(repeating: -1, count: matcher.ruleLists.count)
      for app in matcher.apps where openers[app.ruleList] < 0 {
        openers[app.ruleList] = numbers.number(of: app.identifier)
      }
      return openers
    }
    self.openers = (openers(matchers.old), openers(matchers.new))
  }

  /// Returns a Boolean value indicating whether the same app opens where an old and a new list claim.
  func haveSameOpener(_ oldList: Int, _ newList: Int) -> Bool {
    openers.old[oldList] == openers.new[newList]
  }
}
