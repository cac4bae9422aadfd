/// The generations of systems that read association files differently.
public enum OperatingSystem: String, CaseIterable, Hashable, Sendable {
  /// iOS 12 and earlier: `appID` and `paths` only (Matching.md, 4.2).
  case legacy = "ios12"

  /// iOS 13 and later, with all that later versions added.
  case current = "ios13+"
}
