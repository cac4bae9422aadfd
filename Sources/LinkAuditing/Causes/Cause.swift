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
    case .advert: "Ads"
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
    case .inAppBrowser: "inside other apps"
    case .otherBrowser: "in other browsers"
    case .oldSystem: "from old systems"
    case .fileNotDelivered: "without a delivered file"
    case .loginCallback: "of login callbacks"
    case .ownRedirect: "through redirects"
    case .mail: "from mail"
    case .advert: "from ads"
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
    case .inAppBrowser: "The web view of another app rarely passes links to the system."
    case .otherBrowser:
      "Chrome, Firefox and other browsers decide themselves whether a link opens an app."
    case .oldSystem: "The system is too old for the rule, or for universal links."
    case .fileNotDelivered:
      "Apple's fetchers got no association file that day, so devices had no rules for the host."
    case .loginCallback: "A login service redirected the browser. Nobody tapped a link."
    case .ownRedirect: "The link went to a host that redirects. A redirect rarely opens the app."
    case .mail:
      "Links in mail usually go through a click tracker, whose redirect stays in Safari."
    case .advert: "Ads usually go through an ad network, whose redirect stays in Safari."
    case .ownHost: "A link from another host opens the app where it is installed."
    case .search: "A tap on a result opens the app where it is installed."
    case .social: "Social sites redirect their links. A redirect rarely opens the app."
    case .otherSite: "A link from another site opens the app where it is installed."
    case .unknown:
      "The log shows no cause: a typed URL, a bookmark, another app, or no app installed."
    }
  }

  /// The way to make the app open, in a sentence or two.
  public var remedy: String {
    switch self {
    case .sameHost:
      """
      Link to another host that has the same rules, such as a subdomain. Or add a smart app banner, \
      which offers the app.
      """
    case .inAppBrowser:
      """
      Add a button to these pages that links to another of your hosts with the same rules. A tap on \
      it can open the app.
      """
    case .otherBrowser:
      """
      Add a button to these pages that links to another of your hosts with the same rules. Test it \
      in the browsers that the report lists under Clients.
      """
    case .oldSystem:
      """
      If you support these systems, add `paths` for iOS 12 and earlier. For iOS 13, write rules \
      without `caseSensitive`, `percentEncoded`, `defaults` and variables.
      """
    case .fileNotDelivered:
      "Run 'linkaudit fetch HOST', and fix the problems that it reports."
    case .loginCallback:
      """
      Exclude the callback paths from the rules, or receive them with \
      ASWebAuthenticationSession.
      """
    case .ownRedirect:
      """
      Link directly. Or serve the association file on the host that redirects, add that host to the \
      app's entitlement, and resolve its links in the app.
      """
    case .mail:
      """
      Switch off click tracking for these links. Or let the mail service track clicks on a subdomain \
      of yours that serves the association file and is in the app's entitlement.
      """
    case .advert:
      "Set the page's URL as the deep link of the ad, so that the network opens it directly."
    case .ownHost:
      """
      Tap such a link on a device that has the app. If it stays on the web, look for scripts or \
      redirects between the two hosts.
      """
    case .search, .otherSite:
      "Add a smart app banner, which offers the app, to these pages."
    case .social:
      "Add a smart app banner, or a button to another of your hosts, to these pages."
    case .unknown:
      """
      Add items such as utm_medium to the links that you send, so that the next report can \
      distinguish them.
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
  public var paths: [PathGroupTraffic] = []
}

extension SiteAudit {
  /// The path groups of all causes, the heaviest first.
  package var causePaths: [(cause: Cause, share: PathGroupTraffic)] {
    causes.flatMap { row in row.paths.map { (cause: row.cause, share: $0) } }
      .heaviestFirst(by: weight) {
        $0.share.traffic
      } name: {
        "\($0.share.path) \($0.cause.rawValue)"
      }
  }
}
