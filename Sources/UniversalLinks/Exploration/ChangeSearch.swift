/// Collects URLs that two matchers judge differently, the plainest one for each pair
/// of rules.
struct ChangeSearch {
  private struct Pair: Hashable {
    /// The app's number, or -1 for the site.
    var app: Int
    var old: RuleJudge.Ruling
    var new: RuleJudge.Ruling
  }

  let old: RuleJudge
  let new: RuleJudge
  private let base: String
  private var examples: [Pair: ExampleRank] = [:]

  /// All apps of both files, with their positions in each.
  private let apps: [(app: ApplicationIdentifier, old: Int?, new: Int?)]

  /// The pairs that the same rules come to, so that they are worked out once.
  private var pairs: [[Int]: [Pair]] = [:]

  /// The number of situations whose URLs have been judged, and whether the matchers
  /// judged all as expected.
  private var confirmations = 0
  private(set) var isConfirmed = true

  /// The number of situations that are confirmed whatever they are; changes always
  /// are.
  private static let confirmationLimit = 5_000

  init(old: LinkMatcher, new: LinkMatcher, base: String) {
    (self.old, self.new, self.base) = (RuleJudge(old), RuleJudge(new), base)
    let positions = Dictionary(
      new.apps.enumerated().map { ($0.element.identifier, $0.offset) }
    ) { first, _ in first }
    let known = Set(old.apps.map(\.identifier))
    apps =
      old.apps.enumerated().map {
        ($0.element.identifier, $0.offset, positions[$0.element.identifier])
      }
      + new.apps.enumerated().filter { !known.contains($0.element.identifier) }.map {
        ($0.element.identifier, nil, $0.offset)
      }
  }

  /// Judges the URLs that the rules of both files were probably written for.
  mutating func tryExamples(oldFile: AssociationFile, newFile: AssociationFile) {
    for (judge, file, isOld) in [(old, oldFile, true), (new, newFile, false)] {
      let examples = RuleExamples(judge.matcher, file: file)
      for (number, list) in judge.matcher.ruleLists.enumerated() {
        for (position, definition) in (list.definitions ?? []).enumerated() {
          for index in 0..<RuleExamples.count {
            let target = examples.target(of: definition, index: index)
            let url = base + String(decoding: target, as: UTF8.self)
            let deciders = old.deciders(for: url) + new.deciders(for: url)
            for pair in pairs(for: deciders) {
              let ruling = isOld ? pair.old : pair.new
              let isOwn = ruling.list == number && ruling.rule == position && index == 0
              add(ExampleRank(url, distance: isOwn ? 0 : 1), to: pair)
            }
          }
        }
      }
    }
  }

  /// Adds a situation.
  mutating func add(_ situation: RuleExploration.Situation) {
    let pairs = pairs(for: situation.deciders)
    let needsURL = confirmations < Self.confirmationLimit || !pairs.isEmpty
    guard needsURL else { return }
    var bytes = situation.path
    if !situation.query.isEmpty { bytes += [UInt8(ascii: "?")] + situation.query }
    if !situation.fragment.isEmpty { bytes += [UInt8(ascii: "#")] + situation.fragment }
    let url = base + String(decoding: bytes, as: UTF8.self)
    confirmations += 1
    guard old.deciders(for: url) + new.deciders(for: url) == situation.deciders else {
      isConfirmed = false
      return
    }
    for pair in pairs { add(ExampleRank(url, distance: 1), to: pair) }
  }

  private mutating func add(_ example: ExampleRank, to pair: Pair) {
    if let known = examples[pair], !(example < known) { return }
    examples[pair] = example
  }

  /// The rulings that differ where these rules decide.
  private mutating func pairs(for deciders: [Int]) -> [Pair] {
    if let known = pairs[deciders] { return known }
    let count = old.matcher.ruleLists.count
    let (oldDeciders, newDeciders) = (deciders[..<count], deciders[count...])
    var found: [Pair] = []
    func add(_ app: Int, _ old: RuleJudge.Ruling, _ new: RuleJudge.Ruling) {
      if old.verdict != new.verdict { found.append(Pair(app: app, old: old, new: new)) }
    }
    add(-1, old.siteRuling(deciders: oldDeciders), new.siteRuling(deciders: newDeciders))
    let none = RuleJudge.Ruling(verdict: .unclaimed)
    for (index, app) in apps.enumerated() {
      add(
        index, app.old.map { old.ruling(app: $0, deciders: oldDeciders) } ?? none,
        app.new.map { new.ruling(app: $0, deciders: newDeciders) } ?? none)
    }
    pairs[deciders] = found
    return found
  }

  /// The changes of the site and of apps, in order.
  func changes() -> (site: [RuleComparison.Change], apps: [RuleComparison.AppChange]) {
    let sorted = examples.sorted { first, second in
      let (one, other) = (first.key, second.key)
      if one.app != other.app { return one.app < other.app }
      return one.old == other.old ? one.new < other.new : one.old < other.old
    }
    var site: [RuleComparison.Change] = []
    var appChanges: [RuleComparison.AppChange] = []
    for (pair, example) in sorted {
      let change = RuleComparison.Change(
        url: example.text, old: old.outcome(pair.old), new: new.outcome(pair.new))
      if pair.app < 0 {
        site.append(change)
      } else {
        appChanges.append(RuleComparison.AppChange(app: apps[pair.app].app, change: change))
      }
    }
    return (site, appChanges)
  }
}
