internal import UniversalLinks

/// The rules of a site as reports show them, each looked up once by its number.
final class RuleNames {
  private let sites: [CompiledSite]

  /// The versions of the file as reports name them, where there are several.
  private let versions: [SiteVersion?]

  /// By version and generation of systems, the rules by their numbers.
  private var known: [[Int: ReportedRule]]

  convenience init(site: CompiledSite) { self.init(sites: [site], versions: [nil]) }

  /// Creates the names of the rules of some versions of a site, each with its own name.
  init(sites: [CompiledSite], versions: [SiteVersion?]) {
    (self.sites, self.versions) = (sites, versions)
    known = Array(repeating: [:], count: OperatingSystem.allCases.count * sites.count)
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
    let matcher = sites[version].matchers[system]
    let index = matcher.ruleList(ofRule: number)
    guard let app = matcher.apps.first(where: { $0.ruleList == index }) else { return nil }
    let list = matcher.ruleLists[index]
    let rule = ReportedRule(
      list.id(ofRule: number), list.definition(ofRule: number), of: app.identifier,
      version: versions[version])
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
