/// One rule of an association file with its defaults filled in, as decoded.
public struct RuleDefinition: Hashable, Sendable {
  /// The demand of a rule on the query.
  public enum Query: Hashable, Sendable {
    /// The whole query matches a pattern.
    case whole(String)

    /// The query items with these names match these patterns.
    case items([Item])
  }

  /// A query item's name and the pattern of its value.
  public struct Item: Hashable, Sendable {
    /// The name, compared literally.
    public var name: String

    /// The pattern of the value.
    public var pattern: String

    /// Creates an item with the given name and pattern.
    public init(name: String, pattern: String) {
      (self.name, self.pattern) = (name, pattern)
    }
  }

  /// The pattern of the path, or `nil` if any path matches.
  public var path: String?

  /// The condition on the query, or `nil` if any query matches.
  public var query: Query?

  /// The pattern of the fragment, or `nil` if any fragment matches.
  public var fragment: String?

  /// A Boolean value indicating whether the rule keeps matching URLs out of the app.
  public var excludes = false

  /// A Boolean value indicating whether letter case matters.
  public var isCaseSensitive = true

  /// A Boolean value indicating whether patterns are compared with the URL's
  /// percent-encoded text rather than with its decoded one.
  public var isPercentEncoded = true

  /// A Boolean value indicating whether the rule requires an entitlement of the calling app, so it
  /// never matches for ordinary apps (Matching.md, 1.10).
  public var requiresEntitlement = false

  /// The place of the rule in its file, or `nil` if it was not read from a file.
  public var position: TextPosition?

  /// The rule as the file spells it, for people: its pattern for an element of
  /// `paths`, its members for one of `components`.
  public var source: String

  /// Creates a rule, by default one that matches every URL.
  ///
  /// - Parameters:
  ///   - path: The pattern of the path.
  ///   - query: The condition on the query.
  ///   - fragment: The pattern of the fragment.
  ///   - excludes: Whether a URL that the rule matches does not open the app.
  ///   - isCaseSensitive: Whether letter case matters.
  ///   - isPercentEncoded: Whether patterns are compared with percent-encoded text.
  ///   - source: The rule as the file spells it.
  public init(
    path: String? = nil, query: Query? = nil, fragment: String? = nil, excludes: Bool = false,
    isCaseSensitive: Bool = true, isPercentEncoded: Bool = true, source: String = "{}"
  ) {
    (self.path, self.query, self.fragment) = (path, query, fragment)
    (self.isCaseSensitive, self.isPercentEncoded) = (isCaseSensitive, isPercentEncoded)
    (self.excludes, self.source) = (excludes, source)
  }
}

extension RuleDefinition {
  /// A Boolean value indicating whether some fragment would change whether the rule matches a URL.
  ///
  /// Fragments never reach a server. So a log's verdict on such a rule holds only for URLs without
  /// a fragment (Matching.md, 8).
  public var dependsOnFragment: Bool {
    fragment.map { $0 != "*" } ?? false
  }

  /// A Boolean value indicating whether the rule matches every URL.
  public var matchesEverything: Bool {
    guard !requiresEntitlement else { return false }
    let queryIsFree =
      switch query {
      case nil: true
      case .whole(let pattern): pattern == "*"
      case .items(let items): items.allSatisfy { $0.pattern == "*" }
      }
    return (path ?? "*") == "*" && queryIsFree && !dependsOnFragment
  }
}
