import TestSupport
import Testing

@testable import AccessLogs

@Suite struct FormatStringTests {
  @Test(arguments: FormatExample.definitions)
  func reads(example: FormatExample) throws {
    let format = try LogFormat(definition: String(example.heading.dropLast()))
    try LogFormatTests.expect(example, in: example.line, format, hasItsTime: true)
  }

  @Test(
    arguments: [
      ("$remote_addr $requst $status", "$requst", "did you mean '$request'?"),
      ("$request $status $my_own", "$my_own", "if it is your own variable"),
      ("$request$status", "$status", "configure the server to write a space"),
      ("$remote_addr $status", "$remote_addr $status", "linkaudit needs the target and the status"),
      ("$request", "$request", "linkaudit needs the target and the status"),
      ("log_format x escape=yes '$request $status'", "escape=yes", "nginx supports"),
      ("%h %Q %r %s", "%Q", "run 'linkaudit formats'"),
      ("%r %s %{Referrer}i", "%{Referrer}i", "did you mean '%{Referer}i'?"),
      ("%r %s %{UserAgent}i", "%{UserAgent}i", "did you mean '%{User-Agent}i'?"),
      ("%r %s %{%Y-%J}t", "%{%Y-%J}t", "use %Y"), ("%r %s %{x", "%{x", "run"),
      ("#Fields: date cs-uri", "#Fields: date cs-uri", "add 'sc-status'"), ("%r %s %", "%", "run"),
    ])
  func unknownPartsAreNamed(definition: String, part: String, remedy: String) throws {
    let error = try #require(throws: FormatStringError.self) {
      _ = try LogFormat(definition: definition)
    }
    let bytes = Array(error.text.utf8)
    #expect(String(decoding: bytes[error.range], as: UTF8.self) == part)
    #expect(error.remedy.hasPrefix(remedy))
    let excerpt = error.excerpt()
    let offset = excerpt.carets.prefix { $0 == " " }.count
    #expect(excerpt.line.dropFirst(offset).hasPrefix(part))
  }
}
