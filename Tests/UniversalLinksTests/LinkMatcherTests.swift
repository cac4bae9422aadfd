import TestSupport
import Testing

@testable import UniversalLinks

@Suite struct LinkMatcherTests {
  @Test func aURLCanBeUsedAgain() throws {
    let file = try AssociationFile(
      #"""
      {"applinks": {"details": [{"appID": "A1B2C3D4E5.com.example.app", "components": [
        {"/": "/é/*", "percentEncoded": false}, {"/": "/A/*", "caseSensitive": false},
        {"?": {"a": "1"}}]}]}}
      """#)
    let matcher = LinkMatcher(file)
    var (url, evaluation) = (LinkURL(), Evaluation())
    var rules: [Int?] = []
    for target in ["/%C3%A9/", "/x?a=1", "/a/", "/x?a=2", "/x", "/%c3%a9", "/A"] {
      url.setTarget(Array(target.utf8).span)
      matcher.evaluate(&url, into: &evaluation)
      rules.append(matcher.decisions(of: evaluation).first?.rule?.position)
    }
    // Without an item `a`, its pattern is compared with the empty text.
    #expect(rules == [0, 2, 1, nil, nil, 0, 1])
  }

  private static let forms = """
    {"applinks": {"details": {"A1B2C3D4E5.com.example.app": {"paths": ["NOT /a/*", "/*"]},
      "A1B2C3D4E5.com.example.whole": {}}}}
    """

  @Test func rulesGoByTheirIdentities() throws {
    let file = try AssociationFile(Self.forms)
    for system in OperatingSystem.allCases {
      let matcher = LinkMatcher(file.asRead(by: system))
      let entry = AssociationFile.EntryID.key("A1B2C3D4E5.com.example.app")
      let rules = [0, 1].map { RuleID(entry: entry, list: .paths, position: $0) }
      let whole = RuleID(entry: .key("A1B2C3D4E5.com.example.whole"), list: .paths, position: nil)
      #expect(matcher.ruleIDs == rules + [whole])
      #expect(rules.map { matcher.definition(of: $0)?.source } == ["NOT /a/*", "/*"])
      #expect(matcher.definition(of: whole) == nil)

      let decisions = matcher.decisions(for: "https://example.com/a/b")
      #expect(decisions.map(\.rule) == [rules[0], whole])
      #expect(decisions.map(\.verdict) == [.excluded, .claimed])
      #expect(matcher.verdict(for: "https://example.com/a/b") == .claimed)
      #expect(matcher.verdict(for: "https://other.example/a/b", host: "example.com") == .ineligible)

      var (url, evaluation) = (LinkURL("https://example.com/a/b"), Evaluation())
      matcher.evaluate(&url, into: &evaluation)
      #expect(matcher.matches(of: evaluation) == rules + [whole])
    }
  }

  /// Values that contradict each other are accepted, because they come from outside.
  @Test func foreignValuesDoNoHarm() throws {
    let file = try AssociationFile(Self.forms)
    let matcher = LinkMatcher(file)
    let empty = LinkMatcher(AssociationFile(entries: []))
    #expect(Evaluation().siteVerdict == .ineligible)
    #expect(matcher.decisions(of: Evaluation()).map(\.rule) == [nil, nil])
    #expect(matcher.matches(of: Evaluation()) == [])

    var (url, evaluation) = (LinkURL("https://example.com/a/b"), Evaluation())
    matcher.evaluate(&url, into: &evaluation)
    #expect(empty.decisions(of: evaluation) == [])
    #expect(empty.matches(of: evaluation) == [])
    for text in ["", "x", "https://", "https://localhost/a", "ftp://example.com/"] {
      #expect(matcher.verdict(for: text) == .ineligible)
      #expect(matcher.decisions(for: text).map(\.rule) == [nil, nil])
      for rule in matcher.ruleIDs { _ = matcher.explanation(of: rule, for: LinkURL(text)) }
    }
    url = LinkURL("https://example.com/a/b")
    let known = try #require(matcher.ruleIDs.first)
    for position in [nil, -1, 2, .max, .min] as [Int?] {
      let rule = RuleID(entry: known.entry, list: .paths, position: position)
      #expect(matcher.definition(of: rule) == nil)
      #expect(matcher.explanation(of: rule, for: url) == nil)
    }
    for entry in [.apps, .index(0), .index(-1), .key("")] as [AssociationFile.EntryID] {
      #expect(matcher.definition(of: RuleID(entry: entry, list: .paths, position: 0)) == nil)
    }
    url.setTarget([UInt8]().span)
    matcher.evaluate(&url, into: &evaluation)
    // An eligible URL leaves no state.
    url = LinkURL("x")
    matcher.evaluate(&url, into: &evaluation)
    #expect(evaluation.siteVerdict == .ineligible)
    #expect(matcher.matches(of: evaluation) == [])
  }

  /// Files that were not decoded can have values that no text has.
  @Test func madeUpFilesDoNoHarm() {
    let app = ApplicationIdentifier("a.b")
    let file = AssociationFile(
      entries: [
        AssociationFile.Entry(
          id: .index(0), position: -1, appIDs: [app, app], components: [], relativeOrder: .min),
        AssociationFile.Entry(
          id: .index(0), position: -1, appIDs: [ApplicationIdentifier("")],
          legacyAppID: app, components: [RuleDefinition(path: "", query: .items([]))],
          paths: [RuleDefinition(fragment: "\0")], relativeOrder: .max),
      ],
      substitutionVariables: [
        SubstitutionVariable(name: "x", values: ["$(x)"]),
        SubstitutionVariable(name: "x", values: []),
      ])
    for system in OperatingSystem.allCases {
      let matcher = LinkMatcher(file.asRead(by: system))
      _ = matcher.decisions(for: "https://example.com/")
      for host in ["example.com", "", "localhost", "a b/\u{0}", "*.example.com"] {
        let reachability = file.asRead(by: system).reachability(host: host)
        #expect(reachability.rules.map(\.id) == matcher.ruleIDs)
        let read = file.asRead(by: system)
        #expect(read.changes(to: read, host: host).isEmpty)
      }
    }
  }
}

@Suite struct LinkURLTests {
  /// A host stands for itself, and one behind an asterisk for all below it.
  @Test(arguments: [
    ("shop.example.com", "shop.example.com", true), ("SHOP.example.com", "Shop.Example.com", true),
    ("shop.example.com", "example.com", false), ("shop.example.com", "*.example.com", true),
    ("a.shop.Example.com", "*.EXAMPLE.com", true), ("example.com", "*.example.com", false),
    ("badexample.com", "*.example.com", false),
    // Browsers read the backslash as a slash, so the host is the one before it.
    ("evil.example\\.example.com", "*.example.com", false),
  ])
  func hosts(named: String, host: String, isOfHost: Bool) {
    let expected: LinkURL.Ineligibility? = isOfHost ? nil : .otherHost
    #expect(LinkURL("https://\(named)/a", host: host).ineligibility == expected)
  }

  /// A host with letters beyond ASCII is the same host as its Punycode (RFC 3492, 7.1).
  @Test(arguments: [
    ("bücher.example", "xn--bcher-kva.example"), ("MONTRÉAL.example", "xn--montral-fya.example"),
    ("www.faß.example", "www.xn--fa-hia.example"),
    ("ليهمابتكلموشعربي؟.example", "xn--egbpdaj6bu4bxfgehfvwxn.example"),
    ("他们为什么不说中文.example", "xn--ihqwcrb4cv8a8dqg056pqjye.example"),
    ("パフィーdeルンバ.example", "xn--de-jg4avhby1noc0d.example"),
  ])
  func hostsAreComparedInPunycode(_ host: String, _ punycode: String) {
    #expect(LinkURL("https://\(host)/buy", host: punycode).ineligibility == nil)
    #expect(LinkURL("https://a\(host)/buy", host: punycode).ineligibility == .otherHost)
  }
}

extension LinkMatcher {
  var ruleIDs: [RuleID] { ruleLists.flatMap { list in list.rules.map { list.id(ofRule: $0) } } }

  /// Returns the rules that match the URL of an evaluation by this matcher, in file order.
  ///
  /// It includes rules after the one that decides.
  func matches(of evaluation: Evaluation) -> [RuleID] {
    evaluation.matches.filter { ruleLists.indices.contains($0.ruleList) }
      .sorted { $0.rule < $1.rule }.map { ruleLists[$0.ruleList].id(ofRule: $0.rule) }
  }
}
