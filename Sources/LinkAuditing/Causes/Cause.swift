internal import TrafficDigest
public import UniversalLinks

/// The cause for which a claimed request stayed on the web.
///
/// Each has exactly one: the first, in the order of the cases, whose sign the request shows. A case
/// and its entry are all that a cause needs, if its sign is in ``CauseEvidence``.
public enum Cause: UInt8, BitwiseCopyable, CaseIterable, Hashable, Sendable {
  case sameHost
  case inAppBrowser
  case otherBrowser
  case oldSystem
  case fileNotDelivered
  case loginCallback
  case ownRedirect
  case mail
  case advert
  case ownHost
  case search
  case social
  case otherSite
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
}

extension Cause {
  /// All that is said about a cause, and its sign.
  public struct Entry: Sendable {
    /// The name in tables and JSON, such as `same-host`.
    public var name: String

    /// The certainty with which this explains that the app did not open.
    public var certainty: Certainty
    public var title: String

    /// The origin of visits with this cause, such as `from the same host`.
    public var phrase: String

    /// The predicate of a sentence whose subject is visits with this cause.
    var predicate: String

    /// The sign, in a sentence of the reference.
    var about: String

    /// The reason why the app did not open, in a sentence.
    var meaning: String

    /// The way to make the app open, in a sentence or two.
    public var remedy: String

    /// The minimum shares of claimed visits, in ten-thousandths, for a note and a warning about the
    /// cause; `nil` if it has no finding of its own.
    var levels: (note: Int, warning: Int?)?

    /// Whether a change can make the app open for such visits, where it is installed.
    var canBeFixed = true

    /// The clients or hosts that the finding names, those with the most requests first.
    var names: @Sendable (AuditedSite) -> [String] = { _ in [] }

    /// Returns a Boolean value indicating whether a request shows the sign.
    var isShown: @Sendable (CauseEvidence) -> Bool
  }

  private var ownEntry: Entry {
    switch self {
    case .sameHost:
      Entry(
        name: "same-host", certainty: .certain, title: "Links on the same host",
        phrase: "from the same host", predicate: "came from pages of the same host",
        about: "The referrer's host is the requested host.",
        meaning: "A link to the host of its own page never opens the app.",
        remedy: """
          Link to another host that has the same rules, such as a subdomain. Or add a smart app banner, \
          which offers the app.
          """,
        isShown: { $0.referral == .sameHost })
    case .inAppBrowser:
      Entry(
        name: "in-app-browser", certainty: .likely, title: "In-app browsers",
        phrase: "inside other apps", predicate: "opened in web views of other apps",
        about: """
          The user agent is that of a web view in an app, such as Instagram \
          ([Clients](Clients.md)).
          """,
        meaning: "The web view of another app rarely passes links to the system.",
        remedy: """
          Add a button to these pages that links to another of your hosts with the same rules. A tap on \
          it can open the app.
          """,
        levels: (500, 2_000),
        names: { $0.clientNames[.inApp] ?? [] },
        isShown: { $0.platform == .inApp })
    case .otherBrowser:
      Entry(
        name: "other-browser", certainty: .likely, title: "Other browsers",
        phrase: "in other browsers", predicate: "opened in browsers other than Safari",
        about: "The user agent is that of Chrome, Firefox, or another browser on iOS.",
        meaning: """
          Chrome, Firefox and other browsers decide themselves whether a link opens an app.
          """,
        remedy: """
          Add a button to these pages that links to another of your hosts with the same rules. Test it \
          in the browsers that the report lists under Clients.
          """,
        levels: (1_000, nil),
        names: { $0.clientNames[.iosBrowser] ?? [] },
        isShown: { $0.platform == .iosBrowser })
    case .oldSystem:
      Entry(
        name: "old-system", certainty: .likely, title: "Old systems",
        phrase: "from old systems", predicate: "came from systems that are too old for the rule",
        about: """
          The user agent names a system without universal links: before iOS 9 or macOS 10.15. Or \
          the rule needs a later iOS: 13.5 for `caseSensitive` and variables, 14 for \
          `percentEncoded` and `defaults`.
          """,
        meaning: "The system is too old for the rule, or for universal links.",
        remedy: """
          If you support these systems, add `paths` for iOS 12 and earlier. For iOS 13, write rules \
          without `caseSensitive`, `percentEncoded`, `defaults` and variables.
          """,
        levels: (500, nil),
        isShown: { $0.isBeforeUniversalLinks || $0.facts.contains(.isTooOld) })
    case .fileNotDelivered:
      Entry(
        name: "file-not-delivered", certainty: .likely, title: "Association file not delivered",
        phrase: "without a delivered file",
        predicate: "came on days when Apple's fetchers got no association file",
        about: """
          On that day, Apple's fetchers requested the association file, and no request was good.
          """,
        meaning: """
          Apple's fetchers got no association file that day, so devices had no rules for the \
          host.
          """,
        remedy: "Run 'linkaudit fetch HOST', and fix the problems that it reports.",
        levels: (0, 100),
        isShown: { $0.facts.contains(.isUndelivered) })
    case .loginCallback:
      Entry(
        name: "login-callback", certainty: .likely, title: "Login callbacks",
        phrase: "of login callbacks", predicate: "were sent back by a login service",
        about: "The path is one of `--callback`, or the query has the items of a login service.",
        meaning: "A login service redirected the browser. Nobody tapped a link.",
        remedy: """
          Exclude the callback paths from the rules, or receive them with \
          ASWebAuthenticationSession.
          """,
        levels: (100, 1_000),
        canBeFixed: false,
        isShown: { $0.facts.contains(.isLogin) })
    case .ownRedirect:
      Entry(
        name: "own-redirect", certainty: .likely, title: "Click trackers and redirects",
        phrase: "through redirects",
        predicate: "came through click trackers or other hosts that redirect",
        about: "The referrer is a host of `--tracker-host`, or a known click tracker.",
        meaning: "The link went to a host that redirects. A redirect rarely opens the app.",
        remedy: """
          Link directly. Or serve the association file on the host that redirects, add that host to the \
          app's entitlement, and resolve its links in the app.
          """,
        levels: (100, 1_000),
        isShown: { $0.referrer == .tracker })
    case .mail:
      Entry(
        name: "mail", certainty: .likely, title: "Mail",
        phrase: "from mail", predicate: "came from mail",
        about: """
          The query has a parameter that mail services add, or the referrer is a webmail site.
          """,
        meaning: """
          Links in mail usually go through a click tracker, whose redirect stays in Safari.
          """,
        remedy: """
          Switch off click tracking for these links. Or let the mail service track clicks on a subdomain \
          of yours that serves the association file and is in the app's entitlement.
          """,
        levels: (100, 1_000),
        isShown: { $0.facts.contains(.isMail) || $0.referrer == .mail })
    case .advert:
      Entry(
        name: "advert", certainty: .likely, title: "Ads",
        phrase: "from ads", predicate: "came from ads",
        about: "The query has a parameter that ad networks add, or the referrer is an ad network.",
        meaning: "Ads usually go through an ad network, whose redirect stays in Safari.",
        remedy: """
          Set the page's URL as the deep link of the ad, so that the network opens it directly.
          """,
        levels: (100, 1_000),
        isShown: { $0.facts.contains(.isAdvert) || $0.referrer == .advert })
    case .ownHost:
      Entry(
        name: "own-host", certainty: .unknown, title: "Links on your other hosts",
        phrase: "from your other hosts",
        predicate: "came from your other hosts, whose links should open the app",
        about: "The referrer is another host of yours.",
        meaning: "A link from another host opens the app where it is installed.",
        remedy: """
          Tap such a link on a device that has the app. If it stays on the web, look for scripts or \
          redirects between the two hosts.
          """,
        levels: (500, 2_000),
        names: { $0.ownReferringHosts },
        isShown: { $0.referrer == .ownHost })
    case .search:
      Entry(
        name: "search", certainty: .unknown, title: "Search engines",
        phrase: "from search engines", predicate: "came from search engines",
        about: "The referrer is a search engine.",
        meaning: "A tap on a result opens the app where it is installed.",
        remedy: "Add a smart app banner, which offers the app, to these pages.",
        levels: (1_000, nil),
        isShown: { $0.referrer == .search })
    case .social:
      Entry(
        name: "social", certainty: .likely, title: "Social sites",
        phrase: "from social sites", predicate: "came from social sites",
        about: "The referrer is a social site.",
        meaning: "Social sites redirect their links. A redirect rarely opens the app.",
        remedy: "Add a smart app banner, or a button to another of your hosts, to these pages.",
        levels: (500, nil),
        isShown: { $0.referrer == .social })
    case .otherSite:
      Entry(
        name: "other-site", certainty: .unknown, title: "Other sites",
        phrase: "from other sites", predicate: "came from other sites",
        about: "There is any other referrer.",
        meaning: "A link from another site opens the app where it is installed.",
        remedy: "Add a smart app banner, which offers the app, to these pages.",
        levels: (1_000, nil),
        isShown: { $0.referrer == .other })
    case .unknown:
      Entry(
        name: "unknown", certainty: .unknown, title: "Unknown",
        phrase: "of unknown origin", predicate: "show no cause",
        about: "There is no referrer.",
        meaning: """
          The log shows no cause: a typed URL, a bookmark, another app, or no app installed.
          """,
        remedy: """
          Add items such as utm_medium to the links that you send, so that the next report can \
          distinguish them.
          """,
        isShown: { _ in true })
    }
  }

  private static let entries = allCases.map(\.ownEntry)

  /// The signs by number, without the words, which take longer to copy than a sign to ask for.
  static let signs = entries.map(\.isShown)
  public var entry: Entry { Self.entries[number] }
}

/// The claimed traffic that stayed on the web for one cause.
///
/// Its counts add up over causes to the claimed traffic of the site.
public struct CauseTraffic: Hashable, Sendable {
  public var cause: Cause
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
        "\($0.share.path) \($0.cause.entry.name)"
      }
  }
}

/// A page whose links stay on its host, and the two ways to let them open the app.
public struct SameHostFix: Hashable, Sendable {
  public var host: String

  /// The path group of the page with the links.
  public var page: String

  /// The verdict of most of the requests for that page, or `nil` if the logs have none.
  public var pageVerdict: Verdict?

  /// The path group of the claimed page that most visits went to.
  public var destination: String

  /// The visits from the page to all claimed pages of the host.
  public var visits: Int

  /// A URL of the destination, or `nil` if there is no sample.
  public var example: String?

  /// A Boolean value indicating whether Safari shows a smart app banner on the page: only on pages
  /// that the app claims.
  public var showsBanner: Bool { pageVerdict == .claimed }

  /// The visits that a smart app banner on the page can win.
  public var bannerVisits: Int { showsBanner ? visits : 0 }

  /// The smart app banner's tag for the page, with a placeholder for the app's number in the App
  /// Store.
  public var banner: String? {
    example.map { url in
      // A comma separates the tag's arguments.
      let argument = url.flatMap { character in
        switch character {
        case "&": "&amp;"
        case "\"": "%22"
        case "<": "%3C"
        case ",": "%2C"
        default: String(character)
        }
      }
      return
        "<meta name=\"apple-itunes-app\" content=\"app-id=APP_STORE_ID, app-argument=\(String(argument))\">"
    }
  }

  public var secondHost: String {
    let bare =
      host.hasPrefix("www.") || host.hasPrefix("*.")
      ? String(host.drop { $0 != "." }.dropFirst()) : host
    return (bare.hasPrefix("open.") ? "links." : "open.") + bare
  }

  /// The entry of the app's associated domains entitlement for the second host.
  public var entitlement: String { "applinks:\(secondHost)" }

  public var secondHostExample: String? {
    example.map { url in
      let path = url.dropFirst("https://".count).drop { $0 != "/" }
      return "https://\(secondHost)\(path)"
    }
  }
}

extension SiteAssembly {
  /// The pages with links to claimed pages of the same host, those with the most visits first.
  func sameHostFixes(_ pairs: [PagePair]) -> [SameHostFix] {
    var verdicts: [String: [Verdict: Int]] = [:]
    var samples: [String: [SampleStore.Sample]] = [:]
    for path in paths {
      verdicts[path.group, default: [:]][path.key.verdict, default: 0] += path.traffic.requests
      if path.key.verdict == .claimed { samples[path.group, default: []] += path.samples }
    }
    let host = site.site.exampleHost
    return pairs.grouped(by: \.from).map { page, pairs in
      // Pairs are the heaviest first, so the first one has the main destination.
      let destination = pairs[0].to
      let example = SampleStore.Sample.encodedBest(samples[destination] ?? []).first
      return SameHostFix(
        host: site.site.host, page: page, pageVerdict: verdicts[page]?.mostFrequent,
        destination: destination,
        visits: pairs.reduce(0) { $0 + $1.visits }, example: example.map { "https://\(host)\($0)" })
    }.sorted {
      $0.visits == $1.visits ? $0.page < $1.page : $0.visits > $1.visits
    }
  }
}
