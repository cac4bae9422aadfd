import Foundation
import TestSupport
import Testing

@testable import LinkAuditing
@testable import Reporting

/// The properties of a page that can be tested without a browser; Tests/System/browser opens it.
@Suite struct HTMLReportTests {
  static let hostileTexts = [
    "<script>alert(1)</script>", "</script><!--", "\" onload=\"alert(1)", "'x'", "&amp;",
    "]]>", "\u{2028}\u{2029}", "\u{202E}gnp.exe", "\u{0}\u{1B}[2J\r\n\t", "茶 é 🍵", "\\u003C\\",
  ]

  static func page(_ arguments: String) throws -> String {
    let outcome = try Command.run("linkaudit \(arguments) --format html")
    #expect(outcome.stderr == "" && outcome.status == 0)
    #expect(outcome.stdout.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
    #expect(outcome.stdout.hasSuffix("</html>\n"))
    return outcome.stdout
  }

  static let sample = "report SampleLogs/logs \(site) \(routes)"

  @Test(arguments: hostileTexts)
  func textMeansItself(text: String) {
    let page = HTMLWriter()
    page.element("p", ["title": text], text)
    let body = page.markup.dropFirst("<p title=\"".count).dropLast("</p>".count)
    #expect(!body.contains("<") && !body.contains("'"))
    #expect(body.count { $0 == "\"" } == 1)
    let undone = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
      .reduce(String(body)) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    let shown = SafeText.escaped(text)
    #expect(undone == shown + "\">" + shown)
  }

  @Test(arguments: hostileTexts)
  func dataCannotEndItsElement(text: String) throws {
    let json = HTMLWriter.json(text)
    #expect(!json.contains { "<>&\u{2028}\u{2029}".contains($0) })
    let value = try JSONDecoder().decode([String].self, from: Data("[\(json)]".utf8))
    #expect(value == [SafeText.escaped(text)])
  }

  @Test func veryLongTextsAreShortened() {
    let path = "/" + String(repeating: "%E8%8C%B6", count: 100_000)
    let shown = ShownText(path: path)
    #expect(shown.text.count == ShownText.limit && shown.text.hasPrefix("/茶茶"))
    #expect(shown.title?.count == 2_000)
    #expect(ShownText(path: "/buy/1").title == nil)
    #expect(ShownText(path: "/%E8%8C%B6").title == "/%E8%8C%B6")
  }

  @Test(arguments: [
    (0, 0, "0"), (0, 3, "0.000%"), (1, 3, "33.333%"), (2, 3, "66.667%"), (3, 3, "100.000%"),
    (1, 100_000, "0.001%"), (1, 1_000_000, "0.000%"), (Int.max / 2, Int.max, "50.000%"),
    (92_233_720_368_547, 92_233_720_368_547, "100.000%"),
  ])
  func lengthsAreWholeNumbersOfThousandths(part: Int, whole: Int, length: String) {
    #expect(part.length(of: whole) == length)
  }

  @Test(arguments: [
    (0, 2), (1, 2), (2, 2), (3, 4), (7, 8), (9, 10), (10, 10), (11, 12), (81, 100), (110, 120),
    (366, 400), (9_999, 10_000), (10_001, 12_000), (Int.max, Int.max),
  ])
  func scalesEndAtRoundNumbers(value: Int, top: Int) { #expect(HTMLDays.scale(value) == top) }

  /// The security policy allows only the style and the script of this program.
  @Test(arguments: [
    ("Page.css", HTMLWriter.style, HTMLWriter.styleHash),
    ("Page.js", HTMLWriter.script, HTMLWriter.scriptHash),
  ])
  func hashesAreThoseOfTheFiles(name: String, text: String, hash: String) throws {
    let path = "Sources/Reporting/HTML/" + name
    let program =
      "import base64, hashlib, sys; print(base64.b64encode(hashlib.sha256(open(sys.argv[1], 'rb').read()).digest()).decode(), end='')"
    let computed = try Command.run("python3 -c \"\(program)\" \(path)").stdout
    #expect(
      hash == computed,
      "\(name) has changed: write its hash, '\(computed)', into HTMLDocument.swift")
    #expect(try text == packageText(path))
    // Nothing in them may end their element, or change under another encoding.
    #expect(!text.contains("</") && !text.contains("<!--") && !text.contains("\r"))
    #expect(!text.contains("innerHTML") && !text.contains("eval("))
  }

  @Test func aPageIsWhole() throws {
    let page = try Self.page(Self.sample)
    #expect(
      page.contains("<title>Universal links: www.example.com, 2026-06-01 to 2026-06-04</title>"))
    #expect(page.contains("1,185 visits (pages opened on Apple devices) in 2,321 requests."))
    #expect(page.contains("The rules claim 488 of these visits (41.2%), which stayed on the web"))
    #expect(page.contains("title=\"/gift/%E8%8C%B6/{n}\">/gift/茶/{n}</code>"))
    for title in [
      "Findings", "Apps", "Visits by day", "Links on the same host", "Rules", "Coverage",
      "Platforms", "Delivery of the file", "Clients", "Input", "Limits of logs",
    ] { #expect(page.contains("-title\">\(title)</h2>"), "\(title)") }
    #expect(!page.contains("class=\"damage\""))
  }

  @Test func pagesHaveOneScriptAndNoAttributesThatRun() throws {
    let page = try Self.page(Self.sample)
    let markup = page.replacing(HTMLWriter.script, with: "").replacing(HTMLWriter.style, with: "")
    #expect(markup.ranges(of: "<script>").count == 1 && markup.ranges(of: "<style>").count == 1)
    #expect(!markup.contains(/\son[a-z]+=| style=|(?:src|action|srcset)=|href="[^#]|unsafe-/))
    #expect(markup.contains("default-src &#39;none&#39;; style-src &#39;sha256-"))
  }

  @Test func laterRowsAreData() throws {
    let lines = (0..<60).map { number in
      logLine("/<p\(String(number, radix: 36))x\(number)y>", agent: RandomLog.phone)
    }
    let folder = try TemporaryFolder(["access.log": lines.joined()])
    let page = try Self.page("report \(folder.path)/access.log \(site)")
    #expect(page.contains("The first 25 of 60 rows. To show the others"))
    let data = page.matches(of: #/(?s)<script type="application/json">(.*?)</script>/#)
    let counts = try data.map {
      (try JSONSerialization.jsonObject(with: Data($0.1.utf8)) as? [[Any]])?.count
    }
    #expect(counts == [35])
    #expect(page.ranges(of: "<th scope=\"row\" class=\"code\">").count >= 25)
    // Percent-encoded text in a URL stays encoded; no other text of the log is markup.
    #expect(page.contains("%3Cp0x0y%3E") && !page.contains("<p0x0y>"))
    let short = try Self.page("report \(folder.path)/access.log \(site) --top 30")
    #expect(short.contains("30 more rows are not in this page"))
  }

  @Test func theHeaviestWaysAreDrawn() throws {
    let pairs = (1...12).map { PagePair(from: "/<\($0 % 4)>", to: "/to/\($0)", visits: 13 - $0) }
    var page = HTMLWriter()
    page.write(flow: pairs)
    #expect(page.markup.ranges(of: "<path ").count == 10)
    #expect(page.markup.contains("<title>/&lt;1&gt; to /to/1: 12 visits</title>"))
    #expect(page.markup.contains("The 10 heaviest links between pages of the same host"))
    #expect(page.markup.ranges(of: "class=\"from\"").count == 4)
    #expect(page.markup.ranges(of: "class=\"to\"").count == 10)
    page = HTMLWriter()
    page.write(flow: [PagePair(from: "/", to: "/", visits: Int.max / 20)])
    #expect(page.markup.contains("M0 0.0C50 0.0 50 0.0 100 0.0V200.0C"))
    page.write(flow: [])
  }

  @Test func sectionsAreFolded() throws {
    let page = try Self.page(Self.sample)
    #expect(page.ranges(of: "class=\"fold\"").count == 12 && !page.contains("<details open"))
    let start = try #require(page.range(of: "id=\"start\""))
    let fold = try #require(page.range(of: "class=\"fold\""))
    #expect(start.lowerBound < fold.lowerBound)
    #expect(page.contains("<span class=\"gain\">182 visits to win</span>"))
  }

  /// A comparison has the same frame as a report, with logs and without.
  @Test(arguments: [("SampleLogs/logs \(routes)", 5), ("", 2)])
  func comparisonsArePages(options: String, folds: Int) throws {
    let page = try Self.page("diff \(CommandTests.files) \(options)")
    #expect(page.ranges(of: "class=\"fold\"").count == folds && page.contains("id=\"start\""))
    #expect(page.contains("Newly claimed visits by cause") == !options.isEmpty)
    let ids = page.matches(of: #/ id="([^"]*)/#).map { $0.1 }
    let links = page.matches(of: #/ href="([^"]*)/#).map { $0.1 }
    #expect(Set(ids).count == ids.count)
    #expect(links.allSatisfy { $0.hasPrefix("#") && ids.contains($0.dropFirst()) })
  }

  @Test func damageIsSaidFirst() throws {
    let outcome = try Command.run("linkaudit report SampleLogs/damaged \(site) --format html")
    #expect(outcome.status == 2)
    let page = outcome.stdout
    let damage = try #require(page.range(of: "2 of 2 logs could not be read whole"))
    let summary = try #require(page.range(of: "class=\"lead\""))
    #expect(damage.lowerBound < summary.lowerBound)
    #expect(page.contains("the compressed data ends too early, at byte 3104"))
  }

  @Test func severalSitesHaveAnOverview() throws {
    let page = try Self.page("report SampleLogs/logs/all-hosts.access.log.gz \(CommandTests.sites)")
    #expect(page.contains("<title>Universal links: 2 sites"))
    #expect(page.contains("<a href=\"#site-1\">m.example.com</a>"))
    #expect(page.contains("<h2 id=\"site-2-title\">www.example.com</h2>"))
  }
}
