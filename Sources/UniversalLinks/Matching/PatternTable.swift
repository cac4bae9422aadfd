/// The patterns of a file's rules: one automaton for all patterns that are compared with the same
/// text.
///
/// It is a class, so that an ``AutomatonCache`` can find its states by its identity.
package final class PatternTable: Sendable {
  /// A pattern that a text of a URL has to match.
  struct Condition: BitwiseCopyable, Sendable {
    /// The automaton that has the pattern.
    var automaton: Int32

    /// The number of the pattern in the automaton.
    var pattern: Int32

    /// Whether the pattern matches the empty text.
    var matchesNothing: Bool
  }

  /// A text of a URL that patterns are compared with, in one form.
  package enum Text: Hashable, Sendable {
    case path
    case query
    case fragment

    /// The names of query items; the patterns are names.
    case itemName

    /// The value of each query item with this name.
    case item([UInt8])
  }

  /// The automata, and after them the one of ``plainPaths``.
  let automata: [PatternProgram]

  /// The position of the automaton for the patterns of all forms of paths, or `nil` if there is
  /// none.
  ///
  /// All forms of a plain path are the same, so reading it once is enough. The automaton numbers
  /// the patterns of the forms' automata one after another.
  let plainPaths: Int?

  /// The kind of text that each automaton reads, and its form.
  let readers: [Reader]

  /// A ``Text`` without the names of items, so that asking counts no references.
  struct Reader: BitwiseCopyable, Sendable {
    enum Kind { case path, query, fragment, itemName, item }

    let kind: Kind
    let form: TextForm

    fileprivate init(_ text: Text, _ form: TextForm) {
      self.form = form
      kind =
        switch text {
        case .path: .path
        case .query: .query
        case .fragment: .fragment
        case .itemName: .itemName
        case .item: .item
        }
    }
  }

  /// The number of patterns that each automaton has.
  let patternCounts: [Int]

  /// For each form, the automaton of names, or -1.
  private let nameAutomata: [Int]

  /// For each form, the place of its names' first entry in ``valueAutomata``.
  private let firstValues: [Int]

  /// The automaton of the values for each name, form by form.
  private let valueAutomata: [Int]

  init(_ builder: PatternTableBuilder) {
    let plain = builder.plainPaths
    plainPaths = plain == nil ? nil : builder.sources.count
    automata = (builder.sources.map(\.automaton) + (plain.map { [$0] } ?? [])).map { source in
      var automaton = source
      automaton.layOut()
      return PatternProgram(automaton)
    }
    readers = builder.sources.map { Reader($0.text, $0.form) }
    patternCounts = builder.sources.map(\.automaton.patternCount)
    var nameAutomata = Array(repeating: -1, count: TextForm.allCases.count)
    var (firstValues, valueAutomata) = (
      Array(repeating: 0, count: TextForm.allCases.count), [Int]()
    )
    for (index, source) in builder.sources.enumerated() where source.text == .itemName {
      nameAutomata[source.form.rawValue] = index
      firstValues[source.form.rawValue] = valueAutomata.count
      valueAutomata += source.valueSources
    }
    self.nameAutomata = nameAutomata
    (self.firstValues, self.valueAutomata) = (firstValues, valueAutomata)
  }

  /// Returns a Boolean value indicating whether a URL fulfils a condition on its query or fragment.
  func holds(
    _ condition: Condition, for url: inout LinkURL, cache: inout AutomatonCache
  ) -> Bool {
    let index = Int(condition.automaton)
    let form = readers[index].form
    switch readers[index].kind {
    case .path, .itemName: return false
    case .query:
      if !cache.hasRead(index) {
        url.query.prepare(form)
        _ = url.query.withBytes(form) { cache.read($0, automaton: index) }
      }
    case .fragment:
      if !cache.hasRead(index) {
        url.fragment.prepare(form)
        _ = url.fragment.withBytes(form) { cache.read($0, automaton: index) }
      }
    case .item:
      readItems(of: &url, form: form, cache: &cache)
      // An item that is not there is compared as an empty text (Matching.md, 3b.2).
      guard cache.hasRead(index) else { return condition.matchesNothing }
    }
    return cache.hasFound(condition.pattern, automaton: index)
  }

  /// Reads all query items that rules name in a form, if they haven't been read yet.
  private func readItems(of url: inout LinkURL, form: TextForm, cache: inout AutomatonCache) {
    let names = nameAutomata[form.rawValue]
    guard names >= 0, cache.beginItems(form) else { return }
    let first = firstValues[form.rawValue]
    url.forEachItem(form) { name, value in
      guard let number = cache.firstFound(in: name, automaton: names) else { return }
      // Every item with the name has to match.
      cache.readFurther(value, automaton: valueAutomata[first + Int(number)])
    }
  }
}

/// Collects the patterns of a ``PatternTable``.
///
/// Rules with the same pattern, such as one from the defaults of an entry, share it.
struct PatternTableBuilder {
  /// A pattern, alone and as a part of an automaton.
  struct Entry {
    var pattern: Pattern

    /// The condition, or `nil` if no automaton has the pattern.
    var condition: PatternTable.Condition?
  }

  /// The patterns of one automaton.
  struct Source {
    var text: PatternTable.Text
    var form: TextForm
    fileprivate var entries: [Spelling: Entry] = [:]
    fileprivate var beginnings: Set<Int> = []

    /// The patterns that the automaton has.
    fileprivate(set) var automaton: PatternProgramBuilder

    /// The same patterns, if they are few and those of paths.
    fileprivate var patterns: [Pattern] = []

    /// For names of items, the source of the values for each.
    fileprivate(set) var valueSources: [Int] = []

    fileprivate init(text: PatternTable.Text, form: TextForm) {
      (self.text, self.form, automaton) = (text, form, PatternProgramBuilder(form))
    }
  }

  /// A pattern as rules spell it.
  fileprivate struct Spelling: Hashable {
    var bytes: [UInt8]
    var ignoresCase: Bool
  }

  private struct Key: Hashable {
    var text: PatternTable.Text
    var form: TextForm
  }

  private(set) var sources: [Source] = []
  private var known: [Key: Int] = [:]
  private let variables: Variables?

  /// The number of positions that variables may still use.
  ///
  /// Each reference has its own positions for all values, except those shared by patterns with the
  /// same beginning.
  private var positionsLeft = 1 << 18

  init(_ variables: Variables?) { self.variables = variables }

  /// The greatest number of patterns of paths that are read together, whatever their form.
  ///
  /// States multiply where patterns of several forms meet.
  private static let plainPathLimit = 256

  /// The patterns of all forms of paths, or `nil` if paths have one form, or too many patterns.
  fileprivate var plainPaths: PatternProgramBuilder? {
    let paths = sources.filter { $0.text == .path }
    let count = paths.reduce(0) { $0 + $1.automaton.patternCount }
    guard paths.count > 1, count <= Self.plainPathLimit else { return nil }
    // Plain paths are ASCII.
    var automaton = PatternProgramBuilder(.encoded)
    for (number, pattern) in paths.flatMap(\.patterns).enumerated() {
      automaton.add(pattern, number: number)
    }
    return automaton
  }

  /// Compiles a pattern.
  ///
  /// - Parameters:
  ///   - bytes: The pattern; that of a path is already normalized.
  ///   - text: The text that it is compared with.
  ///   - form: The form of the text.
  ///   - ignoresCase: Whether letter case is ignored.
  /// - Returns: The pattern.
  mutating func add(
    _ bytes: [UInt8], for text: PatternTable.Text, _ form: TextForm, ignoresCase: Bool
  ) -> Entry {
    let index = source(text, form)
    let spelling = Spelling(bytes: bytes, ignoresCase: ignoresCase)
    if let entry = sources[index].entries[spelling] { return entry }
    let pattern = Pattern(
      PatternToken.tokens(of: bytes, variables: variables, folds: ignoresCase),
      ignoresCase: ignoresCase)
    let entry = Entry(pattern: pattern, condition: condition(pattern, source: index))
    sources[index].entries[spelling] = entry
    return entry
  }

  /// Frees the memory for adding patterns, which is large for files with very many rules.
  mutating func forgetKnownPatterns() {
    for index in sources.indices {
      (sources[index].entries, sources[index].beginnings) = ([:], [])
    }
  }

  private mutating func condition(
    _ pattern: Pattern, source index: Int
  ) -> PatternTable.Condition? {
    guard !pattern.isImpossible, !pattern.isAnything, !pattern.hasUndecidedLevels else {
      return nil
    }
    let cost = sources[index].automaton.cost(of: pattern, known: &sources[index].beginnings)
    guard cost <= positionsLeft else { return nil }
    positionsLeft -= cost
    let number = sources[index].automaton.patternCount
    sources[index].automaton.add(pattern, number: number)
    if sources[index].text == .path, number < Self.plainPathLimit {
      sources[index].patterns.append(pattern)
    }
    if case .item(let name) = sources[index].text { addName(name, source: index) }
    return PatternTable.Condition(
      automaton: Int32(index), pattern: Int32(number),
      matchesNothing: pattern.matchesEmptyText)
  }

  /// Registers the name of the items of a source.
  private mutating func addName(_ name: [UInt8], source: Int) {
    let names = self.source(.itemName, sources[source].form)
    let spelling = Spelling(bytes: name, ignoresCase: false)
    guard sources[names].entries[spelling] == nil else { return }
    let pattern = Pattern(name.isEmpty ? [] : [.literal(name)], ignoresCase: false)
    sources[names].entries[spelling] = Entry(pattern: pattern)
    sources[names].automaton.add(pattern, number: sources[names].valueSources.count)
    sources[names].valueSources.append(source)
  }

  private mutating func source(_ text: PatternTable.Text, _ form: TextForm) -> Int {
    let key = Key(text: text, form: form)
    if let index = known[key] { return index }
    known[key] = sources.count
    sources.append(Source(text: text, form: form))
    return sources.count - 1
  }
}
