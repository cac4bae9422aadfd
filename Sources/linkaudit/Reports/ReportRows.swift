internal import LinkAuditing
internal import UniversalLinks

/// The tables of families and routes, by their names in JSON.
enum FamilyTable: String, CaseIterable {
  case claimedNotImplemented
  case implementedNotClaimed
  case implementedButExcluded
  case excludedHeavy
  case unclaimedHeavy

  /// A Boolean value indicating whether a rule decided for its rows.
  var decides: Bool {
    switch self {
    case .claimedNotImplemented, .implementedButExcluded, .excludedHeavy: true
    case .implementedNotClaimed, .unclaimedHeavy: false
    }
  }
}

/// The tables of families that the web answered in a certain way, by their names in
/// JSON.
enum AnswerTable: String, CaseIterable {
  case claimedBroken
  case claimedRedirected
}

extension Coverage {
  /// The rows of a table of families or routes.
  func rows(of table: FamilyTable) -> [FamilyTraffic] {
    switch table {
    case .claimedNotImplemented: claimedNotImplemented
    case .implementedNotClaimed: implementedNotClaimed
    case .implementedButExcluded: implementedButExcluded
    case .excludedHeavy: excludedHeavy
    case .unclaimedHeavy: unclaimedHeavy
    }
  }

  /// The rows of a table of answers.
  func rows(of table: AnswerTable) -> [AnsweredTraffic] {
    switch table {
    case .claimedBroken: claimedBroken
    case .claimedRedirected: claimedRedirected
    }
  }
}

extension Dictionary where Key: CaseIterable & Hashable, Value == Traffic {
  /// The cases that have requests, in their order.
  var occurring: [(key: Key, traffic: Traffic)] {
    Key.allCases.compactMap { key in
      self[key].flatMap { $0.requests > 0 ? (key, $0) : nil }
    }
  }
}

/// A rule of one app, and what it decided for it.
struct AppRule {
  var app: ApplicationIdentifier
  var traffic: RuleTraffic
}

/// A rule of one app, an earlier one that decided in its place, and for how much.
struct AppShadow {
  var app: ApplicationIdentifier
  var rule: RuleTraffic

  /// The earlier rule.
  var decider: RuleTraffic

  /// What both match.
  var traffic: Traffic
}

extension SiteAudit {
  /// The rules app by app, as tables of rules have them.
  var rules: some Sequence<AppRule> {
    ruleLists.lazy.flatMap { list in
      list.apps.lazy.flatMap { app in list.rules.lazy.map { AppRule(app: app, traffic: $0) } }
    }
  }

  /// The pairs of a rule and an earlier one that decided in its place, once for all apps
  /// that share them.
  var distinctShadows: [AppShadow] {
    var shadows: [AppShadow] = []
    for list in ruleLists {
      guard let app = list.apps.first else { continue }
      let positions = list.positions
      for rule in list.rules {
        for shadow in rule.shadowedBy {
          guard let decider = positions[RulePosition(rule, shadow.rule)] else { continue }
          shadows.append(
            AppShadow(
              app: app, rule: rule, decider: list.rules[decider], traffic: shadow.traffic))
        }
      }
    }
    return shadows
  }

  /// The pairs of a rule and an earlier one that decided in its place, app by app.
  var shadows: some Sequence<AppShadow> {
    ruleLists.lazy.flatMap { list in
      let positions = list.positions
      return list.apps.lazy.flatMap { app in
        list.rules.lazy.flatMap { rule in
          rule.shadowedBy.lazy.compactMap { shadow in
            positions[RulePosition(rule, shadow.rule)].map { decider in
              AppShadow(
                app: app, rule: rule, decider: list.rules[decider], traffic: shadow.traffic)
            }
          }
        }
      }
    }
  }
}

/// What tells the rules of a list apart.
private struct RulePosition: Hashable {
  var place: AssociationFile.Place
  var list: RuleListKind
  var rule: Int?

  /// The position of another rule beside one.
  init(_ rule: RuleTraffic, _ position: Int?) {
    (place, list, self.rule) = (rule.place, rule.list, position)
  }
}

extension RuleListTraffic {
  /// Where in the list each rule stands.
  fileprivate var positions: [RulePosition: Int] {
    Dictionary(
      rules.indices.map { (RulePosition(rules[$0], rules[$0].rule), $0) },
      uniquingKeysWith: { first, _ in first })
  }
}
