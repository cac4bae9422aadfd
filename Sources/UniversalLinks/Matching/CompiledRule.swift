internal import Foundations

/// A rule as decoded, with its patterns compiled, each on its own and as a condition that an
/// automaton tests.
///
/// It is a class, so that reading a part of it copies nothing else.
package final class CompiledRule: Sendable {
  /// A part of a URL, with the pattern that its text is compared with.
  package struct Comparison: Sendable {
    package let part: RuleDefinition.Part

    /// The name of the query item, empty for another part.
    package let name: [UInt8]
    package let pattern: Pattern

    /// The pattern in an automaton, unless that omits it, or `nil` if none has it.
    let condition: Condition?
  }

  /// A pattern of an automaton that a text of a URL has to match.
  struct Condition: BitwiseCopyable, Sendable {
    var program: Int32

    var pattern: Int32

    /// For a query item, the number of the pattern that every item with its name matches.
    var name: Int32

    var matchesNothing: Bool
  }

  /// The rule as decoded; for an entry without rules, one that matches every URL.
  package let definition: RuleDefinition

  /// The comparisons, one for each of ``RuleDefinition/patterns``.
  package let comparisons: [Comparison]

  // Other modules would copy the whole definition to read it there.
  package var dependsOnFragment: Bool { definition.dependsOnFragment }

  /// A Boolean value indicating whether some URL may match.
  var isPossible: Bool {
    !definition.requiresEntitlement && !comparisons.contains { $0.pattern.isImpossible }
  }

  fileprivate init(_ definition: RuleDefinition, _ comparisons: [Comparison]) {
    (self.definition, self.comparisons) = (definition, comparisons)
  }

  /// The bytes of a path's pattern after normalization (Matching.md, 3a).
  static func normalized(path: String) -> [UInt8] {
    var bytes = Array(path.utf8)
    bytes.normalizePath()
    return bytes
  }

  func comparison(of part: RuleDefinition.Part) -> Comparison? {
    comparisons.first { $0.part == part }
  }

  /// Whether a URL meets all constraints of the rule (Matching.md, 3.1).
  func matches(_ url: inout LinkURL, isPathDecided: Bool = false) -> Bool {
    for comparison in comparisons {
      if isPathDecided, comparison.part == .path { continue }
      guard comparison.matches(&url, definition.form) else { return false }
    }
    return !definition.requiresEntitlement
  }
}

extension CompiledRule.Comparison {
  /// A text of a URL that is compared, and as the URL spells it, if decoding has changed it.
  typealias Compared = (text: [UInt8], spelling: [UInt8]?)

  /// Returns the texts of a URL that are compared: one, or all query items with the name.
  func texts(of url: inout LinkURL, _ form: TextForm) -> [Compared] {
    func only(_ component: inout ComponentText) -> [Compared] {
      let text = component.text(form)
      return [(text, text == component.text(.encoded) ? nil : component.encodedSource)]
    }
    switch part {
    case .path: return only(&url.path)
    case .query: return only(&url.query)
    case .fragment: return only(&url.fragment)
    case .queryItem:
      return zip(url.items(form), url.items(.encoded)).filter { $0.0.name == name }.map {
        ($0.value, $0.value == $1.value ? nil : $1.value)
      }
    }
  }

  /// Returns a Boolean value indicating whether the text of a URL matches.
  ///
  /// Every query item with a name must match; if there is none, the empty text must (Matching.md,
  /// 3b.2).
  fileprivate func matches(_ url: inout LinkURL, _ form: TextForm) -> Bool {
    if pattern.isAnything { return true }
    let texts = texts(of: &url, form)
    return texts.isEmpty
      ? pattern.matchesEmptyText : texts.allSatisfy { pattern.matches($0.text.span) }
  }
}

extension RuleDefinition.Part {
  /// Separates a query item's name from its value; no text has it, because decoded text ends there.
  static let separator: UInt8 = 0

  /// Returns the bytes in front of the text as a program reads it, given the name of a query item.
  func prefix(_ name: [UInt8]) -> [UInt8] { self == .queryItem ? name + [Self.separator] : [] }
}

/// Compiles rules, and their patterns into programs: one for all patterns that are compared with the
/// same part of URLs in the same form.
///
/// Rules with the same pattern, such as one from the defaults of an entry, share it.
struct RuleCompiler {
  /// The texts that a program reads.
  typealias Source = (part: RuleDefinition.Part, form: TextForm)

  /// The patterns of one program, with the texts that it reads, and the numbers of the patterns that
  /// every item with a name matches, by name.
  private typealias Program = (
    source: Source, names: [[UInt8]: Int], patterns: PatternProgramBuilder
  )

  /// A pattern as a rule spells it.
  private struct Spelling: Hashable {
    var bytes: [UInt8]
    var part: RuleDefinition.Part
    var name: [UInt8]
    var form: TextForm
    var ignoresCase: Bool
  }

  /// The number of positions that variables and spellings may use.
  ///
  /// Each reference has its own positions for all values, except those shared by patterns with the
  /// same beginning.
  static let positionLimit = 1 << 18

  private var programs: [Program] = []
  private var known: [Spelling: CompiledRule.Comparison] = [:]
  private let variables: Variables?

  init(_ variables: Variables?) { self.variables = variables }

  mutating func compile(_ definition: RuleDefinition) -> CompiledRule {
    CompiledRule(
      definition,
      definition.patterns.map { part, name, pattern in
        comparison(
          Spelling(
            bytes: part == .path ? CompiledRule.normalized(path: pattern) : Array(pattern.utf8),
            part: part, name: Array(name.utf8), form: definition.form,
            ignoresCase: !definition.isCaseSensitive))
      })
  }

  private mutating func comparison(_ spelling: Spelling) -> CompiledRule.Comparison {
    if let comparison = known[spelling] { return comparison }
    let pattern = Pattern(
      PatternToken.tokens(
        of: spelling.bytes, variables: variables, folds: spelling.ignoresCase),
      ignoresCase: spelling.ignoresCase)
    let comparison = CompiledRule.Comparison(
      part: spelling.part, name: spelling.name, pattern: pattern,
      condition: condition(pattern, spelling))
    known[spelling] = comparison
    return comparison
  }

  private mutating func condition(
    _ pattern: Pattern, _ spelling: Spelling
  ) -> CompiledRule.Condition? {
    guard !pattern.isImpossible, !pattern.isAnything, !pattern.hasUndecidedLevels else {
      return nil
    }
    let prefix = spelling.part.prefix(spelling.name)
    let program = program((spelling.part, spelling.form))
    let number = programs[program].patterns.patternCount
    programs[program].patterns.add(pattern, after: prefix, number: number)
    return CompiledRule.Condition(
      program: Int32(program), pattern: Int32(number),
      name: prefix.isEmpty ? -1 : Int32(name(prefix, program)),
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

  private mutating func program(_ source: Source) -> Int {
    if let index = programs.firstIndex(where: { $0.source == source }) { return index }
    programs.append((source, [:], PatternProgramBuilder(source.form)))
    return programs.count - 1
  }

  /// Returns the programs of the patterns of all rules, and the texts that they read.
  mutating func layOut(positionLimit: Int) -> (programs: [PatternProgram], sources: [Source]) {
    // The memory for adding patterns is large for files with very many rules.
    known = [:]
    for index in programs.indices { programs[index].names = [:] }
    var positionsLeft = positionLimit
    return (
      programs.map { PatternProgram($0.patterns, positionsLeft: &positionsLeft) },
      programs.map(\.source)
    )
  }
}

/// A rule as an evaluation asks it.
struct RuleEntry: BitwiseCopyable, Sendable {
  /// The number of the rule, and the position of its list.
  var rule: Int32
  var list: Int32
  var excludes: Bool

  /// The pattern of the path, if an automaton has it.
  var path: CompiledRule.Condition?

  /// Whether a URL with such a path matches, regardless of its other parts.
  var isDecided: Bool { hasConditions && firstCondition == conditionEnd }

  /// Whether the rule can match a URL without a fragment, as all in logs are.
  var matchesWithoutFragment: Bool

  /// Whether conditions that automata test decide once the path matches, and where they are.
  var hasConditions: Bool
  var firstCondition: Int32
  var conditionEnd: Int32

  /// Adds the conditions of a rule to those of its file.
  init(
    _ compiled: CompiledRule, number: Int, list: Int, in programs: [PatternProgram],
    conditions: inout [CompiledRule.Condition]
  ) {
    // An automaton omits patterns that are too large.
    func condition(_ comparison: CompiledRule.Comparison) -> CompiledRule.Condition? {
      comparison.condition.flatMap {
        programs[Int($0.program)].omittedPatterns.contains($0.pattern) ? nil : $0
      }
    }
    (rule, self.list) = (Int32(number), Int32(list))
    excludes = compiled.definition.excludes
    // A pattern that every text matches constrains nothing.
    let constraints = compiled.comparisons.filter { !$0.pattern.isAnything }
    path = compiled.comparison(of: .path).flatMap(condition)
    hasConditions = constraints.allSatisfy { condition($0) != nil }
    firstCondition = Int32(conditions.count)
    if hasConditions {
      conditions += constraints.filter { $0.part != .path }.compactMap(condition)
    }
    conditionEnd = Int32(conditions.count)
    matchesWithoutFragment = compiled.comparison(of: .fragment)?.pattern.matchesEmptyText ?? true
  }
}
