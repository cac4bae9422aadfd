internal import Foundations
internal import TrafficDigest
internal import UniversalLinks

extension Finding {
  /// The kinds of findings about the causes for which claimed visits stay on the web.
  ///
  /// They are in the order of the causes. Links on the same host have a kind of their own.
  static let causeKinds: [FindingKind<AuditedSite>] = Cause.allCases.compactMap { cause in
    guard let levels = cause.findingLevels else { return nil }
    return FindingKind(
      single: DiagnosticKind(
        "cause-\(cause.rawValue)", note: levels.note, warning: levels.warning, of: "claimed visits",
        cause.title, condition: cause.condition, meaning: cause.meaning, remedy: cause.remedy)
    ) { context in
      let claimed = context.audit.verdicts[.claimed] ?? Traffic()
      guard let row = context.audit.causes.first(where: { $0.cause == cause }),
        row.traffic.visits > 0
      else { return nil }
      let paths = row.paths.filter { $0.traffic.visits > 0 }
      let heaviest = paths.first.map { " Heaviest: \($0.path)." } ?? ""
      return context.measured(
        row.traffic, of: claimed,
        "\(row.traffic.visits.grouped) of \(claimed.visits.counted("claimed visit")) \(cause.predicate).\(heaviest)\(cause.names(in: context.subject))",
        context.evidence(paths),
        visitsToWin: cause.canBeFixed ? row.traffic.visits : nil)
    }
  }
}

extension Cause {
  /// The minimum shares of claimed visits, in ten-thousandths, for a note and a warning about the
  /// cause; `nil` if it isn't reported.
  fileprivate var findingLevels: (note: Int, warning: Int?)? {
    switch self {
    case .sameHost, .unknown: nil
    case .inAppBrowser: (500, 2_000)
    case .otherBrowser, .search, .otherSite: (1_000, nil)
    case .oldSystem, .social: (500, nil)
    case .fileNotDelivered: (0, 100)
    case .loginCallback, .ownRedirect, .mail, .advert: (100, 1_000)
    case .ownHost: (500, 2_000)
    }
  }

  /// Whether a change can make the app open for such visits, where it is installed.
  fileprivate var canBeFixed: Bool {
    // Nobody tapped a link in a callback. Without a sign that the app stays closed, a link can open
    // it already.
    certainty != .unknown && self != .loginCallback
  }

  /// The clients or hosts with the most requests, in a sentence.
  fileprivate func names(in site: AuditedSite) -> String {
    let names: [String] =
      switch self {
      case .inAppBrowser: site.clientNames[.inApp] ?? []
      case .otherBrowser: site.clientNames[.iosBrowser] ?? []
      case .ownHost: site.ownReferringHosts
      default: []
      }
    let first = Array(names.filter { !$0.hasPrefix("other ") }.prefix(3))
    return first.isEmpty
      ? "" : " In these logs, most requests of this kind are from \(first.listed)."
  }

  /// The condition of the finding, as the end of a sentence.
  fileprivate var condition: String { "claimed visits \(predicate)" }

  /// The predicate of a sentence whose subject is visits with this cause.
  fileprivate var predicate: String {
    switch self {
    case .sameHost: "came from pages of the same host"
    case .inAppBrowser: "opened in web views of other apps"
    case .otherBrowser: "opened in browsers other than Safari"
    case .oldSystem: "came from systems that are too old for the rule"
    case .fileNotDelivered: "came on days when Apple's fetchers got no association file"
    case .loginCallback: "were sent back by a login service"
    case .ownRedirect: "came through click trackers or other hosts that redirect"
    case .mail: "came from mail"
    case .advert: "came from ads"
    case .ownHost: "came from your other hosts, whose links should open the app"
    case .search: "came from search engines"
    case .social: "came from social sites"
    case .otherSite: "came from other sites"
    case .unknown: "show no cause"
    }
  }
}
