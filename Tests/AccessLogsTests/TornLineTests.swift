import TestSupport
import Testing

@testable import AccessLogs

/// A stopped server leaves an unterminated line, directly before the next one.
///
/// No stored field contains the next line's client.
@Suite struct TornLineTests {
  private static let (client, user) = ("203.0.113.77", "planted-user")

  private static let templates = rows(
    #"""
    $remote_addr - $remote_user [$time_local] $host "$request" $status "$http_referer" "$http_user_agent"
      => 192.0.2.1 - - [10/Oct/2000:13:55:36 +0000] www.example.com "GET /gift/1 HTTP/1.1" 200 "https://www.example.com/x" "A"
    $remote_user $remote_addr $host [$time_iso8601] "$request" $status "$http_user_agent"
      => planted-user 192.0.2.1 www.example.com [2000-10-10T13:55:36+00:00] "GET /gift/1 HTTP/1.1" 200 "A"
    %h %l %u %t %v "%r" %>s "%{Referer}i" "%{User-Agent}i"
      => 192.0.2.1 - - [10/Oct/2000:13:55:36 +0000] www.example.com "GET /gift/1 HTTP/1.1" 200 "https://www.example.com/x" "A"
    $remote_addr|$remote_user|$time_iso8601|$host|$request_uri|$status|$http_user_agent
      => 192.0.2.1|planted-user|2000-10-10T13:55:36+00:00|www.example.com|/gift/1|200|A
    $remote_addr;$remote_user;$host;$request_uri;$status
      => 192.0.2.1;planted-user;www.example.com;/gift/1;200
    $http_x_forwarded_for $remote_user $host $request_method $request_uri $status
      => 192.0.2.1, 10.0.0.1 planted-user www.example.com GET /gift/1 200
    """#)

  private func check(_ format: LogFormat, heading: String, _ line: String) {
    // A client and, if the format has one, a user.
    let line = line.replacing("192.0.2.1", with: Self.client)
      .replacing(" - - [", with: " - \(Self.user) [")
    for cut in 1..<line.utf8.count {
      let torn = String(decoding: Array(line.utf8)[..<cut], as: UTF8.self) + line
      guard case .success(let fields) = LogFormatTests.parse(format, heading + torn) else {
        continue
      }
      for value in [fields.target, fields.method] {
        #expect(!value.contains(Self.client) && !value.contains(Self.user), "\(cut): \(value)")
      }
      // A host that is an address, or ends as one, counts as one.
      let host = fields.host ?? ""
      #expect(!host.contains(Self.user) && !host.contains(" "), "\(cut): \(host)")
    }
  }

  @Test(arguments: FormatExample.all) func formats(example: FormatExample) throws {
    check(try #require(LogFormat(named: example.format)), heading: example.heading, example.line)
  }

  @Test(arguments: templates) func formatStrings(format: String, line: String) throws {
    check(try LogFormat(definition: format), heading: "", line)
  }

  /// All columns of CloudFront, in which an interleaved line fits the columns of another layout.
  @Test func interleavedLinesWithAHeadingAreRejected() {
    let names = """
      date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) \
      cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header \
      cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher \
      x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port \
      time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len \
      sc-range-start sc-range-end
      """
    let line = """
      2026-06-03 00:00:01 FRA2 33 \(Self.client) GET d1.cloudfront.net /buy/0 200 \
      https://other.example/p?\(Self.user) Mozilla/5.0%20(iPhone) - - Hit id www.example.com \
      https 12 0.1 \(Self.client) TLS c Hit HTTP/2.0 - - 55 0.1 Hit text/html 3 - -
      """.replacing(" ", with: "\t")
    check(.cloudfront, heading: "#Fields: \(names)\n", line)
    // Without a heading, the first columns apply.
    check(.cloudfront, heading: "", line)
  }

  /// If the format doesn't define the word before an address, it isn't a host.
  @Test(arguments: ["planted-user", "sid=a.b", "f1e2d3c4", "a@b"])
  func otherWordsAreNotHosts(first: String) {
    let line = "\(first) 203.0.113.77 - - [03/Jun/2026:10:00:00 +0000] \"GET /a HTTP/1.1\" 200 5\n"
    #expect(LogFormatDetectionTests.detect(line)?.name == "common")
  }

  /// Tokens that a proxy captures contain full stops, too.
  @Test(
    arguments: [
      ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl", nil),
      ("www.example.com", "www.example.com"), ("www.example.com:8443", "www.example.com:8443"),
      ("a.xn--p1ai", "a.xn--p1ai"), ("203.0.113.77", nil), ("1.2.3.4e", nil), ("a..example", nil),
      (".example", nil), ("www.example.com:x", nil), ("www.example.com:1:2", nil), ("a.b", nil),
    ] as [(String, String?)])
  func capturedHosts(capture: String, host: String?) throws {
    let line =
      "192.0.2.1:5000 [10/Oct/2025:13:55:36.123] web~ app/a1 0/0/1/2/3 200 5 - - ---- 1/1/0/0/0 0/0 "
      + "{\(capture)|A} \"GET /buy/1 HTTP/1.1\""
    #expect(try LogFormatTests.request(.haproxy, line).host == host)
  }
}
