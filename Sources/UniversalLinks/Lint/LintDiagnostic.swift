/// A mistake in an association file, and where it stands.
public struct LintDiagnostic: Hashable, Sendable {
  /// Another place that has to do with it.
  public struct Related: Hashable, Sendable {
    /// What stands there.
    public var message: String

    /// The bytes, as offsets in the text.
    public var range: Range<Int>

    /// The position of the first of them.
    public var position: TextPosition
  }

  /// What kind of mistake it is.
  public var rule: LintRule

  /// How much it matters here.
  public var severity: LintRule.Severity

  /// What is wrong, in a sentence or two, with text from the file as it is.
  public var message: String

  /// How to mend it, in a sentence or two.
  public var remedy: String

  /// The bytes with the mistake, as offsets in the text.
  public var range: Range<Int>

  /// The position of the first of them.
  public var start: TextPosition

  /// The position behind the last of them.
  public var end: TextPosition

  /// Other places that have to do with it.
  public var related: [Related] = []
}
