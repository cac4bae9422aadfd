import TestSupport
import Testing

@testable import UniversalLinks

/// The vectors: each is one line of data, so a disagreement with Apple's systems is a new line, not
/// a new test.
@Suite struct ConformanceTests {
  @Test(arguments: try MatchVector.bundled())
  func bundled(_ vector: MatchVector) throws { try check(vector) }

  @Test(
    .enabled(
      if: !MatchVector.shared.isEmpty,
      "no folder 'shared/vectors' beside the package: recorded and derived vectors are not checked"),
    arguments: MatchVector.shared)
  func recordedAndDerived(_ vector: MatchVector) throws { try check(vector) }

  private func check(_ vector: MatchVector) throws {
    let file = try AssociationFile(decoding: vector.file)
    let matcher = LinkMatcher(file.asRead(by: vector.system))
    var (url, evaluation) = (LinkURL(vector.url, host: vector.host), Evaluation())
    matcher.evaluate(&url, into: &evaluation)
    let decisions = matcher.decisions(of: evaluation).filter {
      $0.verdict == .claimed || $0.verdict == .excluded
    }
    #expect(matcher.verdict(for: vector.url, host: vector.host) == evaluation.siteVerdict)
    let verdict = evaluation.siteVerdict == .ineligible ? .unclaimed : evaluation.siteVerdict
    #expect(verdict == vector.expected)
    if let apps = vector.apps {
      #expect(Dictionary(uniqueKeysWithValues: decisions.map { ($0.app.text, $0.verdict) }) == apps)
    }
    if vector.namesRule, let decision = decisions.first {
      #expect(decision.rule?.position == vector.rule)
      let app = try #require(matcher.apps.first { $0.identifier == decision.app })
      if let detail = vector.detail {
        #expect(matcher.ruleLists[app.ruleList].systemEntry == detail)
      }
    }
    var evaluations = [evaluation]
    try RuleExplanationTests.check(
      matcher, vector.url, host: vector.host, vector.id, using: &evaluations)
  }
}
