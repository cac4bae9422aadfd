internal import AccessLogs

/// What a user agent tells of the client.
struct UserAgent: BitwiseCopyable, Hashable, Sendable {
  /// The kind of client.
  var platform: Platform

  /// The fetcher of association files that this is, if it is one.
  var fetcher: Fetcher?

  /// Reads a user agent.
  ///
  /// The order of the questions matters: crawlers name the browsers that they
  /// pretend to be, and so do Windows Phone and Android.
  init(_ text: Span<UInt8>) {
    fetcher = nil
    if text.contains("AASA-Bot") {
      (platform, fetcher) = (.fetcher, .cdn)
    } else if text.contains("swcd") {
      (platform, fetcher) = (.fetcher, .device)
    } else if Self.isBot(text) {
      platform = .bot
    } else if text.contains("Windows Phone") {
      platform = .other
    } else if text.contains("Android") {
      platform = .android
    } else if text.contains("iPhone") || text.contains("iPad") || text.contains("iPod") {
      platform = Self.iosPlatform(text)
    } else if text.contains("Macintosh"), text.contains("Safari/"), text.contains("Version/"),
      !text.containsAny(of: Self.otherMacBrowsers)
    {
      platform = .macos
    } else {
      platform = .other
    }
  }

  /// The user agent of a request that names none.
  static let absent = UserAgent(platform: .other)

  private init(platform: Platform) {
    self.platform = platform
    fetcher = nil
  }
}

/// Who fetches association files (MATCHING.md, 6.4).
public enum Fetcher: String, BitwiseCopyable, CaseIterable, Hashable, Sendable {
  /// Apple's content delivery network, which devices from iOS 14 on ask.
  case cdn = "AASA-Bot"

  /// A device itself.
  case device = "swcd"
}

extension UserAgent {
  private static let otherMacBrowsers: [StaticString] = [
    "Chrome/", "Chromium/", "Firefox/", "Edg", "OPR/", "Opera",
  ]

  /// What other browsers on iOS call themselves.
  private static let iosBrowsers: [StaticString] = [
    "CriOS/", "FxiOS/", "EdgiOS/", "OPiOS/", "OPT/", "OPX/", "DuckDuckGo/", "Ddg/", "YaBrowser/",
    "Focus/", "Brave/", "UCBrowser/", "Coast/", "Vivaldi/", "Whale/", "Ecosia ios@", "Aloha",
    "SamsungBrowser/", "MiuiBrowser/", "QQBrowser", "Puffin/", "Mercury/",
  ]

  /// What apps add to the user agent of their web views.
  private static let inAppTokens: [StaticString] = [
    "FBAN/", "FBAV/", "FB_IAB", "FBIOS", "Instagram", "Barcelona ", "Twitter for", "Line/",
    "MicroMessenger", "Snapchat", "Pinterest/", "LinkedInApp", "musical_ly", "BytedanceWebview",
    "TikTok", "trill_", "GSA/", "WhatsApp", "Telegram", "KAKAOTALK", "NAVER(", "DaumApps",
    "Discord", "Slack", "Reddit/", "Viber", "VKAndroidApp", "com.vk", "Zalo", "Threads",
    "MessengerForiOS", "Messenger/", "Yjapp", "YJApp", "Flipboard/", "Baiduboxapp", "baiduboxapp",
  ]

  /// What automatic clients call themselves, in lower case.
  private static let botTokens: [StaticString] = [
    "bot", "crawl", "spider", "slurp", "curl/", "wget", "python-", "python/", "aiohttp", "httpx/",
    "go-http-client", "java/", "libwww", "lwp::", "axios/", "node-fetch", "undici",
    "guzzlehttp", "apache-httpclient", "httpie/", "postmanruntime", "headlesschrome", "phantomjs",
    "lighthouse", "pagespeed", "pingdom", "uptime", "monitor", "statuscake", "site24x7",
    "facebookexternalhit", "facebookcatalog", "meta-external", "embedly", "preview", "ia_archiver",
    "scrapy", "mediapartners-google", "feedfetcher", "google-inspectiontool", "googleother",
    "bingpreview", "yandeximages", "baiduspider", "archiver", "validator", "nutch", "masscan",
    "scanner",
    "zgrab",
    "nmap", "nikto", "sqlmap", "heritrix", "feedburner", "feedly", "checker", "fetcher",
  ]

  private static func isBot(_ text: Span<UInt8>) -> Bool {
    for token in botTokens where text.containsIgnoringCase(token) {
      // Cubot makes phones.
      if token.description == "bot", text.containsIgnoringCase("cubot"),
        !text.containsIgnoringCase("bot/"), !text.containsIgnoringCase("robot")
      {
        continue
      }
      return true
    }
    return false
  }

  private static func iosPlatform(_ text: Span<UInt8>) -> Platform {
    if text.containsAny(of: inAppTokens) { return .inApp }
    guard text.contains("AppleWebKit/") else { return .other }
    guard text.contains("Safari/") else { return .inApp }
    if text.containsAny(of: iosBrowsers) { return .iosBrowser }
    guard let major = systemVersion(text) else { return .ios }
    return major <= 12 ? .ios12 : .ios
  }

  /// The major version in `CPU iPhone OS 17_5_1 like Mac OS X` or, on an iPad,
  /// `CPU OS 16_6 like Mac OS X`; the first iPhones say just `CPU like Mac OS X`.
  private static func systemVersion(_ text: Span<UInt8>) -> Int? {
    guard let start = text.position(of: " OS ") else {
      return text.contains("CPU like Mac OS X") ? 1 : nil
    }
    var index = start + 4
    var version: Int?
    while index < text.count, case let digit = text[index] &- 0x30, digit < 10 {
      version = min(1_000, (version ?? 0) * 10 + Int(digit))
      index += 1
    }
    return version ?? (text.contains("CPU like Mac OS X") ? 1 : nil)
  }
}

extension Span<UInt8> {
  /// Returns the position of the first occurrence of `token`, or `nil` if there
  /// is none.
  fileprivate func position(of token: StaticString) -> Int? {
    token.withUTF8Span { token in
      var start = 0
      while let found = firstIndex(of: token[0], from: start, to: count - token.count + 1) {
        if extracting(found..<(found + token.count)).isEqual(to: token) { return found }
        start = found + 1
      }
      return nil
    }
  }

  fileprivate func contains(_ token: StaticString) -> Bool {
    position(of: token) != nil
  }

  fileprivate func containsAny(of tokens: [StaticString]) -> Bool {
    for token in tokens where contains(token) { return true }
    return false
  }

  /// Returns a Boolean value indicating whether `token`, given in lower case,
  /// occurs in any letter case.
  fileprivate func containsIgnoringCase(_ token: StaticString) -> Bool {
    token.withUTF8Span { token in
      guard count >= token.count else { return false }
      for start in 0...(count - token.count) where self[start] | 0x20 == token[0] | 0x20 {
        var length = 1
        while length < token.count, self[start + length].asciiLowercased == token[length] {
          length += 1
        }
        if length == token.count { return true }
      }
      return false
    }
  }
}
