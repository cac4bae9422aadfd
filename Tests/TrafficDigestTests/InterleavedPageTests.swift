import AccessLogs
import Foundation
import TestSupport
import Testing

@testable import TrafficDigest

/// Text after a page in an interleaved line, or after an escape, is not part of the page.
@Suite struct InterleavedPageTests {
  private func templates(_ log: String) throws -> Set<String> {
    let folder = try TemporaryFolder()
    let path = try folder.write(log.utf8, to: "access.log")
    let digest = try TrafficDigest.reduce(
      [LogInput(path: path)], options: ReductionOptions(defaultHost: "www.example.com"))
    return Set(try digest.pageVisits().map { String(decoding: $0.page, as: UTF8.self) })
  }

  private static let agent =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    + "Version/18.5 Mobile/15E148 Safari/604.1"

  @Test func interleavedLines() throws {
    let line =
      "203.0.113.77 - planted-user [03/Jun/2026:10:00:00 +0000] \"GET /buy/1 HTTP/1.1\" 200 5 "
      + "\"https://www.example.com/from/tea\" \"\(Self.agent)\""
    for cut in 1..<line.utf8.count {
      let found = try templates(String(line.prefix(cut)) + line + "\n")
      #expect(
        !found.contains { $0.contains("planted") || $0.contains("203.0") }, "\(cut): \(found)")
    }
    #expect(try templates(line + "\n") == ["/from/tea"])
  }

  @Test(arguments: ["\\x3F", "\\x23", "?", "#"]) func escapedQueries(mark: String) throws {
    let line =
      "203.0.113.77 - - [03/Jun/2026:10:00:00 +0000] \"GET /buy/1 HTTP/1.1\" 200 5 "
      + "\"https://www.example.com/from/p\(mark)token=SECRET\" \"\(Self.agent)\"\n"
    #expect(try templates(line) == ["/from/p"])
  }
}
