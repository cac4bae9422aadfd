import Testing
import UniversalLinks

@testable import Foundations
@testable import LinkAuditing

@Suite struct AssociationTextTests {
  static func inserted(_ list: String, _ insertions: [(Int, [String])]) throws -> String {
    let head = "{ \"applinks\" : {\"details\":[{}, {\"appID\":\"T.a\",\"paths\":"
    let text = try AssociationText(Array((head + list + "}]}}\n").utf8))
    let output = text.inserting(
      insertions.map { (position: $0.0, elements: $0.1) }, into: .paths, of: .index(1))
    let whole = String(decoding: output, as: UTF8.self)
    #expect(whole.hasPrefix(head) && whole.hasSuffix("}]}}\n"))
    return String(whole.dropFirst(head.count).dropLast(5))
  }

  @Test func elementsAreFormattedLikeOthers() throws {
    #expect(try Self.inserted("[]", [(0, ["1", "2"])]) == "[1, 2]")
    #expect(try Self.inserted("[ 5 ]", [(0, ["1"])]) == "[ 1, 5 ]")
    #expect(try Self.inserted("[5]", [(1, ["1", "2"])]) == "[5, 1, 2]")
    #expect(try Self.inserted("[5,6]", [(1, ["1", "2"]), (2, ["3"])]) == "[5,1,2,6,3]")
    #expect(try Self.inserted("[\r\n\t5\r\n]", [(1, ["1"])]) == "[\r\n\t5,\r\n\t1\r\n]")
    #expect(
      try Self.inserted("[\n  5,\n  \"]\"\n]", [(0, ["1"]), (2, ["2"])])
        == "[\n  1,\n  5,\n  \"]\",\n  2\n]")
  }

  @Test func entriesAreFoundByKeysToo() throws {
    let text = try AssociationText(
      Array(#"{"applinks":{"details":{"T.a":{"paths":["/a"]},"T.b":{"paths":["/a"]}}}}"#.utf8))
    let output = text.inserting(
      [(position: 0, elements: ["\"/b\""])], into: .paths, of: .key("T.b"))
    #expect(
      String(decoding: output, as: UTF8.self)
        == #"{"applinks":{"details":{"T.a":{"paths":["/a"]},"T.b":{"paths":["/b", "/a"]}}}}"#)
  }

  @Test func draftsAreReadAsTheyAreMeant() throws {
    var draft = ComponentDraft(path: "/a\"\\\u{1}茶/?*")
    draft.items = [ComponentDraft.Item(name: "q\"", pattern: "?*")]
    draft.isCaseSensitive = false
    let form = ComponentDraft.Form(list: .components, defaults: ["exclude", "#"])
    let file = try AssociationFile(
      decoding: Array(
        "{\"applinks\":{\"details\":[{\"appIDs\":[\"T.a\"],\"components\":[\(draft.json(form))]}]}}"
          .utf8))
    let rule = try #require(file.entries.first?.components?.first)
    #expect(rule.path == draft.path && !rule.excludes && !rule.isCaseSensitive)
    #expect(rule.fragment == "*" && rule.isPercentEncoded)
    #expect(rule.query == .items([RuleDefinition.Item]([]) + (rule.queryItems)))
  }
}

extension RuleDefinition {
  fileprivate var queryItems: [Item] {
    if case .items(let items)? = query, items.map(\.name) == ["q\""] { items } else { [] }
  }
}
