import Foundation
import TestSupport
import Testing

@testable import FileDelivery

/// Dates, hashes, and base URLs.
@Suite struct ValueTests {
  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
    ("Mon, 01 Mar 1999 00:00:00 GMT", 920_246_400),
    ("Fri, 31 Dec 1601 00:00:00 GMT", -11_613_024_000),
  ])
  func datesAreRead(text: String, seconds: Int) {
    #expect(HTTPDate(text)?.seconds == seconds)
  }

  @Test(arguments: [
    "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37",
    "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 00 Nov 1994 00:00:00 GMT",
    "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
  ])
  func otherDatesAreNone(text: String) {
    #expect(HTTPDate(text) == nil)
  }

  /// The output agrees with Foundation's.
  @Test func datesAreWritten() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<1_000 {
      let seconds = Int.random(in: -10_000_000_000...200_000_000_000, using: &generator)
      let expected = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
      #expect(HTTPDate(seconds: seconds).description == expected, "seed \(seed)")
    }
  }

  @Test(arguments: [
    ("https://127.0.0.1:8443", "https://127.0.0.1:8443/x"),
    ("HTTP://LocalHost/", "http://localhost/x"),
    ("https://[::1]:443/A/b/", "https://[::1]/A/b/x"),
    ("http://a-b.example:80", "http://a-b.example/x"),
  ])
  func baseURLsAreRead(text: String, url: String) {
    #expect(BaseURL(text)?.url(of: "/x") == url)
  }

  @Test(arguments: [
    "", "127.0.0.1", "ftp://x", "https://", "https://:1", "https://x:0", "https://x:65536",
    "https://x:y", "https://x:", "https://u@x", "https://x?q", "https://x/#f", "https://x/a b",
    "https://[x]", "https://[::1", "https://[::1]x", "https://[1.2]", "https://x:+1", "https://é/",
  ])
  func otherBaseURLsAreNone(text: String) {
    #expect(BaseURL(text) == nil)
  }
}
