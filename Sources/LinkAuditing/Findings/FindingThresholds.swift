/// From which shares of a whole on something is a finding, and how severe.
public struct SeverityLevels: Hashable, Sendable {
  /// A share of a whole in hundredths of a percent; 0 stands for anything at all.
  public typealias BasisPoints = Int

  /// The least share that has a severity; severities that are absent are never
  /// reached.
  public private(set) var shares: [Finding.Severity: BasisPoints]

  init(note: BasisPoints? = nil, warning: BasisPoints? = nil, error: BasisPoints? = nil) {
    shares = [:]
    shares[.note] = note
    shares[.warning] = warning
    shares[.error] = error
  }

  /// Sets the least share that has a severity, or that none has it.
  public mutating func set(_ severity: Finding.Severity, _ share: BasisPoints?) {
    shares[severity] = share
  }

  /// The severity of a part of a whole, or `nil` if it is no finding.
  func severity(of part: Int, in whole: Int) -> Finding.Severity? {
    guard part > 0 else { return nil }
    return Finding.Severity.allCases.reversed().first { severity in
      guard let share = shares[severity] else { return false }
      // Whole numbers: the same on every machine.
      return part.multipliedFullWidth(by: 10_000)
        >= share.multipliedFullWidth(by: max(whole, 1))
    }
  }
}

/// The shares of traffic from which on findings are how severe.
public struct FindingThresholds: Hashable, Sendable {
  private var changed: [Finding.Code: SeverityLevels] = [:]

  /// Creates the thresholds that hold where nothing else is said.
  public init() {}

  /// The kinds of findings whose severity is told by a share, with what holds for
  /// them.
  public var levels: [(code: Finding.Code, levels: SeverityLevels)] {
    FindingCatalog.kinds.compactMap { kind in
      guard let levels = self[kind.code] else { return nil }
      return (kind.code, levels)
    }
  }

  /// The levels of a kind of findings, or `nil` if its severity is fixed.
  public subscript(code: Finding.Code) -> SeverityLevels? {
    get {
      if let levels = changed[code] { return levels }
      guard case .measured(let levels, _) = FindingCatalog.kind(code)?.severity else {
        return nil
      }
      return levels
    }
    set { changed[code] = newValue }
  }

  /// The severity of a part of a whole, or `nil` if it is no finding.
  func severity(_ code: Finding.Code, _ part: Int, of whole: Int) -> Finding.Severity? {
    self[code]?.severity(of: part, in: whole)
  }
}

extension Int {
  fileprivate func multipliedFullWidth(by other: Int) -> WideNumber {
    let (high, low): (Int, UInt) = self.multipliedFullWidth(by: other)
    return WideNumber(high: high, low: low)
  }
}

private struct WideNumber: Comparable {
  var high: Int
  var low: UInt

  static func < (first: WideNumber, second: WideNumber) -> Bool {
    (first.high, first.low) < (second.high, second.low)
  }
}
