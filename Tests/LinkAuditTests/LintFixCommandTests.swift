import Foundation
import TestSupport
import Testing

/// `linkaudit lint --fix` changes the file that it is told to, and only that one.
@Suite struct LintFixCommandTests {
  /// A file with a byte order mark, Windows' line ends and a comma too much.
  private static let broken =
    [0xEF, 0xBB, 0xBF]
    + Array(
      """
      {\r
        "applinks": {\r
          "details": [\r
            { "appIDs": ["7F2K9QX3LM.com.example.tea"], "components": [{ "/": "/tea/*" },] }\r
          ]\r
        }\r
      }\r\n
      """.utf8)

  private static let fixed = String(decoding: broken, as: UTF8.self)
    .replacingOccurrences(of: "},]", with: "}]")

  /// The link stays a link, and the file keeps its permissions, encoding and line ends.
  @Test func aLinkIsFollowed() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.broken, to: "file")
    let outcome = try folder.run("chmod 640 file; ln -s file link; linkaudit lint link --fix")
    #expect(outcome.status == 0, "\(outcome.stdout)")
    #expect(outcome.stderr == "linkaudit: 'link': 1 fix applied\n")
    #expect(
      try String(decoding: Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        == Self.fixed)
    let after = try folder.run("readlink link; stat -c %a file; linkaudit lint file --fix")
    #expect(after.stdout.hasPrefix("file\n640\n"))
    #expect(after.stdout.contains("byte-order-mark") && after.stdout.contains("  1 warning"))
    #expect(after.stderr == "")
  }

  /// Standard output has the file alone, so that the command fits between two others.
  @Test func aPipeHasTheFile() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Self.broken, to: "file")
    let outcome = try folder.run("linkaudit lint - --fix < file")
    #expect(outcome.status == 0)
    #expect(outcome.stdout == Self.fixed)
    #expect(outcome.stderr.contains("'-': 1 fix applied"))
    #expect(outcome.stderr.contains("  1 warning\n"))
    let elsewhere = try folder.run("linkaudit lint file --fix -o new && cmp file new")
    #expect(elsewhere.status == 1)
    #expect(try folder.run("cat new").stdout == Self.fixed)
  }

  /// Others' tools read the difference.
  @Test func aDifferenceApplies() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Self.broken, to: "file")
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
    let folder = try TemporaryFolder()
    let signed = Command.packageFolder.appendingPathComponent(
      "Tests/LinkAuditTests/Inputs/signed.p7")
    _ = try folder.write(Data(contentsOf: signed), to: "signed")
    let outcome = try folder.run("linkaudit lint signed --fix --fix-suggestions")
    #expect(outcome.status == 2 && outcome.stderr.contains("'signed' is signed"))
    #expect(try folder.run("cat signed").stdout == Command.run("cat \(signed.path)").stdout)
  }

  /// Editors apply the edits of JSON to the bytes of the file, from its very first one.
  @Test func offsetsAreThoseOfTheFile() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Self.broken, to: "file")
    let file = try JSONTree(folder.run("linkaudit lint file --format json").stdout)["files"]
      .elements
      .first
    let diagnostics = try #require(file?["diagnostics"].elements)
    let fixes = diagnostics.compactMap { $0["fixes"].elements.first }
    let fix = try #require(fixes.first { $0["applicability"].cell == "safe" })
    var bytes = Self.broken
    for edit in fix["edits"].elements.reversed() {
      let (start, end) = (try #require(edit["start"].number), try #require(edit["end"].number))
      bytes.replaceSubrange(start..<end, with: Array((edit["text"].cell ?? "").utf8))
    }
    #expect(String(decoding: bytes, as: UTF8.self) == Self.fixed)
  }
}
