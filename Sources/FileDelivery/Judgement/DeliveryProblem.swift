public import LinkAuditing
public import UniversalLinks

/// A problem with the delivery of an association file to systems.
public struct DeliveryProblem: Diagnostic, Hashable, Sendable {
  /// The kind of problem.
  public var kind: DiagnosticKind

  /// The severity of the problem.
  public var severity: Severity

  /// The source of the copy, or `nil` for a difference between copies.
  public var source: DeliverySource?

  /// The problem in one or two sentences.
  public var message: String

  /// The remedy.
  public var remedy: String

  /// The target of a redirect, or `nil`.
  public var location: String?

  /// The place where the file violates JSON's syntax, or `nil`.
  public var position: TextPosition?

  /// Creates a problem; the default severity and remedy are those of its kind.
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
