/// Random log lines with a realistic structure.
public struct RandomLog {
  private var generator: SeededGenerator

  /// Creates the log of a seed.
  public init(seed: UInt64 = TestRun.seed) { generator = SeededGenerator(seed: seed) }

  /// The user agent of Safari on an iPhone.
  public static let phone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    + "Version/17.5 Mobile/15E148 Safari/604.1"

  private static let agents = [
    phone,
    "Mozilla/5.0 (iPhone; CPU iPhone OS 12_5_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
      + "Version/12.1.2 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
      + "Mobile/15E148 Instagram 330.0.0.40.92",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 8_4_1 like Mac OS X) AppleWebKit/600.1.4 (KHTML, like Gecko) "
      + "Version/8.0 Mobile/12H321 Safari/600.1.4",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 13_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
      + "Version/13.0 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 13_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
      + "CriOS/86.0 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_14_6) AppleWebKit/605.1.15 (KHTML, like Gecko) "
      + "Version/13.1 Safari/605.1.15",
    "Mozilla/5.0 (compatible; Googlebot/2.1)", "AASA-Bot/1.0.0", "-", "curl/8.6.0",
  ]

  private static let targets = [
    "/", "/buy/1", "/buy/22?ref=mail", "/help/website/cookies", "/help/7?articleNumber=1234",
    "/static/app.JS", "/news/a-b-c", "/caf\\xC3\\xA9", "/a\\\"b", "*",
    "http://www.example.com/buy/3",
    "http://m.example.com:8080/x", "http://other.example.net/", "/apple-app-site-association",
    "/.well-known/apple-app-site-association", "/.well-known/apple-app-site-association?v=2",
    "/.well-known/apple-app-site-association2", "/account/00ff00ff", "/a b", "//buy//1/", "/%zz",
    "/buy/1#x", "/buy/1?utm_medium=email", "/buy/2?gclid=x&fbclid=y", "/buy/3?code=1&state=2",
  ]

  /// The first lines of a log.
  public static func lines(
    _ count: Int, seed: UInt64 = TestRun.seed, host: Bool = false
  ) -> [String] {
    var log = RandomLog(seed: seed)
    return (0..<count).map { _ in log.line(host: host) }
  }

  /// The next lines, with their ends.
  public mutating func text(_ count: Int, host: Bool = false) -> String {
    (0..<count).map { _ in line(host: host) + "\n" }.joined()
  }

  /// The next line, without its end.
  public mutating func line(host: Bool = false) -> String {
    switch Int.random(in: 0..<40, using: &generator) {
    case 0: return ""
    case 1: return "garbage"
    case 2: return "192.0.2.1 - - [x] \"-\" 408 0 \"-\" \"-\""
    default: break
    }
    let day = Int.random(in: 1...3, using: &generator)
    let second = Int.random(in: 10...59, using: &generator)
    let names = [
      "www.example.com", "www.example.com:443", "WWW.example.com:80", "m.example.com", "-",
    ]
    let prefix = host ? pick(names) + " " : ""
    let referrer = pick([
      "-", "https://www.example.com\(target())", "https://search.example.net/?q=x",
      "junk", "https://www.google.com/", "https://t.co/x", "https://mail.google.com/",
      "http://U1.ct.SendGrid.net", "https://m.example.com/a", "http://WWW.EXAMPLE.COM:8080",
      "https://www.example.com?x",
    ])
    let size = pick(["-", "0", "5", "\(Int.random(in: 1...200_000, using: &generator))"])
    let time = pick(["[0\(day)/Jun/2026:23:59:\(second) +0200]", "[-]"], weights: [30, 1])
    return "\(prefix)192.0.2.1 - - \(time) \"\(pick(["GET", "POST", "HEAD"], weights: [18, 1, 1])) "
      + "\(target()) HTTP/1.1\" \(pick(["200", "301", "404", "500"])) \(size) \"\(referrer)\" "
      + "\"\(pick(Self.agents))\""
  }

  /// One of a few targets, or one of many.
  private mutating func target() -> String {
    if Bool.random(using: &generator) { return pick(Self.targets) }
    let number = String(Int.random(in: 0..<4_000, using: &generator), radix: 30)
    return pick(["/item/\(number)", "/a/\(number)/b?q=\(number)", "/\(number)"])
  }

  private mutating func pick(_ values: [String], weights: [Int]? = nil) -> String {
    let all = zip(values, weights ?? values.map { _ in 1 }).flatMap { repeatElement($0, count: $1) }
    return generator.pick(all)
  }
}
