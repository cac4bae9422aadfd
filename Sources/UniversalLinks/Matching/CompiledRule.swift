/// A rule with its patterns compiled, each on its own and as a condition that an automaton tests.
///
/// It is a class, because a matcher reads many of them for each URL and must not copy them.
final class CompiledRule: Sendable {
  /// A query item's name and the pattern of its value.
  ///
  /// It is a class for the same reason.
  final class Item: Sendable {
    let name: [UInt8]
    let pattern: Pattern

    /// The position among the items that the rule names.
    let position: Int

    init(name: [UInt8], pattern: Pattern, position: Int) {
      self.name = name
      self.pattern = pattern
      self.position = position
    }
  }

  let excludes: Bool

  /// The form of a URL's text that the patterns are compared with.
  let form: TextForm

  /// The forms of a URL's components that the rule is compared with.
  let neededForms: NeededForms

  private let requiresEntitlement: Bool

  /// The pattern of the path in an automaton, or `nil` if none has it.
  let pathCondition: PatternTable.Condition?

  /// The conditions on query and fragment, or `nil` if no automaton has the pattern of one of them.
  let otherConditions: [PatternTable.Condition]?

  let path: Pattern
  let query: Pattern
  private let items: [Item]
  let fragment: Pattern

  /// A Boolean value indicating whether some URL may match.
  let isPossible: Bool

  /// A Boolean value indicating whether the rule can match a URL that has no
  /// fragment.
  let matchesWithoutFragment: Bool

  /// Compiles a rule, and adds its patterns to those of its file.
  init(_ definition: RuleDefinition, patterns: inout PatternTableBuilder) {
    excludes = definition.excludes
    requiresEntitlement = definition.requiresEntitlement
    var form: TextForm = []
    if !definition.isPercentEncoded { form.insert(.decoded) }
    if !definition.isCaseSensitive { form.insert(.folded) }
    self.form = form

    var others: [PatternTableBuilder.Entry] = []
    func compile(_ pattern: String, for text: PatternTable.Text) -> Pattern {
      let entry = patterns.add(Array(pattern.utf8), for: text, form)
      if !entry.pattern.isAnything { others.append(entry) }
      return entry.pattern
    }
    let path = definition.path.map { patterns.add(Self.normalized(path: $0), for: .path, form) }
    (self.path, pathCondition) = (path?.pattern ?? Pattern([.anyRun]), path?.condition)
    fragment = definition.fragment.map { compile($0, for: .fragment) } ?? Pattern([.anyRun])
    switch definition.query {
    case nil: (query, items) = (Pattern([.anyRun]), [])
    case .whole(let pattern): (query, items) = (compile(pattern, for: .query), [])
    case .items(let definitions):
      query = Pattern([.anyRun])
      // An item that may have any value or none constrains nothing.
      items = definitions.enumerated().map { position, item in
        let name = Array(item.name.utf8)
        return Item(
          name: name, pattern: compile(item.pattern, for: .item(name)), position: position)
      }.filter { !$0.pattern.isAnything }
    }
    let conditions = others.compactMap(\.condition)
    otherConditions = conditions.count == others.count ? conditions : nil
    isPossible =
      !requiresEntitlement && !self.path.isImpossible
      && others.allSatisfy { !$0.pattern.isImpossible }

    var needed = NeededForms()
    if !self.path.isAnything { needed.path.insert(form) }
    if !query.isAnything { needed.query.insert(form) }
    if !items.isEmpty { needed.items.insert(form) }
    if !fragment.isAnything { needed.fragment.insert(form) }
    neededForms = needed
    matchesWithoutFragment = fragment.matchesEmptyText
  }

  /// The bytes of a path's pattern after normalization (Matching.md, 3a).
  static func normalized(path: String) -> [UInt8] {
    var bytes = Array(path.utf8)
    PathNormalization.normalize(&bytes)
    return bytes
  }

  /// Returns a Boolean value indicating whether a URL meets all constraints of the rule
  /// (Matching.md, 3.1).
  ///
  /// The needed forms of the URL must be prepared.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - isPathDecided: Whether the path is known to match.
  ///   - scratch: Memory for matching.
  /// - Returns: Whether the URL matches.
  func matches(
    _ url: borrowing LinkURL, isPathDecided: Bool, scratch: inout PatternScratch
  ) -> Bool {
    (isPathDecided || matchesPath(of: url, scratch: &scratch))
      && matchesFragment(of: url, scratch: &scratch)
      && matchesQuery(of: url, scratch: &scratch) && matchesItems(of: url, scratch: &scratch)
      && !requiresEntitlement
  }

  func matchesPath(of url: borrowing LinkURL, scratch: inout PatternScratch) -> Bool {
    guard !path.isAnything else { return true }
    return url.path.withBytes(form) { path.matches($0, scratch: &scratch) }
  }

  func matchesFragment(of url: borrowing LinkURL, scratch: inout PatternScratch) -> Bool {
    guard !fragment.isAnything else { return true }
    return url.fragment.withBytes(form) { fragment.matches($0, scratch: &scratch) }
  }

  func matchesQuery(of url: borrowing LinkURL, scratch: inout PatternScratch) -> Bool {
    guard !query.isAnything else { return true }
    return url.query.withBytes(form) { query.matches($0, scratch: &scratch) }
  }

  private func matchesItems(of url: borrowing LinkURL, scratch: inout PatternScratch) -> Bool {
    for index in items.indices where !matches(items[index], of: url, scratch: &scratch) {
      return false
    }
    return true
  }

  /// Returns the condition on an item of the query, or `nil` if there is none.
  ///
  /// - Parameter position: The position among the items that the rule names.
  /// - Returns: The compiled item.
  func item(at position: Int) -> Item? {
    items.first { $0.position == position }
  }

  /// Returns a Boolean value indicating whether every item of that name matches; if there is none,
  /// the empty text must match (Matching.md, 3b.2).
  private func matches(
    _ item: Item, of url: borrowing LinkURL, scratch: inout PatternScratch
  ) -> Bool {
    let found = url.items(form)
    let bytes = found.bytes.span
    var isPresent = false
    for candidate in found.items
    where candidate.name.count == item.name.count
      && bytes.holds(item.name, at: candidate.name.lowerBound)
    {
      isPresent = true
      guard item.pattern.matches(bytes.extracting(candidate.value), scratch: &scratch) else {
        return false
      }
    }
    return isPresent || item.pattern.matches(bytes.extracting(0..<0), scratch: &scratch)
  }
}
