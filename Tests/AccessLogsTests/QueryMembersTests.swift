import Testing

@testable import AccessLogs

/// Queries that programs log as objects of JSON.
@Suite struct QueryMembersTests {
  @Test(arguments: [
    (#"{"id":"7"}"#, "/a?id=7"), (#"{ "id" : 7, "ok" : true }"#, "/a?id=7&ok=true"),
    (#"{"tag":["a","b"],"flag":null,"empty":""}"#, "/a?tag=a&tag=b&flag&empty="),
    (#"{"a":{"b":{"c":"1"}},"d":[{"e":2}]}"#, "/a?a[b][c]=1&d[e]=2"),
    // Bytes that would end an item, or the target, are encoded again, and encoded ones are kept.
    (
      ##"{"q":"a b&c=d#\u00fc\"\\","+":"%","%41":"%2F"}"##,
      "/a?q=a%20b%26c%3Dd%23%C3%BC%22%5C&%2B=%25&%41=%2F"
    ),
    ("{}", "/a"), ("{ }", "/a"), ("null", "/a"), (#""id=7""#, "/a?id=7"), ("[]", "/a"),
  ])
  func membersAreItems(query: String, target: String) throws {
    for name in ["query", "request.query", "queryStringParameters"] {
      let keys = name.split(separator: ".")
      let object = keys.reversed().reduce(query) { #"{"\#($1)":\#($0)}"# }.dropFirst().dropLast()
      let line = #"{"method":"GET","path":"/a",\#(object),"status":200}"#
      // The second line has the shape of the first one.
      var parser = LogParser(.nginxJSON)
      for _ in 0..<2 {
        parser.reset()
        guard case .request(let record) = parser.parse(Array(line.utf8).span) else {
          Issue.record("\(line)")
          return
        }
        var read: [UInt8] = []
        LogEscapes.append(undoing: parser.text.span.extracting(record.target), to: &read)
        #expect(String(decoding: read, as: UTF8.self) == target)
      }
    }
  }

  /// Damaged objects are read to their end.
  @Test(arguments: [
    #"{"id":}"#, #"{"id"}"#, #"{id:7}"#, "{:::::}", #"{"a":[}]}"#, #"{"a":{"b":}}"#, "{,,,,,}",
    #"{"a" "b"}"#, #"{"a":7 8}"#,
  ])
  func damageIsHarmless(query: String) {
    let line = #"{"path":"/a","query":\#(query),"status":200}"#
    var parser = LogParser(.nginxJSON)
    _ = parser.parse(Array(line.utf8).span)
  }

  /// A target with a query of its own keeps it.
  @Test func targetsKeepTheirQueries() throws {
    let line =
      #"{"req":{"url":"/a?b=1","method":"GET","query":{"b":"1"}},"res":{"statusCode":200}}"#
    let (record, text) = try LogFormatTests.request(.pino, line)
    #expect(LogFormatTests.field(record.target, text) == "/a?b=1")
  }
}
