/// A text that equals another only if both have the same Unicode scalars.
///
/// `String` compares by canonical equivalence, under which the two spellings of
/// `é` are one. Names in association files are compared literally
/// (Matching.md, 3.5 and 3b.4), so look-ups by name use this key.
struct LiteralKey: Sendable {
  let text: String

  init(_ text: String) {
    self.text = text
  }
}

extension LiteralKey: Hashable {
  static func == (first: Self, second: Self) -> Bool {
    first.text.utf8.elementsEqual(second.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
    hasher.combine(text.utf8.count)
  }
}
