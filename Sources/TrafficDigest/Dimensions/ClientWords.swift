/// The words from which clients are detected by name.
///
/// If an agent has the words of several clients, the first in the list counts. Clients that are
/// built from another one, or pose as it, precede it. A test compares the tables of
/// Documentation/Clients.md with these lists.
struct ClientWords {
  /// A publication that has words of a client.
  enum Source {
    case crawlerUserAgents, deviceDetector, fakeUserAgent

    /// The address of a page of the client's maker.
    case page(StaticString)

    /// The source as Documentation/Clients.md names it.
    var markdown: String {
      switch self {
      case .crawlerUserAgents: "crawler-user-agents"
      case .deviceDetector: "device-detector"
      case .fakeUserAgent: "fake-useragent"
      case .page(let address): "[maker](\(address))"
      }
    }
  }

  /// The name of a client, the words that only it has, and the publications that
  /// have at least one of these words.
  struct Entry {
    var name: String
    var words: [String]
    var sources: [Source]

    init(_ name: String, _ words: String..., from sources: Source...) {
      (self.name, self.words, self.sources) = (name, words, sources)
    }
  }

  /// Apps, by the words that they add to the user agent of their web views.
  static let apps = [
    Entry("WeChat", "MicroMessenger", from: .deviceDetector),
    Entry(
      "Messenger", "MessengerForiOS", "MessengerLiteForiOS", "Messenger/", "FBAN/Orca",
      from: .deviceDetector),
    Entry("Threads", "Barcelona ", "Threads", from: .deviceDetector),
    Entry("Instagram", "Instagram", from: .crawlerUserAgents, .deviceDetector, .fakeUserAgent),
    Entry("WhatsApp", "WhatsApp", from: .crawlerUserAgents, .deviceDetector),
    Entry("Facebook", "FBAN/", "FBAV/", "FB_IAB", "FBIOS", from: .deviceDetector, .fakeUserAgent),
    Entry(
      "TikTok", "musical_ly", "BytedanceWebview", "TikTok", "trill_", "aweme",
      from: .crawlerUserAgents, .deviceDetector),
    Entry("Snapchat", "Snapchat", from: .crawlerUserAgents, .deviceDetector),
    Entry("Pinterest", "Pinterest/", from: .crawlerUserAgents, .deviceDetector),
    Entry("LinkedIn", "LinkedInApp"),
    Entry(
      "X", "Twitter for", "TwitterAndroid", from: .crawlerUserAgents, .deviceDetector,
      .fakeUserAgent),
    Entry("QQ", " QQ/", from: .deviceDetector),
    Entry("Weibo", "Weibo (", "__weibo__", from: .deviceDetector),
    Entry("Alipay", "AlipayClient", from: .deviceDetector),
    Entry("Taobao", "AliApp(", from: .deviceDetector),
    Entry("LINE", " Line/", from: .deviceDetector, .fakeUserAgent),
    Entry("KakaoTalk", "KAKAOTALK", "KAKAOSTORY", from: .deviceDetector),
    Entry("NAVER", "NAVER(", from: .deviceDetector),
    Entry("Daum", "DaumApps", from: .deviceDetector),
    Entry("Telegram", "Telegram", from: .crawlerUserAgents, .deviceDetector),
    Entry("Google app", "GSA/", from: .deviceDetector, .fakeUserAgent),
    Entry("Slack", "Slack", from: .crawlerUserAgents, .deviceDetector),
    Entry("Discord", "Discord", from: .crawlerUserAgents, .deviceDetector),
    Entry("Reddit", "Reddit/", "RedditIOS", from: .deviceDetector),
    Entry("Microsoft Teams", "Teams/", "TeamsMobile", from: .deviceDetector),
    Entry("Outlook", "Outlook-iOS", "OutlookMobile", "PKeyAuth/1.0 Outlook", from: .deviceDetector),
    Entry(
      "Bing app", "BingSapphire", "BingWeb/", "BingMobile", from: .deviceDetector, .fakeUserAgent),
    Entry("Viber", "Viber", from: .crawlerUserAgents, .deviceDetector),
    Entry("VK", "VKAndroidApp", "com.vk", "VKClient", from: .deviceDetector),
    Entry("Zalo", "Zalo", from: .deviceDetector),
    Entry("Yahoo! JAPAN", "Yjapp", "YJApp"),
    Entry("Yandex app", "YaApp_iOS", "YandexSearch/", from: .deviceDetector),
    Entry("Flipboard", "Flipboard/", from: .deviceDetector),
    Entry("Baidu app", "baiduboxapp", "Baiduboxapp", from: .deviceDetector),
    Entry("Apple News", "AppleNews/", from: .deviceDetector),
    Entry("Quora", "Quora ", from: .deviceDetector),
    Entry("Nextdoor", "Nextdoor", from: .deviceDetector),
    Entry("Tumblr", "Tumblr", from: .crawlerUserAgents, .deviceDetector),
  ]

  /// Other browsers on iOS.
  static let iosBrowsers = [
    Entry("Firefox Focus", "Focus/", "Klar/", from: .deviceDetector),
    Entry("DuckDuckGo", "DuckDuckGo/", "Ddg/", from: .deviceDetector, .fakeUserAgent),
    Entry("Edge", "EdgiOS/", from: .deviceDetector, .fakeUserAgent),
    Entry(
      "Opera", "OPiOS/", "OPT/", "OPX/", "OPR/", "Opera Mini/", "Coast/", from: .deviceDetector,
      .fakeUserAgent),
    Entry("Brave", "Brave/", from: .deviceDetector),
    Entry("Yandex Browser", "YaBrowser/", from: .deviceDetector, .fakeUserAgent),
    Entry("UC Browser", "UCBrowser", "UCWEB", from: .deviceDetector),
    Entry("Quark", "Quark/", from: .deviceDetector),
    Entry("QQ Browser", "QQBrowser", from: .deviceDetector),
    Entry("Vivaldi", "Vivaldi/", from: .deviceDetector),
    Entry("Whale", "Whale/", from: .deviceDetector),
    Entry("Ecosia", "Ecosia ios@", "Ecosia", from: .deviceDetector, .fakeUserAgent),
    Entry("Aloha", "AlohaBrowser/", "Aloha", from: .deviceDetector),
    Entry("Arc", "ArcMobile", "Arc/", from: .deviceDetector),
    Entry("Samsung Internet", "SamsungBrowser/", from: .deviceDetector, .fakeUserAgent),
    Entry("Mi Browser", "MiuiBrowser/", from: .deviceDetector),
    Entry("Baidu Browser", "baidubrowser", "BIDUBrowser", from: .deviceDetector),
    Entry("Maxthon", "Maxthon", "MXiOS/", "MxBrowser", from: .deviceDetector),
    Entry("Dolphin", "Dolphin", from: .deviceDetector),
    Entry("Puffin", "Puffin/", from: .deviceDetector),
    Entry("Mercury", "Mercury/", from: .deviceDetector),
    Entry("Orion", "Orion/", from: .deviceDetector),
    Entry("Onion Browser", "OnionBrowser/", from: .deviceDetector),
    Entry("Avast Browser", "AvastSecureBrowser", "AvastMobile", from: .deviceDetector),
    Entry("Qwant", "QwantiOS", "QwantMobile", "QwantBrowser", from: .deviceDetector),
    Entry("Firefox", "FxiOS/", from: .deviceDetector, .fakeUserAgent),
    Entry("Chrome", "CriOS/", from: .deviceDetector, .fakeUserAgent),
  ]

  /// Crawlers, link previews, monitors and scripts, in lower case.
  static let bots = [
    // Messages poses as others when it requests previews.
    Entry("Messages previews", "facebookexternalhit/1.1 facebot twitterbot"),
    Entry("Applebot", "applebot", from: .crawlerUserAgents, .deviceDetector),
    Entry("GPTBot", "gptbot", from: .crawlerUserAgents, .deviceDetector),
    Entry("ChatGPT-User", "chatgpt-user", from: .crawlerUserAgents, .deviceDetector),
    Entry("OAI-SearchBot", "oai-searchbot", from: .crawlerUserAgents, .deviceDetector),
    Entry(
      "ClaudeBot", "claudebot", "claude-web", "anthropic-ai", from: .crawlerUserAgents,
      .deviceDetector),
    Entry(
      "Claude-User", "claude-user", "claude-searchbot", from: .crawlerUserAgents, .deviceDetector),
    Entry(
      "PerplexityBot", "perplexitybot", "perplexity-user", from: .crawlerUserAgents, .deviceDetector
    ),
    Entry("Amazonbot", "amazonbot", from: .crawlerUserAgents, .deviceDetector),
    Entry("Bytespider", "bytespider", from: .crawlerUserAgents, .deviceDetector),
    Entry("CCBot", "ccbot", from: .crawlerUserAgents, .deviceDetector),
    Entry(
      "meta-externalagent", "meta-external", "meta-webindexer", from: .crawlerUserAgents,
      .deviceDetector),
    Entry(
      "facebookexternalhit", "facebookexternalhit", "facebookcatalog", "facebot",
      from: .crawlerUserAgents, .deviceDetector),
    Entry("Twitterbot", "twitterbot", from: .crawlerUserAgents, .deviceDetector),
    Entry("Slackbot", "slackbot", "slack-imgproxy", from: .crawlerUserAgents, .deviceDetector),
    Entry("LinkedInBot", "linkedinbot", from: .crawlerUserAgents, .deviceDetector),
    Entry("Pinterestbot", "pinterestbot", "pinterest/0", from: .crawlerUserAgents),
    Entry("Discordbot", "discordbot", from: .crawlerUserAgents, .deviceDetector),
    Entry("TelegramBot", "telegrambot", from: .crawlerUserAgents, .deviceDetector),
    Entry("redditbot", "redditbot", from: .crawlerUserAgents, .deviceDetector),
    Entry("SkypeUriPreview", "skypeuripreview", from: .crawlerUserAgents, .deviceDetector),
    Entry("Snapchat previews", "snap url preview", from: .crawlerUserAgents, .deviceDetector),
    Entry(
      "bingbot", "bingbot", "bingpreview", "adidxbot", "msnbot", from: .crawlerUserAgents,
      .deviceDetector),
    Entry(
      "YandexBot", "yandex.com/bots", "yandexbot", "yandeximages", from: .crawlerUserAgents,
      .deviceDetector),
    Entry("Baiduspider", "baiduspider", from: .crawlerUserAgents),
    Entry("Sogou", "sogou web spider", "sogou spider", from: .crawlerUserAgents, .deviceDetector),
    Entry("DuckDuckBot", "duckduckbot", "duckassistbot", from: .crawlerUserAgents, .deviceDetector),
    Entry("PetalBot", "petalbot", from: .crawlerUserAgents, .deviceDetector),
    Entry("SeznamBot", "seznambot", from: .crawlerUserAgents, .deviceDetector),
    Entry("Yahoo! Slurp", "slurp", from: .crawlerUserAgents, .deviceDetector),
    Entry("Yeti", "yeti/", from: .crawlerUserAgents, .deviceDetector),
    Entry("AhrefsBot", "ahrefsbot", "ahrefssiteaudit", from: .crawlerUserAgents, .deviceDetector),
    Entry("SemrushBot", "semrushbot", "siteauditbot", from: .crawlerUserAgents, .deviceDetector),
    Entry("MJ12bot", "mj12bot", from: .crawlerUserAgents, .deviceDetector),
    Entry("DotBot", "dotbot", from: .crawlerUserAgents, .deviceDetector),
    Entry("DataForSeoBot", "dataforseobot", from: .crawlerUserAgents, .deviceDetector),
    Entry("Screaming Frog", "screaming frog", from: .crawlerUserAgents, .deviceDetector),
    Entry(
      "Internet Archive", "archive.org_bot", "ia_archiver", "heritrix", from: .crawlerUserAgents,
      .deviceDetector),
    Entry("UptimeRobot", "uptimerobot", from: .crawlerUserAgents, .deviceDetector),
    Entry("Pingdom", "pingdom", from: .crawlerUserAgents, .deviceDetector),
    Entry("StatusCake", "statuscake", from: .crawlerUserAgents, .deviceDetector),
    Entry("Site24x7", "site24x7", from: .crawlerUserAgents, .deviceDetector),
    Entry(
      "Datadog", "datadog",
      from: .page("https://docs.datadoghq.com/synthetics/guide/identify_synthetics_bots"),
      .crawlerUserAgents, .deviceDetector),
    Entry(
      "Dynatrace", "ruxitsynthetic", "ruxitrecorder", "dynatrace", from: .crawlerUserAgents,
      .deviceDetector),
    Entry("New Relic", "newrelic", from: .crawlerUserAgents),
    Entry(
      "ThousandEyes", "thousandeyes",
      from: .page(
        "https://docs.thousandeyes.com/product-documentation/tests/excluding-thousandeyes-agents-from-google-analytics"
      ), .crawlerUserAgents, .deviceDetector),
    Entry("Catchpoint", "catchpoint", from: .crawlerUserAgents, .deviceDetector),
    Entry("GTmetrix", "gtmetrix", from: .crawlerUserAgents, .deviceDetector),
    Entry("SpeedCurve", "speedcurve"),
    Entry("DareBoost", "dareboost", from: .crawlerUserAgents),
    Entry("Checkly", "checkly", from: .crawlerUserAgents),
    Entry("Uptime.com", "uptime.com", "uptime/", from: .crawlerUserAgents, .deviceDetector),
    Entry(
      "Better Stack", "better uptime", "better stack", "betterstack", from: .crawlerUserAgents,
      .deviceDetector),
    Entry("Uptrends", "uptrends", from: .crawlerUserAgents),
    Entry("HetrixTools", "hetrixtools", from: .crawlerUserAgents),
    Entry(
      "Dotcom-Monitor", "dotcom-monitor", "dmbrowser", from: .crawlerUserAgents, .deviceDetector),
    Entry("Playwright", "playwright", from: .crawlerUserAgents),
    Entry("Puppeteer", "puppeteer", from: .crawlerUserAgents),
    Entry("Selenium", "selenium", from: .crawlerUserAgents),
    Entry("Lighthouse", "lighthouse", "pagespeed", from: .crawlerUserAgents, .deviceDetector),
    Entry("headless Chrome", "headlesschrome", from: .crawlerUserAgents, .deviceDetector),
    Entry("curl", "curl/", from: .crawlerUserAgents, .deviceDetector),
    Entry("Wget", "wget", from: .crawlerUserAgents, .deviceDetector),
    Entry(
      "Python", "python-", "python/", "aiohttp", "httpx/", "scrapy", from: .crawlerUserAgents,
      .deviceDetector),
    Entry("Go", "go-http-client", from: .crawlerUserAgents, .deviceDetector),
    Entry("Java", "java/", "apache-httpclient", from: .crawlerUserAgents, .deviceDetector),
    Entry("Googlebot", "googlebot", from: .crawlerUserAgents, .deviceDetector),
    Entry(
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

  /// The table of these words in Markdown.
  static var markdown: String {
    var lines = ["| client | platform | words | found in |", "| --- | --- | --- | --- |"]
    let kinds = [(apps, Platform.inApp), (iosBrowsers, .iosBrowser), (bots, .bot)]
    for (entries, platform) in kinds {
      for entry in entries {
        let sources = entry.sources.map(\.markdown).joined(separator: ", ")
        lines.append(
          "| \(entry.name) | `\(platform.name)` | \(code(entry.words)) | \(sources) |")
      }
    }
    lines.append("| other bots | `bot` | anywhere: \(code(otherBots)) | |")
    lines.append("| other bots | `bot` | as whole words: \(code(otherBotWords)) | |")
    return lines.joined(separator: "\n")
  }

  private static func code(_ words: [String]) -> String {
    words.map { "`\($0)`" }.joined(separator: ", ")
  }
}
