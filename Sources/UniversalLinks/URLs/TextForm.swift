/// A form of a URL's component that rules compare with.
struct TextForm: OptionSet, BitwiseCopyable, Hashable, Sendable {
  let rawValue: UInt8

  /// Percent-decoded rather than as written (Matching.md, 3.2).
  static let decoded = TextForm(rawValue: 1)

  /// Case-folded (Matching.md, 3c.7).
  static let folded = TextForm(rawValue: 2)

  /// The number of forms.
  static let count = 4
}
