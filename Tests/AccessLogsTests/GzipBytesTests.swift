import TestSupport
import Testing

@testable import AccessLogs

@Suite struct GzipBytesTests {
  static let text = Array("the quick brown fox jumps over the lazy dog".utf8)

  @Test(arguments: 0...80)
  func limitsAreKept(limit: Int) {
    let content = GzipBytes(decompressing: GzipWriter.member(Self.text, blockSize: 7), limit: limit)
    #expect(content.bytes == Array(Self.text.prefix(limit)))
    #expect(content.isBeyondLimit == (limit < Self.text.count))
    #expect(content.damage == nil)
  }

  @Test func membersAreOneText() {
    let member = GzipWriter.member(Self.text)
    let content = GzipBytes(decompressing: member + member, limit: 1_000)
    #expect(content.bytes == Self.text + Self.text && content.damage == nil)
  }

  @Test func everyTruncationIsDetected() {
    let member = GzipWriter.member(Self.text, blockSize: 7)
    for length in 1..<member.count {
      let content = GzipBytes(decompressing: Array(member[..<length]), limit: 1_000)
      #expect(content.damage == LogDamage(.truncated, offset: length), "length \(length)")
      #expect(Self.text.starts(with: content.bytes))
    }
  }

  @Test func damageIsDetected() {
    var member = GzipWriter.member(Self.text)
    member[member.count - 8] ^= 1
    #expect(GzipBytes(decompressing: member, limit: 1_000).damage?.kind == .wrongChecksum)
    #expect(
      GzipBytes(decompressing: GzipWriter.member(Self.text) + [1], limit: 1_000).damage?.kind
        == .trailingGarbage(after: .gzip))
    #expect(GzipBytes(decompressing: [], limit: 10).bytes.isEmpty)
  }
}
