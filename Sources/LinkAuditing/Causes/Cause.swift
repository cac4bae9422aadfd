/// The cause for which a claimed request stayed on the web.
///
/// Each has exactly one: the first, in the order of the cases, whose sign the request shows.
public enum Cause: String, BitwiseCopyable, CaseIterable, Hashable, Sendable {
  /// The link was on a page of the same host (Matching.md, 7.1).
  case sameHost = "same-host"

  /// The page opened in a web view of another app.
  case inAppBrowser = "in-app-browser"

  /// The page opened in a browser of iOS other than Safari, which decides itself.
  case otherBrowser = "other-browser"

  /// The system does not support a feature that the rule needs (Matching.md, 4.3).
  case oldSystem = "old-system"

  /// Apple's fetchers requested the association file that day, and none received it.
  case fileNotDelivered = "file-not-delivered"

  /// A login service sent the browser back.
  case loginCallback = "login-callback"

  /// The referrer is a click tracker or another host that redirects.
  case ownRedirect = "own-redirect"

  /// The query says that the link was in mail.
  case mail

  /// The query says that the link was an advert.
  case advert

  /// The link was on another host of the same owner.
  case ownHost = "own-host"

  /// The link was on a search engine.
  case search

  /// The link was on a social site.
  case social

  /// The link was on any other site.
  case otherSite = "other-site"

  /// There is no referrer and no other sign.
  case unknown

  /// The certainty with which the sign explains that the app did not open.
  public enum Certainty: String, CaseIterable, Hashable, Sendable {
    /// The app cannot open for such a request.
    case certain

    /// The app rarely opens for such a request.
    case likely

    /// The app can open for such a request where it is installed.
    case unknown
  }

  /// The certainty with which this explains that the app did not open.
  public var certainty: Certainty {
    switch self {
    case .sameHost: .certain
    case .inAppBrowser, .otherBrowser, .oldSystem, .fileNotDelivered, .loginCallback, .ownRedirect,
      .mail, .advert, .social:
      .likely
    case .ownHost, .search, .otherSite, .unknown: .unknown
    }
  }

  /// The name for people.
  public var title: String {
    switch self {
    case .sameHost: "Links on the same host"
    case .inAppBrowser: "In-app browsers"
    case .otherBrowser: "Other browsers"
    case .oldSystem: "Old systems"
    case .fileNotDelivered: "Association file not delivered"
    case .loginCallback: "Login callbacks"
    case .ownRedirect: "Click trackers and redirects"
    case .mail: "Mail"
    case .advert: "Adverts"
    case .ownHost: "Links on your other hosts"
    case .search: "Search engines"
    case .social: "Social sites"
    case .otherSite: "Other sites"
    case .unknown: "Unknown"
    }
  }

  /// The origin of visits with this cause, such as `from the same host`.
  public var phrase: String {
    switch self {
    case .sameHost: "from the same host"
    case .inAppBrowser: "in in-app browsers"
    case .otherBrowser: "in other browsers"
    case .oldSystem: "from old systems"
    case .fileNotDelivered: "without a delivered file"
    case .loginCallback: "of login callbacks"
    case .ownRedirect: "through redirects"
    case .mail: "from mail"
    case .advert: "from adverts"
    case .ownHost: "from your other hosts"
    case .search: "from search engines"
    case .social: "from social sites"
    case .otherSite: "from other sites"
    case .unknown: "of unknown origin"
    }
  }

  /// The reason why the app did not open, in a sentence.
  public var meaning: String {
    switch self {
    case .sameHost: "A link to the host of its own page never opens the app."
    case .inAppBrowser: "The web view of another app rarely hands links to the system."
    case .otherBrowser: "Chrome, Firefox and others decide themselves whether a link opens an app."
    case .oldSystem: "The system is older than the rule, or than universal links."
    case .fileNotDelivered:
      "Apple's fetchers got no association file that day, so devices had no rules for the host."
    case .loginCallback: "A login service redirects the browser, and no person tapped a link."
    case .ownRedirect: "The tap opened a host that redirects, and a redirect rarely opens the app."
    case .mail:
      "Links in mail usually go through a click tracker, and its redirect stays in Safari."
    case .advert: "Adverts usually go through a redirect of their network, which stays in Safari."
    case .ownHost: "A link from another host opens the app where it is installed."
    case .search: "A tap on a result opens the app where it is installed."
    case .social: "Social sites send links through a redirect, which rarely opens the app."
    case .otherSite: "A link from another site opens the app where it is installed."
    case .unknown: "The log shows no sign: typed, a bookmark, another app, or no app installed."
    }
  }

  /// The way to make the app open, in a sentence or two.
  public var remedy: String {
    switch self {
    case .sameHost:
      """
      Link to another host that has the same rules, such as a subdomain, or offer the app with a \
      smart app banner.
      """
    case .inAppBrowser:
      """
      Put a button on these pages that links to another of your hosts with the same rules: a tap \
      on it can open the app.
      """
    case .otherBrowser:
      """
      Put a button on these pages that links to another of your hosts with the same rules, and \
      test it in the browsers named under Clients.
      """
    case .oldSystem:
      """
      Add `paths` for iOS 12 and earlier, and write rules for iOS 13 without `caseSensitive`, \
      `percentEncoded`, `defaults` and variables, if these systems matter to you.
      """
    case .fileNotDelivered:
      "Run 'linkaudit fetch HOST', and fix what it reports."
    case .loginCallback:
      """
      Exclude the callback paths from the rules, or receive them with \
      ASWebAuthenticationSession.
      """
    case .ownRedirect:
      """
      Serve the association file on the host that redirects, add that host to the app's \
      entitlement, and resolve its links in the app; or link directly.
      """
    case .mail:
      """
      Let the mail service track clicks on a subdomain of yours that serves the association file \
      and is in the app's entitlement; or switch click tracking off for these links.
      """
    case .advert:
      "Give the advert the page's URL as its deep link, so that the network opens it directly."
    case .ownHost:
      """
      Tap such a link on a device with the app. If it stays on the web, look for scripts or \
      redirects between the two hosts.
      """
    case .search:
      "Offer the app with a smart app banner on these pages."
    case .social:
      "Put a smart app banner, or a button to another of your hosts, on these pages."
    case .otherSite:
      "Offer the app with a smart app banner on these pages."
    case .unknown:
      """
      Add items such as utm_medium to links that you send, so that the next report can tell them \
      apart.
      """
    }
  }
}

/// The claimed traffic that stayed on the web for one cause.
///
/// Its counts add up over causes to the claimed traffic of the site.
public struct CauseTraffic: Hashable, Sendable {
  /// The cause.
  public var cause: Cause

  /// The claimed requests and visits.
  public var traffic: Traffic

  /// The same by path group, the heaviest first.
  public var paths: [PathShare] = []

  /// The traffic of a path group.
  public struct PathShare: Hashable, Sendable {
    /// The path group.
    public var path: String

    /// The claimed requests and visits.
    public var traffic: Traffic
  }
}

extension SiteAudit {
  /// The path groups of all causes, those with the most visits first.
  package var causePaths: [(cause: Cause, share: CauseTraffic.PathShare)] {
    causes.flatMap { row in row.paths.map { (cause: row.cause, share: $0) } }
      .heaviestFirst(by: .visits) {
        $0.share.traffic
      } name: {
        "\($0.share.path) \($0.cause.rawValue)"
      }
  }
}
