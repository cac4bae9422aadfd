/// Rules that could be put into a file together, to claim what one pattern matches.
struct RuleCandidate: Hashable, Sendable {
  /// The number of the rule that claims.
  var claim: Int

  /// The number of the rule in front of it that excludes what it shouldn't claim, or `nil`.
  var exclusion: Int?

  /// The position in the list in front of which they stand.
  var place: Int

  /// The number of rules.
  var cost: Int { exclusion == nil ? 1 : 2 }
}

/// Rules that could be put into a file, without what they come to.
struct RuleDrafts {
  /// How near a rule is to what a route says; less is nearer.
  enum Likeness: Int, Comparable {
    /// It is what the route says.
    case route

    /// It is narrower, as traffic has it.
    case narrower

    /// It is wider.
    case wider

    static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
  }

  /// A rule that claims.
  struct Claim {
    var draft: ComponentDraft
    var likeness: Likeness

    /// The routes that it was made for, ascending.
    var routes: [Int]
  }

  private(set) var claims: [Claim] = []
  private var positions: [ComponentDraft: Int] = [:]

  /// The greatest number of rules that are tried.
  private static let limit = 600

  /// Adds a rule, or a route to one that is there.
  mutating func add(_ draft: ComponentDraft, _ likeness: Likeness, route: Int) {
    if let position = positions[draft] {
      claims[position].likeness = min(claims[position].likeness, likeness)
      if !claims[position].routes.contains(route) { claims[position].routes.append(route) }
      return
    }
    guard claims.count < Self.limit else { return }
    positions[draft] = claims.count
    claims.append(Claim(draft: draft, likeness: likeness, routes: [route]))
  }
}
