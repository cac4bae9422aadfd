/// A rule with its patterns compiled.
struct CompiledRule: Sendable {
  /// A query item's name and the pattern of its value.
  struct Item: Sendable {
    let name: [UInt8]
    let pattern: Pattern
  }

  let excludes: Bool

  /// The form of a URL's text that the patterns are compared with.
  let form: TextForm

  private let requiresEntitlement: Bool
  private let path: Pattern?
  private let query: Pattern?
  private let items: [Item]
  private let fragment: Pattern?

  init(_ definition: RuleDefinition, variables: Variables?) {
    excludes = definition.excludes
    requiresEntitlement = definition.requiresEntitlement
    var form: TextForm = []
    if !definition.isPercentEncoded { form.insert(.decoded) }
    if !definition.isCaseSensitive { form.insert(.folded) }
    self.form = form

    func compile(_ pattern: [UInt8]) -> Pattern? {
      let compiled = Pattern(pattern, variables: variables, folds: form.contains(.folded))
      return if case .anything = compiled.strategy { nil } else { compiled }
    }
    path = definition.path.flatMap { compile(Self.normalized(path: $0)) }
    fragment = definition.fragment.flatMap { compile(Array($0.utf8)) }
    switch definition.query {
    case nil: (query, items) = (nil, [])
    case .whole(let pattern): (query, items) = (compile(Array(pattern.utf8)), [])
    case .items(let definitions):
      query = nil
      items = definitions.compactMap { item in
        // An item that may have any value or none constrains nothing.
        compile(Array(item.pattern.utf8)).map { Item(name: Array(item.name.utf8), pattern: $0) }
      }
    }
  }

  /// The bytes of a path's pattern after normalisation (MATCHING.md, 3a).
  static func normalized(path: String) -> [UInt8] {
    var bytes = Array(path.utf8)
    PathNormalization.normalize(&bytes)
    return bytes
  }

  /// Returns a Boolean value indicating whether all that the rule constrains
  /// matches (MATCHING.md, 3.1).
  func matches(_ url: inout LinkURL, scratch: inout PatternScratch) -> Bool {
    matchesPath(of: &url, scratch: &scratch) && matchesFragment(of: &url, scratch: &scratch)
      && matchesQuery(of: &url, scratch: &scratch)
      && items.allSatisfy { matches($0, of: &url, scratch: &scratch) } && !requiresEntitlement
  }

  func matchesPath(of url: inout LinkURL, scratch: inout PatternScratch) -> Bool {
    guard let path else { return true }
    url.path.prepare(form)
    return path.matches(url.path[form].span, scratch: &scratch)
  }

  func matchesFragment(of url: inout LinkURL, scratch: inout PatternScratch) -> Bool {
    guard let fragment else { return true }
    url.fragment.prepare(form)
    return fragment.matches(url.fragment[form].span, scratch: &scratch)
  }

  func matchesQuery(of url: inout LinkURL, scratch: inout PatternScratch) -> Bool {
    guard let query else { return true }
    url.query.prepare(form)
    return query.matches(url.query[form].span, scratch: &scratch)
  }

  /// The first item constraint that the URL fails, if any.
  func failedItem(of url: inout LinkURL, scratch: inout PatternScratch) -> Item? {
    items.first { !matches($0, of: &url, scratch: &scratch) }
  }

  /// Every item of that name must match; if there is none, the empty text must
  /// (MATCHING.md, 3b.2).
  private func matches(
    _ item: Item, of url: inout LinkURL, scratch: inout PatternScratch
  ) -> Bool {
    url.prepareItems(form)
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
