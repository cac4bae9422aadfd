import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

@testable import LinkAuditing

@Suite struct SuggestionRandomTests {
  struct Problem {
    var file: String
    var routes: String
    var visits: [(String, Int)]

    init(_ generator: inout SeededGenerator, visitCount: Int = 12) {
      func pick(_ choices: [String]) -> String { generator.pick(choices) }
      func count(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
      let rules = (0..<count(0...4)).map { _ in
        let path = pick(["/a/*", "/a/b", "/b/?*", "*/c", "/c/*", "/?*/b", "*", "/en/*"])
        return #"{"/":"\#(path)"\#(count(0...2) > 0 ? #","exclude":true"# : "")}"#
      }
      let defaults = count(0...3) == 0 ? #""defaults":{"caseSensitive":false},"# : ""
      file = SuggesterTests.file(rules, more: defaults)
      routes = (0..<count(1...4)).map { _ in
        (0..<count(1...3)).map { _ in "/" + pick(["a", "b", "c", ":x", ":n(\\d+)", "茶"]) }.joined()
          + pick(["", "", "", "?q", "/*"])
      }.joined(separator: "\n")
      visits = (0..<visitCount).map { _ in
        let path = (0..<count(1...3)).map { _ in
          "/" + pick(["a", "b", "c", "A", "7", "12", "en", "%E8%8C%B6"])
        }.joined()
        return (path + pick(["", "", "?q=1"]), count(1...5))
      }
    }

    func lines(ofTwoSystems isMixed: Bool = false) -> [String] {
      visits.enumerated().flatMap { index, visit in
        let agent = isMixed && index % 3 == 0 ? CoverageTests.oldAgent : CoverageTests.agent
        return CoverageTests.get(visit.0, 200, agent: agent, visit.1)
      }
    }

    /// A file with two apps, where rules can go into either list, and visits from old systems.
    mutating func vary(_ generator: inout SeededGenerator) {
      func pick(_ choices: [String]) -> String { generator.pick(choices) }
      let own = pick([
        #""appIDs":["T.a"],"components":[{"/":"/a/b"},{"/":"/a/*","exclude":true}]"#,
        #""appIDs":["T.a"],"appID":"T.a","paths":["/c"],"components":[]"#,
        #""appID":"T.a","paths":["NOT /b/*","/a/b"]"#, #""appID":"T.a","paths":["/a/b","NOT *"]"#,
        #""appIDs":["T.a"],"paths":[]"#,
      ])
      let entries = [
        "{\(own)\(pick(["", #","defaults":{"caseSensitive":false}"#, #","defaults":{"exclude":true}"#]))}",
        "{\(pick([#""appIDs":["T.b"],"components":[{"/":"/b/*"}]"#, #""appID":"T.b","paths":["*/c"]"#]))}",
      ].shuffled(using: &generator)
      file = "{\"applinks\":{\"details\":[\(entries.joined(separator: ","))]}}"
    }
  }

  @Test func figuresOfSeveralAppsAreThoseOfAComparison() throws {
    var generator = SeededGenerator()
    for _ in 0..<80 {
      var problem = Problem(&generator)
      problem.vary(&generator)
      let digest = try AuditTests.digest(problem.lines(ofTwoSystems: true))
      var options = SuggestionOptions()
      options.includesExcluded = Bool.random(using: &generator)
      options.tolerance = Bool.random(using: &generator) ? 5_000 : 0
      let suggester = try SuggesterTests.suggester(
        problem.file, routes: problem.routes, app: "T.a", options: options)
      let found = try suggester.suggest(digest)
      try SuggesterTests.holds(found, problem.file, problem.routes, digest)
      #expect(found.rules.allSatisfy { $0.excludes || $0.won.visits > 0 }, "\(problem)")
    }
  }

  /// The figures are those of a comparison, each rule is worth its line, and nothing else is
  /// caught.
  @Test func figuresAreThoseOfAComparison() throws {
    var generator = SeededGenerator()
    for _ in 0..<60 {
      let problem = Problem(&generator)
      let digest = try AuditTests.digest(problem.lines())
      var options = SuggestionOptions()
      options.includesExcluded = Bool.random(using: &generator)
      options.top = Bool.random(using: &generator) ? 2 : nil
      options.leastShare = Int.random(in: 0...500, using: &generator)
      let found = try SuggesterTests.suggester(
        problem.file, routes: problem.routes, options: options
      ).suggest(digest)
      try SuggesterTests.holds(found, problem.file, problem.routes, digest)
      #expect(found.besides.visits == 0, "\(problem)")
      #expect(found.rules.count <= options.top ?? .max, "\(problem)")
      for rule in found.rules where !rule.excludes {
        #expect(rule.won.visits > 0, "\(problem)")
      }
      let rest = found.remaining.filter { remaining in
        switch remaining.reason {
        case .excluded, .oldSystems, .everyPath: false
        case .light, .besides, .top, .noRule, .unmatched, .excludedByDefault: true
        }
      }.sum(\.traffic)
      #expect(found.won + rest == found.wanted, "\(problem)")
    }
  }

  /// Seldom is another choice of the tried rules better.
  ///
  /// Each choice is put into the file, which is compared with the old one.
  @Test func agreesWithTryingAllFiles() throws {
    var generator = SeededGenerator()
    var (tried, reached) = (0, 0)
    for _ in 0..<200 where tried < 12 {
      let problem = Problem(&generator, visitCount: 6)
      let digest = try AuditTests.digest(problem.lines())
      var options = SuggestionOptions()
      options.leastShare = 300
      options.includesExcluded = Bool.random(using: &generator)
      let suggester = try SuggesterTests.suggester(
        problem.file, routes: problem.routes, options: options)
      let candidates = try suggester.candidates(digest)
      let single = candidates.candidates.filter { $0.exclusion == nil }
      let hasEveryPath = RouteTable(parsing: problem.routes).routes.contains(where: \.hasEveryPath)
      guard (2...6).contains(single.count), !hasEveryPath else { continue }
      tried += 1
      let found = try suggester.suggest(digest)
      func compared(_ chosen: [RuleCandidate]) throws -> (won: Int, besides: Int) {
        let sorted = chosen.sorted { ($0.position, $0.claim) < ($1.position, $1.claim) }
        let content = suggester.content(with: candidates.insertions(of: sorted), of: candidates)
        var site = suggester.site.site
        site.file = try AssociationFile(decoding: content)
        let comparison = try Comparer(old: suggester.site.site, new: site).compare(digest)
        let besides = try #require(comparison.newlyClaimedWithoutRoute).visits
        return (comparison.newlyClaimed.visits - besides, besides)
      }
      let admitted = try single.filter { candidate in
        let outcome = try compared([candidate])
        return outcome.besides == 0 && outcome.won >= found.least
      }
      var best = 0
      for bits in 0..<(1 << admitted.count) {
        let chosen = admitted.indices.filter { bits >> $0 & 1 == 1 }.map { admitted[$0] }
        best = max(best, try compared(chosen).won - chosen.count * (found.least - 1))
      }
      // Exclusions before rules can only improve the result.
      let value = found.won.visits - found.rules.count * (found.least - 1)
      let hasPairs = found.rules.contains(where: \.excludes)
      #expect(hasPairs ? value >= best : value <= best, "\(problem)")
      if value >= best { reached += 1 }
    }
    #expect(tried > 3 && reached * 2 > tried, "\(reached) of \(tried)")
  }

  @Test(.enabled(if: RouteCorpusTests.isThere), arguments: RouteCorpusTests.lists)
  func realRoutesAreClaimed(list: String, paths: String) throws {
    var generator = SeededGenerator()
    let text = try RouteCorpusTests.read(list).text
    let table = RouteTable(parsing: text)
    var lines: [String] = []
    for route in table.routes {
      for path in route.paths.prefix(2) {
        let segments = path.map { element in
          switch element.matcher {
          case .literal(let text): String(decoding: text, as: UTF8.self)
          case .words(let words): String(decoding: words.first ?? [], as: UTF8.self)
          case .any, .digits, .number, .uuid, .glob:
            generator.pick(["1", "42", "en", "tea", "a-b"])
          }
        }
        let count = Int.random(in: 1...9, using: &generator)
        lines += CoverageTests.get("/" + segments.joined(separator: "/"), 200, count)
      }
    }
    lines += ["/api/cart", "/", "/static", "/x/y/z/w"].flatMap { CoverageTests.get($0, 200, 2) }
    let digest = try AuditTests.digest(lines)
    let file = SuggesterTests.file([])
    let found = try SuggesterTests.suggester(file, routes: text).suggest(digest)
    try SuggesterTests.holds(found, file, text, digest)
    #expect(found.besides.visits == 0)
    #expect(found.won.visits * 2 >= found.wanted.visits)
  }
}
