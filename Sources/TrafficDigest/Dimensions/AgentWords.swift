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
    // First, so that the tokens are in the order of the clients.
    var apps = AgentTokens.Found()
    var iosBrowsers = AgentTokens.Found()
    var namedBots = AgentTokens.Found()
    for (index, (client, words)) in Client.named.enumerated() {
      let isBot = index >= ClientWords.apps.count + ClientWords.iosBrowsers.count
      let found = tokens.add(words, ignoringCase: isBot)
      if isBot {
        namedBots.formUnion(found)
      } else if index < ClientWords.apps.count {
        apps.formUnion(found)
      } else {
        iosBrowsers.formUnion(found)
      }
      while clients.count < tokens.tokens.count { clients.append(client) }
    }
    (self.apps, self.iosBrowsers, self.namedBots) = (apps, iosBrowsers, namedBots)
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
    var otherBots = tokens.add(ClientWords.otherBots, ignoringCase: true)
    otherBots.formUnion(
      tokens.add(ClientWords.otherBotWords, ignoringCase: true, wholeWords: true))
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
