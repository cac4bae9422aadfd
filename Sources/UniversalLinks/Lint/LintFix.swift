/// A cure of a mistake, as edits of the file.
///
/// All edits of a fix are applied together; a part of them may leave a worse file.
public struct LintFix: Hashable, Sendable {
  /// Whether a fix may be applied without a look at it.
  public enum Applicability: String, CaseIterable, Hashable, Sendable {
    /// The verdict of no URL changes, or the file could not be read before.
    case safe

    /// The verdicts of URLs change, as the author probably meant.
    case suggestion
  }

  /// The replacement of some bytes.
  public struct Edit: Hashable, Sendable {
    /// The bytes to replace, as offsets in the text; empty for an insertion.
    public var range: Range<Int>

    /// The text that replaces them, as it is written in the file; empty for a deletion.
    public var replacement: String

    /// Creates an edit.
    public init(_ range: Range<Int>, _ replacement: String) {
      (self.range, self.replacement) = (range, replacement)
    }
  }

  /// Whether it may be applied without a look at it.
  public var applicability: Applicability

  /// What the edits do, as a sentence in the imperative without a full stop.
  public var title: String

  /// The edits, in the order of the text; their ranges don't overlap.
  public var edits: [Edit]

  /// Creates a fix.
  ///
  /// - Parameters:
  ///   - applicability: Whether it may be applied without a look at it.
  ///   - title: What the edits do, as a sentence in the imperative without a full stop.
  ///   - edits: The edits, which don't overlap, in any order.
  public init(_ applicability: Applicability, _ title: String, _ edits: [Edit]) {
    (self.applicability, self.title) = (applicability, title)
    self.edits = edits.sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
  }
}
