/// The verdict of an app's rules on a URL, and the rule that decided.
public struct Decision: Hashable, Sendable {
  /// The app.
  public var app: ApplicationIdentifier

  /// Whether its rules claim the URL.
  public var verdict: Verdict

  /// The rule that decided, or `nil` if none did; without a position if the entry has no rules
  /// and so matches everything.
  public var rule: RuleID?

  /// Creates a decision.
  public init(app: ApplicationIdentifier, verdict: Verdict, rule: RuleID?) {
    (self.app, self.verdict, self.rule) = (app, verdict, rule)
  }
}

/// The verdict of rules on a URL.
public enum Verdict: String, CaseIterable, Hashable, Sendable {
  /// A rule opens it in the app.
  case claimed

  /// An exclusion decided: the URL stays in the browser.
  case excluded

  /// No rule matches.
  case unclaimed

  /// Not a URL that any rule could open.
  case ineligible
}

/// The generations of systems that read association files differently.
public enum OperatingSystem: String, CaseIterable, Hashable, Sendable {
  /// iOS 12 and earlier: `appID` and `paths` only (Matching.md, 4.2).
  case legacy = "ios12"

  /// iOS 13 and later, with all that later versions added.
  case current = "ios13+"
}
