internal import AccessLogs
internal import Foundations

/// The words by which ``UserAgent`` detects clients.
///
/// It is a class because each agent uses it and must not copy it.
final class AgentWords: Sendable {
  static let shared = AgentWords()

  let tokens: AgentTokens
  let cdn, device, google, notAndroid, notIOS, android, iosDevices, macintosh: AgentTokens.Found
  let safari, version, webKit, presto, oldestSystem, native: AgentTokens.Found
  let mobileWebKit, chromium, iosOnlyBrowsers, otherMacBrowsers: AgentTokens.Found
  let apps, iosBrowsers: AgentTokens.Found

  let namedBots, bot, cubot, surelyBot, otherBots: AgentTokens.Found
  let linux, outlookOfBoth: AgentTokens.Found

  /// The client that each token represents, for tokens that represent one.
  private let clients: [Client?]

  private init() {
    var tokens = AgentTokens()
    var clients: [Client?] = []
    var number = Client.ownNames.count
    func add(_ listed: [ListedName], ignoringCase: Bool = false) -> AgentTokens.Found {
      var all = AgentTokens.Found()
      for entry in listed {
        all.formUnion(tokens.add(entry.words, ignoringCase: ignoringCase))
        while clients.count < tokens.tokens.count { clients.append(Client(number: UInt8(number))) }
        number += 1
      }
      return all
    }
    // First, so that the tokens are in the order of the clients.
    apps = add(Client.apps)
    iosBrowsers = add(Client.iosBrowsers)
    namedBots = add(Client.bots, ignoringCase: true)
    cdn = tokens.add(["AASA-Bot"])
    device = tokens.add(["swcd"])
    google = tokens.add([Fetcher.google.rawValue])
    notAndroid = tokens.add(["Windows Phone", "IEMobile", "Tizen"])
    android = tokens.add(["Android", "android", " Adr ", "Silk/"])
    notIOS = tokens.add(Self.notIOSTokens)
    iosDevices = tokens.add(["iPhone", "iPad", "iPod", "dv(iP"])
    macintosh = tokens.add(["Macintosh"])
    safari = tokens.add(["Safari/"])
    version = tokens.add(["Version/"])
    webKit = tokens.add(["AppleWebKit"])
    presto = tokens.add(["Presto/"])
    linux = tokens.add(["Linux"])
    outlookOfBoth = tokens.add(["Outlook-iOS-Android"])
    oldestSystem = tokens.add(["CPU like Mac OS X"])
    native = tokens.add(["CFNetwork/", "AppleCoreMedia/", "Cronet"])
    mobileWebKit = tokens.add([" Mobile/"])
    chromium = tokens.add(["Chrome/"])
    iosOnlyBrowsers = tokens.add(["CriOS/", "FxiOS/", "EdgiOS/", "OPiOS/", "GSA/"])
    otherMacBrowsers = tokens.add(Self.otherMacBrowserTokens)
    bot = tokens.add(["bot"], ignoringCase: true)
    cubot = tokens.add(["cubot"], ignoringCase: true)
    surelyBot = tokens.add(["bot/", "robot"], ignoringCase: true)
    var otherBots = tokens.add(Client.otherBots, ignoringCase: true)
    otherBots.formUnion(tokens.add(Client.otherBotWords, ignoringCase: true, wholeWords: true))
    self.otherBots = otherBots
    tokens.build()
    (self.tokens, self.clients) = (tokens, clients)
  }

  /// A Boolean value indicating whether words are those of an automatic client.
  func isBot(_ found: AgentTokens.Found) -> Bool {
    if found.contains(anyOf: namedBots) || found.contains(anyOf: otherBots) { return true }
    // Cubot makes phones.
    return found.contains(anyOf: bot)
      && (!found.contains(anyOf: cubot) || found.contains(anyOf: surelyBot))
  }

  /// A Boolean value indicating whether words are those of a device with Android.
  ///
  /// Outlook calls itself `Outlook-iOS-Android` on both systems; on Android, its agent
  /// names Linux, too.
  func isAndroid(_ found: AgentTokens.Found) -> Bool {
    found.contains(anyOf: android)
      && !(found.contains(anyOf: outlookOfBoth) && found.contains(anyOf: iosDevices)
        && !found.contains(anyOf: linux))
  }

  /// A Boolean value indicating whether words name a browser engine on iOS: WebKit, or that of
  /// Opera Mini's servers.
  ///
  /// Apps that fetch data name none.
  func namesEngine(_ found: AgentTokens.Found) -> Bool {
    found.contains(anyOf: webKit) || found.contains(anyOf: presto)
  }

  /// A Boolean value indicating whether words are those of a device with iOS that asks for desktop
  /// pages and poses as a Mac.
  ///
  /// Safari on such a device can't be detected; other browsers have words that Macs don't.
  func isDisguisedDevice(_ found: AgentTokens.Found) -> Bool {
    found.contains(anyOf: macintosh)
      && (found.contains(anyOf: iosOnlyBrowsers)
        || found.contains(anyOf: mobileWebKit) && found.contains(anyOf: webKit))
  }

  /// The bot that words represent.
  func bot(_ found: AgentTokens.Found) -> Client {
    client(found, among: namedBots) ?? .otherBot
  }

  /// The first of some clients whose words are found.
  func client(_ found: AgentTokens.Found, among some: AgentTokens.Found) -> Client? {
    found.first(of: some).flatMap { clients[$0] }
  }

  /// Systems that can pose as iPhones.
  private static let notIOSTokens = [
    "Windows NT", "SymbianOS", "BlackBerry", "BB10;", "KAIOS", "Web0S", "webOS", "hpwOS",
    "Sailfish", "MeeGo", "X11;", "tclwebkit", "like iPhone",
  ]

  /// Most other browsers put their names after Safari's; see ``UserAgent``.
  private static let otherMacBrowserTokens = [
    "Chrome/", "Chromium/", "Firefox/", "Edg", "OPR/", "Opera", "Ddg/", "DuckDuckGo/",
    "Vivaldi/", "YaBrowser/", "Brave/", "Maxthon", "OmniWeb", "iCab", "Epiphany/", "Sleipnir/",
    "Whale/", "QQBrowser", "Orion/", "Electron/", "AdobeAIR", "Puffin/", "UCBrowser",
  ]
}

/// The words by which clients are detected, and the search for them in a user agent.
///
/// An attacker can send another user agent with each request, so one pass finds all words: an
/// automaton makes one step for each byte (A. Aho and M. Corasick, "Efficient string matching",
/// 1975).
struct AgentTokens: Sendable {
  /// A word, whether its letter case matters, and whether it counts only without a letter or digit
  /// next to it.
  struct Token: Hashable, Sendable {
    var text: [UInt8]
    var ignoresCase: Bool
    var isWholeWord: Bool

    init(_ text: String, ignoresCase: Bool = false, isWholeWord: Bool = false) {
      self.text = Array(text.utf8)
      self.ignoresCase = ignoresCase
      self.isWholeWord = isWholeWord
    }
  }

  /// A set of words, as bits.
  struct Found: Equatable, Sendable {
    private var bits = SIMD8<UInt64>()

    mutating func insert(_ token: Int) { bits[token >> 6] |= 1 << UInt64(token & 63) }

    /// A Boolean value indicating whether any of some words is among these.
    func contains(anyOf others: Found) -> Bool { bits & others.bits != .zero }

    /// The first of these words that is among others, in the order in which they
    /// were added.
    func first(of others: Found) -> Int? {
      let common = bits & others.bits
      for index in common.indices where common[index] != 0 {
        return index << 6 + common[index].trailingZeroBitCount
      }
      return nil
    }

    /// Adds other words to these.
    mutating func formUnion(_ others: Found) { bits |= others.bits }
  }

  /// The greatest number of words.
  private static let limit = 512

  private(set) var tokens: [Token] = []

  /// The class of each byte, the same for both letter cases; 0 for bytes that are in no word.
  private var classes = [UInt8](repeating: 0, count: 256)
  private var classCount = 1

  /// The next state for each state and class.
  private var next: [UInt16] = []

  /// The words that end in each state, as positions in ``ends``.
  private var endRanges: [Range<Int>] = []
  private var ends: [Int] = []

  /// Adds words, and returns the set of them for tests of search results.
  mutating func add(
    _ texts: [String], ignoringCase: Bool = false, wholeWords: Bool = false
  ) -> Found {
    var found = Found()
    for text in texts {
      let token = Token(text, ignoresCase: ignoringCase, isWholeWord: wholeWords)
      if let known = tokens.firstIndex(of: token) {
        found.insert(known)
      } else {
        precondition(tokens.count < Self.limit, "there is room for \(Self.limit) words")
        found.insert(tokens.count)
        tokens.append(token)
      }
    }
    return found
  }

  /// Builds the automaton, after all words have been added.
  mutating func build() {
    for byte in tokens.flatMap(\.text).map(\.asciiLowercased) where classes[Int(byte)] == 0 {
      classes[Int(byte)] = UInt8(classCount)
      if (0x61...0x7A).contains(byte) { classes[Int(byte) - 0x20] = UInt8(classCount) }
      classCount += 1
    }
    // A trie of the words, in which 0 means no child yet.
    var children = [[Int]](repeating: Array(repeating: 0, count: classCount), count: 1)
    var endsHere: [[Int]] = [[]]
    for (number, token) in tokens.enumerated() {
      var state = 0
      for byte in token.text {
        let byteClass = Int(classes[Int(byte)])
        if children[state][byteClass] == 0 {
          children[state][byteClass] = children.count
          children.append(Array(repeating: 0, count: classCount))
          endsHere.append([])
        }
        state = children[state][byteClass]
      }
      endsHere[state].append(number)
    }
    // Without a child, continue with the longest suffix that is also a prefix. Its state is nearer
    // to the root, so it is complete already.
    var fallback = Array(repeating: 0, count: children.count)
    var waiting = children[0].filter { $0 != 0 }
    var position = 0
    while position < waiting.count {
      let state = waiting[position]
      position += 1
      endsHere[state] += endsHere[fallback[state]]
      for byteClass in 0..<classCount {
        let other = children[fallback[state]][byteClass]
        let child = children[state][byteClass]
        if child == 0 {
          children[state][byteClass] = other
        } else {
          fallback[child] = other
          waiting.append(child)
        }
      }
    }
    next = children.flatMap { $0.map { UInt16($0) } }
    for numbers in endsHere {
      endRanges.append(ends.count..<(ends.count + numbers.count))
      ends += numbers
    }
  }

  /// Finds the words that a text holds.
  func find(in text: Span<UInt8>) -> Found {
    var found = Found()
    var state = 0
    for index in text.indices {
      state = Int(next[state * classCount + Int(classes[Int(text.byte(index))])])
      let range = endRanges[state]
      guard !range.isEmpty else { continue }
      for position in range {
        let number = ends[position]
        if tokens[number].ignoresCase || holds(text, number, endingAt: index + 1),
          !tokens[number].isWholeWord || isWholeWord(text, number, endingAt: index + 1)
        {
          found.insert(number)
        }
      }
    }
    return found
  }

  private func isWholeWord(_ text: Span<UInt8>, _ number: Int, endingAt end: Int) -> Bool {
    let start = end - tokens[number].text.count
    return (start == 0 || !text[start - 1].isAlphanumeric)
      && (end == text.count || !text[end].isAlphanumeric)
  }

  private func holds(_ text: Span<UInt8>, _ number: Int, endingAt end: Int) -> Bool {
    let start = end - tokens[number].text.count
    // Comparing spans would count references to the token.
    for index in tokens[number].text.indices
    where text[start + index] != tokens[number].text[index] {
      return false
    }
    return true
  }
}

extension UInt8 {
  /// A Boolean value indicating whether this byte is an ASCII letter or digit, or a part
  /// of a letter in UTF-8.
  fileprivate var isAlphanumeric: Bool { isDigit || isLetter || self >= 0x80 }
}
