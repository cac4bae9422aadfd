internal import AccessLogs
internal import Foundations

/// The words by which ``UserAgent`` detects clients, and the search for them.
///
/// An attacker can send another user agent with each request, so one pass finds all words: an
/// automaton makes one step for each byte (A. Aho and M. Corasick, "Efficient string matching",
/// 1975).
///
/// It is a class because each agent uses it and must not copy it.
final class AgentWords: Sendable {
  static let shared = AgentWords()

  /// A word, and what it means.
  struct Token: Sendable {
    var text: [UInt8]

    /// The place of its meaning in ``Found``.
    var meaning: Int

    var ignoresCase: Bool

    /// Whether it counts only without a letter or digit next to it.
    var isWholeWord: Bool
  }

  let tokens: [Token]

  /// The clients whose names are words, by kind.
  let fetchers, apps, iosBrowsers, bots: Found

  /// The class of each byte, the same for both letter cases; 0 for bytes that are in no word.
  private let classes: [UInt8]
  private let classCount: Int

  /// The next state for each state and class.
  private let next: [UInt16]

  /// The words that end in each state, as positions in ``ends``.
  private let endRanges: [Range<Int>]
  private let ends: [Int]

  private init() {
    var tokens: [Token] = []
    func add(
      _ words: [String], _ meaning: Int, ignoringCase: Bool = false, wholeWords: Bool = false
    ) {
      tokens += words.map {
        Token(
          text: Array($0.utf8), meaning: meaning, ignoresCase: ignoringCase,
          isWholeWord: wholeWords)
      }
    }
    var meaning = Found.firstClient + Client.ownNames.count
    func add(_ named: KeyValuePairs<String, [String]>, ignoringCase: Bool = false) -> Found {
      var all = Found()
      for (_, words) in named {
        all.insert(meaning)
        add(words, meaning, ignoringCase: ignoringCase)
        meaning += 1
      }
      return all
    }
    apps = add(Client.apps)
    iosBrowsers = add(Client.iosBrowsers)
    bots = add(Client.bots, ignoringCase: true)
    var fetchers = Found()
    for client in [Client.cdn, .device, .google] {
      fetchers.insert(Found.firstClient + Int(client.number))
      add([client.name], Found.firstClient + Int(client.number))
    }
    self.fetchers = fetchers
    precondition(Sign.otherBot.rawValue < Found.firstClient, "signs come before clients")
    for (sign, words) in Self.signs {
      add(words, sign.rawValue, ignoringCase: sign.rawValue >= Sign.bot.rawValue)
    }
    add(Client.otherBotWords, Sign.otherBot.rawValue, ignoringCase: true, wholeWords: true)
    self.tokens = tokens

    var (classes, classCount) = ([UInt8](repeating: 0, count: 256), 1)
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
    (self.classes, self.classCount) = (classes, classCount)
    next = children.flatMap { $0.map { UInt16($0) } }
    ends = endsHere.flatMap(\.self)
    var end = 0
    endRanges = endsHere.map { numbers in
      end += numbers.count
      return (end - numbers.count)..<end
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
          found.insert(tokens[number].meaning)
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

  /// The meanings of words that don't name a client; those of bots are in any letter case.
  enum Sign: Int {
    case notAndroid, android, linux, outlookOfBoth, notIOS, iosDevice, macintosh, oldestSystem
    case safari, version, webKit, presto, mobileWebKit, chromium, native
    case iosOnlyBrowser, otherMacBrowser
    case bot, cubot, surelyBot, otherBot
  }

  private static let signs: [(Sign, [String])] = [
    (.notAndroid, ["Windows Phone", "IEMobile", "Tizen"]),
    (.android, ["Android", "android", " Adr ", "Silk/"]), (.linux, ["Linux"]),
    (.outlookOfBoth, ["Outlook-iOS-Android"]),
    // Systems that can pose as iPhones.
    (
      .notIOS,
      [
        "Windows NT", "SymbianOS", "BlackBerry", "BB10;", "KAIOS", "Web0S", "webOS", "hpwOS",
        "Sailfish", "MeeGo", "X11;", "tclwebkit", "like iPhone",
      ]
    ),
    (.iosDevice, ["iPhone", "iPad", "iPod", "dv(iP"]), (.macintosh, ["Macintosh"]),
    (.oldestSystem, ["CPU like Mac OS X"]), (.safari, ["Safari/"]), (.version, ["Version/"]),
    (.webKit, ["AppleWebKit"]), (.presto, ["Presto/"]), (.mobileWebKit, [" Mobile/"]),
    (.chromium, ["Chrome/"]), (.native, ["CFNetwork/", "AppleCoreMedia/", "Cronet"]),
    (.iosOnlyBrowser, ["CriOS/", "FxiOS/", "EdgiOS/", "OPiOS/", "GSA/"]),
    // Most other browsers put their names after Safari's; see ``UserAgent``.
    (
      .otherMacBrowser,
      [
        "Chrome/", "Chromium/", "Firefox/", "Edg", "OPR/", "Opera", "Ddg/", "DuckDuckGo/",
        "Vivaldi/", "YaBrowser/", "Brave/", "Maxthon", "OmniWeb", "iCab", "Epiphany/",
        "Sleipnir/", "Whale/", "QQBrowser", "Orion/", "Electron/", "AdobeAIR", "Puffin/",
        "UCBrowser",
      ]
    ),
    (.bot, ["bot"]), (.cubot, ["cubot"]), (.surelyBot, ["bot/", "robot"]),
    (.otherBot, Client.otherBots),
  ]
}

extension AgentWords {
  /// The meanings of the words in a user agent: signs, and clients by name.
  struct Found: Equatable, Sendable {
    /// The signs by their raw values, then the clients by their numbers.
    private var bits = SIMD4<UInt64>()
    fileprivate static let firstClient = 32

    mutating func insert(_ meaning: Int) { bits[meaning >> 6] |= 1 << UInt64(meaning & 63) }

    func contains(_ sign: Sign) -> Bool { bits[0] >> UInt64(sign.rawValue) & 1 == 1 }

    /// The first of some clients whose words are found.
    func client(among some: Found) -> Client? {
      let common = bits & some.bits
      for index in common.indices where common[index] != 0 {
        let place = index << 6 + common[index].trailingZeroBitCount
        return Client(number: UInt8(place - Self.firstClient))
      }
      return nil
    }

    /// The automatic client that the words represent, if any.
    func bot(_ words: AgentWords) -> Client? {
      if let bot = client(among: words.bots) { return bot }
      // Cubot makes phones.
      let isBot =
        contains(.otherBot) || contains(.bot) && (!contains(.cubot) || contains(.surelyBot))
      return isBot ? .otherBot : nil
    }

    /// A Boolean value indicating whether words are those of a device with Android.
    ///
    /// Outlook calls itself `Outlook-iOS-Android` on both systems; on Android, its agent
    /// names Linux, too.
    var isAndroid: Bool {
      contains(.android)
        && !(contains(.outlookOfBoth) && contains(.iosDevice) && !contains(.linux))
    }

    /// A Boolean value indicating whether words name a browser engine on iOS: WebKit, or that of
    /// Opera Mini's servers.
    ///
    /// Apps that fetch data name none.
    var namesEngine: Bool { contains(.webKit) || contains(.presto) }

    /// A Boolean value indicating whether words are those of a device with iOS, even of one that
    /// asks for desktop pages and poses as a Mac.
    ///
    /// Safari on such a device can't be detected; other browsers have words that Macs don't.
    var isIOS: Bool {
      contains(.iosDevice)
        || contains(.macintosh)
          && (contains(.iosOnlyBrowser) || contains(.mobileWebKit) && contains(.webKit))
    }
  }
}

extension UInt8 {
  /// A Boolean value indicating whether this byte is an ASCII letter or digit, or a part
  /// of a letter in UTF-8.
  fileprivate var isAlphanumeric: Bool { isDigit || isLetter || self >= 0x80 }
}
