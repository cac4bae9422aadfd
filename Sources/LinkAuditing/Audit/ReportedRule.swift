internal import Foundations
public import UniversalLinks

/// A rule as reports show it, for one of the apps that have it.
public struct ReportedRule: Hashable, Sendable {
  /// The app; the first one if several share the rule and it doesn't matter which.
  public var app: ApplicationIdentifier
  public var id: RuleID

  /// The constraints of the rule in the order of a URL, such as `/help/*?articleNumber=????`.
  ///
  /// An element of `paths` is shown as the file spells it. A rule without constraints is shown as
  /// `*`.
  public var pattern: String

  /// A Boolean value indicating whether the rule excludes matching URLs.
  public var excludes: Bool

  /// A Boolean value indicating whether a fragment, which no log shows, could change whether the
  /// rule matches.
  public var dependsOnFragment: Bool

  /// The names of query items whose pattern is `*`, which also matches URLs without the item.
  package var optionalItems: [String]

  /// The place in its file, or `nil` for an entry without rules.
  public var position: TextPosition?

  /// The version of the file that has the rule, or `nil` if the report knows of one only.
  public var version: SiteVersion?

  /// Describes a rule of an app; an entry without rules has no definition.
  public init(
    _ id: RuleID, _ definition: RuleDefinition?, of app: ApplicationIdentifier,
    version: SiteVersion? = nil
  ) {
    (self.app, self.id, self.version) = (app, id, version)
    pattern = definition?.pattern(in: id.list) ?? "*"
    excludes = definition?.excludes ?? false
    dependsOnFragment = definition?.dependsOnFragment ?? false
    position = definition?.position
    optionalItems = definition?.optionalItems ?? []
  }
}

extension ReportedRule: Comparable {
  /// The rule as one of an app.
  package func of(_ app: ApplicationIdentifier) -> ReportedRule {
    var rule = self
    rule.app = app
    return rule
  }

  public static func < (first: ReportedRule, second: ReportedRule) -> Bool {
    first.order < second.order
  }

  /// The stable name of a rule, which doesn't depend on other rules: the app, and the text of the
  /// rule.
  var subject: String { "\(app.text) \(signedPattern)" + (id.list == .paths ? " (paths)" : "") }

  /// The pattern, with `not` before it if the rule excludes and its pattern doesn't say so.
  package var signedPattern: String { (excludes && id.list == .components ? "not " : "") + pattern }

  /// The order of rules of the same weight.
  var order: (String, String, String, Int, String, Int) {
    (
      app.text, String(describing: id.entry), id.list.rawValue, id.position ?? -1, pattern,
      version?.number ?? 0
    )
  }
}

extension RuleDefinition {
  /// The short form in which reports show the rule.
  fileprivate func pattern(in list: RuleID.List) -> String {
    if list == .paths { return source }
    var text = path ?? ""
    switch query {
    case nil: break
    case .whole(let pattern): text += "?" + pattern
    case .items(let items) where items.isEmpty: break
    case .items(let items):
      text += "?" + items.map { "\($0.name)=\($0.pattern)" }.joined(separator: "&")
    }
    if let fragment { text += "#" + fragment }
    return text.isEmpty && path == nil ? "*" : text
  }

  fileprivate var optionalItems: [String] {
    guard case .items(let items)? = query else { return [] }
    return items.filter { $0.pattern == "*" }.map(\.name)
  }
}

/// The versions of a site that judged traffic and their rules, as reports name them.
///
/// Each rule is looked up once by its number.
final class RuleNames {
  /// A version that judged traffic, its position in the history, and its name in reports, which it
  /// lacks if no other version judged traffic.
  typealias Judged = (position: Int, version: RuleSet.Version, name: SiteVersion?)

  /// The versions that judged traffic, in ascending order of their days, or else the newest
  /// version.
  let judged: [Judged]

  /// The rules by version and generation of systems, and by their numbers.
  private var known: [CountTable.Key: ReportedRule] = [:]

  /// Creates the names of the only version of a site.
  init(_ version: RuleSet.Version) { judged = [(0, version, nil)] }

  /// Creates the names of the versions of a site with requests on some days, or without a day.
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
      return (position, rules.versions[position], positions.count > 1 ? name : nil)
    }
  }

  /// Returns the rule with a number in the matcher of a version that judged traffic, with the first
  /// app that has it, or `nil` if no app has it.
  func rule(_ number: Int, _ system: OperatingSystem, version: Int = 0) -> ReportedRule? {
    let key = CountTable.Key(2 * version + (system == .current ? 0 : 1), number)
    if let rule = known[key] { return rule }
    let place = judged.indices.partitioningIndex { judged[$0].position >= version }
    let matcher = judged[place].version.matchers[system]
    let index = matcher.ruleList(ofRule: number)
    guard let app = matcher.apps.first(where: { $0.ruleList == index }) else { return nil }
    let rule = ReportedRule(
      matcher.ruleLists[index].id(ofRule: number), matcher.definition(ofRule: number),
      of: app.identifier, version: judged[place].name)
    known[key] = rule
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

extension Sequence {
  /// The elements by some key, in the order of the first ones.
  package func grouped<Key: Hashable>(
    by key: (Element) -> Key
  ) -> [(key: Key, elements: [Element])] {
    var groups: [(key: Key, elements: [Element])] = []
    var numbers: [Key: Int] = [:]
    for element in self {
      let key = key(element)
      let number = numbers[key] ?? groups.count
      if number == groups.count { groups.append((key, [])) }
      numbers[key] = number
      groups[number].elements.append(element)
    }
    return groups
  }
}
