import TestSupport
import Testing

@testable import AccessLogs
@testable import Foundations

@Suite struct RowLineTests {
  /// The fields of the last row in words, or the reason why it isn't a request.
  static func read(_ lines: String) -> String {
    var parser = LogParser(.rows)
    var outcome = "nothing"
    for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
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

  /// A row, perhaps after a heading.
  ///
  /// Names are those of programs, and ClickHouse writes numbers of 64 bits as text. Text has the
  /// log's escapes below those of CSV and JSON. Without the time of the first request, that of the
  /// last is ignored, and so are times on another day than the row's.
  @Test(
    arguments: rows(
      #"""
      {"count":3,"day":"2026-06-01","host":"www.example.com","method":"GET","target":"/a","status":200,"referrer":"https://x.example/","agent":"curl/8"}
        => GET www.example.com /a 200 2026-06-01/nil https://x.example/ curl/8 3
      {"Count":"3","date":"2026-06-01","HOST":"www.example.com","method":"GET","target":"\/a","status":"200","x":{"count":9},"referer":"https://x.example/","user-agent":"curl/8"}
        => GET www.example.com /a 200 2026-06-01/nil https://x.example/ curl/8 3
      count,day,other,host,method,target,status,referrer,agent⏎3,2026-06-01,,www.example.com,GET,/a,200,https://x.example/,curl/8
        => GET www.example.com /a 200 2026-06-01/nil https://x.example/ curl/8 3
      "Count","Day","Host","Method","Target","Status","Referer","User_Agent"⏎"3","2026-06-01","www.example.com","GET","/a","200","https://x.example/","curl/8"
        => GET www.example.com /a 200 2026-06-01/nil https://x.example/ curl/8 3
      {"target":"/a\\x22\\\"b\u00e9","status":200,"count":1,"agent":"a\\\\b %20 \tc"}
        => GET nil /a\x22\"bé 200 nil/nil nil a\\b %20 \#tc 1
      target,status,count,agent⏎"/a\x22\""b,",200,1,a\\b %20
        => GET nil /a\x22\"b, 200 nil/nil nil a\\b %20 1
      {"target":"/","status":200,"count":1,"host":"-","agent":"","referrer":null}
        => GET nil / 200 nil/nil nil nil 1
      target,status,count,host,agent,referrer⏎/,200,1,-,,"-" => GET nil / 200 nil/nil nil nil 1
      {"target":"/","status":0,"count":1,"day":"2026-06-01","last":"x"}
        => GET nil / 0 2026-06-01/nil nil nil 1
      {"target":"/","status":0,"count":1,"first":"a","last":"b"} => GET nil / 0 a/b nil nil 1
      {"target":"/","status":0,"count":1,"day":"2026-06-01","first":"2026-06-01T10:00:00Z","last":"2026-06-01T11:00:00Z"}
        => GET nil / 0 2026-06-01T10:00:00Z/2026-06-01T11:00:00Z nil nil 1
      {"target":"/","status":0,"count":1,"day":"2026-06-01","first":"2026-05-31T23:00:00Z","last":"2026-05-31T23:10:00Z"}
        => GET nil / 0 2026-06-01/nil nil nil 1
      {"target":"/","status":200,"count":17592186044416}
        => GET nil / 200 nil/nil nil nil 17592186044416
      {} => noRequest
      {"target":"/","status":200} => noCount
      {"target":"/","status":200,"count":0} => noCount
      {"target":"/","status":200,"count":-1} => noCount
      {"target":"/","status":200,"count":1.0} => noCount
      {"target":"/","status":200,"count":"x"} => noCount
      {"target":"/","status":200,"count":17592186044417} => noCount
      {"target":"/","status":200,"count":99999999999999999999} => noCount
      {"target":"/","count":1} => noStatus
      {"target":"/","status":1000,"count":1} => noStatus
      {"target":"-","status":200,"count":1} => noTarget
      {"target":"/","status":200,"count":1,"method":"a b"} => noTarget
      {"target":"/","status":200,"count":1 => noFields
      /,200,1 => noFields
      x,y => noFields
      target,status,count⏎/,200 => noFields
      target,status,count⏎/,200,1,x => noFields
      target,status,count⏎/,200, => noCount
      target,status,count⏎/,200,"1 => noCount
      target,status,count⏎,200,1 => noTarget
      target,status,count⏎,, => noRequest
      target,status,count⏎/,2x0,1 => noStatus
      target,status,count⏎target,status,count => heading
      target,status,count⏎ => emptyLine
      """#) + [("", "emptyLine")])
  func rowsAreReadOrRejected(lines: String, outcome: String) {
    #expect(Self.read(lines) == outcome)
  }
}
