import TestSupport
import Testing

@testable import AccessLogs

/// What is odd about lines shows that a format has other fields in the same places.
@Suite struct FormatReviewTests {
  static func oddities(
    of lines: [String], _ format: LogFormat = .combined, isNamed: Bool = true
  ) -> [FormatReview.Oddity] {
    let chunk = LineChunk(lines.map { $0 + "\n" }.joined().utf8)
    let review = FormatReview(
      chunk, readAs: format, isNamed: isNamed, after: ColumnHeading()
    ) { $0.isCommonTime(from: 0) }
    return review.doubts.map(\.oddity)
  }

  private static let phone = FormatExample.phone
  private static let time = "[03/Jun/2026:12:00:00 +0000]"
  private static let request = #"\#(time) "GET /a HTTP/1.1" 200"#
  private static let usual = #"[$time_local] "$request" $status"#

  @Test(
    arguments: rows(
      #"""
      \#(usual) "$http_user_agent" reads \#(request) "\#(phone)" =>
      \#(usual) "$http_user_agent" reads \#(request) "curl/8" =>
      \#(usual) "$http_user_agent" reads \#(request) "Mozilla/5.0" => cutAgent
      \#(usual) $http_user_agent;$ignored reads \#(request) \#(phone) => rest
      \#(usual) "$host" reads \#(request) "\#(phone)" => rejectedAgent
      \#(usual) "$http_referer" reads \#(request) "\#(phone)" => referrer
      \#(usual) "$http_user_agent" reads \#(request) "https://www.example.com/" => agent
      \#(usual) "$ignored" reads \#(time) "GET /www.example.com/a HTTP/1.1" 200 "x" => hostInTarget
      \#(usual) "$ignored" reads \#(time) "GET //www.example.com/a HTTP/1.1" 200 "x" => hostInTarget
      $host \#(usual) reads m.example.com \#(time) "GET /m.example.com/a HTTP/1.1" 200
        => hostInTarget
      \#(usual) $http_user_agent $http_cookie reads \#(request) \#(phone) id=1; theme=dark
        => cutAgent
      $ignored "$request" $status $ignored reads x "GET /a HTTP/1.1" 200 referer="https://a.example/"
        => unreadReferrer
      $request_method $request_uri $status [$time_iso8601] reads GET /a 200 [noon] => time
      \#(usual) reads \#(time) "GET /a HTTP/1.1 - -" 200 => longTarget
      \#(usual) reads \#(time) "GET /a?- HTTP/1.1" 200 => longTarget
      \#(usual) "$ignored" reads \#(request) "/a?b=1" => unreadQuery
      \#(usual) "$ignored" reads \#(request) "https://www.example.com/a?b=1" =>
      \#(usual) $http_user_agent reads \#(request) 5 "-" "\#(phone)" => agent
      {"t":"$time_local","r":"$request","s":$status,"h":"$http_referer"} reads {"t":"03/Jun/2026:12:00:00 +0000","r":"GET /a HTTP/1.1","s":200,"h":"a.example","f":"https://a.example/"}
        => referrer
      \#(usual) "$http_referer" "$ignored" reads \#(request) "https://a.example/" www.example.com "0.1" "x"
        => referrer
      $request;$status;$http_referer;[$time_local] reads GET /a HTTP/1.1;200;https://a.example/;192.0.2.1;\#(time)
        => referrer
      [$time_local];$request;$status;$ignored;$http_user_agent reads \#(time);GET /a HTTP/1.1;200;en;q=0.9;\#(phone)
        => agent
      [$time_local];$request;$status;$http_referer;$ignored reads \#(time);GET /a HTTP/1.1;200;q=0.9;x
        => referrer
      """#))
  func oddFieldsAreFound(definitionAndLine: String, oddities: String) throws {
    let parts = definitionAndLine.split(separator: " reads ").map(String.init)
    let format = try LogFormat(definition: parts[0])
    let found = Self.oddities(of: Array(repeating: parts[1], count: 20), format)
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

  /// A query behind the fields of a common format, unless targets have their own, or the value can
  /// be a body or a label.
  @Test(arguments: [
    ("GET", "/a", ["b=1", "c=2"], true), ("GET", "/a?x=1", ["b=1", "c=2"], false),
    ("POST", "/a", ["b=1", "c=2"], false), ("GET", "/a", ["rt=0.1", "rt=0.2"], false),
  ])
  func queriesBesideFieldsAreFound(
    method: String, target: String, values: [String], isFound: Bool
  ) {
    let lines = values.map { value in
      #"192.0.2.1 - - [03/Jun/2026:12:00:00 +0000] "\#(method) \#(target) HTTP/1.1" 200 5 "-" "\#(Self.phone)" "\#(value)""#
    }
    let found = Self.oddities(of: lines, isNamed: false)
    #expect(found == (isFound ? [.unreadQuery] : []))
  }

  /// An inferred format can ignore the only host, too.
  @Test func hostsBesideFieldsOfInferredFormatsAreFound() throws {
    let format = try LogFormat(
      definition: #"$remote_addr [$time_local] "$request" $status $ignored"#)
    let line = #"192.0.2.1 \#(Self.request) [for www.example.com via 192.0.2.7:80]"#
    #expect(Self.oddities(of: [line], format, isNamed: false) == [.ignoredHost])
    #expect(Self.oddities(of: [line], format).isEmpty)
    let methodLast = try LogFormat(
      definition: #"[$time_local] "$request_uri" $request_method $status $ignored"#)
    let other = #"[03/Jun/2026:12:00:00 +0000] "/a" GET 200 www.example.com"#
    #expect(Self.oddities(of: [other], methodLast, isNamed: false) == [.ignoredHost])
  }

  @Test func mostLinesOfPhonesAreRejected() throws {
    let format = try LogFormat(definition: #"[$time_local] "$request" $status "$http_user_agent""#)
    let (read, rejected) = (#"\#(Self.request) "\#(Self.phone)""#, "x \(Self.phone)")
    #expect(Self.oddities(of: [read, read, rejected], format).isEmpty)
    #expect(Self.oddities(of: [read, rejected, rejected], format) == [.rejectedAgent])
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
    ("192.0.2.1 - -", #" "web-1.internal""#, false),
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

  @Test func hostsThatNoReferrerNamesAreFound() {
    let line =
      #"{"host":"a.example.net","site":"www.example.com","uri":"/a","status":200,"time":"03/Jun/2026:12:00:00 +0000","referer":"https://www.example.com/"}"#
    #expect(Self.oddities(of: [line], .nginxJSON) == [.unreadHost])
  }

  /// Nobody named the field of the time, and lines have none that was found.
  @Test func timesThatAreMissingAreFound() throws {
    let format = try LogFormat(definition: #""$request" $status"#)
    let line = #""GET /a HTTP/1.1" 200"#
    #expect(Self.oddities(of: [line], format, isNamed: false) == [.absentTime])
    #expect(Self.oddities(of: [line], format).isEmpty)
    let object = #"{"path":"/a","status":200,"heure":"2026-06-03T12:00:00Z"}"#
    #expect(Self.oddities(of: [object], .nginxJSON, isNamed: false) == [.absentTime])
    let timed = #"{"path":"/a","status":200,"time":"03/Jun/2026:12:00:00 +0000"}"#
    #expect(Self.oddities(of: [object, timed], .nginxJSON, isNamed: false).isEmpty)
  }

  @Test func hostsInIgnoredFieldsAreFound() throws {
    let format = try LogFormat(definition: #"$ignored "$request" $status "$http_referer""#)
    let lines = ["www", "m"].map {
      #"\#($0).example.com "GET /a HTTP/1.1" 200 "https://\#($0).example.com/""#
    }
    #expect(Self.oddities(of: lines, format) == [.unreadHost])
    // One site needs no host in its lines.
    #expect(Self.oddities(of: [lines[0], lines[0]], format).isEmpty)
  }
}
