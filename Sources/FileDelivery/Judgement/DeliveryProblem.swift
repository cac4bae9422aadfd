public import LinkAuditing
public import UniversalLinks

/// Something that is wrong with how an association file reaches systems.
public struct DeliveryProblem: Diagnostic, Hashable, Sendable {
  /// The kind of problem.
  public var kind: DiagnosticKind

  /// The severity of the problem.
  public var severity: Severity

  /// The source of the copy that it is about, or `nil` for how copies relate.
  public var source: DeliverySource?

  /// The problem in one or two sentences.
  public var message: String

  /// The remedy.
  public var remedy: String

  /// Where a redirect leads, or `nil`.
  public var location: String?

  /// Where the file departs from JSON, or `nil`.
  public var position: TextPosition?

  /// Creates a problem; severity and remedy are by default those of its kind.
  init(
    _ kind: DiagnosticKind, _ source: DeliverySource?, _ message: String,
    severity: Severity? = nil, remedy: String? = nil, location: String? = nil,
    position: TextPosition? = nil
  ) {
    (self.kind, self.source, self.message) = (kind, source, message)
    self.severity = severity ?? kind.severity
    self.remedy = remedy ?? kind.remedy
    (self.location, self.position) = (location, position)
  }
}
