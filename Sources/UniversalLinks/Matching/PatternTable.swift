/// The patterns of a file's rules: one program for all patterns that are compared with the same part
/// of URLs in the same form.
///
/// It is a class, so that an ``AutomatonCache`` can find its states by its identity.
package final class PatternTable: Sendable {
  /// A pattern that a text of a URL has to match.
  struct Condition: BitwiseCopyable, Sendable {
    var program: Int32

    var pattern: Int32

    /// For a query item, the number of the pattern that every item with its name matches.
    var name: Int32

    var matchesNothing: Bool
  }

  /// A text of a URL that patterns are compared with.
  package enum Text: Hashable, Sendable {
    case path
    case query
    case fragment

    /// The value of each query item with this name.
    case item([UInt8])

    /// The bytes in front of the text as a program reads it.
    var prefix: [UInt8] {
      if case .item(let name) = self { name + [PatternTable.separator] } else { [] }
    }
  }

  /// The texts that a program reads.
  typealias Source = (part: RuleExplanation.Comparison.Part, form: TextForm)

  /// Separates a query item's name from its value; no text has it, because decoded text ends there.
  static let separator: UInt8 = 0

  let programs: [PatternProgram]

  let sources: [Source]

  /// The number of positions that variables and spellings may use.
  ///
  /// Each reference has its own positions for all values, except those shared by patterns with the
  /// same beginning.
  static let positionLimit = 1 << 18

  init(_ builder: PatternTableBuilder, positionLimit: Int = PatternTable.positionLimit) {
    var positionsLeft = positionLimit
    programs = builder.programs.map {
      PatternProgram($0.patterns, positionsLeft: &positionsLeft)
    }
    sources = builder.programs.map(\.source)
  }

  /// Returns a Boolean value indicating whether the automaton lacks a pattern that is too large.
  func omits(_ condition: Condition) -> Bool {
    programs[Int(condition.program)].omittedPatterns.contains(condition.pattern)
  }

  /// Returns a Boolean value indicating whether a URL fulfils a condition on its query or fragment.
  func holds(_ condition: Condition, for url: inout LinkURL, cache: inout AutomatonCache) -> Bool {
    let program = Int(condition.program)
    let form = sources[program].form
    func read(_ text: inout ComponentText) {
      if !cache.hasRead(program) {
        text.withBytes(form) { cache.find(in: $0, program: program) }
      }
    }
    switch sources[program].part {
    case .path: return false
    case .query: read(&url.query)
    case .fragment: read(&url.fragment)
    case .queryItem:
      if !cache.hasRead(program) {
        cache.beginItems(program: program)
        url.forEachItem(form) { name, value in cache.read(name, value, program: program) }
      }
      // An item that is not there is compared as an empty text (Matching.md, 3b.2).
      return cache.matchesItems(condition) ?? condition.matchesNothing
    }
    return cache.hasFound(condition.pattern, program: program)
  }
}

/// Collects the patterns of a ``PatternTable``.
///
/// Rules with the same pattern, such as one from the defaults of an entry, share it.
struct PatternTableBuilder {
  /// A pattern, and the condition if a program has it, unless that omits it.
  typealias Entry = (pattern: Pattern, condition: PatternTable.Condition?)

  /// The patterns of one program, with the texts that it reads, and the numbers of the patterns that
  /// every item with a name matches, by name.
  typealias Program = (
    source: PatternTable.Source, names: [[UInt8]: Int], patterns: PatternProgramBuilder
  )

  /// A pattern as a rule spells it.
  private struct Spelling: Hashable {
    var bytes: [UInt8]
    var text: PatternTable.Text
    var form: TextForm
    var ignoresCase: Bool
  }

  private(set) var programs: [Program] = []
  private var known: [Spelling: Entry] = [:]
  private let variables: Variables?

  init(_ variables: Variables?) { self.variables = variables }

  mutating func add(
    _ bytes: [UInt8], for text: PatternTable.Text, _ form: TextForm, ignoresCase: Bool
  ) -> Entry {
    let spelling = Spelling(bytes: bytes, text: text, form: form, ignoresCase: ignoresCase)
    if let entry = known[spelling] { return entry }
    let pattern = Pattern(
      PatternToken.tokens(of: bytes, variables: variables, folds: ignoresCase),
      ignoresCase: ignoresCase)
    let entry = (pattern, condition(pattern, text, form))
    known[spelling] = entry
    return entry
  }

  /// Frees the memory for adding patterns, which is large for files with very many rules.
  mutating func forgetKnownPatterns() {
    known = [:]
    for index in programs.indices { programs[index].names = [:] }
  }

  private mutating func condition(
    _ pattern: Pattern, _ text: PatternTable.Text, _ form: TextForm
  ) -> PatternTable.Condition? {
    guard !pattern.isImpossible, !pattern.isAnything, !pattern.hasUndecidedLevels else {
      return nil
    }
    let (prefix, program) = (text.prefix, program((text.part, form)))
    let number = programs[program].patterns.patternCount
    programs[program].patterns.add(pattern, after: prefix, number: number)
    return PatternTable.Condition(
      program: Int32(program), pattern: Int32(number),
      name: prefix.isEmpty ? -1 : Int32(self.name(prefix, program)),
      matchesNothing: pattern.matchesEmptyText)
  }

  /// Returns the number of the pattern that every item with a name matches.
  private mutating func name(_ prefix: [UInt8], _ program: Int) -> Int {
    if let number = programs[program].names[prefix] { return number }
    let number = programs[program].patterns.patternCount
    programs[program].names[prefix] = number
    programs[program].patterns.add(
      Pattern([.anyRun], ignoresCase: false), after: prefix, number: number)
    return number
  }

  private mutating func program(_ source: PatternTable.Source) -> Int {
    if let index = programs.firstIndex(where: { $0.source == source }) { return index }
    programs.append((source, [:], PatternProgramBuilder(source.form)))
    return programs.count - 1
  }
}

extension PatternTable.Text {
  package var part: RuleExplanation.Comparison.Part {
    switch self {
    case .path: .path
    case .query: .query
    case .fragment: .fragment
    case .item: .queryItem
    }
  }
}
