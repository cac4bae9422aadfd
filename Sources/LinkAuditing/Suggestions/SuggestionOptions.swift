public import UniversalLinks

/// What rules are looked for.
public struct SuggestionOptions: Sendable {
  /// The least share of a site's visits that a rule must win to be worth its line, in
  /// hundredths of a percent.
  public var leastShare: SeverityLevels.BasisPoints = 10

  /// The greatest share of what a rule claims that the app may not implement, in
  /// hundredths of a percent.
  public var tolerance: SeverityLevels.BasisPoints = 0

  /// The greatest number of rules, or `nil` for as many as are worth it.
  public var top: Int?

  /// Whether rules are looked for that stand in front of those that exclude what the app
  /// implements.
  public var includesExcluded = false

  /// Creates options.
  public init() {}
}

/// Why no rules can be looked for.
public enum SuggestionError: Error, Hashable, Sendable {
  /// It isn't known what the app implements.
  case noRoutes

  /// The file names no app.
  case noApp

  /// The bytes can't be read as those of a file; why not.
  case unreadable(String)

  /// The file has rules of several apps, of which one must be chosen.
  case severalEntries([String])

  /// The file doesn't name the app; it names these.
  case unknownApp(String, known: [String])

  /// No URL of the host can open an app.
  case ineligibleHost(String)
}

extension SuggestionError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noRoutes:
      "the routes name no route, so it isn't known what the app implements; a route stands on each line"
    case .noApp:
      "the association file names no app, so there is no list that rules could be put into"
    case .unreadable(let problem):
      "rules can't be put into the association file, whose text isn't JSON: \(problem)"
    case .severalEntries(let apps):
      "the association file has rules for several apps; say with '--app ID' whose rules to look for: "
        + apps.joined(separator: ", ")
    case .unknownApp(let app, let known):
      "the association file doesn't name the app '\(app)'; it names "
        + (known.isEmpty ? "none" : known.joined(separator: ", "))
    case .ineligibleHost(let host):
      "no app can be associated with the host '\(host)'; name one with a full stop"
    }
  }
}
