internal import AccessLogs

/// What a user agent tells of the client.
struct UserAgent: BitwiseCopyable, Hashable, Sendable {
  /// The kind of client.
  var platform: Platform

  /// The fetcher of association files that this is, if it is one.
  var fetcher: Fetcher?

  /// Reads a user agent.
  init(_ text: Span<UInt8>) {
    self.init(text, found: AgentWords.shared.tokens.find(in: text))
  }

  /// Reads a user agent in which some words have been found.
  ///
  /// The order of the questions matters: crawlers name the browsers that they
  /// pretend to be, and so do Windows Phone and Android.
  init(_ text: Span<UInt8>, found: AgentTokens.Found) {
    let words = AgentWords.shared
    fetcher = nil
    if found.contains(anyOf: words.cdn) {
      (platform, fetcher) = (.fetcher, .cdn)
    } else if found.contains(anyOf: words.device) {
      (platform, fetcher) = (.fetcher, .device)
    } else if words.isBot(found) {
      platform = .bot
    } else if found.contains(anyOf: words.windowsPhone) {
      platform = .other
    } else if found.contains(anyOf: words.android) {
      platform = .android
    } else if found.contains(anyOf: words.iosDevices) {
      platform = Self.iosPlatform(text, found, words)
    } else if found.contains(anyOf: words.macintosh), found.contains(anyOf: words.safari),
      found.contains(anyOf: words.version), !found.contains(anyOf: words.otherMacBrowsers)
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
  private static func iosPlatform(
    _ text: Span<UInt8>, _ found: AgentTokens.Found, _ words: AgentWords
  ) -> Platform {
    if found.contains(anyOf: words.inApp) { return .inApp }
    guard found.contains(anyOf: words.webKit) else { return .other }
    guard found.contains(anyOf: words.safari) else { return .inApp }
    if found.contains(anyOf: words.iosBrowsers) { return .iosBrowser }
    guard let major = systemVersion(text, found, words) else { return .ios }
    return major <= 12 ? .ios12 : .ios
  }

  /// The major version in `CPU iPhone OS 17_5_1 like Mac OS X` or, on an iPad,
  /// `CPU OS 16_6 like Mac OS X`; the first iPhones say just `CPU like Mac OS X`.
  private static func systemVersion(
    _ text: Span<UInt8>, _ found: AgentTokens.Found, _ words: AgentWords
  ) -> Int? {
    let oldest = found.contains(anyOf: words.oldestSystem) ? 1 : nil
    guard found.contains(anyOf: words.mobileSystem), let start = text.position(of: " OS ") else {
      return oldest
    }
    var index = start + 4
    var version: Int?
    while index < text.count, case let digit = text[index] &- 0x30, digit < 10 {
      version = min(1_000, (version ?? 0) * 10 + Int(digit))
      index += 1
    }
    return version ?? oldest
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
}
