internal import UniversalLinks

/// How reports name the rules of a site, looked up once each.
final class RuleNames {
  /// A rule of a list of one generation of systems.
  struct Key: Hashable {
    var system: OperatingSystem
    var list: Int
    var rule: Int?
  }

  private let site: CompiledSite
  private var known: [Key: RuleReference] = [:]

  init(site: CompiledSite) {
    self.site = site
  }

  /// The name of a rule, or `nil` if no app has it.
  subscript(key: Key) -> RuleReference? {
    if let reference = known[key] { return reference }
    let matcher = site.matcher(key.system)
    let list = matcher.ruleLists[key.list]
    guard let app = matcher.apps.first(where: { $0.ruleList == key.list }) else { return nil }
    let definition = key.rule.flatMap { list.definitions?[$0] }
    let kind = Self.kind(of: list, system: key.system)
    let reference = RuleReference(
      app: app.identifier, place: list.filePlace, list: kind, rule: key.rule,
      pattern: definition.map { RulePattern.text(of: $0, list: kind) } ?? "*",
      excludes: definition?.excludes ?? false, position: definition?.position)
    known[key] = reference
    return reference
  }

  /// The array that holds the rules which a system reads.
  static func kind(of list: LinkMatcher.RuleList, system: OperatingSystem) -> RuleListKind {
    system == .current && list.hasComponents ? .components : .paths
  }
}

extension RuleReference {
  /// What rules of the same weight are ordered by.
  var order: (String, String, String, Int, String) {
    (app.text, String(describing: place), list.rawValue, rule ?? -1, pattern)
  }
}

extension LinkMatcher {
  /// The position of the rules that decide for each app.
  var ruleListByApp: [ApplicationIdentifier: Int] {
    Dictionary(apps.map { ($0.identifier, $0.ruleList) }) { first, _ in first }
  }
}
