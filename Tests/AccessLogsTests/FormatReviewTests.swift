import TestSupport
import Testing

@testable import AccessLogs

/// What is odd about lines shows that a format has other fields in the same places.
@Suite struct FormatReviewTests {
  static func oddities(
    of lines: [String], _ format: LogFormat = .combined, isNamed: Bool = true
  ) -> [FormatReview.Oddity] {
    let chunk = LineChunk(lines.map { $0 + "\n" }.joined().utf8)
    let review = FormatReview(chunk, readAs: format, after: ColumnHeading()) {
      $0.isCommonTime(from: 0)
    }
    return review.doubts(isNamed: isNamed).map(\.oddity)
  }

  private static let phone = FormatExample.phone
  private static let time = "[03/Jun/2026:12:00:00 +0000]"
  private static let request = #"\#(time) "GET /a HTTP/1.1" 200"#
  private static let usual = #"[$time_local] "$request" $status"#
  private static let phoneLine = #"\#(request) "\#(phone)""#
  private static let object = #"{"path":"/a","status":200,"heure":"2026-06-03T12:00:00Z"}"#
  private static let sites = #"$ignored "$request" $status "$http_referer""#

  /// Two lines with a value behind the fields of a common format.
  private static func valueLines(_ request: String, _ first: String, _ second: String) -> String {
    [first, second].map { #"192.0.2.1 - - \#(time) "\#(request)" 200 5 "-" "\#(phone)" "\#($0)""# }
      .joined(separator: "⏎")
  }

  private static func siteLine(_ name: String) -> String {
    #"\#(name).example.com "GET /a HTTP/1.1" 200 "https://\#(name).example.com/""#
  }

  /// Lines that are there once or often, and whether somebody named the format.
  ///
  /// An inferred format can ignore the only host, too, and nobody named the field of its time. One
  /// site needs no host in its lines. A query behind the fields of a common format is ignored, unless
  /// targets have their own, or the value can be a body or a label.
  @Test(
    arguments: rows(
      #"""
      often \#(usual) "$http_user_agent" reads \#(phoneLine) =>
      often \#(usual) "$http_user_agent" reads \#(request) "curl/8" =>
      often \#(usual) "$http_user_agent" reads \#(request) "Mozilla/5.0" => cutAgent
      often \#(usual) $http_user_agent;$ignored reads \#(request) \#(phone) => rest
      often \#(usual) "$host" reads \#(request) "\#(phone)" => rejectedAgent
      often \#(usual) "$http_referer" reads \#(request) "\#(phone)" => referrer
      often \#(usual) "$http_user_agent" reads \#(request) "https://www.example.com/" => agent
      often \#(usual) "$ignored" reads \#(time) "GET /www.example.com/a HTTP/1.1" 200 "x" => hostInTarget
      often \#(usual) "$ignored" reads \#(time) "GET //www.example.com/a HTTP/1.1" 200 "x" => hostInTarget
      often $host \#(usual) reads m.example.com \#(time) "GET /m.example.com/a HTTP/1.1" 200
        => hostInTarget
      often \#(usual) $http_user_agent $http_cookie reads \#(request) \#(phone) id=1; theme=dark
        => cutAgent
      often $ignored "$request" $status $ignored reads x "GET /a HTTP/1.1" 200 referer="https://a.example/"
        => unreadReferrer
      often $request_method $request_uri $status [$time_iso8601] reads GET /a 200 [noon] => time
      often \#(usual) reads \#(time) "GET /a HTTP/1.1 - -" 200 => longTarget
      often \#(usual) reads \#(time) "GET /a?- HTTP/1.1" 200 => longTarget
      often \#(usual) "$ignored" reads \#(request) "/a?b=1" => unreadQuery
      often \#(usual) "$ignored" reads \#(request) "https://www.example.com/a?b=1" =>
      often \#(usual) $http_user_agent reads \#(request) 5 "-" "\#(phone)" => agent
      often {"t":"$time_local","r":"$request","s":$status,"h":"$http_referer"} reads {"t":"03/Jun/2026:12:00:00 +0000","r":"GET /a HTTP/1.1","s":200,"h":"a.example","f":"https://a.example/"}
        => referrer
      often \#(usual) "$http_referer" "$ignored" reads \#(request) "https://a.example/" www.example.com "0.1" "x"
        => referrer
      often $request;$status;$http_referer;[$time_local] reads GET /a HTTP/1.1;200;https://a.example/;192.0.2.1;\#(time)
        => referrer
      often [$time_local];$request;$status;$ignored;$http_user_agent reads \#(time);GET /a HTTP/1.1;200;en;q=0.9;\#(phone)
        => agent
      often [$time_local];$request;$status;$http_referer;$ignored reads \#(time);GET /a HTTP/1.1;200;q=0.9;x
        => referrer
      inferred $remote_addr [$time_local] "$request" $status $ignored reads 192.0.2.1 \#(request) [for www.example.com via 192.0.2.7:80]
        => ignoredHost
      named $remote_addr [$time_local] "$request" $status $ignored reads 192.0.2.1 \#(request) [for www.example.com via 192.0.2.7:80]
        =>
      inferred [$time_local] "$request_uri" $request_method $status $ignored reads \#(time) "/a" GET 200 www.example.com
        => ignoredHost
      named \#(usual) "$http_user_agent" reads \#(phoneLine)⏎\#(phoneLine)⏎x \#(phone) =>
      named \#(usual) "$http_user_agent" reads \#(phoneLine)⏎x \#(phone)⏎x \#(phone)
        => rejectedAgent
      named nginx-json reads {"host":"a.example.net","site":"www.example.com","uri":"/a","status":200,"time":"03/Jun/2026:12:00:00 +0000","referer":"https://www.example.com/"}
        => unreadHost
      inferred "$request" $status reads "GET /a HTTP/1.1" 200 => absentTime
      named "$request" $status reads "GET /a HTTP/1.1" 200 =>
      inferred nginx-json reads \#(object) => absentTime
      inferred nginx-json reads \#(object)⏎{"path":"/a","status":200,"time":"03/Jun/2026:12:00:00 +0000"}
        =>
      named \#(sites) reads \#(siteLine("www"))⏎\#(siteLine("m")) => unreadHost
      named $host \#(sites) reads WWW.example.com:443 \#(siteLine("www"))⏎m.example.com:443 \#(siteLine("m")) =>
      inferred logfmt reads at="03/Jun/2026:12:00:00 +0000" path=/a status=200 => absentTime
      inferred logfmt reads path=/a status=200 =>
      inferred ltsv reads heure:2026-06-03T12:00:00Z\#tpath:/a\#tstatus:200 => absentTime
      inferred nginx-json reads {"path":"/a","status":200,"params":"b=1","time":"03/Jun/2026:12:00:00 +0000"}⏎{"path":"/a","status":200,"params":"c=1","time":"03/Jun/2026:12:00:00 +0000"}
        => unreadQuery
      inferred nginx-json reads {"path":"/a","status":200,"cookie":"b=1","time":"03/Jun/2026:12:00:00 +0000"}⏎{"path":"/a","status":200,"cookie":"c=1","time":"03/Jun/2026:12:00:00 +0000"}
        =>
      often \#(usual) reads \#(time) "GET /a- HTTP/1.1" 200 => longTarget
      inferred combined reads \#(valueLines("GET /a HTTP/1.1", "b=1", "c=2")) => unreadQuery
      inferred combined reads \#(valueLines("GET /a?x=1 HTTP/1.1", "b=1", "c=2")) =>
      inferred combined reads \#(valueLines("POST /a HTTP/1.1", "b=1", "c=2")) =>
      inferred combined reads \#(valueLines("GET /a HTTP/1.1", "rt=0.1", "rt=0.2")) =>
      named \#(sites) reads \#(siteLine("www"))⏎\#(siteLine("www")) =>
      """#))
  func oddFieldsAreFound(formatAndLines: String, oddities: String) throws {
    let parts = formatAndLines.split(separator: " reads ").map(String.init)
    let words = parts[0].split(separator: " ", maxSplits: 1).map(String.init)
    let format = try LogFormat(named: words[1]) ?? LogFormat(definition: words[1])
    let lines = parts[1].split(separator: "\n").map(String.init)
    let all = Array(repeating: lines, count: words[0] == "often" ? 20 : 1).flatMap(\.self)
    let found = Self.oddities(of: all, format, isNamed: words[0] != "inferred")
    #expect(found.map { "\($0)" }.joined(separator: " ") == oddities)
  }

  /// Only some lines have a separator inside a value.
  @Test(arguments: [(1, 9, true), (1, 200, false), (0, 9, false)])
  func valuesWithSeparatorsAreFound(odd: Int, others: Int, isFound: Bool) throws {
    let format = try LogFormat(definition: "$status;$request;$ignored;[$time_local]")
    func lines(_ count: Int, _ type: String) -> [String] {
      Array(repeating: "200;GET /a HTTP/1.1;\(type);[03/Jun/2026:12:00:00 +0000]", count: count)
    }
    let log = lines(others, "text/html") + lines(odd, "text/html; charset=utf-8")
    #expect(Self.oddities(of: log, format) == (isFound ? [.moreValues] : []))
  }

  /// Lines of a detected format without hosts, and whether a host is next to its fields.
  @Test(arguments: [
    (#"192.0.2.1 - -"#, "", false), (#"www.example.com/192.0.2.1 - -"#, "", true),
    (#"host=www.example.com 192.0.2.1 - -"#, "", true),
    (#"https://www.example.com 192.0.2.1 - -"#, "", true),
    (#"192.0.2.1 - www.example.com"#, "", true), (#"192.0.2.1 - -"#, #" "www.example.com""#, true),
    // Glued to something.
    ("192.0.2.1:www.example.com - -", "", true), ("[www.example.com]192.0.2.1 - -", "", true),
    ("www.example.com:192.0.2.1:5000 - -", "", true), ("www.example.com_192.0.2.1 - -", "", true),
    ("www.example.com-192.0.2.1 - -", "", true), ("www.example.com@192.0.2.1 - -", "", true),
    ("\u{1B}[1mwww.example.com\u{1B}[0m 192.0.2.1 - -", "", true),
    ("192.0.2.1,www.example.com - -", "", true), ("192.0.2.1 - -", " rt=1,h=www.example.com", true),
    ("192.0.2.1 - -", #"-"www.example.com""#, true),
    ("192.0.2.1 - -", " https://www.example.com", true),
    ("192.0.2.1 - -", " https://www.example.com/a", false),
    ("192.0.2.1 - -", "www.example.com", true),
    // A server by its address, or a client behind a proxy.
    ("2001:db8::1 192.0.2.1 - -", "", true), ("192.0.2.9 192.0.2.1 - -", "", false),
    // The names of clients, users and machines.
    ("client7.example.net - -", "", false), ("192.0.2.1 - john.doe", "", false),
    ("192.0.2.1 - -", #" "web-1.internal""#, false), ("192.0.2.1 - j.d@a.com", "", false),
  ])
  func hostsBesideFieldsAreFound(start: String, end: String, isFound: Bool) {
    let line = #"\#(start) \#(Self.request) 5 "-" "\#(Self.phone)"\#(end)"#
    let lines = Array(repeating: line, count: 3)
    #expect(Self.oddities(of: lines, isNamed: false) == (isFound ? [.ignoredHost] : []))
    #expect(Self.oddities(of: lines).isEmpty)
  }

  /// The names in the place of clients can be those of sites.
  @Test(arguments: [
    (["192.0.2.1", "www.example.com"], "-", true),
    (["www.example.com", "m.example.com"], "-", false),
    (["www.example.com", "m.example.com"], "https://m.example.com/", true),
    (["192.0.2.1", "host7.example.net"], "-", false),
    // Clients have many names, but sites few.
    (Array(repeating: ["www.example.com", "m.example.com"], count: 8).flatMap { $0 }, "-", true),
    (Array(repeating: ["c7.example.net", "c8.example.net"], count: 8).flatMap { $0 }, "-", false),
  ])
  func namesOfSitesAsClientsAreFound(clients: [String], referrer: String, isFound: Bool) {
    let lines = clients.map { #"\#($0) - - \#(Self.request) 5 "\#(referrer)" "\#(Self.phone)""# }
    #expect(Self.oddities(of: lines, isNamed: false) == (isFound ? [.clientHost] : []))
  }
}
