import AccessLogs
import TestSupport
import Testing

@testable import TrafficDigest

@Suite struct UserAgentTests {
  static let webKit = "AppleWebKit/605.1.15 (KHTML, like Gecko)"
  static let iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) \(webKit)"

  @Test(
    arguments: [
      ("\(iPhone) Version/17.5 Mobile/15E148 Safari/604.1", .ios),
      (
        "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) \(webKit) Version/16.6 Mobile/15E148 Safari/604.1",
        .ios
      ),
      (
        "Mozilla/5.0 (iPhone; CPU iPhone OS 13_0 like Mac OS X) \(webKit) Version/13.0 Mobile/15E148 Safari/604.1",
        .ios
      ),
      (
        "Mozilla/5.0 (iPhone; CPU iPhone OS 12_5_7 like Mac OS X) \(webKit) Version/12.1.2 Mobile/15E148 Safari/604.1",
        .ios12
      ),
      (
        "Mozilla/5.0 (iPad; CPU OS 9_3_5 like Mac OS X) \(webKit) Version/9.0 Mobile/13G36 Safari/601.1",
        .ios12
      ),
      (
        "Mozilla/5.0 (iPhone; U; CPU like Mac OS X; en) \(webKit) Version/3.0 Mobile/1A543a Safari/419.3",
        .ios12
      ),
      ("\(iPhone) CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1", .iosBrowser),
      ("\(iPhone) FxiOS/127.0 Mobile/15E148 Safari/605.1.15", .iosBrowser),
      ("\(iPhone) Version/17.0 EdgiOS/125.0 Mobile/15E148 Safari/605.1.15", .iosBrowser),
      ("\(iPhone) Mobile/15E148", .inApp),
      ("\(iPhone) Mobile/15E148 Instagram 330.0.0.40.92", .inApp),
      ("\(iPhone) Mobile/15E148 [FBAN/FBIOS;FBAV/470.0]", .inApp),
      ("\(iPhone) GSA/320.0 Mobile/15E148 Safari/604.1", .inApp),
      (
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) \(webKit) Version/17.5 Safari/605.1.15",
        .macos
      ),
      (
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) \(webKit) Chrome/126.0.0.0 Safari/537.36",
        .other
      ),
      (
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:127.0) Gecko/20100101 Firefox/127.0",
        .other
      ),
      (
        "Mozilla/5.0 (Linux; Android 14; Pixel 8) \(webKit) Chrome/126.0.0.0 Mobile Safari/537.36",
        .android
      ),
      (
        "Mozilla/5.0 (Linux; Android 13; CUBOT P80) \(webKit) Chrome/126.0 Mobile Safari/537.36",
        .android
      ),
      (
        "Mozilla/5.0 (Mobile; Windows Phone 8.1; Android 4.0) like iPhone OS 7_0_3 Mac OS X \(webKit)",
        .other
      ),
      ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", .bot),
      ("\(iPhone) Version/17.0 Mobile/15E148 Safari/604.1 (Applebot/0.1)", .bot),
      ("facebookexternalhit/1.1", .bot), ("curl/8.6.0", .bot), ("Wget/1.21", .bot),
      ("python-requests/2.31.0", .bot), ("Go-http-client/1.1", .bot),
      ("AASA-Bot/1.0.0", .fetcher),
      ("swcd (unknown version) CFNetwork/978.0.7 Darwin/18.7.0", .fetcher),
      ("MyApp/1.0 CFNetwork/1410.0.3 Darwin/22.4.0", .other), ("", .other), ("Mozilla/5.0", .other),
      (
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) \(webKit) Chrome/126.0.0.0 Safari/537.36", .other
      ),
    ] as [(String, Platform)])
  func platforms(agent: String, platform: Platform) {
    let read = UserAgent(Array(agent.utf8).span)
    #expect(read.platform == platform)
  }

  /// One pass finds the same words as a search word by word.
  @Test func wordsAreFoundAsOneByOne() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    let tokens = AgentWords.shared.tokens
    let pieces =
      tokens.words + [" ", "/", "bo", "Safar", "iP", "swc", "FB", "m", "OS", "-", "\u{0}", "é"]
    for _ in 0..<TestRun.size(full: 3_000, usual: 200) {
      var text = (0..<Int.random(in: 0...5, using: &generator))
        .flatMap { _ in Array((pieces.randomElement(using: &generator) ?? "").utf8) }
      if Bool.random(using: &generator), !text.isEmpty {
        text[Int.random(in: 0..<text.count, using: &generator)] ^= 0x20
      }
      #expect(
        tokens.find(in: text.span) == tokens.plainFind(in: text.span), "seed: \(seed), \(text)")
    }
  }
}
