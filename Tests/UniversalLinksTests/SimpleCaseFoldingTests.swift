import Testing

@testable import UniversalLinks

@Suite struct SimpleCaseFoldingTests {
  /// The pairs that fold together although neither is a case of the other, and
  /// the Cherokee letters, which fold to upper case.
  static let exceptions: Set<UInt32> = [0x1FD3, 0x0390, 0x1FE3, 0x03B0, 0xFB05, 0xFB06]

  @Test func everyScalarFoldsAsItsCasesDo() {
    for value in UInt32(0)...0x1FFFF where !Self.exceptions.contains(value) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let expected = PlainMatcher.fold(scalar)
      let folded = SimpleCaseFolding.fold(scalar)
      if folded != expected, PlainMatcher.fold(folded) != expected {
        Issue.record("U+\(String(value, radix: 16)) folds to U+\(String(folded.value, radix: 16))")
      }
    }
  }

  @Test(arguments: [
    ("ẞ", "ß"), ("\u{212A}", "k"), ("ſ", "s"), ("Σ", "σ"), ("ς", "σ"), ("İ", "İ"), ("ı", "ı"),
    ("Å", "å"), ("\u{1FD3}", "\u{0390}"), ("\u{10400}", "\u{10428}"),
  ])
  func folds(scalar: Unicode.Scalar, to folded: Unicode.Scalar) {
    #expect(SimpleCaseFolding.fold(scalar) == folded)
  }
}
