import Foundation
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

/// One case of the matching conformance suite: a file, a URL, and the result of Apple's systems.
struct MatchVector: CustomTestStringConvertible, Sendable {
  var id: String
  var host: String
  var file: [UInt8]
  var url: String
  var system: OperatingSystem
  var expected: Verdict
  var apps: [String: Verdict]?
  var detail: AssociationFile.EntryID?
  var rule: Int?
  var namesRule: Bool

  var testDescription: String { id }
}

extension MatchVector {
  static let shared = ["recorded", "derived"].flatMap { name in
    (try? load(URL(filePath: "\(TestRun.sharedFolder)/vectors/\(name).jsonl"))) ?? []
  }

  static func bundled() throws -> [MatchVector] {
    let folder = try #require(Bundle.module.resourceURL).appendingPathComponent("Vectors")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".jsonl") }
      .flatMap { try load(folder.appendingPathComponent($0)) }
  }

  private static func load(_ url: URL) throws -> [MatchVector] {
    try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")).map { try vector(Array($0)) }
  }

  /// Reads a line; the association file keeps its bytes, and so its order.
  private static func vector(_ line: [UInt8]) throws -> MatchVector {
    let object = try #require(try JSONParser.parse(line).object)
    let file = try #require(object["aasa"])
    let detail: AssociationFile.EntryID? =
      switch object["detail"]?.content {
      case .number(let index): .index(Int(index))
      case .string(let key): .key(key)
      default: nil
      }
    let rule: Int? = if case .number(let rule) = object["rule"]?.content { Int(rule) } else { nil }
    return MatchVector(
      id: try #require(object["id"]?.string), host: try #require(object["host"]?.string),
      file: Array(line[file.range]), url: try #require(object["url"]?.string),
      system: try #require(object["os"]?.string.flatMap(OperatingSystem.init)),
      expected: verdict(object["expected"]),
      apps: object["apps"]?.object.map { apps in
        Dictionary(uniqueKeysWithValues: apps.members.map { ($0.name, verdict($0.value)) })
      },
      detail: detail, rule: rule, namesRule: object["rule"] != nil)
  }

  private static func verdict(_ value: JSONValue?) -> Verdict {
    ["match": Verdict.claimed, "exclude": .excluded][value?.string ?? ""] ?? .unclaimed
  }
}
