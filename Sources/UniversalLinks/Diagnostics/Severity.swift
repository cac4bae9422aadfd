/// The importance of a diagnostic.
public enum Severity: String, CaseIterable, Hashable, Comparable, Sendable {
  /// Useful information that requires no action.
  case note

  /// Costs visits, or will on some systems.
  case warning

  /// Links don't work, or figures can't be trusted.
  case error

  /// Whether the first severity is less serious.
  public static func < (first: Severity, second: Severity) -> Bool { first.rank < second.rank }

  private var rank: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }
}

/// The least share of a whole that has a severity, for each severity.
public struct SeverityLevels: Hashable, Sendable {
  /// A share of a whole in hundredths of a percent; 0 means any share.
  public typealias BasisPoints = Int

  /// The least share by severity; a severity that is absent is never reached.
  public private(set) var shares: [Severity: BasisPoints] = [:]

  package init(note: BasisPoints? = nil, warning: BasisPoints? = nil, error: BasisPoints? = nil) {
    shares[.note] = note
    shares[.warning] = warning
    shares[.error] = error
  }

  /// Sets the least share of a severity, or removes the severity with `nil`.
  public mutating func set(_ severity: Severity, _ share: BasisPoints?) {
    shares[severity] = share
  }

  /// Returns the severity of a part of a whole, or `nil` if the part is below all levels.
  package func severity(of part: Int, in whole: Int) -> Severity? {
    guard part > 0 else { return nil }
    return Severity.allCases.reversed().first { severity in
      guard let share = shares[severity] else { return false }
      // Whole numbers of twice the width: the same on every machine, and without overflow.
      let (high, low) = part.multipliedFullWidth(by: 10_000)
      let (leastHigh, leastLow) = share.multipliedFullWidth(by: max(whole, 1))
      return (high, low) >= (leastHigh, leastLow)
    }
  }
}
