/// A form of a URL's component that rules compare with.
package struct TextForm: OptionSet, BitwiseCopyable, Hashable, Sendable {
  package let rawValue: UInt8

  /// Percent-decoded rather than as written (Matching.md, 3.2).
  package static let decoded = TextForm(rawValue: 1)

  /// Case-folded (Matching.md, 3c.7).
  package static let folded = TextForm(rawValue: 2)

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The number of forms.
  static let count = 4
}
