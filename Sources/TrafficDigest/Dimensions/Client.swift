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

  /// The fetcher of association files that it is.
  var fetcher: Fetcher {
    self == .cdn ? .cdn : self == .device ? .device : self == .google ? .google : .other
  }

  private static let names =
    ownNames + [apps, iosBrowsers, bots].flatMap { $0.map(\.key) }

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
// A test compares Documentation/Clients.md, which also says where words were found, with these lists.
extension Client {
  /// Apps, by the words that they add to the user agent of their web views.
  static let apps: KeyValuePairs<String, [String]> = [
    "WeChat": ["MicroMessenger"],
    "Messenger": ["MessengerForiOS", "MessengerLiteForiOS", "Messenger/", "FBAN/Orca"],
    "Threads": ["Barcelona ", "Threads"],
    "Instagram": ["Instagram"],
    "WhatsApp": ["WhatsApp"],
    "Facebook": ["FBAN/", "FBAV/", "FB_IAB", "FBIOS"],
    "TikTok": ["musical_ly", "BytedanceWebview", "TikTok", "trill_", "aweme"],
    "Snapchat": ["Snapchat"],
    "Pinterest": ["Pinterest/"],
    "LinkedIn": ["LinkedInApp"],
    "X": ["Twitter for", "TwitterAndroid"],
    "QQ": [" QQ/"],
    "Weibo": ["Weibo (", "__weibo__"],
    "Alipay": ["AlipayClient"],
    "Taobao": ["AliApp("],
    "LINE": [" Line/"],
    "KakaoTalk": ["KAKAOTALK", "KAKAOSTORY"],
    "NAVER": ["NAVER("],
    "Daum": ["DaumApps"],
    "Telegram": ["Telegram"],
    "Google app": ["GSA/"],
    "Slack": ["Slack"],
    "Discord": ["Discord"],
    "Reddit": ["Reddit/", "RedditIOS"],
    "Microsoft Teams": ["Teams/", "TeamsMobile"],
    "Outlook": ["Outlook-iOS", "OutlookMobile", "PKeyAuth/1.0 Outlook"],
    "Bing app": ["BingSapphire", "BingWeb/", "BingMobile"],
    "Viber": ["Viber"],
    "VK": ["VKAndroidApp", "com.vk", "VKClient"],
    "Zalo": ["Zalo"],
    "Yahoo! JAPAN": ["Yjapp", "YJApp"],
    "Yandex app": ["YaApp_iOS", "YandexSearch/"],
    "Flipboard": ["Flipboard/"],
    "Baidu app": ["baiduboxapp", "Baiduboxapp"],
    "Apple News": ["AppleNews/"],
    "Quora": ["Quora "],
    "Nextdoor": ["Nextdoor"],
    "Tumblr": ["Tumblr"],
  ]

  /// Other browsers on iOS.
  static let iosBrowsers: KeyValuePairs<String, [String]> = [
    "Firefox Focus": ["Focus/", "Klar/"],
    "DuckDuckGo": ["DuckDuckGo/", "Ddg/"],
    "Edge": ["EdgiOS/"],
    "Opera": ["OPiOS/", "OPT/", "OPX/", "OPR/", "Opera Mini/", "Coast/"],
    "Brave": ["Brave/"],
    "Yandex Browser": ["YaBrowser/"],
    "UC Browser": ["UCBrowser", "UCWEB"],
    "Quark": ["Quark/"],
    "QQ Browser": ["QQBrowser"],
    "Vivaldi": ["Vivaldi/"],
    "Whale": ["Whale/"],
    "Ecosia": ["Ecosia ios@", "Ecosia"],
    "Aloha": ["AlohaBrowser/", "Aloha"],
    "Arc": ["ArcMobile", "Arc/"],
    "Samsung Internet": ["SamsungBrowser/"],
    "Mi Browser": ["MiuiBrowser/"],
    "Baidu Browser": ["baidubrowser", "BIDUBrowser"],
    "Maxthon": ["Maxthon", "MXiOS/", "MxBrowser"],
    "Dolphin": ["Dolphin"],
    "Puffin": ["Puffin/"],
    "Mercury": ["Mercury/"],
    "Orion": ["Orion/"],
    "Onion Browser": ["OnionBrowser/"],
    "Avast Browser": ["AvastSecureBrowser", "AvastMobile"],
    "Qwant": ["QwantiOS", "QwantMobile", "QwantBrowser"],
    "Firefox": ["FxiOS/"],
    "Chrome": ["CriOS/"],
  ]

  /// Crawlers, link previews, monitors and scripts, in lower case.
  static let bots: KeyValuePairs<String, [String]> = [
    // Messages poses as others when it requests previews.
    "Messages previews": ["facebookexternalhit/1.1 facebot twitterbot"],
    "Applebot": ["applebot"],
    "GPTBot": ["gptbot"],
    "ChatGPT-User": ["chatgpt-user"],
    "OAI-SearchBot": ["oai-searchbot"],
    "ClaudeBot": ["claudebot", "claude-web", "anthropic-ai"],
    "Claude-User": ["claude-user", "claude-searchbot"],
    "PerplexityBot": ["perplexitybot", "perplexity-user"],
    "Amazonbot": ["amazonbot"],
    "Bytespider": ["bytespider"],
    "CCBot": ["ccbot"],
    "meta-externalagent": ["meta-external", "meta-webindexer"],
    "facebookexternalhit": ["facebookexternalhit", "facebookcatalog", "facebot"],
    "Twitterbot": ["twitterbot"],
    "Slackbot": ["slackbot", "slack-imgproxy"],
    "LinkedInBot": ["linkedinbot"],
    "Pinterestbot": ["pinterestbot", "pinterest/0"],
    "Discordbot": ["discordbot"],
    "TelegramBot": ["telegrambot"],
    "redditbot": ["redditbot"],
    "SkypeUriPreview": ["skypeuripreview"],
    "Snapchat previews": ["snap url preview"],
    "bingbot": ["bingbot", "bingpreview", "adidxbot", "msnbot"],
    "YandexBot": ["yandex.com/bots", "yandexbot", "yandeximages"],
    "Baiduspider": ["baiduspider"],
    "Sogou": ["sogou web spider", "sogou spider"],
    "DuckDuckBot": ["duckduckbot", "duckassistbot"],
    "PetalBot": ["petalbot"],
    "SeznamBot": ["seznambot"],
    "Yahoo! Slurp": ["slurp"],
    "Yeti": ["yeti/"],
    "AhrefsBot": ["ahrefsbot", "ahrefssiteaudit"],
    "SemrushBot": ["semrushbot", "siteauditbot"],
    "MJ12bot": ["mj12bot"],
    "DotBot": ["dotbot"],
    "DataForSeoBot": ["dataforseobot"],
    "Screaming Frog": ["screaming frog"],
    "Internet Archive": ["archive.org_bot", "ia_archiver", "heritrix"],
    "UptimeRobot": ["uptimerobot"],
    "Pingdom": ["pingdom"],
    "StatusCake": ["statuscake"],
    "Site24x7": ["site24x7"],
    "Datadog": ["datadog"],
    "Dynatrace": ["ruxitsynthetic", "ruxitrecorder", "dynatrace"],
    "New Relic": ["newrelic"],
    "ThousandEyes": ["thousandeyes"],
    "Catchpoint": ["catchpoint"],
    "GTmetrix": ["gtmetrix"],
    "SpeedCurve": ["speedcurve"],
    "DareBoost": ["dareboost"],
    "Checkly": ["checkly"],
    "Uptime.com": ["uptime.com", "uptime/"],
    "Better Stack": ["better uptime", "better stack", "betterstack"],
    "Uptrends": ["uptrends"],
    "HetrixTools": ["hetrixtools"],
    "Dotcom-Monitor": ["dotcom-monitor", "dmbrowser"],
    "Playwright": ["playwright"],
    "Puppeteer": ["puppeteer"],
    "Selenium": ["selenium"],
    "Lighthouse": ["lighthouse", "pagespeed"],
    "headless Chrome": ["headlesschrome"],
    "curl": ["curl/"],
    "Wget": ["wget"],
    "Python": ["python-", "python/", "aiohttp", "httpx/", "scrapy"],
    "Go": ["go-http-client"],
    "Java": ["java/", "apache-httpclient"],
    "Googlebot": ["googlebot"],
    "other Google crawlers": [
      "google-", "-google", "feedfetcher", "googleother", "google favicon", "google web preview",
      "googleimageproxy", "google page speed",
    ],
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
