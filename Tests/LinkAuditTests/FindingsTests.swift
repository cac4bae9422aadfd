import Foundation
import Testing

@testable import LinkAuditing

@Suite struct FindingsTests {
  /// `RECORD_DOCUMENTATION=1 swift test` writes the page anew.
  @Test func documentationIsCurrent() throws {
    let outcome = try Command.run("linkaudit findings --format markdown")
    let page = Command.packageFolder.appendingPathComponent("Documentation/Findings.md")
    if ProcessInfo.processInfo.environment["RECORD_DOCUMENTATION"] == "1" {
      try Data(outcome.stdout.utf8).write(to: page)
    }
    #expect(outcome.stdout == String(decoding: try Data(contentsOf: page), as: UTF8.self))
  }

  @Test func everyCodeIsDescribedOnce() {
    let codes = FindingDescription.all.map(\.code)
    #expect(Set(codes) == Set(Finding.Code.allCases))
    #expect(codes.count == Finding.Code.allCases.count)
  }

  @Test func everyKindHasAFileOfItsName() throws {
    let folder = Command.packageFolder.appendingPathComponent("Sources/LinkAuditing/Findings")
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    let names = Set((files ?? []).map { ($0 as NSString).lastPathComponent })
    for code in Finding.Code.allCases {
      let name = code.rawValue.split(separator: "-").map(\.capitalized).joined() + ".swift"
      #expect(names.contains(name), "\(name)")
    }
  }
}
