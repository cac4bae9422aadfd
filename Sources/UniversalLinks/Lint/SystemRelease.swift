/// A release of iOS that added features of association files (Matching.md, 4.3).
public enum SystemRelease: String, CaseIterable, Comparable, Sendable {
  /// `components` and `appIDs`.
  case iOS13 = "13"

  /// `caseSensitive` and `substitutionVariables`.
  case iOS13Point5 = "13.5"

  /// `percentEncoded` and `defaults`.
  case iOS14 = "14"

  /// Returns whether the first release is earlier.
  public static func < (first: Self, second: Self) -> Bool { first.rank < second.rank }

  private var rank: Int {
    switch self {
    case .iOS13: 0
    case .iOS13Point5: 1
    case .iOS14: 2
    }
  }
}
