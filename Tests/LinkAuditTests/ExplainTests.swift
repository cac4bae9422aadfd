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
