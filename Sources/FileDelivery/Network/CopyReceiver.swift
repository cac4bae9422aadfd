internal import Foundations

/// A receiver of an answer, which stops when it has what is needed.
///
/// The received part of an answer that ends too early is kept.
final class CopyReceiver {
  private(set) var response: DeliveryResponse?

  /// Whether the receiver ended the transfer, because it has what is needed.
  private(set) var hasEnough = false

  /// Whether the answer is not HTTP, or has an endless head.
  private(set) var isNotHTTP = false

  /// The maximum number of bytes of all heads, including those of informational answers (RFC 9110,
  /// 15.2).
  static let headLimit = 1 << 18
  private var headSize = 0
  private var status: Int?
  private var fields: [DeliveryResponse.Field] = []

  /// Receives a line of a head, with its line end, and returns whether the transfer continues.
  func receive(headLine line: String) -> Bool {
    headSize += line.utf8.count
    guard headSize <= Self.headLimit else { return refuse() }
    // Fields after the body don't matter here.
    guard response == nil else { return true }
    // In Swift, a carriage return and a line feed are one character.
    let text = String(line.prefix { !$0.isNewline })
    if text.hasPrefix("HTTP/") {
      guard let status = Self.status(in: text) else { return refuse() }
      (self.status, fields) = (status, [])
    } else if text.isEmpty {
      return endHead()
    } else if text.hasPrefix(" ") || text.hasPrefix("\t"), !fields.isEmpty {
      // A folded line (RFC 9112, 5.2).
      fields[fields.count - 1].value += " " + Self.trimmed(text)
    } else if let colon = text.firstIndex(of: ":") {
      let value = Self.trimmed(text[text.index(after: colon)...])
      fields.append(DeliveryResponse.Field(String(text[..<colon]), value))
    }
    return true
  }

  /// Receives a part of the body, and returns whether the transfer continues.
  func receive(body: some Collection<UInt8>) -> Bool {
    guard response != nil else { return refuse() }
    let free = DeliveryResponse.receivingLimit - (response?.body.count ?? 0)
    response?.body.append(contentsOf: body.prefix(free))
    if body.count > free {
      response?.bodyEnd = .beyondLimit
      hasEnough = true
    }
    return !hasEnough
  }

  /// Records how the body ended, unless the receiver ended it.
  func finish(_ end: DeliveryResponse.BodyEnd) {
    if !hasEnough { response?.bodyEnd = end }
  }

  private func endHead() -> Bool {
    guard let status else { return refuse() }
    // More heads follow; only a switch to another protocol is the last one of its connection.
    if (100..<200).contains(status), status != 101 {
      self.status = nil
      return true
    }
    response = DeliveryResponse(status: status, fields: fields)
    // The body of an error page is not needed.
    hasEnough = status != 200
    return !hasEnough
  }

  private func refuse() -> Bool {
    isNotHTTP = true
    return false
  }

  /// The status in a status line: three digits, 100 or more (RFC 9110, 15).
  private static func status(in line: String) -> Int? {
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count > 1, words[1].utf8.count == 3,
      words[1].utf8.allSatisfy(\.isDigit), let status = Int(words[1]),
      status >= 100
    else { return nil }
    return status
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let end = text.lastIndex { !blank($0) }.map { text.index(after: $0) } ?? text.startIndex
    return String(text[..<end].drop(while: blank))
  }
}
