import TestSupport
import Testing

@testable import AccessLogs

@Suite struct InferredFormatTests {
  private static let phone = FormatExample.phone

  /// Combined lines with a host in front.
  private static func hosts(_ written: (String) -> String) -> String {
    ["m.example.com", "-", "www.example.com"].map { host in
      written(host)
        + #" 192.0.2.1 - - [03/Jun/2026:12:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "\#(phone)""#
    }.joined(separator: "\n")
  }

  private static func seconds(_ line: (Int) -> String) -> String {
    (0..<8).map(line).joined(separator: "\n")
  }

  /// Several lines, the last of which is the example's.
  static let examples = FormatExample.table(
    #"""
    bars: 192.0.2.1|-|03/Jun/2026:12:00:00 +0000|www.example.com|GET /a HTTP/1.1|304|0|-|curl/8
    192.0.2.2|-|03/Jun/2026:12:00:01 +0000|www.example.com|GET /b?c HTTP/1.1|200|512|https://www.example.com/|\#(phone)
      = GET /b?c 200 on www.example.com from https://www.example.com/ by \#(phone)
    a quotation mark at the start: "192.0.2.1" "www.example.com" "03/Jun/2026:12:00:00 +0000" "GET /a HTTP/1.1" "304" "curl/8"
    "192.0.2.2" "www.example.com" "03/Jun/2026:12:00:01 +0000" "GET /b?c HTTP/1.1" "200" "\#(phone)"
      = GET /b?c 200 on www.example.com by \#(phone)
    tabs, with empty columns: 2026-06-03T12:00:00+00:00\#t192.0.2.1\#t\#tGET\#t/a\#t\#t404\#t\#tcurl/8
    2026-06-03T12:00:01+00:00\#t192.0.2.1\#t\#tGET\#t/b\#tc=d\#t200\#thttps://a.example/\#t\#(phone)
      = GET /b?c=d 200 from https://a.example/ by \#(phone)
    commas, quotation marks doubled: "192.0.2.1","03/Jun/2026:12:00:00 +0000","GET /a, HTTP/1.1","200","-","say ""hi"", Mozilla/5.0"
    "192.0.2.1","03/Jun/2026:12:00:01 +0000","GET /b HTTP/1.1","301","https://a.example/x,y","Mozilla/5.0 ""x"", y"
      = GET /b 301 from https://a.example/x,y by Mozilla/5.0 "x", y
    Cloudflare Logpush, CSV: ClientIP,ClientRequestHost,ClientRequestMethod,ClientRequestURI,EdgeEndTimestamp,EdgeResponseBytes,EdgeResponseStatus,EdgeStartTimestamp,RayID,OriginResponseStatus,ClientRequestReferer,ClientRequestUserAgent
    192.0.2.1,www.example.com,GET,/a?b=1,2026-06-03T12:00:01Z,500,200,2026-06-03T12:00:00Z,3a6,304,,"\#(phone)"
      = GET /a?b=1 200 on www.example.com by \#(phone)
    a heading, and two columns with the same host: ClientIP,ClientRequestHost,ZoneName,ClientRequestMethod,ClientRequestURI,EdgeResponseStatus,ClientRequestUserAgent
    192.0.2.1,www.example.com,www.example.com,GET,/a?b=1,200,"\#(phone)"
      = GET /a?b=1 200 on www.example.com by \#(phone)
    two columns with the same host, and a line of another kind: 192.0.2.1|www.example.com|GET /a HTTP/1.1|200|www.example.com|curl/8
    worker process exited
    192.0.2.2|www.example.com|GET /b HTTP/1.1|301|www.example.com|curl/8
      = GET /b 301 on www.example.com by curl/8
    Google Cloud's logs explorer, CSV: timestamp,httpRequest.requestMethod,httpRequest.requestUrl,httpRequest.status,httpRequest.userAgent,httpRequest.referer
    2026-06-03T12:00:01Z,GET,https://www.example.com/a?b=1,200,"\#(phone)",https://a.example/
      = GET https://www.example.com/a?b=1 200 from https://a.example/ by \#(phone)
    Azure's log analytics, CSV: "TimeGenerated [UTC]",CsHost,CsUriStem,CsUriQuery,CsMethod,ScStatus,UserAgent,Referer
    "2026-06-03T12:00:01Z",www.example.com,/a,b=1,GET,404,"\#(phone)",
      = GET /a?b=1 404 on www.example.com by \#(phone)
    WP Engine, CSV: Timestamp,Response Status,Host,Cache Status,IP,Path,Method,User Agent,Country
    2026-06-03T12:00:01Z,404,www.example.com,MISS,192.0.2.1,/a,GET,"\#(phone)",US
      = GET /a 404 on www.example.com by \#(phone)
    combined with the host at the end: 192.0.2.1 - - [07/Mar/2025:00:03:34 +0000] "GET /blog HTTP/1.1" 302 1395 "-" "\#(phone)" "-" 340 0.125 "1395" "0.125" "www.example.com"
      = GET /blog 302 on www.example.com by \#(phone)
    labels: 192.0.2.1 [03/Jun/2026:12:00:00 +0000] host=www.example.com "GET /a HTTP/1.1" s=200 rt=0.200 ua="curl/8" ref="-"
    192.0.2.1 [03/Jun/2026:12:00:01 +0000] host=www.example.com "GET /b HTTP/1.1" s=404 rt=0.404 ua="\#(phone)" ref="https://a.example/"
      = GET /b 404 on www.example.com from https://a.example/ by \#(phone)
    hosts in the place of clients: \#(seconds { #"\#($0 % 2 == 0 ? "m" : "www").example.com - "GET /a HTTP/1.1" [03/Jun/2026:12:00:0\#($0) +0000] "\#(phone)" 200 5 -"# })
      = GET /a 200 on www.example.com by \#(phone)
    origins, which are no referrers: 192.0.2.1 [03/Jun/2026:12:00:00 +0000] GET /a 304 "\#(phone)" - "-"
    192.0.2.1 [03/Jun/2026:12:00:01 +0000] GET /b 200 "\#(phone)" https://www.example.com "https://a.example/"
      = GET /b 200 from https://a.example/ by \#(phone)
    files beside paths: 192.0.2.1 [03/Jun/2026:12:00:00 +0000] / GET /var/www/index.html 304 "\#(phone)"
    192.0.2.1 [03/Jun/2026:12:00:01 +0000] /b GET /var/www/b 200 "\#(phone)"
      = GET /b 200 by \#(phone)
    bodies, which are no queries: \#(seconds { #"[03/Jun/2026:12:00:0\#($0) +0000] POST /b 200 \#($0 % 2 == 0 ? "a" : "b")=1 "\#(phone)""# })
      = POST /b 200 by \#(phone)
    a referrer glued to a bracket, the same in all lines: \#(seconds { _ in #"192.0.2.1 - - [30/Dec/2025:04:00:14 +0530] "GET /b HTTP/1.1" 200 886 ["192.0.2.7:1800" "0.01"]"https://a.example/list" "\#(phone)" "-""# })
      = GET /b 200 from https://a.example/list by \#(phone)
    health checks ask for no host: 192.0.2.1 - - [2025-07-31T06:00:06+00:00] "www.example.com" "GET /a HTTP/1.1" 200 5 "-" "\#(phone)" 0.038
    127.0.0.1 - - [2025-07-31T06:01:06+00:00] "localhost" "GET /health HTTP/1.1" 200 5 "-" "curl/7.35.0" 0.038
    127.0.0.1 - - [2025-07-31T06:02:06+00:00] "-" "GET /health HTTP/1.1" 200 5 "-" "curl/7.35.0" 0.038
    127.0.0.1 - - [2025-07-31T06:02:06+00:00] "10.0.0.7:80" "GET /health HTTP/1.1" 200 5 "-" "curl/7.35.0" 0.038
    192.0.2.2 - - [2025-07-31T06:03:06+00:00] "m.example.com" "GET /b HTTP/1.1" 200 5 "https://r.example/" "\#(phone)" 0.038
      = GET /b 200 on m.example.com from https://r.example/ by \#(phone)
    semicolons inside user agents: 192.0.2.1;[03/Jun/2026:12:00:00 +0000];GET /a HTTP/1.1;200;886;-;Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/112.0.0.0;0.00
    192.0.2.2;[03/Jun/2026:12:00:01 +0000];GET /b HTTP/1.1;200;886;https://a.example/;\#(phone);0.01
      = GET /b 200 from https://a.example/ by \#(phone)
    the server's name before the requested host: 192.0.2.1 - (example.com) example.com "GET /a HTTP/1.1" 200 5 [0.404] "-" "curl/8"
    192.0.2.1 - (example.com) www.example.com "GET /b HTTP/1.1" 200 5 [0.404] "-" "\#(phone)"
      = GET /b 200 on www.example.com by \#(phone)
    a label and an equals sign before the host: \#(hosts { "host=\($0)" })
      = GET /a 200 on www.example.com by \#(phone)
    a label and a colon before the host: \#(hosts { "vhost:\($0)" })
      = GET /a 200 on www.example.com by \#(phone)
    a scheme before the host: \#(hosts { "https://\($0)" })
      = GET /a 200 on www.example.com by \#(phone)
    a port after the host: \#(hosts { "- \($0):443" })
      = GET /a 200 on www.example.com:443 by \#(phone)
    a slash after the host: \#(hosts { "\($0)/" })
      = GET /a 200 on www.example.com by \#(phone)
    a colon after the host: \#(hosts { "\($0):" })
      = GET /a 200 on www.example.com by \#(phone)
    brackets around the host: \#(hosts { "<\($0)>" })
      = GET /a 200 on www.example.com by \#(phone)
    queries, some of one word: 192.0.2.1 [03/Jun/2026:12:00:00 +0000] GET /a id=7 200 "-" "curl/8"
    192.0.2.1 [03/Jun/2026:12:00:01 +0000] GET /a - 200 "-" "curl/8"
    192.0.2.1 [03/Jun/2026:12:00:02 +0000] GET /a a=1&b 200 "-" "curl/8"
    192.0.2.1 [03/Jun/2026:12:00:03 +0000] GET /a flag 200 "-" "\#(phone)"
      = GET /a?flag 200 by \#(phone)
    the status of an upstream server first: \#(seconds { #"192.0.2.1|GET /a HTTP/1.1|\#($0 % 2 == 0 ? 200 : 502)|\#($0 == 3 ? 499 : 404)|\#(phone)"# })
      = GET /a 404 by \#(phone)
    behind a host with a quoted status: www.example.com 192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" "200" "512" "https://r.example/" "Mozilla/5.0" "-"
      = GET /a 200 on www.example.com from https://r.example/ by Mozilla/5.0
    """#)

  @Test func timesInOrderAreTheLines() throws {
    for isFirst in [true, false] {
      let lines = Self.seconds { number in
        let times = ["2026-06-03T12:00:0\(number)Z", "2026-06-0\(number % 3 + 1)T12:00:00Z"]
        return (isFirst ? times : times.reversed()).joined(separator: "|")
          + "|GET /a HTTP/1.1|200|\(Self.phone)"
      }
      let format = try #require(LogFormatDetectionTests.detect(lines + "\n"))
      let expected = isFirst ? "$time_iso8601|$ignored|" : "$ignored|$time_iso8601|"
      #expect(format.summary.hasPrefix(expected))
    }
    // Nothing shows which of two sorted columns it is.
    let lines = Self.seconds { number in
      let times = "2026-06-0\(number + 1)T12:00:00Z|2026-07-0\(number + 1)T12:00:00Z"
      return times + "|GET /a HTTP/1.1|200|\(Self.phone)"
    }
    #expect(LogFormatDetectionTests.detect(lines + "\n") == nil)
  }

  /// Two statuses after a request are ambiguous, and so are lines of a log inside of CSV.
  @Test(arguments: [
    #"192.0.2.1|GET /a HTTP/1.1|%s|404|-|curl/8"#,
    #"2026-06-03T12:00:00Z|www.example.com|"5""%s""GET /a HTTP/1.1""-""#,
    #"2026-06-03 12:00:00.000,"192.0.2.1 - - [03/Jun/2026:12:00:00 +0000] ""GET /a HTTP/1.1"" %s 5 ""-"" ""curl/8""""#,
  ])
  func ambiguousLogsAreNotRead(line: String) {
    let lines = (0..<8).map { line.replacing("%s", with: $0 % 2 == 0 ? "200" : "502") + "\n" }
    #expect(LogFormatDetectionTests.detect(lines.joined()) == nil)
  }

  @Test(arguments: examples)
  func columnsAreDetectedFromTheirValues(example: FormatExample) throws {
    let text = example.heading + example.line
    let format = try #require(LogFormatDetectionTests.detect(text + "\n"))
    #expect(format.name == "log_format")
    try LogFormatTests.expect(example, in: text, format)
    // A pattern can be passed to `--log-format` as it is shown.
    guard case .template = format.layouts.first else { return }
    try LogFormatTests.expect(example, in: text, LogFormat(definition: format.summary))
  }

  @Test(arguments: [
    // A size that can be a status, and two hosts.
    "192.0.2.1|GET /a HTTP/1.1|404|200|-|curl/8",
    "192.0.2.1|www.example.com|edge.example.net|GET /a HTTP/1.1|200|-|curl/8",
    // A host that is glued to something, or has one of several schemes.
    "192.0.2.1|a=b,host=www.example.com|GET /a HTTP/1.1|200|curl/8",
    "http://www.example.com|GET /a HTTP/1.1|200|curl/8\nhttps://m.example.com|GET /a HTTP/1.1|200|curl/8",
    "2026-06-03 12:00:00 200 /var/log/x", "a|b|c", "v3|200|/buy/1|/buy.html|1780308000",
    #"192.0.2.1 [03/Jun/2026:12:00:00 +0000] "GET /a HTTP/1.1" 200 https://a.example/ Mozilla/5.0 (iPhone)"#,
    // A label, or a query.
    #"192.0.2.1 GET /a 200 "curl/8" id=7"#,
    // The host of a request, or the name of the server.
    String(repeating: "GET /a 200 www.example.com www.example.com/ \"curl/8\"\n", count: 20)
      + "GET /b 200 www.example.com / \"curl/8\"",
    // A quote in the target ends the request.
    #"a b c [10/Oct/2000:13:55:36 -0700] "GET /a" b [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 20a HTTP/1.1" 200 5 "-" "curl/8""#,
  ])
  func ambiguousLinesAreNotRead(line: String) {
    let format = LogFormatDetectionTests.detect(line + "\n")
    #expect(format == nil || format == .common)
  }

  @Test func listsBeforeAHostAreSkipped() throws {
    let format = try #require(
      LogFormatDetectionTests.detect(
        "- www.example.com GET /a 200 \"curl/8\"\n"
          + "198.51.100.7 www.example.com GET /b 200 \"curl/8\"\n"))
    let fields = try LogFormatTests.request(
      format, "198.51.100.7, 192.0.2.9 www.example.com GET /c 200 \"curl/8\"")
    #expect(fields.host == "www.example.com" && fields.target == "/c")
  }
}
