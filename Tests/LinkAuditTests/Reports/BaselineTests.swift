import TestSupport
import Testing
import UniversalLinks

@testable import Reporting

@Suite struct BaselineTests {
  private typealias Check = Baseline.Check
  private typealias Problem = Baseline.Entry

  private static func problem(
    _ command: Baseline.Command, _ code: String, _ severity: Severity, at place: String,
    _ subject: String = ""
  ) -> Problem {
    Problem(
      command: command, code: code, severity: severity.rawValue, place: place, subject: subject)
  }

  private static func random(_ count: Int, _ generator: inout SeededGenerator) -> [Problem] {
    (0..<count).map { _ in
      problem(
        .report, generator.pick(["a", "b"]), generator.pick(Severity.allCases),
        at: generator.pick(["", "x", "y"]), generator.pick(["", "s"]))
    }
  }

  /// Accepted mistakes are recognized, whatever came before and after reading and writing them.
  @Test func updatesAcceptWhatWasFound() throws {
    var generator = SeededGenerator()
    for count in 0..<200 {
      let isLookedAt: (String) -> Bool = { $0 != "y" }
      let earlier = Self.random(count % 17, &generator)
      let problems = Self.random(count % 13, &generator).filter { isLookedAt($0.place) }
      var baseline = Baseline()
      baseline.update(Check(command: .report, problems: earlier) { _ in true })
      let lint = Self.problem(.lint, "l", .error, at: "f")
      baseline.update(Check(command: .lint, problems: [lint]) { _ in true })
      baseline.update(Check(command: .report, problems: problems, isLookedAt: isLookedAt))
      let read = try Baseline(decoding: try baseline.encoded())
      #expect(try read.encoded() == (try baseline.encoded()))
      let (isKnown, gone) = read.compare(
        Check(command: .report, problems: problems, isLookedAt: isLookedAt))
      #expect(!isKnown.contains(false) && gone.isEmpty)
      // Other places and commands are unchanged.
      let others = earlier.filter { !isLookedAt($0.place) }
      func known(_ command: Baseline.Command, _ problems: [Problem]) -> [Bool] {
        read.compare(Check(command: command, problems: problems) { _ in true }).isKnown
      }
      #expect(!known(.report, others).contains(false))
      #expect(known(.lint, [lint]) == [true])
      #expect(known(.diff, [lint]) == [false])
    }
  }

  @Test func moreOrMoreSevereProblemsAreNew() throws {
    func problem(_ severity: Severity, _ subject: String = "") -> Problem {
      Self.problem(.diff, "c", severity, at: "h", subject)
    }
    func check(_ problems: Problem...) -> Check {
      Check(command: .diff, problems: problems) { _ in true }
    }
    var baseline = Baseline()
    baseline.update(check(problem(.warning), problem(.note)))
    let notes = check(problem(.note), problem(.warning), problem(.note))
    #expect(baseline.compare(notes).isKnown == [true, true, false])
    #expect(baseline.compare(check(problem(.error))).isKnown == [false])
    #expect(baseline.compare(check(problem(.note, "other"))).isKnown == [false])
    // Some occur less often, others are gone.
    #expect(baseline.compare(check(problem(.note))).gone.isEmpty)
    #expect(baseline.compare(check()).gone.map(\.count) == [2])
    #expect(baseline.compare(Check(command: .diff, problems: []) { $0 != "h" }).gone.isEmpty)
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
    let problem = Self.problem(.report, "c", .warning, at: "h")
    baseline.update(Check(command: .report, problems: [problem]) { _ in true })
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
    var baseline = Baseline()
    /// Marks the known mistakes, and returns the codes of those that no longer occur.
    func gone(_ files: inout [LintedFile], place: (String) -> String = { $0 }) -> [String] {
      let (isKnown, gone) = baseline.compare(Check(files: files, place: place))
      files.mark(isKnown)
      return gone.map(\.code)
    }
    func lint(_ text: String) -> LintedFile {
      let result = AssociationFile.lint(Array(text.utf8), options: LintOptions())
      return LintedFile(path: "./aasa.json", text: result.text, diagnostics: result.diagnostics)
    }
    let text = #"{"applinks":{"details":[{"appID":"tea","components":[{"/":"/buy/:id"}]}]}}"#
    var files = [lint(text)]
    baseline.update(Check(files: files))
    #expect(gone(&files).isEmpty)
    #expect(!files[0].diagnostics.isEmpty && files[0].newDiagnostics.isEmpty)
    var moved = [lint("\n\n" + text.replacing(",", with: ",\n "))]
    moved[0].path = "x/aasa.json"
    #expect(gone(&moved) { _ in "./aasa.json" }.isEmpty && moved[0].newDiagnostics.isEmpty)
    var changed = [lint(text.replacing(":id", with: ":name"))]
    #expect(gone(&changed) == ["router-parameter"])
    #expect(changed[0].newDiagnostics.map(\.code) == ["router-parameter"])
    #expect(changed[0].knownCount == changed[0].diagnostics.count - 1)
  }
}
