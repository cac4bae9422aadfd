/// The words by which clients are told by name.
///
/// Where an agent has the words of several clients, the first in the list counts:
/// what is built from another, or passes for it, stands in front of that.
struct ClientWords {
  /// The name of a client, and the words that only it has.
  struct Entry {
    var name: String
    var words: [String]

    init(_ name: String, _ words: String...) {
      (self.name, self.words) = (name, words)
    }
  }

  /// Apps, by what they add to the user agent of their web views.
  static let apps = [
    Entry("WeChat", "MicroMessenger"),
    Entry("Messenger", "MessengerForiOS", "MessengerLiteForiOS", "Messenger/", "FBAN/Orca"),
    Entry("Threads", "Barcelona ", "Threads"),
    Entry("Instagram", "Instagram"),
    Entry("WhatsApp", "WhatsApp"),
    Entry("Facebook", "FBAN/", "FBAV/", "FB_IAB", "FBIOS"),
    Entry("TikTok", "musical_ly", "BytedanceWebview", "TikTok", "trill_", "aweme"),
    Entry("Snapchat", "Snapchat"),
    Entry("Pinterest", "Pinterest/"),
    Entry("LinkedIn", "LinkedInApp"),
    Entry("X", "Twitter for", "TwitterAndroid"),
    Entry("QQ", " QQ/"),
    Entry("Weibo", "Weibo (", "__weibo__"),
    Entry("Alipay", "AlipayClient"),
    Entry("Taobao", "AliApp("),
    Entry("LINE", " Line/"),
    Entry("KakaoTalk", "KAKAOTALK", "KAKAOSTORY"),
    Entry("NAVER", "NAVER("),
    Entry("Daum", "DaumApps"),
    Entry("Telegram", "Telegram"),
    Entry("Google app", "GSA/"),
    Entry("Slack", "Slack"),
    Entry("Discord", "Discord"),
    Entry("Reddit", "Reddit/", "RedditIOS"),
    Entry("Microsoft Teams", "Teams/", "TeamsMobile"),
    Entry("Outlook", "Outlook-iOS", "OutlookMobile", "PKeyAuth/1.0 Outlook"),
    Entry("Bing app", "BingSapphire", "BingWeb/", "BingMobile"),
    Entry("Viber", "Viber"),
    Entry("VK", "VKAndroidApp", "com.vk", "VKClient"),
    Entry("Zalo", "Zalo"),
    Entry("Yahoo! JAPAN", "Yjapp", "YJApp"),
    Entry("Yandex app", "YaApp_iOS", "YandexSearch/"),
    Entry("Flipboard", "Flipboard/"),
    Entry("Baidu app", "baiduboxapp", "Baiduboxapp"),
    Entry("Apple News", "AppleNews/"),
    Entry("Quora", "Quora "),
    Entry("Nextdoor", "Nextdoor"),
    Entry("Tumblr", "Tumblr"),
  ]

  /// Other browsers on iOS.
  static let iosBrowsers = [
    Entry("Firefox Focus", "Focus/", "Klar/"),
    Entry("DuckDuckGo", "DuckDuckGo/", "Ddg/"),
    Entry("Edge", "EdgiOS/"),
    Entry("Opera", "OPiOS/", "OPT/", "OPX/", "OPR/", "Opera Mini/", "Coast/"),
    Entry("Brave", "Brave/"),
    Entry("Yandex Browser", "YaBrowser/"),
    Entry("UC Browser", "UCBrowser", "UCWEB"),
    Entry("Quark", "Quark/"),
    Entry("QQ Browser", "QQBrowser"),
    Entry("Vivaldi", "Vivaldi/"),
    Entry("Whale", "Whale/"),
    Entry("Ecosia", "Ecosia ios@", "Ecosia"),
    Entry("Aloha", "AlohaBrowser/", "Aloha"),
    Entry("Arc", "ArcMobile", "Arc/"),
    Entry("Samsung Internet", "SamsungBrowser/"),
    Entry("Mi Browser", "MiuiBrowser/"),
    Entry("Baidu Browser", "baidubrowser", "BIDUBrowser"),
    Entry("Maxthon", "Maxthon", "MXiOS/", "MxBrowser"),
    Entry("Dolphin", "Dolphin"),
    Entry("Puffin", "Puffin/"),
    Entry("Mercury", "Mercury/"),
    Entry("Orion", "Orion/"),
    Entry("Onion Browser", "OnionBrowser/"),
    Entry("Avast Browser", "AvastSecureBrowser", "AvastMobile"),
    Entry("Qwant", "QwantiOS", "QwantMobile", "QwantBrowser"),
    Entry("Firefox", "FxiOS/"),
    Entry("Chrome", "CriOS/"),
  ]

  /// Crawlers, link previews, monitors and scripts, in lower case.
  static let bots = [
    // Messages asks for previews in the name of others.
    Entry("Messages previews", "facebookexternalhit/1.1 facebot twitterbot"),
    Entry("Applebot", "applebot"),
    Entry("GPTBot", "gptbot"),
    Entry("ChatGPT-User", "chatgpt-user"),
    Entry("OAI-SearchBot", "oai-searchbot"),
    Entry("ClaudeBot", "claudebot", "claude-web", "anthropic-ai"),
    Entry("Claude-User", "claude-user", "claude-searchbot"),
    Entry("PerplexityBot", "perplexitybot", "perplexity-user"),
    Entry("Amazonbot", "amazonbot"),
    Entry("Bytespider", "bytespider"),
    Entry("CCBot", "ccbot"),
    Entry("meta-externalagent", "meta-external", "meta-webindexer"),
    Entry("facebookexternalhit", "facebookexternalhit", "facebookcatalog", "facebot"),
    Entry("Twitterbot", "twitterbot"),
    Entry("Slackbot", "slackbot", "slack-imgproxy"),
    Entry("LinkedInBot", "linkedinbot"),
    Entry("Pinterestbot", "pinterestbot", "pinterest/0"),
    Entry("Discordbot", "discordbot"),
    Entry("TelegramBot", "telegrambot"),
    Entry("redditbot", "redditbot"),
    Entry("SkypeUriPreview", "skypeuripreview"),
    Entry("Snapchat previews", "snap url preview"),
    Entry("bingbot", "bingbot", "bingpreview", "adidxbot", "msnbot"),
    Entry("YandexBot", "yandex.com/bots", "yandexbot", "yandeximages"),
    Entry("Baiduspider", "baiduspider"),
    Entry("Sogou", "sogou web spider", "sogou spider"),
    Entry("DuckDuckBot", "duckduckbot", "duckassistbot"),
    Entry("PetalBot", "petalbot"),
    Entry("SeznamBot", "seznambot"),
    Entry("Yahoo! Slurp", "slurp"),
    Entry("Yeti", "yeti/"),
    Entry("AhrefsBot", "ahrefsbot", "ahrefssiteaudit"),
    Entry("SemrushBot", "semrushbot", "siteauditbot"),
    Entry("MJ12bot", "mj12bot"),
    Entry("DotBot", "dotbot"),
    Entry("DataForSeoBot", "dataforseobot"),
    Entry("Screaming Frog", "screaming frog"),
    Entry("Internet Archive", "archive.org_bot", "ia_archiver", "heritrix"),
    Entry("UptimeRobot", "uptimerobot"),
    Entry("Pingdom", "pingdom"),
    Entry("StatusCake", "statuscake"),
    Entry("Site24x7", "site24x7"),
    Entry("Lighthouse", "lighthouse", "pagespeed"),
    Entry("headless Chrome", "headlesschrome"),
    Entry("curl", "curl/"),
    Entry("Wget", "wget"),
    Entry("Python", "python-", "python/", "aiohttp", "httpx/", "scrapy"),
    Entry("Go", "go-http-client"),
    Entry("Java", "java/", "apache-httpclient"),
    Entry("Googlebot", "googlebot"),
    Entry(
      "other Google crawlers", "google-", "-google", "feedfetcher", "googleother",
      "google favicon", "google web preview", "googleimageproxy", "google page speed"),
  ]

  /// What other automatic clients call themselves, in lower case.
  static let otherBots = [
    // An address at which its owner tells what it does.
    "http://", "https://", "+mailto:",
    "crawl", "spider", "libwww", "lwp::", "axios/", "node-fetch", "undici", "guzzlehttp",
    "httpie/", "postmanruntime", "phantomjs", "headless", "prerender", "ptst/", "uptime",
    "monitor", "embedly", "preview", "archive", "validator", "verif", "nutch", "scan", "zgrab",
    "nmap", "nikto", "sqlmap", "nessus", "censys", "zmeu", "cloudflare", "feedburner", "feedly",
    "check", "fetcher", "probe", "inspect", "survey", "audit", "research", "thumbnail",
    "screenshot", "adbeat", "hotjar",
  ]
}
