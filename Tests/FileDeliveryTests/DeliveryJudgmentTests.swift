import FileDelivery
import TestSupport
import Testing
import UniversalLinks

@Suite struct DeliveryJudgmentTests {
  @Test(arguments: MadeUpCopies.examples.indices)
  func findsTheProblem(index: Int) {
    let example = MadeUpCopies.examples[index]
    #expect(
      example.delivery.problems.map(\.code).sorted() == example.codes.sorted(),
      "\(example.name)")
  }

  @Test func thereIsAnExampleOfEveryCode() {
    let seen = Set(MadeUpCopies.examples.flatMap { $0.delivery.problems.map(\.code) })
    #expect(seen == Set(DiagnosticCatalog.delivery.kinds.map(\.code)))
  }

  /// Messages, reasons and remedies are sentences.
  @Test(arguments: MadeUpCopies.examples.indices)
  func speaksInSentences(index: Int) {
    for problem in MadeUpCopies.examples[index].delivery.problems {
      for text in [problem.message, problem.kind.meaning, problem.remedy] {
        #expect(text.hasSuffix("."), "\(text)")
        #expect(!text.contains("  "), "\(text)")
      }
    }
  }

  @Test func theMostSevereComeFirst() {
    let delivery = MadeUpCopies.delivery(
      site: MadeUpCopies.answer("{}", ["Content-Type": "text/plain"]),
      cdn: .failure(.connectionRefused))
    #expect(delivery.problems.map(\.severity) == [.error, .warning, .note])
    #expect(delivery.isUnasked)
    #expect(delivery.hasProblems(from: .error))
  }

  @Test(arguments: [
    (FetchFailure.nameNotResolved, true), (.connectionRefused, true), (.unreachable("x"), true),
    (.timedOut(seconds: 1), true), (.noAnswer, false), (.notHTTP, false), (.oldTLS, false),
    (.tls("x"), false),
    (.certificate(RefusedCertificate(chain: [], isTrusted: false)), false),
  ])
  func detectsUnreachableHosts(failure: FetchFailure, isUnasked: Bool) {
    #expect(MadeUpCopies.delivery(site: .failure(failure)).isUnasked == isUnasked)
  }

  /// The name of Apple's CDN is never misspelt.
  @Test func knowsTheNameOfTheCDN() {
    let delivery = MadeUpCopies.delivery(
      site: .failure(.nameNotResolved), cdn: .failure(.nameNotResolved))
    let remedies = delivery.problems.map(\.remedy)
    #expect(remedies.count { $0.contains("spelling") } == 1)
    #expect(remedies.count { $0.contains("this machine") } == 1)
  }

  /// A file that was changed more than a day ago should have arrived.
  @Test(arguments: [(12, 31, Severity.error), (10, 1, .warning)])
  func severityOfAnOutdatedCopyGrows(hour: Int, day: Int, severity: Severity) {
    let changed =
      day == 31
      ? "Sun, 31 May 2026 11:00:00 GMT" : MadeUpCopies.moment(hour: hour)
    let delivery = MadeUpCopies.delivery(
      site: MadeUpCopies.answer(MadeUpCopies.otherFile, ["Last-Modified": changed]),
      cdn: MadeUpCopies.answer(
        MadeUpCopies.file, ["Date": MadeUpCopies.moment(hour: 12), "Age": "\(48 * 3_600)"]))
    #expect(delivery.problems.map(\.code) == ["cdn-outdated"])
    #expect(delivery.problems.map(\.severity) == [severity])
    #expect(delivery.difference?.hasSameVerdicts == false)
  }

  /// Bodies of random bytes, under any headers, don't crash.
  @Test func anyBodyIsJudged() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<3_000 {
      var body = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      if Bool.random(using: &generator) { body = [0x1F, 0x8B, 8, 0] + body }
      let coding = ["gzip", "identity", "", "br", "GZIP"].randomElement(using: &generator) ?? ""
      let end: DeliveryResponse.BodyEnd = Bool.random(using: &generator) ? .whole : .cut
      let delivery = MadeUpCopies.delivery(
        site: MadeUpCopies.answer(body, ["Content-Encoding": coding], end: end))
      #expect(!delivery.problems.isEmpty, "seed \(seed)")
    }
  }
}
