import Testing

@testable import AccessLogs

@Suite struct LogEscapesTests {
  @Test(arguments: [
    ("/plain", "/plain"), (#"/\"q\""#, #"/"q""#), (#"/a\\b"#, #"/a\b"#), (#"/\x22"#, "/\""),
    (#"/caf\xC3\xA9"#, "/café"), (#"/caf\xc3\xa9"#, "/café"), (#"/a\tb\nc\rd"#, "/a\tb\nc\rd"),
    (#"/a\qb"#, #"/a\qb"#), (#"/a\"#, #"/a\"#), (#"/a\x2"#, #"/a\x2"#), (#"/a\xZZ"#, #"/a\xZZ"#),
    (#"\\x22"#, #"\x22"#),
  ])
  func undone(field: String, text: String) {
    var output: [UInt8] = []
    LogEscapes.append(undoing: Array(field.utf8).span, to: &output)
    #expect(String(decoding: output, as: UTF8.self) == text)
  }
}
