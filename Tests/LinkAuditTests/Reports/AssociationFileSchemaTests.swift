import TestSupport
import Testing
import UniversalLinks

@testable import Reporting

/// The JSON Schema of association files detects the same mistakes in names and types as lint, and
/// no others.
@Suite(Checkers.needsPython) struct AssociationFileSchemaTests {
  private static let name = "apple-app-site-association"

  private static let codes: Set = [
    "misspelt-key", "misplaced-key", "pattern-as-key", "unknown-key", "wrong-type",
    "boolean-as-text", "query-value-type",
  ]

  private static func mistakes(_ text: String) -> [String] {
    AssociationFile.lint(Array(text.utf8), options: LintOptions()).diagnostics.map(\.code)
      .filter { codes.contains($0) }
  }

  /// `RECORD_DOCUMENTATION=1 swift test` rewrites the file.
  @Test func definitionsOfFilesAreCurrent() throws {
    let schema = String(decoding: try FileLevel.schema(), as: UTF8.self)
    try expectDocument(schema, at: "Schemas/\(Self.name).schema.json")
    #expect(try Command.run("linkaudit lint --schema").stdout == schema)
  }

  @Test(arguments: [
    #"""
    {"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.app", "ABCDE12345.com.example.app2"],
      "components": [
        {"#": "no_universal_links", "exclude": true, "comment": "Matches any URL with a fragment."},
        {"/": "/buy/*", "comment": "Matches any URL with a path that starts with /buy/."},
        {"/": "/help/website/*", "exclude": true, "comment": "Matches any URL below it."},
        {"/": "/help/*", "?": {"articleNumber": "????"}, "comment": "Has a query item."}]}]},
     "webcredentials": {"apps": ["ABCDE12345.com.example.app"]},
     "appclips": {"apps": ["ABCDE12345.com.example.MyApp.Clip"]}}
    """#,
    #"""
    {"applinks": {"apps": [], "details": [
      {"appID": "A1B2C3D4E5.com.example.tea", "paths": ["/wwdc/news/", "/videos/wwdc/2015/*"]},
      {"appID": "ABCD1234.com.example.tea", "paths": ["NOT /a", "*"]}]}}
    """#,
    #"""
    {"applinks": {"substitutionVariables": {"food": ["burrito", "pizza"], "other": "sushi"},
      "defaults": {"percentEncoded": false, "caseSensitive": false},
      "details": {"ABCD1234.com.example.app": {"paths": ["/$(food)/*"]}}}}
    """#,
  ])
  func filesOfApplesDocumentsFit(text: String) throws {
    let folder = try TemporaryFolder(["file.json": text])
    #expect(try Checkers.complaints(about: folder.path + "/file.json", schema: Self.name) == "")
    #expect(Self.mistakes(text).isEmpty)
  }

  @Test func schemaAndLintAgree() throws {
    var generator = RandomFile()
    let files = (0..<2_000).map { _ in generator.file() }
    let folder = try TemporaryFolder()
    let path = try folder.write(files.joined(separator: "\n").utf8, to: "files.jsonl")
    let complaints = try Checkers.complaints(about: path, schema: Self.name, byLine: true)
    let rejected = Set(complaints.matches(of: /files\.jsonl:([0-9]+):/).compactMap { Int($0.1) })
    for (index, file) in files.enumerated() {
      let mistakes = Self.mistakes(file)
      #expect(mistakes.isEmpty != rejected.contains(index + 1), "\(mistakes) \(file)")
    }
    #expect((files.count / 10..<files.count * 9 / 10).contains(rejected.count), "\(rejected.count)")
  }
}

/// Association files with random members, most of them correct.
private struct RandomFile {
  private var generator = SeededGenerator()
  private var apps = 0

  private mutating func one(_ texts: String...) -> String { generator.pick(texts) }

  mutating func file() -> String {
    apps = 0
    return object([
      ("applinks", 95, { $0.links() }), ("webcredentials", 20, { $0.service() }),
      ("appclips", 10, { $0.service() }), ("activitycontinuation", 10, { $0.service() }),
    ])
  }

  private mutating func links() -> String {
    object([
      (
        "details", 95,
        { file in
          file.generator.chance(80)
            ? file.list { $0.entry(isKeyed: false) }
            : "{\"A1B2C3D4E5.a\":" + file.element { $0.entry(isKeyed: true) } + "}"
        }
      ), ("apps", 10, { _ in "[]" }), ("defaults", 20, { $0.rule() }),
      (
        "substitutionVariables", 20,
        { $0.one(#"{"a":["b","c"]}"#, #"{"a":"b"}"#, "{}", #"{"a":7}"#) }
      ),
    ])
  }

  private mutating func entry(isKeyed: Bool) -> String {
    apps += 1
    let app = "\"A1B2C3D4E5.app\(apps)\""
    let isOld = generator.chance(30)
    return object([
      (isOld ? "appID" : "appIDs", isKeyed ? 0 : 100, { _ in isOld ? app : "[\(app)]" }),
      (
        isOld ? "paths" : "components", 100,
        { $0.list { isOld ? $0.one("\"/a\"", "\"NOT /b/*\"") : $0.rule() } }
      ), ("defaults", 15, { $0.rule() }),
    ])
  }

  private mutating func rule() -> String {
    object([
      ("/", 90, { _ in "\"/buy/*\"" }),
      ("?", 20, { $0.one("\"a=?*\"", #"{"a":"?*"}"#, #"{"a":"b","c":"*"}"#, #"{"a":1}"#) }),
      ("#", 10, { _ in "\"top\"" }), ("exclude", 20, { $0.one("true", "false") }),
      ("caseSensitive", 10, { $0.one("true", "false") }),
      ("percentEncoded", 10, { $0.one("true", "false") }),
      ("requiredEntitlement", 3, { _ in "\"x\"" }),
    ])
  }

  private mutating func service() -> String {
    object([("apps", 95, { _ in "[\"A1B2C3D4E5.a\"]" })])
  }

  private mutating func list(_ value: (inout RandomFile) -> String) -> String {
    let count = Int.random(in: 1...3, using: &generator)
    return "[" + (0..<count).map { _ in element(value) }.joined(separator: ",") + "]"
  }

  private mutating func element(_ value: (inout RandomFile) -> String) -> String {
    generator.chance(2) ? one("null", "1", "true", "[]") : value(&self)
  }

  /// An object with members, each present with a probability in percent.
  private mutating func object(
    _ members: [(name: String, percent: Int, value: (inout RandomFile) -> String)]
  ) -> String {
    var parts: [String] = []
    for (name, percent, value) in members where generator.chance(percent) {
      let wrong = one("null", "1.5", "\"yes\"", "[1]", "true", "{\"z\":{}}")
      parts.append("\"\(name)\":\(generator.chance(2) ? wrong : value(&self))")
    }
    if generator.chance(20) {
      parts.append("\"\(one("comment", "Comment", "_comment", "$schema"))\":1")
    }
    if generator.chance(2) {
      let name = one(
        "exlude", "Exclude", "path", "/buy/*", "owner", "appIds", "detail", "casesensitive")
      parts.append("\"\(name)\":\"x\"")
    }
    return "{" + parts.joined(separator: ",") + "}"
  }
}
