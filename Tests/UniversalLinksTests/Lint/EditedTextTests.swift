import Testing

@testable import UniversalLinks

@Suite struct EditedTextTests {
  /// Places in an edited text, and in the text before the edits.
  @Test func placesAreMappedBack() {
    var text = EditedText(Array("a“b”c,d".utf8))
    text.apply([
      LintFix.Edit(1..<4, "\""), LintFix.Edit(5..<8, "\""), LintFix.Edit(10..<10, " "),
    ])
    #expect(String(decoding: text.bytes, as: UTF8.self) == "a\"b\"c, d")
    for (range, original) in [
      (0..<1, 0..<1), (1..<4, 1..<8), (2..<3, 4..<5), (1..<2, 1..<4), (4..<6, 8..<10),
      (6..<7, 10..<10), (7..<8, 10..<11), (8..<8, 11..<11), (0..<8, 0..<11),
    ] { #expect(text.original(range) == original, "\(range)") }
    // Again, across the edges of the first edits.
    text.apply([LintFix.Edit(0..<2, ""), LintFix.Edit(5..<7, "--")])
    #expect(String(decoding: text.bytes, as: UTF8.self) == "b\"c--d")
    for (range, original) in [(0..<1, 4..<5), (1..<2, 5..<8), (3..<5, 9..<10), (5..<6, 10..<11)] {
      #expect(text.original(range) == original, "\(range)")
    }
    let fix = LintFix(.safe, "", [LintFix.Edit(2..<3, "x"), LintFix.Edit(5..<6, "y")])
    #expect(text.original(fix)?.edits.map(\.range) == [8..<9, 10..<11])
    #expect(text.original(.replace(1..<2, with: "", .safe, "")) == nil)
  }
}
