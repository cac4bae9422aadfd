import FileDelivery
import LinkAuditing
import TestSupport
import Testing

@testable import Reporting

@Suite struct FetchReportTests {
  static let host = "www.example.com"
  static let file =
    #"{"applinks": {"details": [{"appIDs": ["A1B2C3D4E5.com.example.tea"], "components": [{"/": "/buy/*"}]}]}}"#

  /// Text with control bytes for a terminal.
  static let hostile = "\u{1B}[31m\u{202E}x\u{7F}\u{9B}" + String(repeating: "long ", count: 40)

  static func answer(
    _ body: String, status: Int = 200, _ fields: [DeliveryResponse.Field] = []
  ) -> FetchedCopy.Outcome {
    .success(DeliveryResponse(status: status, fields: fields, body: Array(body.utf8)))
  }

  static func deliveries() -> [HostDelivery] {
    let other = file.split(separator: "buy").joined(separator: hostile)
    let fields = [
      DeliveryResponse.Field("Content-Type", hostile), .init("Location", "https://" + hostile),
      .init("Apple-Failure-Reason", hostile), .init("Apple-Failure-Details", hostile),
      .init("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"), .init("Age", "100000"),
      .init("Content-Encoding", "identity"), .init("Date", "Sun, 06 Nov 1994 08:49:37 GMT"),
    ]
    let outcomes: [FetchedCopy.Outcome] = [
      answer(file, fields), answer(file + " ", fields),
      answer(file, [.init("Content-Type", "application/json")]),
      answer(other, fields), answer("", status: 302, fields), answer("", status: 404, fields),
      answer("{", fields), .failure(.nameNotResolved), .failure(.tls(hostile)),
    ]
    let origin = DeliveryTarget.wellKnown(.origin, of: host)
    let cdn = DeliveryTarget.wellKnown(.cdn, of: host, base: BaseURL("http://127.0.0.1:1/base"))
    let now = HTTPDate(seconds: 784_111_777)
    return outcomes.flatMap { own in
      outcomes.map { copy in
        let copies = [(origin, own), (cdn, copy)].map { FetchedCopy(target: $0, outcome: $1) }
        return HostDelivery(host: host, copies: copies, root: nil, now: now)
      }
    }
  }

  @Test func textIsSafeAndFitsEightyColumns() {
    let text = Self.deliveries().document.text(style: Style(isTerminal: false))
    for line in text.split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
      #expect(!line.unicodeScalars.contains(where: SafeText.isUnsafe), "\(line)")
    }
  }

  @Test(Checkers.needsPython)
  func fetchesFitTheSchema() throws {
    let folder = try TemporaryFolder(["json": collected(Self.deliveries().writeJSON)])
    #expect(try Checkers.complaints(about: folder.path + "/json", schema: "fetch-1") == "")
  }
}
