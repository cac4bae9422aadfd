internal import UniversalLinks

/// How reports name the rules of a site, looked up once each.
final class RuleNames {
  /// A rule of a list of one generation of systems.
  struct Key: Hashable {
    /// The position of the version of the file.
    var version = 0
    var system: OperatingSystem
    var list: Int
    var rule: Int?
  }

  private let sites: [CompiledSite]

  /// How reports name the versions of the file, where there are several.
  private let versions: [SiteVersion?]
  private var known: [Key: RuleReference] = [:]

  convenience init(site: CompiledSite) { self.init(sites: [site], versions: [nil]) }

  /// Creates the names of the rules of some versions of a site, each with its own name.
  init(sites: [CompiledSite], versions: [SiteVersion?]) {
    (self.sites, self.versions) = (sites, versions)
  }

  /// The name of a rule, or `nil` if no app has it.
  subscript(key: Key) -> RuleReference? {
    if let reference = known[key] { return reference }
    let matcher = sites[key.version].matcher(key.system)
    let list = matcher.ruleLists[key.list]
    guard let app = matcher.apps.first(where: { $0.ruleList == key.list }) else { return nil }
    let definition = key.rule.flatMap { list.definitions?[$0] }
    let kind = Self.kind(of: list, system: key.system)
    let reference = RuleReference(
      app: app.identifier, place: list.filePlace, list: kind, rule: key.rule,
      pattern: definition.map { RulePattern.text(of: $0, list: kind) } ?? "*",
      excludes: definition?.excludes ?? false, position: definition?.position,
      version: versions[key.version])
    known[key] = reference
    return reference
  }

  /// The array that holds the rules which a system reads.
  static func kind(of list: LinkMatcher.RuleList, system: OperatingSystem) -> RuleListKind {
    system == .current && list.hasComponents ? .components : .paths
  }
}

extension RuleReference {
  /// The name of a rule that stays when others come and go: the app, and the text of the rule.
  var subject: String {
    let words = excludes && list == .components ? "not " : ""
    return "\(app.text) \(words)\(pattern)" + (list == .paths ? " (paths)" : "")
  }

  /// The order of rules of the same weight.
  var order: (String, String, String, Int, String, Int) {
    (
      app.text, String(describing: place), list.rawValue, rule ?? -1, pattern,
      version?.number ?? 0
    )
  }
}

extension LinkMatcher {
  /// The position of the rules that decide for each app.
  var ruleListByApp: [ApplicationIdentifier: Int] {
    Dictionary(apps.map { ($0.identifier, $0.ruleList) }) { first, _ in first }
  }
}
