public import UniversalLinks

/// A rule as reports show it, for one of the apps that have it.
public struct ReportedRule: Hashable, Sendable {
  /// The app; the first one if several share the rule and it doesn't matter which.
  public var app: ApplicationIdentifier

  /// The identity of the rule in its file.
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

  /// Describes a rule.
  ///
  /// - Parameters:
  ///   - id: The identity of the rule.
  ///   - definition: The rule as decoded, or `nil` for an entry without rules.
  ///   - app: An app that has the rule.
  ///   - version: The version of the file, if the report knows of several.
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
  public static func < (first: ReportedRule, second: ReportedRule) -> Bool {
    first.order < second.order
  }

  /// The stable name of a rule, which doesn't depend on other rules: the app, and the text of the
  /// rule.
  var subject: String { "\(app.text) \(signedPattern)" + (id.list == .paths ? " (paths)" : "") }

  /// The pattern, with `not` before it if the rule excludes and its pattern doesn't say so.
  package var signedPattern: String {
    (excludes && id.list == .components ? "not " : "") + pattern
  }

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
}

extension RuleDefinition {
  /// The names of query items whose pattern is `*`.
  fileprivate var optionalItems: [String] {
    guard case .items(let items)? = query else { return [] }
    return items.filter { $0.pattern == "*" }.map(\.name)
  }
}
