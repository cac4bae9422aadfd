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
