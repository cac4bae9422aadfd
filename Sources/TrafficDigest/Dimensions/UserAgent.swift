internal import AccessLogs
internal import Foundations

/// The platform and the client that a user agent names.
struct UserAgent: BitwiseCopyable, Hashable, Sendable {
  /// The kind of client.
  var platform: Platform

  /// The client by name.
  var client: Client

  /// The major version of iOS, or 0 if it isn't iOS or isn't named.
  var systemVersion: UInt8 = 0

  /// The features that its system lacks.
  var systemAge = SystemAge.current

  /// Reads a user agent, percent-encoded or not.
  init(_ text: Span<UInt8>) {
    // Some logs encode agents, and CDNs encode them again.
    guard let once = text.percentDecoded() else {
      self.init(decoded: text)
      return
    }
    let decoded = once.span.percentDecoded() ?? once
    self.init(decoded: decoded.span)
  }

  /// Reads a user agent that isn't percent-encoded.
  ///
  /// The order of the questions matters, because crawlers, Windows Phone and Android name the
  /// browsers that they pose as.
  private init(decoded text: Span<UInt8>) {
    let words = AgentWords.shared
    let found = words.find(in: text)
    if let fetcher = found.client(among: words.fetchers) {
      self.init(.fetcher, fetcher)
    } else if let bot = found.bot(words) {
      self.init(.bot, bot)
    } else if text.begins(with: "WhatsApp/") {
      // With only its own name, it requests the preview of a link.
      self.init(.bot, .whatsAppPreview)
    } else if found.contains(.notAndroid) {
      self.init(.other, .other)
    } else if found.isAndroid {
      self.init(.android, .android)
    } else if found.contains(.notIOS) {
      self.init(.other, .other)
    } else if found.isIOS {
      self.init(ios: text, found, words)
    } else if found.contains(.macintosh), found.contains(.safari), found.contains(.version),
      !found.contains(.otherMacBrowser), Self.endsWithSafari(text)
    {
      self.init(.macos, .safari)
      systemAge = SystemAge(mac: text)
    } else {
      self.init(.other, found.contains(.native) ? .native : .other)
    }
  }

  /// The user agent of a request that names none.
  static let absent = UserAgent(.other, .absent)

  private init(_ platform: Platform, _ client: Client) {
    (self.platform, self.client) = (platform, client)
  }

  /// Reads the user agent of a device with iOS.
  private init(ios text: Span<UInt8>, _ found: AgentWords.Found, _ words: AgentWords) {
    if !found.namesEngine {
      // An app that fetches data, whatever its name; nobody opens a page.
      self.init(.other, .native)
      return
    } else if let app = found.client(among: words.apps) {
      self.init(.inApp, app)
    } else if let browser = found.client(among: words.iosBrowsers) {
      self.init(.iosBrowser, browser)
    } else if found.contains(.chromium) {
      // Chrome has another name there, so an agent with this name is not an iPhone.
      self.init(.other, .other)
      return
    } else if !found.contains(.safari) || !text.begins(with: "Mozilla/") {
      self.init(.inApp, .otherApp)
    } else if !Self.endsWithSafari(text) {
      self.init(.iosBrowser, .otherBrowser)
    } else {
      self.init(.ios, .safari)
    }
    guard let version = Self.version(in: text) ?? (found.contains(.oldestSystem) ? (1, nil) : nil)
    else { return }
    (systemVersion, systemAge) = (version.major, SystemAge(ios: version))
    if platform == .ios, version.major <= 12 { platform = .ios12 }
  }

  /// Returns a Boolean value indicating whether nothing follows the last `Safari/604.1`.
  ///
  /// Browsers on the same engine add their names there.
  private static func endsWithSafari(_ text: Span<UInt8>) -> Bool {
    var end = text.count
    while end > 0, text[end - 1] == UInt8(ascii: " ") { end -= 1 }
    while end > 0, text[end - 1].isDigit || text[end - 1] == UInt8(ascii: ".") { end -= 1 }
    let word: StaticString = "Safari/"
    return text.begins(with: word, at: end - word.utf8CodeUnitCount)
  }
}

/// The kinds of fetchers of association files (Matching.md, 6.4).
public enum Fetcher: String, BitwiseCopyable, CaseIterable, Codable, Hashable, Sendable {
  /// Apple's content delivery network, which serves devices from iOS 14 on.
  case cdn = "AASA-Bot"

  /// A device itself.
  case device = "swcd"

  /// Google's service for associations of apps and sites, which Apple's systems don't use.
  case google = "GoogleAssociationService"

  /// Any other client: browsers, validators, crawlers.
  case other

  /// A Boolean value indicating whether Apple's systems use the response.
  public var isApple: Bool { self == .cdn || self == .device }
}

/// The kind of client that sent a request, detected from its user agent.
///
/// Digests hold the numbers of the cases, so a new case is the last one.
public enum Platform: UInt8, BitwiseCopyable, CaseIterable, Codable, Hashable, Sendable {
  /// Safari on iOS or iPadOS 13 and later.
  case ios

  /// Safari on iOS 12 and earlier, which reads only the old `paths` rules.
  case ios12

  /// Another browser on iOS.
  case iosBrowser

  /// A web view inside an app on iOS.
  case inApp

  /// Safari on a Mac, or on an iPad that asks for desktop pages.
  case macos

  /// Any browser or app on Android.
  case android

  /// A crawler, a link preview, a monitor, or a script.
  case bot

  /// Apple's fetchers of association files: its CDN and devices.
  case fetcher

  /// Anything else, and clients that don't name themselves.
  case other

  /// The name in reports.
  public var name: String { String(describing: self) }

  /// A Boolean value indicating whether requests from this platform can be visits of a person on an
  /// Apple device.
  public var isApple: Bool {
    switch self {
    case .ios, .ios12, .iosBrowser, .inApp, .macos: true
    case .android, .bot, .fetcher, .other: false
    }
  }
}

// MARK: - Versions

extension UserAgent {
  /// A version of iOS; the second number is `nil` if it isn't named.
  typealias Version = (major: UInt8, minor: UInt8?)

  /// The first version for which Safari names an older system; Safari's own version has the right
  /// number.
  private static let frozen: UInt8 = 26

  /// Returns the version of iOS that an agent names, or `nil` if it names none.
  ///
  /// It is in `CPU iPhone OS 17_5_1 like Mac OS X` or, on an iPad, `CPU OS 16_6 like Mac OS X`.
  /// Apps add `iOS/17.1`, `iOS 17.4` or `FBSV/17.4`. From 26 on, it is only in `Version/26.0`. If
  /// there are several, the greatest counts, because a system can name a lower version, but never a
  /// higher one.
  static func version(in text: Span<UInt8>) -> Version? {
    var version: (major: UInt8, end: Int)?
    var previous: UInt8 = 0
    for index in text.indices {
      let byte = text.byte(index)
      // All words with a version end with one of these.
      if byte &- 0x30 < 10,
        UInt8(ascii: " ") == previous || UInt8(ascii: "/") == previous
          || UInt8(ascii: "S") == previous || UInt8(ascii: "(") == previous
          || UInt8(ascii: "_") == previous, let value = number(in: text, at: index),
        value > 0, isVersion(text, index, value)
      {
        if value > version?.major ?? 0 { version = (value, index + (value < 10 ? 1 : 2)) }
      }
      previous = byte
    }
    return version.map { ($0.major, number(in: text, after: $0.end)) }
  }

  /// The number of one or two digits that follows a separator, or `nil` if none does.
  static func number(in text: Span<UInt8>, after end: Int) -> UInt8? {
    guard end + 1 < text.count, text[end] == UInt8(ascii: "_") || text[end] == UInt8(ascii: ".")
    else { return nil }
    return number(in: text, at: end + 1)
  }

  /// The number of one or two digits that begins at a position, or `nil` if it has none or more.
  private static func number(in text: Span<UInt8>, at start: Int) -> UInt8? {
    var (value, end) = (0, start)
    while end < text.count, end < start + 3, case let digit = text[end] &- 0x30, digit < 10 {
      value = value * 10 + Int(digit)
      end += 1
    }
    return (1...2).contains(end - start) ? UInt8(value) : nil
  }

  /// Returns a Boolean value indicating whether the number at a position is a version
  /// of iOS, by what precedes it.
  private static func isVersion(_ text: Span<UInt8>, _ index: Int, _ value: UInt8) -> Bool {
    if ends(text, index, with: " OS ") || ends(text, index, with: "FBSV/")
      || ends(text, index, with: ";ov(")
    {
      return true
    }
    if ends(text, index, with: "Version/") { return value >= frozen }
    // After the name, or one byte between them.
    var end = index
    if end > 0, [UInt8(ascii: " "), UInt8(ascii: "/"), UInt8(ascii: "_")].contains(text[end - 1]) {
      end -= 1
    }
    if ends(text, end, with: "iPadOS") { return true }
    // `CriOS/126` is not a system.
    guard ends(text, end, with: "iOS") else { return false }
    return end == 3 || !text[end - 4].isLetter
  }

  private static func ends(_ text: Span<UInt8>, _ end: Int, with word: StaticString) -> Bool {
    text.begins(with: word, at: end - word.utf8CodeUnitCount)
  }
}

/// The features of universal links that a client's system lacks because of its age
/// (Matching.md, 4.3).
public enum SystemAge: UInt8, BitwiseCopyable, CaseIterable, Hashable, Sendable {
  /// The system has all of them, or doesn't name its version.
  case current

  /// iOS 8 and macOS 10.14 and earlier, which have no universal links.
  case beforeUniversalLinks

  /// iOS 13.0 to 13.4, which don't support `caseSensitive` and variables.
  case before13Point5

  /// iOS 13.5 to 13.7, which don't support `percentEncoded` and `defaults`.
  case before14

  /// The name in reports.
  public var name: String { String(describing: self) }

  /// The age of a version of iOS.
  init(ios version: UserAgent.Version) {
    switch version.major {
    case ...8: self = .beforeUniversalLinks
    case 13: self = version.minor.map { $0 < 5 } ?? false ? .before13Point5 : .before14
    default: self = .current
    }
  }

  /// The age of the version of macOS in the user agent of Safari, which names 10.15 at most.
  init(mac agent: Span<UInt8>) {
    let word: StaticString = "Mac OS X 10"
    if let start = agent.position(of: word),
      let minor = UserAgent.number(in: agent, after: start + word.utf8CodeUnitCount), minor < 15
    {
      self = .beforeUniversalLinks
    } else {
      self = .current
    }
  }
}
