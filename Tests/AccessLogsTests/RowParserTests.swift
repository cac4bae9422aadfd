import Testing

@testable import AccessLogs
@testable import Foundations

@Suite struct RowParserTests {
  /// The fields of a row in words, or the reason why it isn't a request.
  static func read(_ lines: String...) -> String {
    var parser = LogParser(.rows)
    var outcome = "nothing"
    for line in lines {
      parser.reset()
      let bytes = Array(line.utf8)
      switch parser.parse(bytes.span) {
      case .rejected(let reason): outcome = reason.rawValue
      case .request(let record):
        func text(_ range: Range<Int>?) -> String {
          range.map { String(decoding: parser.text[$0], as: UTF8.self) } ?? "nil"
        }
        let figures = parser.figures(of: bytes.span)
        let last = figures.lastTime.map { String(decoding: bytes[$0], as: UTF8.self) } ?? "nil"
        outcome =
          "\(text(record.method)) \(text(record.host)) \(text(record.target)) \(record.status) "
          + "\(text(record.time))/\(last) \(text(record.referrer)) \(text(record.agent)) "
          + "\(figures.count)"
      }
    }
    return outcome
  }

  @Test func rowsInJSONAndCSVAreRead() {
    let row = "GET www.example.com /a 200 2026-06-01/nil https://x.example/ curl/8 3"
    #expect(
      Self.read(
        #"{"count":3,"day":"2026-06-01","host":"www.example.com","method":"GET","target":"/a","status":200,"#
          + #""referrer":"https://x.example/","agent":"curl/8"}"#) == row)
    // With ClickHouse's notation of 64-bit numbers, and with other names and members.
    #expect(
      Self.read(
        #"{"Count":"3","date":"2026-06-01","HOST":"www.example.com","method":"GET","target":"\/a","#
          + #""status":"200","x":{"count":9},"referer":"https://x.example/","user-agent":"curl/8"}"#
      ) == row)
    #expect(
      Self.read(
        "count,day,other,host,method,target,status,referrer,agent",
        "3,2026-06-01,,www.example.com,GET,/a,200,https://x.example/,curl/8") == row)
    #expect(
      Self.read(
        #""Count","Day","Host","Method","Target","Status","Referer","User_Agent""#,
        #""3","2026-06-01","www.example.com","GET","/a","200","https://x.example/","curl/8""#)
        == row)
  }

  /// Text has the log's escapes below those of CSV and JSON.
  @Test func escapesOfTheLogAreKept() {
    #expect(
      Self.read(#"{"target":"/a\\x22\\\"b\u00e9","status":200,"count":1,"agent":"a\\\\b %20 \tc"}"#)
        == #"GET nil /a\x22\"bé 200 nil/nil nil a\\b %20 "# + "\tc 1")
    #expect(
      Self.read("target,status,count,agent", ##""/a\x22\""b,",200,1,a\\b %20"##)
        == ##"GET nil /a\x22\"b, 200 nil/nil nil a\\b %20 1"##)
  }

  @Test func absentFieldsAreAbsent() {
    #expect(
      Self.read(#"{"target":"/","status":200,"count":1,"host":"-","agent":"","referrer":null}"#)
        == "GET nil / 200 nil/nil nil nil 1")
    #expect(
      Self.read("target,status,count,host,agent,referrer", "/,200,1,-,,\"-\"")
        == "GET nil / 200 nil/nil nil nil 1")
    // Without the time of the first request, that of the last is ignored.
    #expect(
      Self.read(#"{"target":"/","status":0,"count":1,"day":"2026-06-01","last":"x"}"#)
        == "GET nil / 0 2026-06-01/nil nil nil 1")
    #expect(
      Self.read(#"{"target":"/","status":0,"count":1,"first":"a","last":"b"}"#)
        == "GET nil / 0 a/b nil nil 1")
    // Times on another day than the row's are ignored.
    let row = #"{"target":"/","status":0,"count":1,"day":"2026-06-01","#
    #expect(
      Self.read(row + #""first":"2026-06-01T10:00:00Z","last":"2026-06-01T11:00:00Z"}"#)
        == "GET nil / 0 2026-06-01T10:00:00Z/2026-06-01T11:00:00Z nil nil 1")
    #expect(
      Self.read(row + #""first":"2026-05-31T23:00:00Z","last":"2026-05-31T23:10:00Z"}"#)
        == "GET nil / 0 2026-06-01/nil nil nil 1")
  }

  @Test(arguments: [
    ("{}", RejectionReason.noRequest), (#"{"target":"/","status":200}"#, .noCount),
    (#"{"target":"/","status":200,"count":0}"#, .noCount),
    (#"{"target":"/","status":200,"count":-1}"#, .noCount),
    (#"{"target":"/","status":200,"count":1.0}"#, .noCount),
    (#"{"target":"/","status":200,"count":"x"}"#, .noCount),
    (#"{"target":"/","status":200,"count":17592186044417}"#, .noCount),
    (#"{"target":"/","status":200,"count":99999999999999999999}"#, .noCount),
    (#"{"target":"/","count":1}"#, .noStatus),
    (#"{"target":"/","status":1000,"count":1}"#, .noStatus),
    (#"{"target":"-","status":200,"count":1}"#, .noTarget),
    (#"{"target":"/","status":200,"count":1,"method":"a b"}"#, .noTarget),
    (#"{"target":"/","status":200,"count":1"#, .noFields), ("/,200,1", .noFields), ("", .emptyLine),
    ("x,y", .noFields),
  ])
  func rowsThatAreNoRequestsAreRejected(row: String, reason: RejectionReason) {
    #expect(Self.read(row) == reason.rawValue)
  }

  @Test(arguments: [
    ("/,200", RejectionReason.noFields), ("/,200,1,x", .noFields), ("/,200,", .noCount),
    ("/,200,\"1", .noCount), (",200,1", .noTarget), (",,", .noRequest), ("/,2x0,1", .noStatus),
    ("target,status,count", .heading), ("", .emptyLine),
  ])
  func rowsOfColumnsThatAreNoRequestsAreRejected(row: String, reason: RejectionReason) {
    #expect(Self.read("target,status,count", row) == reason.rawValue)
  }

  @Test func countsUpToTheLimitAreRead() {
    #expect(
      Self.read(#"{"target":"/","status":200,"count":17592186044416}"#)
        == "GET nil / 200 nil/nil nil nil 17592186044416")
  }
}
