import TestSupport
import Testing

@testable import TrafficDigest

/// Digests of earlier versions, with less information about fetches, still open.
@Suite struct OlderDigestTests {
  /// A summary of an earlier version.
  static func older(_ value: NamedValue) -> NamedValue {
    switch value {
    case .number, .text: value
    case .list(let elements): .list(elements.map(older))
    case .members(let members):
      .members(
        members.filter { member in
          if ["otherFetches", "smallest", "largest"].contains(member.name) { return false }
          // Spans of time have a beginning, too.
          return member.name != "first" || value["fetcher"] == nil
        }.map { NamedValue.Member(name: $0.name, value: older($0.value)) })
    }
  }

  private static func line(_ second: Int, _ agent: String) -> String {
    "192.0.2.1 - - [01/Jun/2026:10:00:0\(second) +0200] \"GET "
      + "\(TrafficDigest.Fetch.wellKnownPath) HTTP/1.1\" 200 \(second) \"-\" \"\(agent)\""
  }

  @Test func theFirstTimeIsUnknown() throws {
    let bot = "AASA-Bot/1.0.0"
    let one = try ReductionTests.reduce([[Self.line(3, bot), Self.line(1, "curl/8")]]).summary
    let two = try ReductionTests.reduce([[Self.line(2, bot), Self.line(5, bot)]]).summary
    func reread(_ summary: DigestSummary, isOlder: Bool) throws -> DigestSummary {
      let value = summary.value(days: [])
      return try DigestSummary.read(isOlder ? Self.older(value) : value).summary
    }
    #expect(try reread(one, isOlder: false).dailyFetches == one.dailyFetches)

    // With one request, the last time is the first.
    let olderOne = try reread(one, isOlder: true)
    #expect(olderOne.fetches.map(\.fetcher) == [.cdn])
    #expect(olderOne.fetches.first?.first == one.fetches.first?.last)
    #expect(olderOne.fetches.first?.sizes == nil)
    let olderTwo = try reread(two, isOlder: true)
    #expect(olderTwo.fetches.map(\.requests) == [2])
    #expect(olderTwo.fetches.first?.first == nil && olderTwo.fetches.first?.last != nil)

    // It stays so after merging digests that have it, in any order.
    for parts in [[one, olderTwo], [olderTwo, one]] {
      let sum = try reread(DigestSummary(adding: parts), isOlder: false)
      let fetch = try #require(sum.fetches.first)
      #expect(fetch.requests == 3 && fetch.first == nil && fetch.sizes == 3...3)
      #expect(fetch.last == two.fetches.first?.last)
      #expect(sum.fetches.map(\.fetcher) == [.cdn, .other])
    }
  }

  /// An earlier version skips unknown values, and finds all that it knows.
  @Test func earlierVersionsIgnoreNewMembers() throws {
    let digest = try ReductionTests.reduce([[Self.line(3, "AASA-Bot/1.0.0"), Self.line(1, "-")]])
    let value = digest.summary.value(days: [])
    let known = try value.elements("fetches").flatMap { day in try day.elements("counts") }
    #expect(try known.map { try $0.requiredText("fetcher") } == ["AASA-Bot"])
  }
}
