public import UniversalLinks

/// The minimum shares of traffic for the severities of findings.
public struct FindingThresholds: Hashable, Sendable {
  /// The levels that differ from the defaults, by code.
  private var changed: [String: SeverityLevels] = [:]

  /// Creates the default thresholds.
  public init() {}

  /// The codes of findings whose severity is measured by a share.
  public var codes: [String] {
    DiagnosticCatalog.findings.kinds.filter { levels(of: $0) != nil }.map(\.code)
  }

  /// The levels of a kind of findings, or `nil` if its severity is not measured.
  public subscript(code: String) -> SeverityLevels? {
    get {
      DiagnosticCatalog.findings.kinds.first { $0.code == code }.flatMap { levels(of: $0) }
    }
    set { changed[code] = newValue }
  }

  /// Returns the levels of a kind of findings, or `nil` if its severity is not measured.
  func levels(of kind: DiagnosticKind) -> SeverityLevels? {
    guard case .measured(let levels, _) = kind.grading else { return nil }
    return changed[kind.code] ?? levels
  }
}
