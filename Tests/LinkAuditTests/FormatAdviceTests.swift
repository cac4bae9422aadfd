import Testing

@testable import LinkAuditCommand

/// What is said about files that hold the lines of a log in another form.
@Suite struct FormatAdviceTests {
  @Test(arguments: [
    ("@timestamp,@message", "CloudWatch Logs Insights"),
    ("time,message", "write the column 'message'"),
    ("_time,_raw", "Splunk"), (#""_raw","_time""#, "Splunk"), (#"{"result":{"_raw":1}}"#, "Splunk"),
    ("<results preview='0'>", "Splunk"), ("{", "jq -c . "), ("[", "jq -c '.[]' "),
    (#"[{"a": 1}]"#, "jq -c '.[]' "),
    ("\u{7F}ELF\u{1B}[1m\0", "binary file"),
    (#"{"a": "b"#, "not correct JSON"), (#"{"a": "b" c"}"#, "not correct JSON"),
    ("\u{1B}[31mx", "colors"), (#"{"x": 1, "y": {"z": 2}}"#, "x, y.z; name"),
    (#"{"x": 1}"#, "'--json-keys target=KEY,status=KEY'"),
    (
      #"{"params": {"path": "/", "status": 200, "host": "a", "user_agent": "b", "bytes": 5}}"#,
      "'--json-keys host=params.host,target=params.path,status=params.status,user-agent=params.user_agent'"
    ),
    (
      #"{"data": {"request_line": "GET / HTTP/1.1", "uri": "/", "http": {"status_code": 200}}}"#,
      "'--json-keys target=data.uri,status=data.http.status_code'"
    ),
  ])
  func advice(line: String, expected: String) {
    let advice = FormatAdvice.advice(onFirstLine: Array(line.utf8), path: "a b.log")
    #expect(advice?.contains(expected) == true, "\(advice ?? "none")")
  }

  @Test func nothingIsSaidAboutOtherText() {
    #expect(FormatAdvice.advice(onFirstLine: Array("some text".utf8), path: "a.log") == nil)
  }
}
