import FileDelivery
import Foundation
import LinkAuditing
import TestSupport
import Testing
import UniversalLinks

@Suite struct ExplainTests {
  static let catalogs: [DiagnosticCatalog] = [.lint, .findings, .delivery]

  /// `RECORD_DOCUMENTATION=1 swift test` rewrites the pages; the codes of delivery end theirs.
  @Test(arguments: [("lint", "Lint"), ("finding", "Findings"), ("delivery", "Fetch")])
  func documentationIsCurrent(kind: String, page: String) throws {
    let codes = try Command.run("linkaudit explain --kind \(kind) --format markdown").stdout
    let text = try ReadmeTests.text(of: "Documentation/\(page).md")
    let heading = codes.prefix { $0 != "\n" } + "\n"
    let start = try #require(text.range(of: heading)).lowerBound
    try expectDocument(text[..<start] + codes, at: "\(page).md")
  }

  @Test(arguments: catalogs)
  func codesAreDistinctWords(_ catalog: DiagnosticCatalog) {
    let codes = catalog.kinds.map(\.code)
    #expect(Set(codes).count == codes.count)
    for code in codes {
      #expect(code.allSatisfy { $0 == "-" || $0.isLowercase || $0.isNumber }, "\(code)")
    }
  }

  @Test(arguments: catalogs)
  func textsAreSentencesAndTitlesAreNot(_ catalog: DiagnosticCatalog) {
    for kind in catalog.kinds {
      for text in [kind.meaning, kind.remedy] {
        let isSentence = text.hasSuffix(".") || text.hasSuffix("\".") || text.hasSuffix("}.")
        #expect(isSentence && !text.contains("  "), "\(kind.code): \(text)")
      }
      for text in [kind.title, kind.condition ?? "c"] {
        #expect(!text.hasSuffix(".") && !text.isEmpty, "\(kind.code): \(text)")
      }
    }
  }

  @Test(
    .enabled(if: Checkers.python != nil, Comment(rawValue: Checkers.noPython)),
    arguments: ["", "--kind delivery", "too-large same-host-links"])
  func jsonFitsItsSchema(_ options: String) throws {
    let folder = try TemporaryFolder()
    let outcome = try Command.run("linkaudit explain \(options) --format json")
    let path = folder.path + "/codes.json"
    try Data(outcome.stdout.utf8).write(to: URL(fileURLWithPath: path))
    #expect(try Checkers.complaints(about: path, schema: "codes-1") == "")
  }
}

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
    let url = Command.packageFolder.appendingPathComponent("Documentation/UnsafeCode.md")
    let text = try String(contentsOf: url, encoding: .utf8)
    let listed = text.split(separator: "\n").filter {
      $0.hasPrefix("| `") && $0.contains(".swift`")
    }
    .compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
    #expect(try Self.files(with: "unsafe") == Set(listed))
  }
}

/// Documentation/Dependencies.md lists the package's dependencies.
@Suite struct DependencyTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOf: Command.packageFolder.appendingPathComponent(path), encoding: .utf8)
  }

  /// The rows of the page's tables that begin with a name in backticks, as lists of columns.
  private static func rows() throws -> [String: [String]] {
    let rows = try text("Documentation/Dependencies.md").split(separator: "\n")
      .filter { $0.hasPrefix("| `") }
      .map { row in
        row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
          .map { $0.trimmingCharacters(in: .whitespaces) }
      }
    return Dictionary(
      rows.map { ($0[0].replacing("`", with: ""), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The name and minimum version of each package in Package.swift.
  private static func direct() throws -> [String: String] {
    let pattern = /\.package\(url: "[^"]*\/([^"\/]+)", from: "([^"]+)"\)/
    let found = try text("Package.swift").matches(of: pattern)
    return Dictionary(uniqueKeysWithValues: found.map { (String($0.1), String($0.2)) })
  }

  @Test func directPackagesAreListedWithTheirVersions() throws {
    let (rows, direct) = (try Self.rows(), try Self.direct())
    #expect(direct.count == 3, "a dependency is written in another way; fix this test")
    for (name, version) in direct {
      let row = try #require(rows[name], "'\(name)' is missing in Documentation/Dependencies.md")
      #expect(row.count == 6, "\(name): version, license, module, reason and its absence")
      #expect(row[1] == version + " or later", "\(name)")
      #expect(row.allSatisfy { !$0.isEmpty }, "\(name)")
    }
  }

  @Test func allThatIsResolvedIsListed() throws {
    struct Resolved: Decodable {
      struct Pin: Decodable {
        struct State: Decodable { var version: String? }
        var location: String
        var state: State
      }
      var pins: [Pin]
    }
    // The package manager writes it during the build.
    let data = Data(try Self.text("Package.resolved").utf8)
    let pins = try JSONDecoder().decode(Resolved.self, from: data).pins
    let rows = try Self.rows()
    let names = pins.map { pin in
      String(pin.location.split(separator: "/").last ?? "").replacing(/\.git$/, with: "")
    }
    #expect(pins.allSatisfy { $0.state.version != nil && $0.location.hasPrefix("https://") })
    for name in names {
      #expect(rows[name] != nil, "'\(name)' is missing in Documentation/Dependencies.md")
    }
    let libraries: Set = [
      "libz", "ISA-L", "libzstd", "libbz2", "liblzma", "libcurl", "SQLite", "libyaml", "Swift",
    ]
    #expect(Set(rows.keys).subtracting(libraries).subtracting(names) == [], "not used any more")
    #expect(libraries.subtracting(rows.keys) == [])
  }
}
