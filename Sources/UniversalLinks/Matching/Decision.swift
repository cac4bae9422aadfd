/// The verdict of an app's rules on a URL, and the rule that decided.
public struct Decision: Hashable, Sendable {
  /// The app.
  public var app: ApplicationIdentifier

  /// Whether its rules claim the URL.
  public var verdict: Verdict

  /// The entry that holds the rules.
  public var place: AssociationFile.Place

  /// The position of the rule that decided in `components` or `paths`, from 0,
  /// or `nil` if no rule did or the entry has none and so matches everything.
  public var rule: Int?
}
