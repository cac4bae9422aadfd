import Testing

@testable import FileDelivery

@Suite struct CopyReceiverTests {
  /// Sends lines of heads to a receiver; returns it, and whether the transfer continued after each
  /// line.
  static func receive(_ lines: [String]) -> (CopyReceiver, [Bool]) {
    let receiver = CopyReceiver()
    return (receiver, lines.map { receiver.receive(headLine: $0 + "\r\n") })
  }

  @Test(arguments: [
    "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 000 X",
    "HTTP/1.1 007 X", "HTTP/1.1 099 X", "HTTP/1.1 -10 X", "HTTP/1.1 2x0 X", "HTTP/1.1 ٢٠٠ X",
    "HTTP/2 99",
  ])
  func statusLinesWithoutAStatusAreNotHTTP(line: String) {
    let (receiver, isWanted) = Self.receive([line])
    #expect(isWanted == [false] && receiver.isNotHTTP && receiver.response == nil)
  }

  @Test(arguments: [200, 101, 204, 301, 404, 999])
  func statusesFrom100OnAreAnswers(status: Int) {
    let (receiver, isWanted) = Self.receive(["HTTP/1.1 \(status) Whatever", "A: b", ""])
    #expect(receiver.response?.status == status)
    #expect(isWanted.last == (status == 200) && receiver.hasEnough == (status != 200))
  }

  @Test func headsThatOnlyInformAreSkipped() {
    let (receiver, isWanted) = Self.receive([
      "HTTP/1.1 103 Early Hints", "Link: x", "", "HTTP/2 200", "A:  b\t", "B:", " folded", "c", "",
    ])
    #expect(!isWanted.contains(false))
    #expect(receiver.response?.status == 200)
    #expect(receiver.response?.fields == [.init("A", "b"), .init("B", " folded")])
  }

  @Test func endlessHeadsEnd() {
    let receiver = CopyReceiver()
    var isWanted = receiver.receive(headLine: "HTTP/1.1 200 OK\r\n")
    var lines = 0
    while isWanted, lines < 10_000 {
      isWanted = receiver.receive(headLine: "X: " + String(repeating: "x", count: 1_000) + "\r\n")
      lines += 1
    }
    #expect(lines == CopyReceiver.headLimit / 1_005 + 1 && receiver.isNotHTTP)
  }

  @Test func bodiesEndAtTheLimit() {
    let (receiver, _) = Self.receive(["HTTP/1.1 200 OK", ""])
    let part = [UInt8](repeating: 0x20, count: DeliveryResponse.receivingLimit / 2)
    #expect(receiver.receive(body: part) && receiver.receive(body: part))
    #expect(!receiver.receive(body: [0x20]))
    receiver.finish(.cut)
    #expect(receiver.response?.bodyEnd == .beyondLimit)
    #expect(receiver.response?.body.count == DeliveryResponse.receivingLimit)
  }

  @Test func fieldsAfterTheBodyAreIgnored() {
    let (receiver, _) = Self.receive(["HTTP/1.1 200 OK", ""])
    #expect(receiver.receive(body: [0x7B]) && receiver.receive(headLine: "Trailer: x\r\n"))
    receiver.finish(.whole)
    #expect(receiver.response?.fields == [] && receiver.response?.bodyEnd == .whole)
  }
}
