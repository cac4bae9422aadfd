/// A client by name: an app, a browser, or a crawler.
///
/// There are few, so a client is a number. A log can't add new ones.
public struct Client: BitwiseCopyable, Hashable, Sendable {
  let number: UInt8

  /// The name in reports, such as `Instagram` or `Safari`.
  public var name: String { Self.names[Int(number)] }

  static let safari = Client(number: 0)

  /// Apps that don't name themselves, or are unknown.
  static let otherApp = Client(number: 1)

  /// Crawlers and the like whose names are unknown.
  static let otherBot = Client(number: 2)

  /// Apple's fetchers of association files.
  static let cdn = Client(number: 3)
  static let device = Client(number: 4)

  /// Browsers and apps on Android.
  static let android = Client(number: 5)

  /// Requests that apps on Apple's systems send themselves, not in a web view.
  static let native = Client(number: 6)

  /// All other clients.
  static let other = Client(number: 7)

  /// Clients that don't name themselves.
  static let absent = Client(number: 8)

  /// WhatsApp when it requests the preview of a link.
  static let whatsAppPreview = Client(number: 9)

  /// Browsers on iOS other than Safari whose names are unknown.
  static let otherBrowser = Client(number: 10)

  /// Google's service for associations of apps and sites.
  static let google = Client(number: 11)

  /// The names of the clients above, whose numbers come first.
  static let ownNames = [
    "Safari", "other apps", "other bots", Fetcher.cdn.rawValue, Fetcher.device.rawValue,
    "Android", "apps outside web views", "other clients", "no user agent", "WhatsApp previews",
    "other browsers", Fetcher.google.rawValue,
  ]

  private static let names = ownNames + (apps + iosBrowsers + bots).map(\.name)

  static var count: Int { names.count }
}

extension Client {
  private static let numbers = Dictionary(
    (0..<count).map { (Client(number: UInt8($0)).name, UInt8($0)) },
    uniquingKeysWith: { first, _ in first })

  /// Creates the client with a name in reports; unknown names become ``other``.
  init(named name: String) {
    self.init(number: Self.numbers[name] ?? Self.other.number)
  }
}

// The words from which clients are detected by name. If an agent has the words of several clients,
// the first in the list counts. Clients that are built from another one, or pose as it, precede it.
// A test compares the tables of Documentation/Clients.md with these lists.
extension Client {
  /// Apps, by the words that they add to the user agent of their web views.
  static let apps: [ListedName] = [
    .init("WeChat", "MicroMessenger", from: .deviceDetector),
    .init(
      "Messenger", "MessengerForiOS", "MessengerLiteForiOS", "Messenger/", "FBAN/Orca",
      from: .deviceDetector),
    .init("Threads", "Barcelona ", "Threads", from: .deviceDetector),
    .init("Instagram", "Instagram", from: .crawlerUserAgents, .deviceDetector, .fakeUserAgent),
    .inBoth("WhatsApp", "WhatsApp"),
    .init("Facebook", "FBAN/", "FBAV/", "FB_IAB", "FBIOS", from: .deviceDetector, .fakeUserAgent),
    .inBoth("TikTok", "musical_ly", "BytedanceWebview", "TikTok", "trill_", "aweme"),
    .inBoth("Snapchat", "Snapchat"),
    .inBoth("Pinterest", "Pinterest/"),
    .init("LinkedIn", "LinkedInApp"),
    .init(
      "X", "Twitter for", "TwitterAndroid", from: .crawlerUserAgents, .deviceDetector,
      .fakeUserAgent),
    .init("QQ", " QQ/", from: .deviceDetector),
    .init("Weibo", "Weibo (", "__weibo__", from: .deviceDetector),
    .init("Alipay", "AlipayClient", from: .deviceDetector),
    .init("Taobao", "AliApp(", from: .deviceDetector),
    .init("LINE", " Line/", from: .deviceDetector, .fakeUserAgent),
    .init("KakaoTalk", "KAKAOTALK", "KAKAOSTORY", from: .deviceDetector),
    .init("NAVER", "NAVER(", from: .deviceDetector),
    .init("Daum", "DaumApps", from: .deviceDetector),
    .inBoth("Telegram", "Telegram"),
    .init("Google app", "GSA/", from: .deviceDetector, .fakeUserAgent),
    .inBoth("Slack", "Slack"),
    .inBoth("Discord", "Discord"),
    .init("Reddit", "Reddit/", "RedditIOS", from: .deviceDetector),
    .init("Microsoft Teams", "Teams/", "TeamsMobile", from: .deviceDetector),
    .init("Outlook", "Outlook-iOS", "OutlookMobile", "PKeyAuth/1.0 Outlook", from: .deviceDetector),
    .init(
      "Bing app", "BingSapphire", "BingWeb/", "BingMobile", from: .deviceDetector, .fakeUserAgent),
    .inBoth("Viber", "Viber"),
    .init("VK", "VKAndroidApp", "com.vk", "VKClient", from: .deviceDetector),
    .init("Zalo", "Zalo", from: .deviceDetector),
    .init("Yahoo! JAPAN", "Yjapp", "YJApp"),
    .init("Yandex app", "YaApp_iOS", "YandexSearch/", from: .deviceDetector),
    .init("Flipboard", "Flipboard/", from: .deviceDetector),
    .init("Baidu app", "baiduboxapp", "Baiduboxapp", from: .deviceDetector),
    .init("Apple News", "AppleNews/", from: .deviceDetector),
    .init("Quora", "Quora ", from: .deviceDetector),
    .init("Nextdoor", "Nextdoor", from: .deviceDetector),
    .inBoth("Tumblr", "Tumblr"),
  ]

  /// Other browsers on iOS.
  static let iosBrowsers: [ListedName] = [
    .init("Firefox Focus", "Focus/", "Klar/", from: .deviceDetector),
    .init("DuckDuckGo", "DuckDuckGo/", "Ddg/", from: .deviceDetector, .fakeUserAgent),
    .init("Edge", "EdgiOS/", from: .deviceDetector, .fakeUserAgent),
    .init(
      "Opera", "OPiOS/", "OPT/", "OPX/", "OPR/", "Opera Mini/", "Coast/", from: .deviceDetector,
      .fakeUserAgent),
    .init("Brave", "Brave/", from: .deviceDetector),
    .init("Yandex Browser", "YaBrowser/", from: .deviceDetector, .fakeUserAgent),
    .init("UC Browser", "UCBrowser", "UCWEB", from: .deviceDetector),
    .init("Quark", "Quark/", from: .deviceDetector),
    .init("QQ Browser", "QQBrowser", from: .deviceDetector),
    .init("Vivaldi", "Vivaldi/", from: .deviceDetector),
    .init("Whale", "Whale/", from: .deviceDetector),
    .init("Ecosia", "Ecosia ios@", "Ecosia", from: .deviceDetector, .fakeUserAgent),
    .init("Aloha", "AlohaBrowser/", "Aloha", from: .deviceDetector),
    .init("Arc", "ArcMobile", "Arc/", from: .deviceDetector),
    .init("Samsung Internet", "SamsungBrowser/", from: .deviceDetector, .fakeUserAgent),
    .init("Mi Browser", "MiuiBrowser/", from: .deviceDetector),
    .init("Baidu Browser", "baidubrowser", "BIDUBrowser", from: .deviceDetector),
    .init("Maxthon", "Maxthon", "MXiOS/", "MxBrowser", from: .deviceDetector),
    .init("Dolphin", "Dolphin", from: .deviceDetector),
    .init("Puffin", "Puffin/", from: .deviceDetector),
    .init("Mercury", "Mercury/", from: .deviceDetector),
    .init("Orion", "Orion/", from: .deviceDetector),
    .init("Onion Browser", "OnionBrowser/", from: .deviceDetector),
    .init("Avast Browser", "AvastSecureBrowser", "AvastMobile", from: .deviceDetector),
    .init("Qwant", "QwantiOS", "QwantMobile", "QwantBrowser", from: .deviceDetector),
    .init("Firefox", "FxiOS/", from: .deviceDetector, .fakeUserAgent),
    .init("Chrome", "CriOS/", from: .deviceDetector, .fakeUserAgent),
  ]

  /// Crawlers, link previews, monitors and scripts, in lower case.
  static let bots: [ListedName] = [
    // Messages poses as others when it requests previews.
    .init("Messages previews", "facebookexternalhit/1.1 facebot twitterbot"),
    .inBoth("Applebot", "applebot"),
    .inBoth("GPTBot", "gptbot"),
    .inBoth("ChatGPT-User", "chatgpt-user"),
    .inBoth("OAI-SearchBot", "oai-searchbot"),
    .inBoth("ClaudeBot", "claudebot", "claude-web", "anthropic-ai"),
    .inBoth("Claude-User", "claude-user", "claude-searchbot"),
    .inBoth("PerplexityBot", "perplexitybot", "perplexity-user"),
    .inBoth("Amazonbot", "amazonbot"),
    .inBoth("Bytespider", "bytespider"),
    .inBoth("CCBot", "ccbot"),
    .inBoth("meta-externalagent", "meta-external", "meta-webindexer"),
    .inBoth("facebookexternalhit", "facebookexternalhit", "facebookcatalog", "facebot"),
    .inBoth("Twitterbot", "twitterbot"),
    .inBoth("Slackbot", "slackbot", "slack-imgproxy"),
    .inBoth("LinkedInBot", "linkedinbot"),
    .init("Pinterestbot", "pinterestbot", "pinterest/0", from: .crawlerUserAgents),
    .inBoth("Discordbot", "discordbot"),
    .inBoth("TelegramBot", "telegrambot"),
    .inBoth("redditbot", "redditbot"),
    .inBoth("SkypeUriPreview", "skypeuripreview"),
    .inBoth("Snapchat previews", "snap url preview"),
    .inBoth("bingbot", "bingbot", "bingpreview", "adidxbot", "msnbot"),
    .inBoth("YandexBot", "yandex.com/bots", "yandexbot", "yandeximages"),
    .init("Baiduspider", "baiduspider", from: .crawlerUserAgents),
    .inBoth("Sogou", "sogou web spider", "sogou spider"),
    .inBoth("DuckDuckBot", "duckduckbot", "duckassistbot"),
    .inBoth("PetalBot", "petalbot"),
    .inBoth("SeznamBot", "seznambot"),
    .inBoth("Yahoo! Slurp", "slurp"),
    .inBoth("Yeti", "yeti/"),
    .inBoth("AhrefsBot", "ahrefsbot", "ahrefssiteaudit"),
    .inBoth("SemrushBot", "semrushbot", "siteauditbot"),
    .inBoth("MJ12bot", "mj12bot"),
    .inBoth("DotBot", "dotbot"),
    .inBoth("DataForSeoBot", "dataforseobot"),
    .inBoth("Screaming Frog", "screaming frog"),
    .inBoth("Internet Archive", "archive.org_bot", "ia_archiver", "heritrix"),
    .inBoth("UptimeRobot", "uptimerobot"),
    .inBoth("Pingdom", "pingdom"),
    .inBoth("StatusCake", "statuscake"),
    .inBoth("Site24x7", "site24x7"),
    .init(
      "Datadog", "datadog",
      from: .page("https://docs.datadoghq.com/synthetics/guide/identify_synthetics_bots"),
      .crawlerUserAgents, .deviceDetector),
    .inBoth("Dynatrace", "ruxitsynthetic", "ruxitrecorder", "dynatrace"),
    .init("New Relic", "newrelic", from: .crawlerUserAgents),
    .init(
      "ThousandEyes", "thousandeyes",
      from: .page(
        "https://docs.thousandeyes.com/product-documentation/tests/excluding-thousandeyes-agents-from-google-analytics"
      ), .crawlerUserAgents, .deviceDetector),
    .inBoth("Catchpoint", "catchpoint"),
    .inBoth("GTmetrix", "gtmetrix"),
    .init("SpeedCurve", "speedcurve"),
    .init("DareBoost", "dareboost", from: .crawlerUserAgents),
    .init("Checkly", "checkly", from: .crawlerUserAgents),
    .inBoth("Uptime.com", "uptime.com", "uptime/"),
    .inBoth("Better Stack", "better uptime", "better stack", "betterstack"),
    .init("Uptrends", "uptrends", from: .crawlerUserAgents),
    .init("HetrixTools", "hetrixtools", from: .crawlerUserAgents),
    .inBoth("Dotcom-Monitor", "dotcom-monitor", "dmbrowser"),
    .init("Playwright", "playwright", from: .crawlerUserAgents),
    .init("Puppeteer", "puppeteer", from: .crawlerUserAgents),
    .init("Selenium", "selenium", from: .crawlerUserAgents),
    .inBoth("Lighthouse", "lighthouse", "pagespeed"),
    .inBoth("headless Chrome", "headlesschrome"),
    .inBoth("curl", "curl/"),
    .inBoth("Wget", "wget"),
    .inBoth("Python", "python-", "python/", "aiohttp", "httpx/", "scrapy"),
    .inBoth("Go", "go-http-client"),
    .inBoth("Java", "java/", "apache-httpclient"),
    .inBoth("Googlebot", "googlebot"),
    .inBoth(
      "other Google crawlers", "google-", "-google", "feedfetcher", "googleother", "google favicon",
      "google web preview", "googleimageproxy", "google page speed"),
  ]

  /// Parts of the names of other automatic clients, in lower case.
  static let otherBots = [
    // An address where its owner describes it.
    "http://", "https://", "+mailto:",
    "crawl", "spider", "libwww", "lwp::", "axios/", "node-fetch", "undici", "guzzlehttp",
    "httpie/", "postmanruntime", "phantomjs", "headless", "prerender", "ptst/", "uptime",
    "monitor", "embedly", "preview", "archive", "validator", "nutch", "zgrab",
    "nmap", "nikto", "sqlmap", "nessus", "censys", "zmeu", "cloudflare", "feedburner", "feedly",
    "fetcher", "probe", "inspect", "survey", "research", "thumbnail", "screenshot", "adbeat",
    "hotjar",
    // Synthetic monitors, and the browser automation tools that they use.
    "synthetic", "updown.io", "freshping", "alertsite", "dejaclick", "gomezagent", "nodeping",
    "zabbix", "nagios", "montastic", "hyperping", "cronitor", "ohdear", "debugbear", "sitespeed",
    "webpagetest", "yellowlab", "phantomas", "appdynamics", "appinsights", "solarwinds", "sematext",
    "splunk", "rigor)", "elastic-heartbeat", "grafana", "k6/0.", "k6/1.", "browserstack",
    "saucelabs", "lambdatest", "cypress/", "webdriver", "appium",
    // Compounds that indicate a bot although their parts don't.
    "linkcheck", "checklink", "sitecheck", "urlcheck", "seocheck", "siteaudit", "adscanner",
    "dnsscanner", "contentscan", "onlyscans", "twinwavescan", "brandverity", "cookiehub",
  ]

  /// Words of other automatic clients that count only as separate words, in lower case.
  ///
  /// `CHECK24` and `CamScanner` are apps.
  static let otherBotWords = [
    "check", "checks", "checker", "checking", "scan", "scans", "scanner", "scanning",
    "verify", "verifier", "verification", "audit", "audits", "auditor", "auditing", "ktxn",
  ]
}

/// A client or a site that is known by name.
struct ListedName: Sendable {
  /// A publication that has words of a client or hosts of a site.
  enum Source: Sendable {
    // Lists of user agents.
    case crawlerUserAgents, deviceDetector, fakeUserAgent

    /// Matomo's list of search engines and social networks.
    case matomo

    /// MailTrackerBlocker's list of mail trackers.
    case mailTrackers

    /// A list of link shorteners, `url-shorteners`.
    case shorteners

    /// The address of a page of the client's or site's maker.
    case page(StaticString)
  }

  var name: String

  /// The words that only the client's user agents have, or the site's hosts.
  var words: [String]

  /// The publications that have at least one of these words.
  var sources: [Source]

  init(_ name: String, _ words: String..., from sources: Source...) {
    (self.name, self.words, self.sources) = (name, words, sources)
  }

  private init(_ name: String, _ words: [String], _ sources: [Source]) {
    (self.name, self.words, self.sources) = (name, words, sources)
  }

  /// Creates a client that both large lists of user agents have.
  static func inBoth(_ name: String, _ words: String...) -> ListedName {
    ListedName(name, words, [.crawlerUserAgents, .deviceDetector])
  }
}
