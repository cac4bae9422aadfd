import Foundation
import TestSupport
import Testing
import UniversalLinks

@Suite struct LintTests {
  /// SARIF 2.1.0 requires that rules are found by their index, and regions are in the text.
  @Test func sarifHoldsTogether() throws {
    let outcome = try Command.run("linkaudit lint SampleLogs/aasa-mistakes.json --format sarif")
    let log = try JSONTree(outcome.stdout)
    #expect(log["version"].cell == "2.1.0")
    let run = try #require(log["runs"].elements.first)
    #expect(run["columnKind"].cell == "unicodeCodePoints")
    let codes = run["tool"]["driver"]["rules"].elements.compactMap(\.["id"].cell)
    #expect(codes == DiagnosticCatalog.lint.kinds.map(\.code))
    let lines = try packageText("SampleLogs/aasa-mistakes.json")
      .split(separator: "\n", omittingEmptySubsequences: false)
    #expect(!run["results"].elements.isEmpty)
    for result in run["results"].elements {
      #expect(codes[try #require(result["ruleIndex"].number)] == result["ruleId"].cell)
      #expect(["error", "warning", "note"].contains(result["level"].cell))
      let place = result["locations"].elements.first?["physicalLocation"]
      #expect(place?["artifactLocation"]["uri"].cell == "SampleLogs/aasa-mistakes.json")
      let figures = try ["startLine", "startColumn", "endLine", "endColumn"].map {
        try #require(place?["region"][$0].number)
      }
      #expect((1...lines.count).contains(figures[0]))
      #expect((1...(lines[figures[2] - 1].unicodeScalars.count + 1)).contains(figures[3]))
      #expect((figures[0], figures[1]) <= (figures[2], figures[3]))
    }
  }

  @Test func formsAgree() throws {
    func text(_ format: String) throws -> String {
      try Command.run(
        "linkaudit lint SampleLogs/aasa-mistakes.json SampleLogs/aasa.json --format \(format)"
      ).stdout
    }
    let json = try JSONTree(text("json"))["files"].elements.flatMap(\.["diagnostics"].elements)
      .map { [$0["code"], $0["line"], $0["column"]].compactMap(\.cell) }
    #expect(json.count == 9)
    let sarif = try JSONTree(text("sarif"))["runs"].elements.flatMap(\.["results"].elements)
      .map { result in
        let region = result["locations"].elements.first?["physicalLocation"]["region"] ?? .null
        return [result["ruleId"], region["startLine"], region["startColumn"]].compactMap(\.cell)
      }
    #expect(sarif == json)
    let github = try text("github").matches(of: /line=([0-9]+),col=([0-9]+),.*?\(([a-z-]+)\)::/)
    #expect(github.map { [String($0.3), String($0.1), String($0.2)] } == json)
    let plain = try text("text").matches(of: /\n  ([0-9]+):([0-9]+)  [a-z]+ ([a-z-]+)\n/)
    #expect(plain.map { [String($0.3), String($0.1), String($0.2)] } == json)
    let markdown = try text("markdown").matches(of: /`([a-z-]+)` \| ([0-9]+):([0-9]+) \|/)
    #expect(markdown.map { [String($0.1), String($0.2), String($0.3)] } == json)
  }

  @Test func laterSystemsAreNamed() throws {
    let outcome = try Command.run("linkaudit lint SampleLogs/aasa.json --minimum-os 13")
    #expect(outcome.status == 0 && outcome.stdout.contains("needs iOS 13.5"))
  }
}

/// `linkaudit lint --fix` changes the file that it is told to, and only that one.
@Suite struct LintFixCommandTests {
  /// A file with a byte order mark, Windows' line ends and a comma too much.
  private static let broken = """
    \u{FEFF}{\r
      "applinks": {\r
        "details": [\r
          { "appIDs": ["7F2K9QX3LM.com.example.tea"], "components": [{ "/": "/tea/*" },] }\r
        ]\r
      }\r
    }\r\n
    """

  private let fixed = Self.broken.replacing("},]", with: "}]")

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(["file": Self.broken]) }

  /// The link stays a link, and the file keeps its permissions, encoding and line ends.
  @Test func aLinkIsFollowed() throws {
    let outcome = try folder.run("chmod 640 file; ln -s file link; linkaudit lint link --fix")
    #expect(outcome.status == 0, "\(outcome.stdout)")
    #expect(outcome.stderr == "linkaudit: 'link': 1 fix applied\n")
    #expect(try folder.text(of: "file") == fixed)
    let after = try folder.run("readlink link; stat -c %a file; linkaudit lint file --fix")
    #expect(after.stdout.hasPrefix("file\n640\n"))
    #expect(after.stdout.contains("byte-order-mark") && after.stdout.contains("  1 warning"))
    #expect(after.stderr == "")
  }

  /// Standard output has the file alone, so that the command fits between two others.
  @Test func aPipeHasTheFile() throws {
    let outcome = try folder.run("linkaudit lint - --fix < file")
    #expect(outcome.status == 0 && outcome.stdout == fixed)
    #expect(outcome.stderr.contains("'-': 1 fix applied"))
    #expect(outcome.stderr.contains("  1 warning\n"))
    let elsewhere = try folder.run("linkaudit lint file --fix -o new && cmp file new")
    #expect(try elsewhere.status == 1 && folder.text(of: "new") == fixed)
  }

  @Test func aDifferenceApplies() throws {
    let outcome = try folder.run(
      """
      linkaudit lint file --diff -o patch && linkaudit lint file --fix -o new
      git init -q . && git apply --whitespace=nowarn patch
      cmp file new
      """)
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
  }

  /// A change would break the signature.
  @Test func aSignedFileIsRefused() throws {
    let original = Command.packageFolder.path + "/Tests/LinkAuditTests/Inputs/signed.p7"
    let outcome = try folder.run(
      "cp \(original) signed && linkaudit lint signed --fix --fix-suggestions")
    #expect(outcome.status == 2 && outcome.stderr.contains("'signed' is signed"))
    #expect(try folder.run("cmp signed \(original)").status == 0)
  }

  /// Editors apply the edits of JSON to the bytes of the file, from its very first one.
  @Test func offsetsAreThoseOfTheFile() throws {
    let document = try JSONTree(folder.run("linkaudit lint file --format json").stdout)
    let file = try #require(document["files"].elements.first)
    let fixes = file["diagnostics"].elements.compactMap { $0["fixes"].elements.first }
    let fix = try #require(fixes.first { $0["applicability"].cell == "safe" })
    var bytes = Array(Self.broken.utf8)
    for edit in fix["edits"].elements.reversed() {
      let (start, end) = (try #require(edit["start"].number), try #require(edit["end"].number))
      bytes.replaceSubrange(start..<end, with: Array((edit["text"].cell ?? "").utf8))
    }
    #expect(String(decoding: bytes, as: UTF8.self) == fixed)
  }
}
