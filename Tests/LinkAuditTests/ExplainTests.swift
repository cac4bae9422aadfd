import FileDelivery
import Foundation
import LinkAuditing
import Testing
import UniversalLinks

@Suite struct ExplainTests {
  /// `RECORD_DOCUMENTATION=1 swift test` rewrites the pages; the codes of delivery end theirs.
  @Test(arguments: [("lint", "Lint"), ("finding", "Findings"), ("delivery", "Fetch")])
  func documentationIsCurrent(kind: String, page: String) throws {
    let codes = try Command.run("linkaudit explain --kind \(kind) --format markdown").stdout
    let text = try packageText("Documentation/\(page).md")
    let heading = codes.prefix { $0 != "\n" } + "\n"
    let start = try #require(text.range(of: heading)).lowerBound
    try expectDocument(text[..<start] + codes, at: "\(page).md")
  }

  @Test(arguments: [DiagnosticCatalog.lint, .findings, .delivery])
  func textsAreSentencesAndTitlesAreNot(_ catalog: DiagnosticCatalog) {
    let codes = catalog.kinds.map(\.code)
    #expect(Set(codes).count == codes.count)
    for kind in catalog.kinds {
      #expect(kind.code.allSatisfy { $0 == "-" || $0.isLowercase || $0.isNumber }, "\(kind.code)")
      for text in [kind.meaning, kind.remedy] {
        let isSentence = text.hasSuffix(".") || text.hasSuffix("\".") || text.hasSuffix("}.")
        #expect(isSentence && !text.contains("  "), "\(kind.code): \(text)")
      }
      for text in [kind.title, kind.condition ?? "c"] {
        #expect(!text.hasSuffix(".") && !text.isEmpty, "\(kind.code): \(text)")
      }
    }
  }
}

@Suite struct DependencyTests {
  @Test func unsafeCodeIsInTheListedFiles() throws {
    let sources = Command.packageFolder.appendingPathComponent("Sources").path
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources).filter { path in
      try path.hasSuffix(".swift")
        && packageText("Sources/" + path).split(separator: "\n").contains { line in
          !line.drop { $0 == " " }.hasPrefix("//")
            && line.split { !$0.isLetter }.contains("unsafe")
        }
    }
    let listed = try packageText("Documentation/UnsafeCode.md")
      .matches(of: /\n\| `([^`]*\.swift)`/).map { String($0.1) }
    #expect(Set(files) == Set(listed))
  }

  /// The rows about dependencies, which begin with a name in backticks, as lists of columns.
  private static func rows() throws -> [String: [String]] {
    let rows = try packageText("Documentation/Dependencies.md").split(separator: "\n")
      .filter { $0.hasPrefix("| `") }
      .map { row in
        row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
          .map { $0.trimmingCharacters(in: .whitespaces) }
      }
    return Dictionary(
      rows.map { ($0[0].replacing("`", with: ""), $0) }, uniquingKeysWith: { first, _ in first })
  }

  @Test func directPackagesAreListedWithTheirVersions() throws {
    let rows = try Self.rows()
    let direct = try packageText("Package.swift")
      .matches(of: /\.package\(url: "[^"]*\/([^"\/]+)", from: "([^"]+)"\)/)
    #expect(Set(direct.map { $0.1 }).count == 3, "a dependency is written in another way")
    for (_, name, version) in direct.map(\.output) {
      let row = try #require(rows[String(name)], "'\(name)' is missing in Dependencies.md")
      #expect(row.count == 6, "\(name): version, license, module, reason and its absence")
      #expect(row[1] == "\(version) or later", "\(name)")
      #expect(row.allSatisfy { !$0.isEmpty }, "\(name)")
    }
  }

  @Test func allThatIsResolvedIsListed() throws {
    // The package manager writes it during the build.
    let pins = try JSONTree(packageText("Package.resolved"))["pins"].elements
    let rows = try Self.rows()
    let locations = pins.compactMap(\.["location"].cell)
    let names = locations.map { $0.replacing(/.*\/|\.git$/, with: "") }
    #expect(pins.allSatisfy { $0["state"]["version"] != .null })
    #expect(locations.allSatisfy { $0.hasPrefix("https://") })
    let libraries: Set = [
      "libz", "ISA-L", "libzstd", "libbz2", "liblzma", "libcurl", "SQLite", "libyaml", "Swift",
    ]
    #expect(Set(rows.keys) == libraries.union(names))
  }
}
