/// One rule of an association file with its defaults filled in, as decoded.
public struct RuleDefinition: Hashable, Sendable {
  /// A part of a URL that a rule can constrain.
  public enum Part: String, Hashable, Sendable {
    /// The path.
    case path

    /// The whole query.
    case query

    /// The value of an item of the query.
    case queryItem

    /// The fragment.
    case fragment
  }

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

    package init(name: String, pattern: String) { (self.name, self.pattern) = (name, pattern) }
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
  /// The form of a URL's texts that the patterns are compared with.
  package var form: TextForm { isPercentEncoded ? .encoded : .decoded }

  /// A Boolean value indicating whether some fragment would change whether the rule matches a URL.
  ///
  /// Fragments never reach a server. So a log's verdict on such a rule holds only for URLs without
  /// a fragment (Matching.md, 8).
  public var dependsOnFragment: Bool { fragment.map { $0 != "*" } ?? false }

  /// A Boolean value indicating whether the rule matches every URL.
  public var matchesEverything: Bool {
    !requiresEntitlement && patterns.allSatisfy { $0.pattern == "*" }
  }

  /// The patterns as the rule spells them, each with the part that is compared with it, and the name
  /// of the query item, empty for other parts.
  ///
  /// They are those of the path, the query or its items, and the fragment, if the rule has them.
  package var patterns: [(part: Part, name: String, pattern: String)] {
    var patterns: [(part: Part, name: String, pattern: String)] = []
    if let path { patterns.append((.path, "", path)) }
    switch query {
    case nil: break
    case .whole(let pattern): patterns.append((.query, "", pattern))
    case .items(let items): patterns += items.map { (.queryItem, $0.name, $0.pattern) }
    }
    if let fragment { patterns.append((.fragment, "", fragment)) }
    return patterns
  }
}

/// The identity of a rule in an association file: its entry, the array there, and the position in
/// the array.
///
/// It names the same rule for every app that shares the entry and for every generation of systems
/// that reads the array.
public struct RuleID: Hashable, Sendable {
  /// The arrays of an entry that hold rules.
  public enum List: String, Hashable, Sendable {
    /// The array `components`.
    case components

    /// The array `paths`, or the entry as a whole if it has neither array.
    case paths
  }

  /// The entry of `details` that holds the rule.
  public var entry: AssociationFile.EntryID

  /// The array that holds the rule.
  public var list: List

  /// The position in the array, from 0, or `nil` for an entry without rules.
  ///
  /// Such an entry matches every URL, as one rule would.
  public var position: Int?
}

extension AssociationFile {
  /// The identity of an entry of `details`.
  public enum EntryID: Sendable {
    /// The position in the array, from 0.
    case index(Int)

    /// The key in the object form.
    case key(String)

    /// Any entry for an app of `apps` in a file without `details`; none has rules.
    case apps
  }
}

extension AssociationFile.EntryID: Hashable {
  /// The index, or the key literally: a file can have two that differ only in Unicode normalization.
  private var content: (index: Int?, key: [UInt8]?) {
    switch self {
    case .index(let index): (index, nil)
    case .key(let key): (nil, Array(key.utf8))
    case .apps: (nil, nil)
    }
  }

  /// Returns a Boolean value indicating whether both identify the same entry.
  public static func == (first: Self, second: Self) -> Bool { first.content == second.content }

  /// Feeds the identity into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(content.index)
    hasher.combine(content.key)
  }
}
