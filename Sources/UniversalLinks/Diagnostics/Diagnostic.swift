/// A problem that was found: a mistake in a file, a finding of a report, or a problem of
/// delivery.
///
/// Each conforming type adds where the problem is, or what proves it.
public protocol Diagnostic {
  /// The kind of problem.
  var kind: DiagnosticKind { get }

  /// The severity of this occurrence, which can differ from the usual one of its kind.
  var severity: Severity { get }

  /// The problem in a sentence or two, with names and figures.
  var message: String { get }

  /// The remedy in a sentence or two.
  var remedy: String { get }
}

extension Diagnostic {
  /// The stable name of the kind, which scripts may rely on.
  public var code: String { kind.code }

  /// The name of the kind for people.
  public var title: String { kind.title }
}
