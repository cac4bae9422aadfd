import TestSupport
import Testing

@testable import AccessLogs

@Suite struct ResponseSizeTests {
  private static let path = "/.well-known/apple-app-site-association"
  private static let get = #""GET / HTTP/1.1""#

  static let lines = rows(
    #"""
    combined: 192.0.2.1 - - [x] "GET \#(path) HTTP/1.1" 200 512 "-" "AASA-Bot/1.0.0" => 512
    combined: 192.0.2.1 - - [x] "GET \#(path) HTTP/1.1" 304 - "-" "-" =>
    combined: 192.0.2.1 - - [x] "GET \#(path) HTTP/1.1" 200 =>
    combined: 192.0.2.1 - - [x] "GET \#(path) HTTP/1.1" 200 12345678901234 "-" "-" =>
    common: 192.0.2.1 - - [x] "GET \#(path) HTTP/1.1"  200   77 => 77
    vcombined: www.example.com 192.0.2.1 - - [x] "GET \#(path)?"x" HTTP/1.1" 200 9 "-" "-" => 9
    awsalb: https 2026-11-19T08:00:00.0Z app/a 192.0.2.1:1 10.0.0.1:80 0.0 0.0 0.0 200 200 34 366 "GET https://www.example.com:443\#(path) HTTP/1.1" "AASA-Bot/1.0.0" - - arn "Root=1" "www.example.com" "-" 0
      => 366
    awselb: 2026-11-19T08:00:00.0Z elb 192.0.2.1:1 10.0.0.1:80 0.0 0.0 0.0 200 200 0 29 "GET http://www.example.com:80\#(path) HTTP/1.1" "curl/8" - -
      => 29
    awss3: owner bucket [19/Nov/2026:08:00:00 +0000] 192.0.2.1 - ID REST.GET.OBJECT key "GET \#(path) HTTP/1.1" 200 - 113 113 7 6 "-" "curl/8" -
      => 113
    squid: 1763539200.000 6 192.0.2.1 TCP_MISS/200 415 GET http://www.example.com\#(path) - D -
      => 415
    haproxy: 192.0.2.1:5000 [19/Nov/2026:08:00:00.123] web~ app/a1 0/0/1/2/3 200 845 - - ---- 1/1/0/0/0 0/0 "GET \#(path) HTTP/1.1"
      => 845
    caddy: {"ts":1763539200.1,"request":{"method":"GET","host":"www.example.com","uri":"\#(path)"},"size":61,"status":200}
      => 61
    cloudflare: {"ClientRequestURI":"\#(path)","ClientRequestMethod":"GET","EdgeResponseStatus":200,"EdgeResponseBytes":700,"EdgeStartTimestamp":1}
      => 700
    nginx-json: {"request":"GET \#(path) HTTP/1.1","status":200,"bytes":"88"} => 88
    nginx-json: {"message":"192.0.2.1 - - [x] \"GET \#(path) HTTP/1.1\" 200 55 \"-\" \"-\""} => 55
    nginx-json: {"request":"GET \#(path) HTTP/1.1","status":200,"bytes":"many"} =>
    nginx-json: {"request":"GET \#(path) HTTP/1.1","status":200} =>
    nginx-json: Nov 19 08:00:00 web nginx: {"request":"GET / HTTP/1.1","status":200,"bytes":88}
      => 88
    nginx-json: <134>Nov 19 08:00:00 web nginx: {"bytes":88,"request":"GET / HTTP/1.1","status":200}
      => 88
    gcp-lb: {"httpRequest":{"requestMethod":"GET","requestUrl":"https://www.example.com\#(path)","status":200,"responseSize":"321"},"timestamp":"2026-11-19T08:00:00Z"}
      => 321
    """#)

  @Test(arguments: lines)
  func isFound(formatAndLine: String, expected: String) throws {
    let parts = formatAndLine.split(separator: ": ", maxSplits: 1).map(String.init)
    let format = try #require(LogFormat(named: parts[0]))
    let (bytes, size) = (Array(parts[1].utf8), Int(expected))
    var parser = LogParser(format)
    // Previous lines don't matter.
    _ = parser.parse(Array(#"192.0.2.1 - - [x] "GET / HTTP/1.1" 200 4 "-" "-""#.utf8).span)
    let record = try parser.request(bytes)
    #expect(parser.size(of: record, in: bytes.span) == size)
    if let direct = format.commonLayout?.limited(to: .max),
      case .request(let record) = direct.parse(bytes.span)
    {
      #expect(bytes.span.size(of: record) == size)
    }
  }

  @Test(arguments: [
    (#"$status $body_bytes_sent $bytes_sent $request_time "$request""#, "200 12 300 0.1 \(get)"),
    (#"%s %B "%r" %O"#, "200 12 \(get) 300"),
  ])
  func templatesHaveTheFirst(definition: String, line: String) throws {
    var parser = LogParser(try LogFormat(definition: definition))
    let record = try parser.request(Array(line.utf8))
    #expect(parser.size(of: record, in: Array(line.utf8).span) == 12)
  }
}
