/// The words by which ``UserAgent`` tells clients apart.
struct AgentWords: Sendable {
  static let shared = AgentWords()

  private(set) var tokens = AgentTokens()
  let cdn, device, windowsPhone, android, iosDevices, macintosh: AgentTokens.Found
  let safari, version, webKit, mobileSystem, oldestSystem: AgentTokens.Found
  let otherMacBrowsers, iosBrowsers, inApp: AgentTokens.Found

  private let bot, cubot, surelyBot, otherBots: AgentTokens.Found

  private init() {
    cdn = tokens.add(["AASA-Bot"])
    device = tokens.add(["swcd"])
    windowsPhone = tokens.add(["Windows Phone"])
    android = tokens.add(["Android"])
    iosDevices = tokens.add(["iPhone", "iPad", "iPod"])
    macintosh = tokens.add(["Macintosh"])
    safari = tokens.add(["Safari/"])
    version = tokens.add(["Version/"])
    webKit = tokens.add(["AppleWebKit/"])
    mobileSystem = tokens.add([" OS "])
    oldestSystem = tokens.add(["CPU like Mac OS X"])
    otherMacBrowsers = tokens.add(Self.otherMacBrowserTokens)
    iosBrowsers = tokens.add(Self.iosBrowserTokens)
    inApp = tokens.add(Self.inAppTokens)
    bot = tokens.add(["bot"], ignoringCase: true)
    cubot = tokens.add(["cubot"], ignoringCase: true)
    surelyBot = tokens.add(["bot/", "robot"], ignoringCase: true)
    otherBots = tokens.add(Self.botTokens, ignoringCase: true)
    tokens.build()
  }

  /// A Boolean value indicating whether words are those of an automatic client.
  func isBot(_ found: AgentTokens.Found) -> Bool {
    if found.contains(anyOf: otherBots) { return true }
    // Cubot makes phones.
    return found.contains(anyOf: bot)
      && (!found.contains(anyOf: cubot) || found.contains(anyOf: surelyBot))
  }

  private static let otherMacBrowserTokens = [
    "Chrome/", "Chromium/", "Firefox/", "Edg", "OPR/", "Opera",
  ]

  /// What other browsers on iOS call themselves.
  private static let iosBrowserTokens = [
    "CriOS/", "FxiOS/", "EdgiOS/", "OPiOS/", "OPT/", "OPX/", "DuckDuckGo/", "Ddg/", "YaBrowser/",
    "Focus/", "Brave/", "UCBrowser/", "Coast/", "Vivaldi/", "Whale/", "Ecosia ios@", "Aloha",
    "SamsungBrowser/", "MiuiBrowser/", "QQBrowser", "Puffin/", "Mercury/",
  ]

  /// What apps add to the user agent of their web views.
  private static let inAppTokens = [
    "FBAN/", "FBAV/", "FB_IAB", "FBIOS", "Instagram", "Barcelona ", "Twitter for", "Line/",
    "MicroMessenger", "Snapchat", "Pinterest/", "LinkedInApp", "musical_ly", "BytedanceWebview",
    "TikTok", "trill_", "GSA/", "WhatsApp", "Telegram", "KAKAOTALK", "NAVER(", "DaumApps",
    "Discord", "Slack", "Reddit/", "Viber", "VKAndroidApp", "com.vk", "Zalo", "Threads",
    "MessengerForiOS", "Messenger/", "Yjapp", "YJApp", "Flipboard/", "Baiduboxapp", "baiduboxapp",
  ]

  /// What automatic clients call themselves, in lower case.
  private static let botTokens = [
    "crawl", "spider", "slurp", "curl/", "wget", "python-", "python/", "aiohttp", "httpx/",
    "go-http-client", "java/", "libwww", "lwp::", "axios/", "node-fetch", "undici",
    "guzzlehttp", "apache-httpclient", "httpie/", "postmanruntime", "headlesschrome", "phantomjs",
    "lighthouse", "pagespeed", "pingdom", "uptime", "monitor", "statuscake", "site24x7",
    "facebookexternalhit", "facebookcatalog", "meta-external", "embedly", "preview", "ia_archiver",
    "scrapy", "mediapartners-google", "feedfetcher", "google-inspectiontool", "googleother",
    "bingpreview", "yandeximages", "baiduspider", "archiver", "validator", "nutch", "masscan",
    "scanner",
    "zgrab", "nmap", "nikto", "sqlmap", "heritrix", "feedburner", "feedly", "checker", "fetcher",
  ]
}
