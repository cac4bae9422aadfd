import LinkAuditing
import TestSupport
import Testing
import UniversalLinks

@testable import Reporting

@Suite struct BaselineTests {
  private typealias Problem = Baseline.Problem

  private static func random(
    _ count: Int, _ generator: inout SeededGenerator
  ) -> [Problem] {
    (0..<count).map { _ in
      Problem(
        key: Baseline.Key(
          command: .report, code: ["a", "b"].randomElement(using: &generator) ?? "a",
          place: ["", "x", "y"].randomElement(using: &generator) ?? "",
          subject: ["", "s"].randomElement(using: &generator) ?? ""),
        severity: Severity.allCases.randomElement(using: &generator) ?? .note)
    }
  }

  /// Mistakes in a baseline are recognized, whatever came before; reading and writing it changes
  /// nothing.
  @Test func updatesAcceptWhatWasFound() throws {
    var generator = SeededGenerator(seed: TestRun.seed)
    for count in 0..<200 {
      let isLookedAt: (String) -> Bool = { $0 != "y" }
      let earlier = Self.random(count % 17, &generator)
      let problems = Self.random(count % 13, &generator).filter { isLookedAt($0.key.place) }
      var baseline = Baseline()
      baseline.update(earlier, of: .report) { _ in true }
      let lint = Problem(
        key: Baseline.Key(command: .lint, code: "l", place: "f", subject: ""), severity: .error)
      baseline.update([lint], of: .lint) { _ in true }
      baseline.update(problems, of: .report, at: isLookedAt)
      let read = try Baseline(decoding: try baseline.encoded())
      #expect(try read.encoded() == (try baseline.encoded()))
      let (isKnown, gone) = read.compare(problems, of: .report, at: isLookedAt)
      #expect(!isKnown.contains(false) && gone.isEmpty, "seed: \(TestRun.seed)")
      // Other places and commands are unchanged.
      let others = earlier.filter { !isLookedAt($0.key.place) }
      #expect(!read.compare(others, of: .report) { $0 == "y" }.isKnown.contains(false))
      #expect(read.compare([lint], of: .lint) { _ in true }.isKnown == [true])
      #expect(read.compare([lint], of: .diff) { _ in true }.isKnown == [false])
    }
  }

  @Test func moreOrMoreSevereProblemsAreNew() throws {
    func problem(_ severity: Severity, _ subject: String = "") -> Problem {
      Problem(
        key: Baseline.Key(command: .diff, code: "c", place: "h", subject: subject),
        severity: severity)
    }
    var baseline = Baseline()
    baseline.update([problem(.warning), problem(.note)], of: .diff) { _ in true }
    func known(_ problems: Problem...) -> [Bool] {
      baseline.compare(problems, of: .diff) { _ in true }.isKnown
    }
    #expect(known(problem(.note), problem(.warning), problem(.note)) == [true, true, false])
    #expect(known(problem(.error)) == [false])
    #expect(known(problem(.note, "other")) == [false])
    // Some occur less often, others are gone.
    #expect(baseline.compare([problem(.note)], of: .diff) { _ in true }.gone.isEmpty)
    #expect(baseline.compare([], of: .diff) { _ in true }.gone.map(\.count) == [2])
    #expect(baseline.compare([], of: .diff) { $0 != "h" }.gone.isEmpty)
  }

  @Test func updatesKeepReasons() throws {
    let text = """
      {"schema": "linkaudit.baseline/1", "findings": [
        {"command": "report", "code": "c", "severity": "note", "place": "h", "subject": "",
         "reason": "moves in June"},
        {"command": "report", "code": "d", "severity": "note", "place": "h", "subject": ""}]}
      """
    var baseline = try Baseline(decoding: Array(text.utf8))
    #expect(baseline.count == 2)
    let problem = Problem(
      key: Baseline.Key(command: .report, code: "c", place: "h", subject: ""), severity: .warning)
    baseline.update([problem], of: .report) { _ in true }
    let written = String(decoding: try baseline.encoded(), as: UTF8.self)
    #expect(baseline.count == 1)
    #expect(written.contains("moves in June") && written.contains("warning"))
  }

  @Test(arguments: [
    "", "[]", "{}", "{\"schema\": \"linkaudit.baseline/2\", \"findings\": []}",
    "{\"schema\": \"linkaudit.baseline/1\", \"findings\": [{\"code\": \"a\"}]}",
    """
    {"schema": "linkaudit.baseline/1", "findings": [
      {"command": "lint", "code": "c", "severity": "loud", "place": "", "subject": ""}]}
    """,
    """
    {"schema": "linkaudit.baseline/1", "findings": [{"command": "lint", "code": "c", "severity": "note",
      "place": "", "subject": "", "count": 9223372036854775807}]}
    """,
  ])
  func otherFilesAreRejected(text: String) {
    #expect(throws: BaselineError.self) { try Baseline(decoding: Array(text.utf8)) }
  }

  /// A mistake is recognized when lines move, but not when its text changes.
  @Test func mistakesAreKnownByTheirText() throws {
    func lint(_ text: String) -> LintedFile {
      let result = AssociationFile.lint(Array(text.utf8), options: LintOptions())
      return LintedFile(
        path: "./aasa.json", text: result.text, diagnostics: result.diagnostics)
    }
    let text = #"{"applinks":{"details":[{"appID":"tea","components":[{"/":"/buy/:id"}]}]}}"#
    var files = [lint(text)]
    var baseline = Baseline()
    baseline.update(files)
    #expect(baseline.mark(&files).isEmpty)
    #expect(!files[0].diagnostics.isEmpty && files[0].newDiagnostics.isEmpty)
    var moved = [lint("\n\n" + text.replacing(",", with: ",\n "))]
    moved[0].path = "x/aasa.json"
    #expect(baseline.mark(&moved) { _ in "./aasa.json" }.isEmpty && moved[0].newDiagnostics.isEmpty)
    var changed = [lint(text.replacing(":id", with: ":name"))]
    #expect(baseline.mark(&changed).map(\.code) == ["router-parameter"])
    #expect(changed[0].newDiagnostics.map(\.code) == ["router-parameter"])
    #expect(changed[0].knownCount == changed[0].diagnostics.count - 1)
  }
}
