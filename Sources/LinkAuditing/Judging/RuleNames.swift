internal import Foundations
internal import UniversalLinks

/// The versions of a site that judged traffic and their rules, as reports name them.
///
/// Each rule is looked up once by its number.
final class RuleNames {
  /// A version that judged traffic.
  struct Judged {
    /// Its position in the history.
    let position: Int
    let version: RuleSet.Version

    /// Its name in reports, or `nil` if no other version judged traffic.
    let name: SiteVersion?
  }

  /// The versions that judged traffic, in ascending order of their days, or else the newest
  /// version.
  let judged: [Judged]

  /// All versions of the site, and their names.
  private let versions: [RuleSet.Version]
  private var names: [SiteVersion?]

  /// By version and generation of systems, the rules by their numbers.
  private var known: [[Int: ReportedRule]]

  /// Creates the names of the only version of a site.
  init(_ version: RuleSet.Version) {
    judged = [Judged(position: 0, version: version, name: nil)]
    (versions, names, known) = ([version], [nil], [[:], [:]])
  }

  /// Creates the names of the versions of a site.
  ///
  /// - Parameters:
  ///   - rules: The versions.
  ///   - days: The days on which the site had requests; `nil` for requests without a time.
  init(_ rules: RuleSet, days: [Day?]) {
    var positions = Set(days.map { rules.version(onDay: $0?.number ?? 0) }).sorted()
    if positions.isEmpty { positions = [rules.versions.count - 1] }
    let all = rules.history.versions
    judged = positions.enumerated().map { number, position in
      let next = position + 1 < all.count ? all[position + 1].first : nil
      let name = SiteVersion(
        number: number, first: all[position].first,
        last: next.map { Day(daysSince1970: $0.daysSince1970 - 1) },
        filePath: all[position].site.filePath)
      return Judged(
        position: position, version: rules.versions[position],
        name: positions.count > 1 ? name : nil)
    }
    versions = rules.versions
    names = Array(repeating: nil, count: versions.count)
    known = Array(repeating: [:], count: OperatingSystem.allCases.count * versions.count)
    for version in judged { names[version.position] = version.name }
  }

  /// Returns a rule, or `nil` if no app has it.
  ///
  /// - Parameters:
  ///   - number: The number of the rule in the matcher.
  ///   - system: The generation of systems that the matcher is for.
  ///   - version: The position of the version of the file.
  /// - Returns: The rule with the first app that has it.
  func rule(_ number: Int, _ system: OperatingSystem, version: Int = 0) -> ReportedRule? {
    let slot = 2 * version + (system == .current ? 0 : 1)
    if let rule = known[slot][number] { return rule }
    let matcher = versions[version].matchers[system]
    let index = matcher.ruleList(ofRule: number)
    guard let app = matcher.apps.first(where: { $0.ruleList == index }) else { return nil }
    let list = matcher.ruleLists[index]
    let rule = ReportedRule(
      list.id(ofRule: number), list.definition(ofRule: number), of: app.identifier,
      version: names[version])
    known[slot][number] = rule
    return rule
  }
}

extension LinkMatcher {
  /// The position of the rules that decide for each app.
  var ruleListByApp: [ApplicationIdentifier: Int] {
    Dictionary(apps.map { ($0.identifier, $0.ruleList) }) { first, _ in first }
  }
}

extension [AssociationFile.Entry] {
  /// The apps that any system finds in the entries, each once, in the order in which they
  /// are named first.
  var distinctApps: [ApplicationIdentifier] {
    var known: Set<ApplicationIdentifier> = []
    return flatMap(\.namedApps).filter { known.insert($0).inserted }
  }
}

extension [ApplicationIdentifier] {
  /// Groups the apps by the rules that decide for them: most files have many apps and few lists.
  ///
  /// - Parameter lists: A function that returns the lists of an app.
  /// - Returns: The groups, in the order of their first apps.
  func grouped<Lists: Hashable>(
    by lists: (ApplicationIdentifier) -> Lists
  ) -> [(lists: Lists, apps: [ApplicationIdentifier])] {
    var groups: [(lists: Lists, apps: [ApplicationIdentifier])] = []
    var numbers: [Lists: Int] = [:]
    for app in self {
      let lists = lists(app)
      let number = numbers[lists] ?? groups.count
      if number == groups.count { groups.append((lists, [])) }
      numbers[lists] = number
      groups[number].apps.append(app)
    }
    return groups
  }
}
