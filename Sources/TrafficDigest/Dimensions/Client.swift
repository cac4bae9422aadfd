/// A client by name: an app, a browser, or a crawler.
///
/// There are few, so a client is a number. A log can't add new ones.
public struct Client: BitwiseCopyable, Hashable, Sendable {
  let number: UInt8

  /// The name in reports, such as `Instagram` or `Safari`.
  public var name: String { Self.names[Int(number)] }

  /// Safari itself.
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

  /// The number of clients.
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
    .init("WhatsApp", "WhatsApp", from: .crawlerUserAgents, .deviceDetector),
    .init("Facebook", "FBAN/", "FBAV/", "FB_IAB", "FBIOS", from: .deviceDetector, .fakeUserAgent),
    .init(
      "TikTok", "musical_ly", "BytedanceWebview", "TikTok", "trill_", "aweme",
      from: .crawlerUserAgents, .deviceDetector),
    .init("Snapchat", "Snapchat", from: .crawlerUserAgents, .deviceDetector),
    .init("Pinterest", "Pinterest/", from: .crawlerUserAgents, .deviceDetector),
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
    .init("Telegram", "Telegram", from: .crawlerUserAgents, .deviceDetector),
    .init("Google app", "GSA/", from: .deviceDetector, .fakeUserAgent),
    .init("Slack", "Slack", from: .crawlerUserAgents, .deviceDetector),
    .init("Discord", "Discord", from: .crawlerUserAgents, .deviceDetector),
    .init("Reddit", "Reddit/", "RedditIOS", from: .deviceDetector),
    .init("Microsoft Teams", "Teams/", "TeamsMobile", from: .deviceDetector),
    .init("Outlook", "Outlook-iOS", "OutlookMobile", "PKeyAuth/1.0 Outlook", from: .deviceDetector),
    .init(
      "Bing app", "BingSapphire", "BingWeb/", "BingMobile", from: .deviceDetector, .fakeUserAgent),
    .init("Viber", "Viber", from: .crawlerUserAgents, .deviceDetector),
    .init("VK", "VKAndroidApp", "com.vk", "VKClient", from: .deviceDetector),
    .init("Zalo", "Zalo", from: .deviceDetector),
    .init("Yahoo! JAPAN", "Yjapp", "YJApp"),
    .init("Yandex app", "YaApp_iOS", "YandexSearch/", from: .deviceDetector),
    .init("Flipboard", "Flipboard/", from: .deviceDetector),
    .init("Baidu app", "baiduboxapp", "Baiduboxapp", from: .deviceDetector),
    .init("Apple News", "AppleNews/", from: .deviceDetector),
    .init("Quora", "Quora ", from: .deviceDetector),
    .init("Nextdoor", "Nextdoor", from: .deviceDetector),
    .init("Tumblr", "Tumblr", from: .crawlerUserAgents, .deviceDetector),
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
    .init("Applebot", "applebot", from: .crawlerUserAgents, .deviceDetector),
    .init("GPTBot", "gptbot", from: .crawlerUserAgents, .deviceDetector),
    .init("ChatGPT-User", "chatgpt-user", from: .crawlerUserAgents, .deviceDetector),
    .init("OAI-SearchBot", "oai-searchbot", from: .crawlerUserAgents, .deviceDetector),
    .init(
      "ClaudeBot", "claudebot", "claude-web", "anthropic-ai", from: .crawlerUserAgents,
      .deviceDetector),
    .init(
      "Claude-User", "claude-user", "claude-searchbot", from: .crawlerUserAgents, .deviceDetector),
    .init(
      "PerplexityBot", "perplexitybot", "perplexity-user", from: .crawlerUserAgents, .deviceDetector
    ),
    .init("Amazonbot", "amazonbot", from: .crawlerUserAgents, .deviceDetector),
    .init("Bytespider", "bytespider", from: .crawlerUserAgents, .deviceDetector),
    .init("CCBot", "ccbot", from: .crawlerUserAgents, .deviceDetector),
    .init(
      "meta-externalagent", "meta-external", "meta-webindexer", from: .crawlerUserAgents,
      .deviceDetector),
    .init(
      "facebookexternalhit", "facebookexternalhit", "facebookcatalog", "facebot",
      from: .crawlerUserAgents, .deviceDetector),
    .init("Twitterbot", "twitterbot", from: .crawlerUserAgents, .deviceDetector),
    .init("Slackbot", "slackbot", "slack-imgproxy", from: .crawlerUserAgents, .deviceDetector),
    .init("LinkedInBot", "linkedinbot", from: .crawlerUserAgents, .deviceDetector),
    .init("Pinterestbot", "pinterestbot", "pinterest/0", from: .crawlerUserAgents),
    .init("Discordbot", "discordbot", from: .crawlerUserAgents, .deviceDetector),
    .init("TelegramBot", "telegrambot", from: .crawlerUserAgents, .deviceDetector),
    .init("redditbot", "redditbot", from: .crawlerUserAgents, .deviceDetector),
    .init("SkypeUriPreview", "skypeuripreview", from: .crawlerUserAgents, .deviceDetector),
    .init("Snapchat previews", "snap url preview", from: .crawlerUserAgents, .deviceDetector),
    .init(
      "bingbot", "bingbot", "bingpreview", "adidxbot", "msnbot", from: .crawlerUserAgents,
      .deviceDetector),
    .init(
      "YandexBot", "yandex.com/bots", "yandexbot", "yandeximages", from: .crawlerUserAgents,
      .deviceDetector),
    .init("Baiduspider", "baiduspider", from: .crawlerUserAgents),
    .init("Sogou", "sogou web spider", "sogou spider", from: .crawlerUserAgents, .deviceDetector),
    .init("DuckDuckBot", "duckduckbot", "duckassistbot", from: .crawlerUserAgents, .deviceDetector),
    .init("PetalBot", "petalbot", from: .crawlerUserAgents, .deviceDetector),
    .init("SeznamBot", "seznambot", from: .crawlerUserAgents, .deviceDetector),
    .init("Yahoo! Slurp", "slurp", from: .crawlerUserAgents, .deviceDetector),
    .init("Yeti", "yeti/", from: .crawlerUserAgents, .deviceDetector),
    .init("AhrefsBot", "ahrefsbot", "ahrefssiteaudit", from: .crawlerUserAgents, .deviceDetector),
    .init("SemrushBot", "semrushbot", "siteauditbot", from: .crawlerUserAgents, .deviceDetector),
    .init("MJ12bot", "mj12bot", from: .crawlerUserAgents, .deviceDetector),
    .init("DotBot", "dotbot", from: .crawlerUserAgents, .deviceDetector),
    .init("DataForSeoBot", "dataforseobot", from: .crawlerUserAgents, .deviceDetector),
    .init("Screaming Frog", "screaming frog", from: .crawlerUserAgents, .deviceDetector),
    .init(
      "Internet Archive", "archive.org_bot", "ia_archiver", "heritrix", from: .crawlerUserAgents,
      .deviceDetector),
    .init("UptimeRobot", "uptimerobot", from: .crawlerUserAgents, .deviceDetector),
    .init("Pingdom", "pingdom", from: .crawlerUserAgents, .deviceDetector),
    .init("StatusCake", "statuscake", from: .crawlerUserAgents, .deviceDetector),
    .init("Site24x7", "site24x7", from: .crawlerUserAgents, .deviceDetector),
    .init(
      "Datadog", "datadog",
      from: .page("https://docs.datadoghq.com/synthetics/guide/identify_synthetics_bots"),
      .crawlerUserAgents, .deviceDetector),
    .init(
      "Dynatrace", "ruxitsynthetic", "ruxitrecorder", "dynatrace", from: .crawlerUserAgents,
      .deviceDetector),
    .init("New Relic", "newrelic", from: .crawlerUserAgents),
    .init(
      "ThousandEyes", "thousandeyes",
      from: .page(
        "https://docs.thousandeyes.com/product-documentation/tests/excluding-thousandeyes-agents-from-google-analytics"
      ), .crawlerUserAgents, .deviceDetector),
    .init("Catchpoint", "catchpoint", from: .crawlerUserAgents, .deviceDetector),
    .init("GTmetrix", "gtmetrix", from: .crawlerUserAgents, .deviceDetector),
    .init("SpeedCurve", "speedcurve"),
    .init("DareBoost", "dareboost", from: .crawlerUserAgents),
    .init("Checkly", "checkly", from: .crawlerUserAgents),
    .init("Uptime.com", "uptime.com", "uptime/", from: .crawlerUserAgents, .deviceDetector),
    .init(
      "Better Stack", "better uptime", "better stack", "betterstack", from: .crawlerUserAgents,
      .deviceDetector),
    .init("Uptrends", "uptrends", from: .crawlerUserAgents),
    .init("HetrixTools", "hetrixtools", from: .crawlerUserAgents),
    .init(
      "Dotcom-Monitor", "dotcom-monitor", "dmbrowser", from: .crawlerUserAgents, .deviceDetector),
    .init("Playwright", "playwright", from: .crawlerUserAgents),
    .init("Puppeteer", "puppeteer", from: .crawlerUserAgents),
    .init("Selenium", "selenium", from: .crawlerUserAgents),
    .init("Lighthouse", "lighthouse", "pagespeed", from: .crawlerUserAgents, .deviceDetector),
    .init("headless Chrome", "headlesschrome", from: .crawlerUserAgents, .deviceDetector),
    .init("curl", "curl/", from: .crawlerUserAgents, .deviceDetector),
    .init("Wget", "wget", from: .crawlerUserAgents, .deviceDetector),
    .init(
      "Python", "python-", "python/", "aiohttp", "httpx/", "scrapy", from: .crawlerUserAgents,
      .deviceDetector),
    .init("Go", "go-http-client", from: .crawlerUserAgents, .deviceDetector),
    .init("Java", "java/", "apache-httpclient", from: .crawlerUserAgents, .deviceDetector),
    .init("Googlebot", "googlebot", from: .crawlerUserAgents, .deviceDetector),
    .init(
      "other Google crawlers", "google-", "-google", "feedfetcher", "googleother", "google favicon",
      "google web preview", "googleimageproxy", "google page speed", from: .crawlerUserAgents,
      .deviceDetector),
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
}
