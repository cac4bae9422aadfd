import Foundation
import TestSupport
import Testing

@testable import UniversalLinks

/// Files from the web, with the mistakes that others have found in them.
@Suite struct RealFileTests {
  struct RealFile: Decodable, Sendable, CustomTestStringConvertible {
    var file: String
    var uses: [String]

    var testDescription: String { file }
  }

  private static let folder = URL(filePath: TestRun.sharedFolder + "/corpus/aasa")

  static let files: [RealFile] = {
    let index = try? Data(contentsOf: folder.appendingPathComponent("index.jsonl"))
    return (index ?? Data()).split(separator: UInt8(ascii: "\n")).compactMap {
      try? JSONDecoder().decode(RealFile.self, from: $0)
    }
  }()

  /// The rule that reports what the index calls a mistake, by the beginning of its word.
  private static let mistakes: [(word: String, codes: Set<String>)] = [
    ("trailing-comma", ["trailing-comma"]), ("smart-quotes", ["quotes"]),
    ("front-matter", ["text-in-front"]),
    ("invalid-json", Set(DiagnosticKind.syntaxKinds.map(\.code))), ("signed-binary", ["signed"]),
    ("dict-details", ["object-details"]), ("no-applinks", ["no-applinks", "misspelt-key"]),
    ("wrong-case-key", ["misspelt-key"]), ("extra-component:exlude", ["misspelt-key"]),
    ("extra-component:/", ["pattern-as-key"]), ("apps-nonempty", ["apps-not-empty"]),
    ("details-empty", ["empty-details"]), ("appID+appIDs", ["app-id-and-app-ids"]),
    ("paths+components", ["paths-and-components"]),
    ("appid-odd", ["app-id-prefix", "placeholder-app-id"]),
    ("appid-placeholder", ["placeholder-app-id"]), ("appid-numeric-prefix", ["numeric-prefix"]),
    ("webcredentials-id-odd", ["app-id-prefix", "placeholder-app-id"]),
    ("activitycontinuation-id-odd", ["app-id-prefix", "placeholder-app-id"]),
    ("appclips-id-not-clip", ["app-clip"]), ("shadowed-after-catchall", ["rule-never-decides"]),
  ]

  @Test(
    .enabled(
      if: !files.isEmpty,
      "no folder 'shared/corpus' beside the package: files from the web are not looked at"),
    arguments: files)
  func knownMistakesAreFound(_ file: RealFile) throws {
    let bytes = [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(file.file)))
    let lint = AssociationFile.lint(bytes)
    let codes = Set(lint.diagnostics.map(\.code))
    let known = file.uses.compactMap { use in Self.mistakes.first { use.hasPrefix($0.word) } }
    for mistake in known {
      #expect(!codes.isDisjoint(with: mistake.codes), "\(mistake.word): \(codes.sorted())")
    }
    // A file without known mistakes has no errors.
    if known.isEmpty {
      let errors = lint.diagnostics.filter { $0.severity == .error }
      #expect(errors.isEmpty, "\(errors.map { "\($0.code): \($0.message)" })")
    }
    for rule in lint.rules {
      #expect(rule.reach != .unknown, "\(file.file): rule \(rule.id)")
    }
  }
}
