import TestSupport
import Testing

@testable import AccessLogs

@Suite struct LogFormatDetectionTests {
  static let combined =
    "192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.0\" 200 5 \"-\" \"x\"\n"
  static let undated = "[x] \"GET / HTTP/1.0\" 200 5 \"-\" \"x\"\n"
  static let requested = LineHeaderTests.request + "\n"
  static let common = "192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.0\" 200 5\n"

  @Test(
    arguments: FormatExample.table(
      #"""
      status first: 192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] 200 "GET /a HTTP/1.1" 512 "https://r.example/" "Mozilla/5.0"
        = GET /a 200 at 10/Oct/2000:13:55:36 -0700 from https://r.example/ by Mozilla/5.0
      Kinsta: www.example.com 192.0.2.1 [10/Oct/2000:13:55:36 -0700] GET "/a?b" HTTP/2.0 200 "https://r.example/" "Mozilla/5.0" 192.0.2.1 "/index.php" - - 472 0.3 0.3
        = GET /a?b 200 at 10/Oct/2000:13:55:36 -0700 on www.example.com from https://r.example/ by Mozilla/5.0
      quoted status: 192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" "200" "512" "https://r.example/" "Mozilla/5.0" "-"
        = GET /a 200 at 10/Oct/2000:13:55:36 -0700 from https://r.example/ by Mozilla/5.0
      """#))
  func variantsOfNginxAreRead(example: FormatExample) throws {
    #expect(Self.detect(example.line + "\n") == .nginxVariants)
    try LogFormatTests.expect(example, in: example.line, .nginxVariants, hasItsTime: true)
  }

  static let record =
    #"{"time":"2026-11-19T08:00:01Z","properties":{"httpMethod":"GET","requestUri":"/a","httpStatus":200}}"#
  static let records = #"{"records":["# + record + "," + record + "]}\n"
  static let realTimeSubset =
    "1700000000.123\t192.0.2.1\t0.002\t200\t500\tGET\thttps\td1.cloudfront.net\t/a\tFRA2\tabc==\twww.example.com\t0.003\tHTTP/2.0\tIPv4\tcurl/8\t-\t-\tq=1\tHit\tHit\n"

  static func detect(_ text: String) -> LogFormat? {
    LogFormat.detect(in: LineChunk(text.utf8)).format
  }

  /// Every key for a target joins the query, unless the target has one.
  @Test(arguments: ["request", "uri", "path", "url", "request_uri"])
  func queriesAreJoinedInJSON(key: String) throws {
    for (target, query, expected) in [
      ("/item", "?id=7", "/item?id=7"), ("/item", "id=7", "/item?id=7"), ("/item", "", "/item"),
      ("/item?a", "id=7", "/item?a"), ("/item", "-", "/item"),
    ] {
      let line = #"{"method":"GET","\#(key)":"\#(target)","query":"\#(query)","status":200}"#
      #expect(try LogFormatTests.request(.nginxJSON, line).target == expected)
    }
  }

  /// Akamai's targets begin with the host.
  @Test func hostsOfTargetsAreRead() throws {
    let text = """
      #Fields: date time cs-ip cs-method cs-uri sc-status sc-bytes
      2026-06-03\t12:00:00\t192.0.2.1\tGET\t/www.example.com/a?b\t200\t5
      """
    let format = try #require(Self.detect(text + "\n"))
    let fields = try LogFormatTests.request(format, text)
    #expect(fields.host == "www.example.com" && fields.target == "/a?b")
  }

  @Test(arguments: [
    #"{"@message":"www.example.com 192.0.2.1 - - [x] \"GET /a HTTP/1.1\" 200 5 \"-\" \"x\""}"#,
    #"{"result":{"_raw":"www.example.com:192.0.2.1 - - [x] \"GET /a HTTP/1.1\" 200 5"}}"#,
  ])
  func wrappedLinesNameHosts(line: String) throws {
    #expect(try LogFormatTests.request(.nginxJSON, line).host == "www.example.com")
  }

  @Test(
    arguments: [
      ("www.example.com:443 " + combined, .vcombined), ("garbage\n\n", nil), ("", nil),
      ("[2001:db8::1]:443 203.0.113.9" + combined.dropFirst(9), .vcombined),
      ("[2001:db8::1]:443 203.0.113.9" + common.dropFirst(9), .vcommon),
      ("[2001:db8::1]" + combined.dropFirst(9), .combined),
      ("[www.example.com] " + combined, .vcombined), ("[web-1] " + combined, .combined),
      ("[pod/web-7d4b9/nginx] " + combined, .combined),
      ("[pod/web-7d4b9/nginx] www.example.com " + combined, .vcombined),
      ("[pod/web-7d4b9/nginx] " + common, .common),
      (records, nil), (records + "[\n" + record + ",\n" + record + "\n]\n", .azureGateway),
      // A user agent without quotation marks would be cut short.
      ("method=GET path=/a status=200 user_agent=Mozilla/5.0 (iPhone) bytes=5\n", nil),
      ("method=GET path=/a status=200 method=GET path=/a status=200\n", nil),
      ("method:GET\turi:/a\tstatus:200\tno label\n", nil),
      // Without `time-to-first-byte`, the other columns move.
      (realTimeSubset, nil),
      ("garbage\n" + combined, .combined), (common + combined, .combined),
      ("www.example.com 2001:db8::1 - - " + undated, .vcombined),
      ("www.example.com client.example.net - bob " + undated, .vcombined),
      ("client.example.net - - " + undated, .combined),
      ("192.0.2.1 - John Q Public " + undated, .combined),
      (combined + combined + "www.example.com " + combined, .combined),
      // A forwarded address is before the client, unless other lines have a host there.
      ("198.51.100.7 " + combined, .combined), ("- " + combined, .vcombined),
      ("198.51.100.7 " + combined + "- " + combined, .combined),
      ("198.51.100.7 " + combined + "www.example.com " + combined, .vcombined),
      ("0.005 " + combined, .combined), ("www.example.com:" + combined, .vcombined),
      ("www.example.com:443:" + combined, .vcombined), ("www.example.com:" + common, .vcommon),
      ("www.example.com:2001:db8::1" + combined.dropFirst(9), .vcombined),
      ("2001:db8::1" + combined.dropFirst(9), .combined),
      ("192.0.2.1:443" + combined.dropFirst(9), .combined),
      ("INFO: 192.0.2.1 - \"GET /a HTTP/1.1\" 200\n", .common),
      ("nginx.1    | www.example.com " + combined, .vcombined),
      ("\u{1B}[0;33;1mnginx.1    | \u{1B}[0mwww.example.com " + combined, .vcombined),
      ("\u{1B}[36mweb |\u{1B}[0m www.example.com " + combined, .vcombined),
      ("203.0.113.9 - john.doe" + combined.dropFirst(13), .combined),
      ("203.0.113.9, 192.0.2.1 - - " + undated, .combined),
      (String(repeating: "garbage\n", count: 3_000) + "www.example.com " + combined, .vcombined),
      // A host after the client.
      ("203.0.113.9 www.example.com - " + requested, .lighttpd),
      ("2001:db8::1 example.com:8080 bob " + requested, .lighttpd),
      ("203.0.113.9 - john.doe " + requested, .combined),
      ("203.0.113.9 ident bob " + requested, .combined),
      ("client.example.net www.example.com - " + requested, .combined),
    ] as [(String, LogFormat?)])
  func formats(text: String, format: LogFormat?) {
    #expect(Self.detect(text) == format)
  }

  /// In JSON, the server can be under `host`, and the site under another key.
  @Test(arguments: [
    (["10.0.0.5", "10.0.0.5"], "-", "www.example.com"),
    (["web-1", "web-1"], "-", "www.example.com"),
    (["a.example.net", "a.example.net"], "https://www.example.com/", "www.example.com"),
    // Health checks ask for an address.
    (["10.0.0.5", "m.example.com"], "-", "m.example.com"),
    (["m.example.com", "m.example.com"], "https://m.example.com/", "m.example.com"),
  ])
  func keysOfHostsAreChosen(hosts: [String], referrer: String, expected: String) throws {
    let lines = hosts.map { host in
      #"{"host":"\#(host)","server_name":"www.example.com","uri":"/a","status":200,"referer":"\#(referrer)"}"#
    }
    let format = try #require(Self.detect(lines.joined(separator: "\n") + "\n"))
    #expect(format.name == "nginx-json")
    #expect(try LogFormatTests.request(format, lines[1]).host == expected)
  }
}
