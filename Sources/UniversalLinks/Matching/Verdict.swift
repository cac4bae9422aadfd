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
