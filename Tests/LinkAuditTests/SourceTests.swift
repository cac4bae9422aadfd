import Foundation
import Testing

/// The statements of documents about the sources.
@Suite struct SourceTests {
  /// The files with the word outside comments.
  static func files(with word: String) throws -> Set<String> {
    let sources = Command.packageFolder.appendingPathComponent("Sources")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    return Set(
      try paths.filter { $0.hasSuffix(".swift") }.filter { path in
        let text = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
        return text.split(separator: "\n").contains { line in
          !line.drop { $0 == " " }.hasPrefix("//")
            && line.split { !$0.isLetter }.contains { $0 == word }
        }
      })
  }

  @Test func unsafeCodeIsInTheListedFiles() throws {
    let url = Command.packageFolder.appendingPathComponent(
      "Documentation/UnsafeCode.md")
    let text = try String(contentsOf: url, encoding: .utf8)
    let listed = text.split(separator: "\n").filter {
      $0.hasPrefix("| `") && $0.contains(".swift`")
    }
    .compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
    #expect(try Self.files(with: "unsafe") == Set(listed))
  }
}
