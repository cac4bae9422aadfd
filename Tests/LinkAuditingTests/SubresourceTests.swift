import AccessLogs
import Testing
import TrafficDigest
import UniversalLinks

@testable import LinkAuditing

/// Requests that a page or a script made, according to the log, are not visits.
@Suite struct SubresourceTests {
  /// Values of `Sec-Fetch-Dest` and `Sec-Fetch-Mode`, as `-` if the browser sent none, and whether
  /// a request with them can be a visit.
  private static let headers: [(destination: String, mode: String, isPage: Bool)] = [
    ("document", "navigate", true), ("empty", "cors", false), ("image", "no-cors", false),
    ("iframe", "navigate", false), ("empty", "same-origin", false), ("-", "navigate", true),
    ("-", "cors", false), ("document", "-", true), ("-", "-", true), ("garbage", "-", true),
    ("serviceworker", "same-origin", false), ("websocket", "websocket", false),
  ]

  /// Formats with lines for the path, the user agent, and the two headers.
  private static let formats: [(name: String, line: @Sendable (Int, String, String) -> String)] = [
    (
      "caddy",
      { number, destination, mode in
        #"{"level":"info","ts":1781000000.5,"logger":"http.log.access","msg":"handled request","request":{"method":"GET","host":"www.example.com","uri":"/item\#(number)","headers":{"User-Agent":["\#(CoverageTests.agent)"]\#(member("Sec-Fetch-Mode", mode))\#(member("Sec-Fetch-Dest", destination))}},"size":5,"status":200}"#
      }
    ),
    (
      "nginx-json",
      {
        #"{"time_iso8601":"2026-06-09T10:00:00+00:00","request_method":"GET","request_uri":"/item\#($0)","http_host":"www.example.com","status":200,"http_user_agent":"\#(CoverageTests.agent)","http_sec_fetch_dest":"\#($1)","http_sec_fetch_mode":"\#($2)"}"#
      }
    ),
    (
      #"$remote_addr [$time_iso8601] "$request" $status "$http_user_agent" "$http_sec_fetch_dest" "$http_sec_fetch_mode""#,
      {
        #"192.0.2.1 [2026-06-09T10:00:00+00:00] "GET /item\#($0) HTTP/1.1" 200 "\#(CoverageTests.agent)" "\#($1)" "\#($2)""#
      }
    ),
    (
      #"%h %t "%r" %>s "%{User-Agent}i" "%{Sec-Fetch-Dest}i" "%{sec-fetch-mode}i""#,
      {
        #"192.0.2.1 [09/Jun/2026:10:00:00 +0000] "GET /item\#($0) HTTP/1.1" 200 "\#(CoverageTests.agent)" "\#($1)" "\#($2)""#
      }
    ),
    (
      #"$remote_addr [$time_iso8601] "$request" $status "$http_sec_fetch_mode" "$http_user_agent" "$http_sec_fetch_dest""#,
      {
        #"192.0.2.1 [2026-06-09T10:00:00+00:00] "GET /item\#($0) HTTP/1.1" 200 "\#($2)" "\#(CoverageTests.agent)" "\#($1)""#
      }
    ),
    (
      "ltsv",
      {
        "time:09/Jun/2026:10:00:00 +0000\tmethod:GET\turi:/item\($0)\tstatus:200\tua:\(CoverageTests.agent)\tsec_fetch_dest:\($1)\tsec_fetch_mode:\($2)"
      }
    ),
    (
      "#Fields: date time cs-method cs-uri-stem sc-status cs(User-Agent) cs(Sec-Fetch-Dest) cs(Sec-Fetch-Mode)",
      {
        "2026-06-09 10:00:00 GET /item\($0) 200 \(CoverageTests.agent.replacing(" ", with: "+")) \($1) \($2)"
      }
    ),
  ]

  private static func member(_ name: String, _ value: String) -> String {
    value == "-" ? "" : ",\"\(name)\":[\"\(value)\"]"
  }

  @Test(arguments: formats.indices) func onlyPagesAreVisits(format number: Int) throws {
    let (name, line) = Self.formats[number]
    let format = try LogFormat(named: name) ?? LogFormat(definition: name)
    // If the line has both, the destination decides, because browsers send both.
    let headers = Self.headers.filter { number < 2 || $0.mode == "-" || $0.destination != "-" }
    let pages = headers.count(where: \.isPage)
    for jobs in [1, 2] {
      let digest = try AuditTests.digest(
        headers.enumerated().map { line($0, $1.destination, $1.mode) }, format: format,
        jobs: jobs)
      #expect(digest.tally.requests == headers.count)
      let audit = try Auditor(sites: [try AuditTests.site()]).audit(digest)
      #expect(
        audit.sites[0].total == Traffic(requests: headers.count, visits: pages), "\(name)")
      #expect(audit.sites[0].subresources == headers.count - pages)
    }
  }
}
