import AccessLogs
import SystemPackage
import Testing

@Suite struct LogDamageTests {
  private static let kinds: [LogDamage.Kind] =
    [
      .truncated, .shortened, .invalidData, .wrongChecksum,
      .expansionLimit(ratio: 1_000, length: 65_536), .memoryLimit(needed: 5, allowed: 4),
      .windowLimit(needed: 5, allowed: 4), .archive,
      .outOfMemory, .system(.ioError),
    ] + ForeignContent.allCases.map { .foreign($0) }
    + Compression.allCases.flatMap { compression -> [LogDamage.Kind] in
      [
        .trailingGarbage(after: compression), .unsupported(compression), .nested(compression),
        .compressedTail(compression),
      ]
    }

  @Test(arguments: kinds) func codesAreReadBack(kind: LogDamage.Kind) {
    let damage = LogDamage(kind, offset: 42)
    #expect(LogDamage(code: damage.code) == damage)
    for other in [damage.code + " ", " " + damage.code, damage.code + " 7", damage.description, ""]
    {
      #expect(LogDamage(code: other) == nil, "\(other)")
    }
  }

  /// Stores contain codes, so they never change.
  @Test func codesStay() {
    #expect(
      LogDamage(.trailingGarbage(after: .gzip), offset: 1_446).code == "trailingGarbage 1446 gzip")
    #expect(
      LogDamage(.expansionLimit(ratio: 10, length: 65_536), offset: 0).code
        == "expansionLimit 0 10 65536")
    for text in [
      "truncated", "truncated x", "truncated 01", "trailingGarbage 5", "expansionLimit 0 1",
    ] {
      #expect(LogDamage(code: text) == nil, "\(text)")
    }
  }
}
