import Foundation
import TestSupport
import Testing

@testable import TrafficDigest

@Suite struct ClientTests {
  static let webKit = "AppleWebKit/605.1.15 (KHTML, like Gecko)"
  static let iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) \(webKit)"
  static let iPad = "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) \(webKit)"
  static let mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) \(webKit)"
  static let safari = "Mobile/15E148 Safari/604.1"
  static let frozen = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) \(webKit)"

  /// A user agent and its classification, as `platform client version`.
  static let cases = rows(
    #"""
    \#(iPhone) Version/17.5 \#(safari) => ios Safari 17
    \#(iPad) Version/16.6 \#(safari) => ios Safari 16
    Mozilla/5.0 (iPod touch; CPU iPhone OS 12_5_7 like Mac OS X) \#(webKit) Version/12.1.2 \#(safari)
      => ios12 Safari 12
    Mozilla/5.0 (iPhone; U; CPU like Mac OS X; en) \#(webKit) Version/3.0 Mobile/1A543a Safari/419.3
      => ios12 Safari 1
    \#(frozen) Version/26.1 \#(safari) => ios Safari 26
    \#(frozen) Mobile/15E148 [FBAN/FBIOS;FBSN/iOS;FBSV/26.0] => inApp Facebook 26
    \#(mac) Version/17.5 Safari/605.1.15 => macos Safari
    \#(iPhone) CriOS/126.0.6478.54 \#(safari) => iosBrowser Chrome 17
    \#(iPhone) FxiOS/127.0 Mobile/15E148 Safari/605.1.15 => iosBrowser Firefox 17
    \#(iPhone) FxiOS/127.0 Mobile/15E148 => iosBrowser Firefox 17
    \#(iPhone) Version/17.0 EdgiOS/125.0 Mobile/15E148 Safari/605.1.15 => iosBrowser Edge 17
    \#(iPhone) Version/17.5 \#(safari) OPT/4.6.0 => iosBrowser Opera 17
    \#(iPhone) Version/17.5 \#(safari) OPX/2.4.4 => iosBrowser Opera 17
    \#(iPhone) OPiOS/16.0.15.124050 Mobile/15E148 Safari/9537.53 => iosBrowser Opera 17
    Opera/9.80 (iPhone; Opera Mini/7.0.5/28; U; en) Presto/2.8.119 => iosBrowser Opera
    \#(iPhone) Version/17.5 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15 => iosBrowser DuckDuckGo 17
    \#(iPhone) Version/17.5 \#(safari) Ddg/17.5 => iosBrowser DuckDuckGo 17
    \#(iPhone) Version/17.0 YaBrowser/23.5.0 \#(safari) => iosBrowser Yandex Browser 17
    \#(iPhone) Version/17.5 \#(safari) (Ecosia ios@10.0.1.1) => iosBrowser Ecosia 17
    \#(iPhone) Version/17.0 \#(safari) Vivaldi/6.7 => iosBrowser Vivaldi 17
    \#(iPhone) Version/17.0 \#(safari) Whale/3.4.1 => iosBrowser Whale 17
    \#(iPhone) Version/17.5 \#(safari) AlohaBrowser/6.5 => iosBrowser Aloha 17
    \#(iPhone) Version/17.0 MQQBrowser/14.6 \#(safari) QBWebViewUA/2 => iosBrowser QQ Browser 17
    \#(iPhone) Version/17.0 \#(safari) Unheard/1.0 => iosBrowser other browsers 17
    \#(mac) CriOS/126 Version/11.1.1 Safari/605.1.15 => iosBrowser Chrome
    \#(mac) GSA/320.0 Mobile/15E148 Safari/604.1 => inApp Google app
    \#(mac) Mobile/15E148 => inApp other apps
    \#(iPhone) Mobile/15E148 => inApp other apps 17
    \#(iPad) Mobile/15E148 Shop/4.2 => inApp other apps 16
    Shop/4.2 (iOS 14.5; iPhone12,5) \#(webKit) Version/14.0 \#(safari) => inApp other apps 14
    \#(iPhone) Version/17.5 Mobile/15E148 Snapchat/12.9 (like Safari/8618) => inApp Snapchat 17
    \#(iPhone) \#(safari) NAVER(inapp; search; 2000; 12.5.1; 13) => inApp NAVER 17
    \#(iPhone) GSA/320.0 \#(safari) => inApp Google app 17
    Mozilla/5.0 (Linux; Android 14) \#(webKit) Chrome/126.0 Mobile PKeyAuth/1.0 Outlook-iOS-Android/1.0 iPhone
      => android Android
    Shop/12 CFNetwork/1410.0.3 Darwin/22.4.0 => other apps outside web views
    dv(iPh14,2);pr(UCBrowser/11.3.5.1203);ov(15_4);ss(375x812); => other apps outside web views
    UCWEB/2.0 (iOS; U; iPh OS 4_3_2; zh-CN; iPh4) U2/1.0.0 UCBrowser/9.1 iPhone
      => other apps outside web views
    Instagram 330.0.0.40.92 (iPhone14,5; iOS 17_5_1) => other apps outside web views
    Snapchat/12.9.0.40 (iPhone14,5; iOS 17.5; gzip) => other apps outside web views
    [FBAN/FBIOS;FBAV/470.0;FBDV/iPhone14,5;FBSN/iOS;FBSV/17.5] => other apps outside web views
    TikTok 34.5.0 rv:345012 (iPhone; iOS 17.5.1; en_US) Cronet => other apps outside web views
    Cronet/126.0 Shop/4 => other apps outside web views
    Spotify/8.7.70 iOS/16.0 (iPhone15,2) => other apps outside web views
    AppleCoreMedia/1.0.0.19J346 (Apple TV; U; CPU OS 15_0 like Mac OS X)
      => other apps outside web views
    \#(iPhone) Chrome/44.0.5213.1363 Mobile Safari/537.36 => other other clients
    Podcast/1 (Apple Watch; watchOS 10.4) => other other clients
    Mozilla/5.0 (Mobile; Windows Phone 8.1; Android 4.0; ARM; Trident/7.0) like iPhone OS 7_0_3 Mac OS X AppleWebKit/537 (KHTML, like Gecko) Mobile Safari/537
      => other other clients
    Mozilla/5.0 (Linux; Android 9; like iPhone) \#(webKit) Chrome/126.0 Mobile Safari/537.36
      => android Android
    Mozilla/5.0 (Linux; Android 13; wv) \#(webKit) Mobile Instagram 330.0 Android => android Android
    Mozilla/5.0 (Linux; U; en-us; KFTT) \#(webKit) Silk/3.2 Safari/535.19 => android Android
    Mozilla/5.0 (New Nintendo 3DS like iPhone) \#(webKit) NX/3 Mobile => other other clients
    \#(mac) Version/17.5 Safari/605.1.15 Ddg/17.5 => other other clients
    \#(mac) Version/11.0 Safari/605.1.15 Unheard/1.0 => other other clients
    \#(iPhone) Version/17.0 \#(safari) (compatible; Googlebot/2.1; +http://www.google.com/bot.html)
      => bot Googlebot
    AdsBot-Google (+http://www.google.com/adsbot.html) => bot other Google crawlers
    \#(mac) Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)
      => bot Applebot
    Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) => bot bingbot
    Mozilla/5.0 \#(webKit); compatible; GPTBot/1.2; +https://openai.com/gptbot => bot GPTBot
    Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com) => bot ClaudeBot
    facebookexternalhit/1.1 => bot facebookexternalhit
    Twitterbot/1.0 => bot Twitterbot
    Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) \#(webKit) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0
      => bot Messages previews
    Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots) => bot Slackbot
    WhatsApp/2.23.18.78 i => bot WhatsApp previews
    curl/8.6.0 => bot curl
    Unheard/1.0 (+https://www.example.com/why) => bot other bots
    check_http/v2.2 (nagios-plugins 2.2) => bot other bots
    SwifteqLinkChecker => bot other bots
    example.com/scan => bot other bots
    Mozilla/5.0%20(iPhone;%20CPU%20iPhone%20OS%2017_5%20like%20Mac%20OS%20X)%20AppleWebKit/605.1.15%20(KHTML,%20like%20Gecko)%20Version/17.5%20Mobile/15E148%20Safari/604.1
      => ios Safari 17
    Mozilla/5.0%2520(iPad;%2520CPU%2520OS%252016_6%2520like%2520Mac%2520OS%2520X)%2520AppleWebKit/605.1.15%2520(KHTML,%2520like%2520Gecko)%2520CriOS%252F126.0%2520Safari/604.1
      => iosBrowser Chrome 16
    Unheard/1.0%20(+https%3A%2F%2Fwww.example.com) => bot other bots
    100%/1.0%2 => other other clients
    AASA-Bot/1.0.0 => fetcher AASA-Bot
    GoogleAssociationService => fetcher GoogleAssociationService
    swcd (unknown version) CFNetwork/978.0.7 Darwin/18.7.0 => fetcher swcd
    Mozilla/5.0 => other other clients
    Mozilla/5.0 (iPhone; CPU iPhone OS 13_0 like Mac OS X) \#(webKit) Version/13.0 \#(safari)
      => ios Safari 13
    Mozilla/5.0 (iPad; CPU OS 9_3_5 like Mac OS X) \#(webKit) Version/9.0 Mobile/13G36 Safari/601.1
      => ios12 Safari 9
    \#(mac) Chrome/126.0.0.0 Safari/537.36 => other other clients
    Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:127.0) Gecko/20100101 Firefox/127.0
      => other other clients
    Mozilla/5.0 (Windows NT 10.0; Win64; x64) \#(webKit) Chrome/126.0.0.0 Safari/537.36
      => other other clients
    Mozilla/5.0 (Linux; Android 14; Pixel 8) \#(webKit) Chrome/126.0.0.0 Mobile Safari/537.36
      => android Android
    Mozilla/5.0 (Linux; Android 13; CUBOT P80) \#(webKit) Chrome/126.0 Mobile Safari/537.36
      => android Android
    Wget/1.21 => bot Wget
    python-requests/2.31.0 => bot Python
    Go-http-client/1.1 => bot Go
    """#)

  /// The words after `Mobile/15E148` in web views of apps.
  static let apps = [
    ("[FBAN/FBIOS;FBAV/470.0;FBSV/17.5.1]", "Facebook"),
    ("[FBAN/MessengerForiOS;FBAV/460.0]", "Messenger"),
    ("Instagram 330.0.0.40.92 (iPhone14,5; iOS 17_5_1; en_US)", "Instagram"),
    ("Barcelona 289.0 (iPhone14,5; iOS 17_4)", "Threads"),
    ("musical_ly_34.5.0 BytedanceWebview/d8a21c6", "TikTok"), ("[Pinterest/iOS]", "Pinterest"),
    ("[LinkedInApp]/9.29.6055", "LinkedIn"), ("Twitter for iPhone/10.44", "X"),
    ("MicroMessenger/8.0.49(0x18003132)", "WeChat"), ("Safari Line/14.8.0", "LINE"),
    ("KAKAOTALK 10.8.0", "KakaoTalk"), ("Slack/24.06", "Slack"), ("Teams/6.9", "Microsoft Teams"),
    ("PKeyAuth/1.0 Outlook-iOS-Android/1.0", "Outlook"), ("CHECK24/2024.5", "other apps"),
    ("CamScanner/6.50", "other apps"), ("Verifone/3.1 Auditorium/2", "other apps"),
  ].map { token, app in ("\(iPhone) Mobile/15E148 \(token)", "inApp \(app) 17") }

  /// The ends of user agents of programs that pretend to be Safari.
  static let programs = [
    ("DatadogSynthetics", "Datadog"), ("RuxitSynthetic/1.0 v123 t456", "Dynatrace"),
    ("NewRelicSynthetics/1.0", "New Relic"), ("(ThousandEyes Agent)", "ThousandEyes"),
    ("Catchpoint", "Catchpoint"), ("GTmetrix", "GTmetrix"),
    ("PTST/SpeedCurve/220.163", "SpeedCurve"), ("DareBoost", "DareBoost"),
    ("Playwright/1.40.0", "Playwright"), ("PingdomPageSpeed/1.0", "Pingdom"),
    ("Uptime/1.0", "Uptime.com"), ("Elastic/Synthetics", "other bots"),
    ("Site-Check", "other bots"),
  ].map { token, name in ("\(iPhone) Version/17.5 \(safari) \(token)", "bot \(name)") }

  @Test(arguments: cases + apps + programs + [("", "other other clients")])
  func clients(agent: String, client: String) {
    let read = UserAgent(Array(agent.utf8).span)
    let version = read.systemVersion == 0 ? "" : " \(read.systemVersion)"
    #expect("\(read.platform.name) \(read.client.name)\(version)" == client, "\(agent)")
  }

  @Test(
    arguments: [
      ("CPU iPhone OS 17_5_1 like", 17), ("CPU OS 9_3 like", 9), ("iOS/17.1", 17), ("iOS 17.4", 17),
      ("iPadOS 16.6", 16), ("(iOS16_2)", 16), ("FBSV/15.4;", 15), ("CriOS/126.0", nil),
      ("EdgiOS/12", nil), ("Version/17.5", nil), ("Version/26.0", 26), ("OS 100", nil),
      (" OS 0", nil), (" OS 99999999999999999999", nil), (" OS ", nil), ("iOS", nil), ("", nil),
      ("12 OS 11 iOS 12 FBSV/10", 12), ("6", nil), ("OS 6", nil),
    ] as [(String, UInt8?)])
  func versions(text: String, version: UInt8?) {
    #expect(UserAgent.version(in: Array(text.utf8).span)?.major == version)
  }

  @Test func wordsAreFoundAsOneByOne() {
    var generator = SeededGenerator()
    let words = AgentWords.shared
    let pieces =
      words.words + [" ", "/", "bo", "Safar", "iP", "swc", "FB", "m", "OS", "-", "\u{0}", "é"]
    for _ in 0..<TestRun.size(full: 3_000, usual: 200) {
      var text = Array(generator.text(of: pieces, 0...5).utf8)
      if Bool.random(using: &generator), !text.isEmpty {
        text[Int.random(in: 0..<text.count, using: &generator)] ^= 0x20
      }
      #expect(words.find(in: text.span) == words.plainFind(in: text.span), "\(text)")
    }
  }

  /// `RECORD_DOCUMENTATION=1 swift test` rewrites the table.
  @Test func documentedWordsAreTheCodes() throws {
    var lines = ["| client | platform | words | found in |", "| --- | --- | --- | --- |"]
    lines += try DocumentedNames.lines(Client.apps, Platform.inApp.name, in: "Clients.md")
    lines += try DocumentedNames.lines(
      Client.iosBrowsers, Platform.iosBrowser.name, in: "Clients.md")
    lines += try DocumentedNames.lines(Client.bots, Platform.bot.name, in: "Clients.md")
    let (words, wholeWords) = (Client.otherBots, Client.otherBotWords)
    lines += ["| other bots | `bot` | anywhere: \(DocumentedNames.code(words)) | |"]
    lines += ["| other bots | `bot` | as whole words: \(DocumentedNames.code(wholeWords)) | |"]
    try DocumentedNames.check("Clients.md", mark: "words", lines)
  }

  @Test func namesAreDistinct() {
    let names = (0..<Client.count).map { Client(number: UInt8($0)).name }
    #expect(Set(names).count == names.count)
  }

  /// The kinds of clients stay few, however many agents a log contains.
  @Test func agentsThatAreForgottenStayCounted() {
    var memo = AgentMemo()
    let count = 70_000
    for number in 0..<count {
      let line = Array("\(Self.iPhone) Mobile/15E148 Instagram \(number)".utf8)
      let day = UInt64(number % 3) << 23
      _ = memo.count(0..<line.count, in: line.span, day: day)
      _ = memo.count(nil, in: line.span, day: 0)
    }
    let counts = TrafficDigest.Daily.sums(memo.clientCounts).flatMap(\.counts)
    #expect(counts.count == 4)
    for platform in [Platform.inApp, .other] {
      #expect(counts.filter { $0.platform == platform }.reduce(0) { $0 + $1.requests } == count)
    }
    #expect(
      counts.filter { $0.platform == .inApp }.map(\.requests).sorted() == [23_333, 23_333, 23_334])
  }
}

/// A table of a documentation page that lists the names in the code, between two marks.
enum DocumentedNames {
  /// Compares the table with its lines, or rewrites it for `RECORD_DOCUMENTATION=1 swift test`.
  static func check(_ page: String, mark: String, _ lines: [String]) throws {
    let table = lines.joined(separator: "\n")
    #expect(try documentedTable(page, mark: mark, recording: table) == table)
  }

  /// The rows of some names with their words; only the page says where these were found.
  static func lines(
    _ names: KeyValuePairs<String, [String]>, _ kind: String, in page: String
  ) throws -> [String] {
    let path = TestRun.packageFolder + "/Documentation/" + page
    let rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    return names.map { name, words in
      let start = "| \(name) | `\(kind)` | "
      let cells = rows.first { $0.hasPrefix(start) }?.split(
        separator: "|", omittingEmptySubsequences: false)
      return "\(start)\(code(words)) |\(cells?.dropLast().last ?? "  ")|"
    }
  }

  static func code(_ words: [String]) -> String { words.map { "`\($0)`" }.joined(separator: ", ") }
}
