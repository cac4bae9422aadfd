import FileDelivery
import LinkAuditing
import TestSupport
import Testing
import UniversalLinks

@Suite struct DeliveryJudgmentTests {
  @Test(arguments: MadeUpCopies.examples.indices) func findsTheProblem(index: Int) {
    let example = MadeUpCopies.examples[index]
    let problems = example.delivery.problems
    #expect(problems.map(\.code).sorted() == example.codes.sorted(), "\(example.name)")
    for text in problems.flatMap({ [$0.message, $0.kind.meaning, $0.remedy] }) {
      #expect(text.hasSuffix("."), "\(text)")
      #expect(!text.contains("  "), "\(text)")
    }
  }

  @Test func thereIsAnExampleOfEveryCode() {
    let seen = Set(MadeUpCopies.examples.flatMap { $0.delivery.problems.map(\.code) })
    #expect(seen == Set(DiagnosticCatalog.delivery.kinds.map(\.code)))
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
    (.tls("x"), false), (.certificate(chain: [], isTrusted: false), false),
  ])
  func detectsUnreachableHosts(failure: FetchFailure, isUnasked: Bool) {
    #expect(MadeUpCopies.delivery(site: .failure(failure)).isUnasked == isUnasked)
  }

  /// The name of Apple's CDN is never misspelt.
  @Test func knowsTheNameOfTheCDN() {
    let failure = FetchedCopy.Outcome.failure(.nameNotResolved)
    let remedies = MadeUpCopies.delivery(site: failure, cdn: failure).problems.map(\.remedy)
    #expect(remedies.count { $0.contains("spelling") } == 1)
    #expect(remedies.count { $0.contains("this machine") } == 1)
  }

  /// A file that was changed more than a day ago should have arrived.
  @Test(arguments: [
    ("Sun, 31 May 2026 11:00:00 GMT", Severity.error), (MadeUpCopies.moment(hour: 10), .warning),
  ])
  func severityOfAnOutdatedCopyGrows(changed: String, severity: Severity) {
    let delivery = MadeUpCopies.delivery(
      site: MadeUpCopies.answer(MadeUpCopies.otherFile, ["Last-Modified": changed]),
      cdn: MadeUpCopies.answer(
        MadeUpCopies.file, ["Date": MadeUpCopies.moment(hour: 12), "Age": "\(48 * 3_600)"]))
    #expect(delivery.problems.map(\.code) == ["cdn-outdated"])
    #expect(delivery.problems.map(\.severity) == [severity])
    #expect(delivery.difference?.hasSameVerdicts == false)
  }

  @Test func anyBodyIsJudged() {
    var generator = SeededGenerator()
    for _ in 0..<3_000 {
      var body = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      if Bool.random(using: &generator) { body = [0x1F, 0x8B, 8, 0] + body }
      let coding = generator.pick(["gzip", "identity", "", "br", "GZIP"])
      let end: DeliveryResponse.BodyEnd = Bool.random(using: &generator) ? .whole : .cut
      let answer = MadeUpCopies.answer(body, ["Content-Encoding": coding], end: end)
      #expect(!MadeUpCopies.delivery(site: answer).problems.isEmpty)
    }
  }
}

/// Made-up copies that no server has sent.
enum MadeUpCopies {
  static let host = "www.example.com"

  /// 2026-06-01, at noon.
  static let now = HTTPDate(seconds: 1_780_315_200)

  static let file = """
    {"applinks": {"details": [{"appIDs": ["A1B2C3D4E5.com.example.tea"], "components": [{"/": "/buy/*"}]}]}}
    """
  /// The file in a signed message (RFC 5652, 5.1) without signatures.
  static let signed: [UInt8] = {
    func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
      [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
    }
    func kind(_ last: UInt8) -> [UInt8] { [6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 13, 1, 7, last] }
    let content = value(0x30, kind(1) + value(0xA0, value(0x04, Array(file.utf8))))
    let (version, nobody): ([UInt8], [UInt8]) = ([0x02, 1, 1], [0x31, 0])
    return value(0x30, kind(2) + value(0xA0, value(0x30, version + nobody + content + nobody)))
  }()

  static let otherFile = file.split(separator: "buy").joined(separator: "shop")

  /// A time of the day of ``now`` in HTTP's notation, at an hour of two digits.
  static func moment(hour: Int) -> String { "Mon, 01 Jun 2026 \(hour):00:00 GMT" }

  static func answer(
    _ body: some Sequence<UInt8>, status: Int = 200, _ fields: [String: String] = [:],
    end: DeliveryResponse.BodyEnd = .whole
  ) -> FetchedCopy.Outcome {
    let all = ["Content-Type": "application/json"].merging(fields) { $1 }
    let response = DeliveryResponse(
      status: status, fields: all.map { .init($0.key, $0.value) }, body: Array(body), bodyEnd: end)
    return .success(response)
  }

  static func answer(
    _ body: String, status: Int = 200, _ fields: [String: String] = [:],
    end: DeliveryResponse.BodyEnd = .whole
  ) -> FetchedCopy.Outcome { answer(body.utf8, status: status, fields, end: end) }

  static func certificate(
    _ names: [String] = [host], from: Int = 0, to: Int = 4_000_000_000, isSelfIssued: Bool = false,
    isTrusted: Bool = false
  ) -> FetchedCopy.Outcome {
    var certificate = PresentedCertificate(
      notBefore: HTTPDate(seconds: from), notAfter: HTTPDate(seconds: to))
    certificate.hostNames = names
    certificate.isSelfIssued = isSelfIssued
    return .failure(.certificate(chain: [certificate], isTrusted: isTrusted))
  }

  static func delivery(
    site: FetchedCopy.Outcome?, cdn: FetchedCopy.Outcome? = nil, root: FetchedCopy.Outcome? = nil,
    base: BaseURL? = nil
  ) -> HostDelivery {
    let copies = [(DeliverySource.origin, site), (.cdn, cdn)].compactMap { source, outcome in
      outcome.map { FetchedCopy(target: .wellKnown(source, of: host, base: base), outcome: $0) }
    }
    return HostDelivery(
      host: host, copies: copies,
      root: root.map { FetchedCopy(target: .root(of: host, base: base), outcome: $0) }, now: now)
  }

  /// The answers to judge, and the expected codes.
  typealias Example = (name: String, delivery: HostDelivery, codes: [String])

  private static func site(
    _ name: String, _ site: FetchedCopy.Outcome, cdn: FetchedCopy.Outcome? = nil,
    root: FetchedCopy.Outcome? = nil, base: BaseURL? = nil, _ codes: String...
  ) -> Example {
    (name, delivery(site: site, cdn: cdn, root: root, base: base), codes)
  }

  private static let refusal = [
    "Apple-Failure-Reason": "SWCERR00101 Bad HTTP Response: 403 Forbidden",
    "Apple-Failure-Details": #"{"status":"403 Forbidden"}"#, "Cache-Control": "max-age=3600,public",
    "Age": "1399",
  ]

  static let examples: [Example] = {
    let gzip = ["Content-Encoding": "gzip"]
    let message = ["Content-Type": "application/pkcs7-mime"]
    let full = file + String(repeating: " ", count: 131_072 - file.utf8.count)
    let bomb = GzipWriter.member([UInt8](repeating: 0x20, count: 2 << 20))
    let wide = file.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let damaged = GzipWriter.member(file.utf8).dropLast(8) + [UInt8](repeating: 7, count: 8)
    return [
      site("sound", answer(file)),
      site("name", .failure(.nameNotResolved), "name-not-resolved"),
      site("port", .failure(.connectionRefused), "connection-refused"),
      site("route", .failure(.unreachable("No route to host")), "unreachable"),
      site("silence", .failure(.timedOut(seconds: 10)), "timed-out"),
      site("end", .failure(.noAnswer), "no-answer"),
      site("noise", .failure(.notHTTP), "not-http"),
      site("age of TLS", .failure(.oldTLS), "old-tls"),
      site("TLS", .failure(.tls("bad record mac")), "tls-failed"),
      site("expired", certificate(to: 1_700_000_000), "certificate-expired"),
      site("future", certificate(from: 1_900_000_000), "certificate-not-yet-valid"),
      site(
        "name in certificate", certificate(["example.com"], isTrusted: true),
        "certificate-wrong-host"),
      site("self-signed", certificate(isSelfIssued: true), "certificate-self-signed"),
      site("authority", certificate(), "certificate-unknown-authority"),
      site(
        "expired and for others", certificate(["example.com"], to: 1_700_000_000),
        "certificate-expired", "certificate-wrong-host"),
      site(
        "unseen", .failure(.certificate(chain: [], isTrusted: false)),
        "certificate-unknown-authority"),
      site("not encrypted", answer(file), base: BaseURL("http://127.0.0.1:8080"), "not-encrypted"),
      site("redirect", answer("", status: 301, ["Location": "https://example.com/"]), "redirected"),
      site("nothing", answer("", status: 404), "not-found"),
      site("login", answer("", status: 401), "forbidden"),
      site("denial", answer("", status: 403), "forbidden"),
      site("failure", answer("", status: 502), "server-error"),
      site("no such host", answer(file), cdn: answer("", status: 405), "cdn-refused"),
      // The CDN's reason and the mistake of the site's file are one problem.
      site(
        "comma", answer(file.replacing("]}", with: ",]}")),
        cdn: answer("", status: 404, ["Apple-Failure-Reason": "SWCERR00401 Bad JSON content"]),
        "cdn-refused"),
      site("no content", answer("", status: 204), "unexpected-status"),
      site("root", answer("", status: 404), root: answer(file), "not-found", "only-at-root"),
      site("root without a file", answer("", status: 404), root: answer("<html>"), "not-found"),
      site("refusal", answer(file), cdn: answer("", status: 404, refusal), "cdn-refused"),
      site("drip", answer("{", end: .tooSlow(seconds: 0.5)), "too-slow"),
      site("cut", answer("{", ["Content-Length": "10"], end: .cut), "body-cut"),
      site("full", answer(full)),
      site("too large", answer(full + " "), "too-large"),
      site(
        "endless", answer([UInt8](repeating: 0x20, count: 1 << 20), end: .beyondLimit), "too-large"),
      site("bomb", answer(bomb, gzip), "too-large"),
      site("gzip", answer(GzipWriter.member(file.utf8), gzip)),
      site("no gzip", answer(file, gzip), "not-gzip"),
      site("damaged gzip", answer(damaged, gzip), "gzip-damaged"),
      site("unannounced gzip", answer(GzipWriter.member(file.utf8)), "gzip-unannounced"),
      site("brotli", answer(file, ["Content-Encoding": "br"]), "coding-not-asked-for"),
      site("no bytes", answer(""), "empty-file"),
      site("page", answer(" <!DOCTYPE html>", ["Content-Type": "text/html"]), "html-page"),
      site("comment", answer(#"{"applinks": {} /* none */}"#), "not-json"),
      site("comma", answer(file.dropLast() + ",}"), "lenient-json"),
      site("mark", answer("\u{FEFF}" + file), "lenient-json"),
      site("UTF-16", answer(wide), "lenient-json"),
      site("array", answer("[]"), "not-an-object"),
      site("signed, without content", answer([0x30, 0x82, 1, 0], message), "not-json"),
      site("signed", answer(signed, message), "signed"),
      site("type", answer(file, ["Content-Type": "text/plain"]), "content-type"),
      site("no links", answer("{}"), "claims-nothing"),
      site("equal", answer(file), cdn: answer(file)),
      site(
        "outdated", answer(otherFile, ["Last-Modified": moment(hour: 10)]),
        cdn: answer(file, ["Date": moment(hour: 12), "Age": "10800"]), "cdn-outdated"),
      site("different", answer(otherFile), cdn: answer(file), "cdn-differs"),
      site("same meaning", answer(file), cdn: answer(file + "\n"), "cdn-same-meaning"),
    ]
  }()
}
