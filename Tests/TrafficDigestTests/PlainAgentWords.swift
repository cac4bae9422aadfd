import AccessLogs

@testable import Foundations
@testable import TrafficDigest

extension AgentWords {
  var words: [String] { tokens.map { String(decoding: $0.text, as: UTF8.self) } }

  func plainFind(in text: Span<UInt8>) -> Found {
    var found = Found()
    for token in tokens where text.count >= token.text.count {
      for start in 0...(text.count - token.text.count) {
        let isHere = token.text.indices.allSatisfy { index in
          let byte = text[start + index]
          return (token.ignoresCase ? byte.asciiLowercased : byte) == token.text[index]
        }
        let neighbors = [start - 1, start + token.text.count]
          .filter { text.indices.contains($0) }.map { text[$0] }
        let isWhole =
          neighbors.allSatisfy { $0 < 0x80 && !Character(UnicodeScalar($0)).isLetter }
          && neighbors.allSatisfy { !Character(UnicodeScalar($0)).isNumber }
        if isHere, isWhole || !token.isWholeWord { found.insert(token.meaning) }
      }
    }
    return found
  }
}
