/// A mistake in an association file or in entitlements, with its place.
public struct LintDiagnostic: Diagnostic, Hashable, Sendable {
  /// Another place that has to do with it.
  public struct Related: Hashable, Sendable {
    /// The relation of that place to the mistake, in a sentence.
    public var message: String

    /// The bytes, as offsets in the text.
    public var range: Range<Int>

    /// The position of the first of them.
    public var position: TextPosition
  }

  /// The lint rule.
  public var kind: DiagnosticKind

  /// The severity of this occurrence.
  public var severity: Severity

  /// The mistake in a sentence or two, with unescaped text from the file.
  public var message: String

  /// The remedy, in a sentence or two.
  public var remedy: String

  /// The bytes with the mistake, as offsets in the text.
  public var range: Range<Int>

  /// The position of the first of them.
  public var start: TextPosition

  /// The position after the last of them.
  public var end: TextPosition

  /// Other places that have to do with it.
  public var related: [Related] = []
}
