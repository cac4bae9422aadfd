/// A client by name: an app, a browser, or a crawler.
///
/// There are few, so a client is a number. A log can't add new ones.
public struct Client: BitwiseCopyable, Hashable, Sendable {
  let number: UInt8

  /// The name in reports, such as `Instagram` or `Safari`.
  public var name: String { Self.names[Int(number)] }

  /// Safari itself.
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

  private static let ownNames = [
    "Safari", "other apps", "other bots", Fetcher.cdn.rawValue, Fetcher.device.rawValue,
    "Android", "apps outside web views", "other clients", "no user agent", "WhatsApp previews",
    "other browsers", Fetcher.google.rawValue,
  ]

  private static let entries = ClientWords.apps + ClientWords.iosBrowsers + ClientWords.bots

  private static let names = ownNames + entries.map(\.name)

  /// The number of clients.
  static var count: Int { names.count }

  /// The clients that ``ClientWords`` lists, in its order.
  static var named: [(client: Client, words: [String])] {
    entries.enumerated().map { index, entry in
      (Client(number: UInt8(ownNames.count + index)), entry.words)
    }
  }
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
