internal import Foundations

/// The result of all rules of a matcher for one URL.
///
/// An evaluation is filled in for millions of URLs, so it identifies rules by their numbers among
/// those of all lists of the matcher. ``LinkMatcher/decisions(of:)`` names them.
public struct Evaluation: Sendable {
  /// The number of the rule of an entry that decided, or `Int.max` if none did, and the verdict.
  @usableFromInline typealias Outcome = (rule: Int, verdict: Verdict)

  /// A rule that matches, by its number, and the position of its list.
  @usableFromInline package typealias Match = (rule: Int, ruleList: Int)

  /// The outcomes by list; none if the URL isn't eligible.
  @usableFromInline private(set) var outcomes: [Outcome] = []

  var cache = AutomatonCache()

  /// A Boolean value indicating whether rules apply to the URL.
  public internal(set) var isEligible = false

  /// The rules that match the URL, in no order, even if an earlier one has decided.
  ///
  /// Those from ``matchCount`` on belong to an earlier URL.
  @usableFromInline private(set) var storedMatches: [Match] = []

  /// The number of rules that match the URL.
  package private(set) var matchCount = 0

  /// The rules that match the URL, in no order, even if an earlier one has decided.
  package var matches: ArraySlice<Match> { storedMatches[..<matchCount] }

  /// One of the rules that match the URL.
  @inlinable @inline(__always)
  package func match(at index: Int) -> Match { storedMatches[index] }

  /// The number of rules whose paths match.
  var candidateCount = 0

  /// Creates an empty evaluation.
  public init() {}

  /// Clears the last URL, and reserves memory for the outcomes of some lists.
  mutating func reset(ruleListCount count: Int) {
    let undecided: Outcome = (.max, .unclaimed)
    if outcomes.count == count {
      for index in outcomes.indices { outcomes[index] = undecided }
    } else {
      outcomes.removeAll(keepingCapacity: true)
      outcomes.append(contentsOf: repeatElement(undecided, count: count))
    }
    candidateCount = 0
    matchCount = 0
  }

  @inline(__always)
  mutating func add(rule: Int, ofRuleList list: Int, excludes: Bool) {
    if matchCount < storedMatches.count {
      storedMatches[matchCount] = (rule, list)
    } else {
      storedMatches.append((rule, list))
    }
    matchCount += 1
    if rule < outcomes[list].rule { outcomes[list] = (rule, excludes ? .excluded : .claimed) }
  }

  /// Returns the verdict of the rules of one entry.
  @inlinable @inline(__always)
  package func verdict(ofRuleList index: Int) -> Verdict {
    isEligible ? outcome(ofRuleList: index).verdict : .ineligible
  }

  /// Returns the number of the rule of an entry that decided, or `nil` if none did.
  @inlinable @inline(__always)
  package func decidingRule(ofRuleList index: Int) -> Int? {
    let rule = outcome(ofRuleList: index).rule
    return rule < .max ? rule : nil
  }

  /// The outcome of an entry; before any evaluation, nothing has matched.
  @inlinable @inline(__always)
  func outcome(ofRuleList index: Int) -> Outcome {
    outcomes.indices.contains(index) ? outcomes[index] : (.max, .unclaimed)
  }

  /// The site's verdict: claimed if any app claims the URL, else excluded if any
  /// app excludes it, else unclaimed.
  public var siteVerdict: Verdict {
    guard isEligible else { return .ineligible }
    var verdict = Verdict.unclaimed
    for outcome in outcomes {
      switch outcome.verdict {
      case .claimed: return .claimed
      case .excluded: verdict = .excluded
      case .unclaimed, .ineligible: break
      }
    }
    return verdict
  }
}

/// The verdict of an app's rules on a URL, and the rule that decided.
public struct Decision: Hashable, Sendable {
  /// The app.
  public var app: ApplicationIdentifier

  /// Whether its rules claim the URL.
  public var verdict: Verdict

  /// The rule that decided, or `nil` if none did; without a position if the entry has no rules
  /// and so matches everything.
  public var rule: RuleID?
}

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

/// The generations of systems that read association files differently.
public enum OperatingSystem: String, CaseIterable, Hashable, Sendable {
  /// iOS 12 and earlier: `appID` and `paths` only (Matching.md, 4.2).
  case legacy = "ios12"

  /// iOS 13 and later, with all that later versions added.
  case current = "ios13+"
}

/// The lazily built automata of the matchers that evaluate a URL, and their matches.
///
/// Each thread has its own, in an ``Evaluation``. The states of all automata share one limit. When
/// they reach it, all states are discarded.
struct AutomatonCache: Sendable {
  /// The matchers in use, which are retained so that no others get the same identities.
  private var matchers: [ObjectIdentifier: (matcher: LinkMatcher, first: Int)] = [:]
  private var readers: [Reader] = []

  /// An automaton, and what it found in one URL; what is found in paths is not kept.
  private struct Reader {
    var automaton: LazyAutomaton

    /// The number of the URL among those that were evaluated.
    var url = 0

    /// The positions of the patterns that match, in ``AutomatonCache/found``.
    var range = 0..<0

    /// The numbers of the query items that match each pattern, and the patterns that any matches.
    var itemCounts: [Int32] = []
    var itemPatterns: [Int32] = []
  }

  /// The patterns that were found in the URL and in some before it, automaton by automaton.
  private(set) var found: [Int32] = []
  private static let foundLimit = 4096

  /// The matcher in use, and the position of its first automaton.
  private var matcher: LinkMatcher?
  private var first = 0

  /// The number of the URL.
  private var url = 0

  /// An item that is being read.
  private var item: [UInt8] = []

  /// The number of bytes that all states use, and the greatest that they may use.
  private var size = 0
  private let limit: Int

  /// The number of bytes that were read since states were discarded.
  private var bytesRead = 0

  private static let automatonLimit = 10_000

  init(limit: Int = 4 << 20) { self.limit = limit }

  /// Begins the evaluation of a URL by the rules of a matcher.
  mutating func begin(_ matcher: LinkMatcher) {
    url += 1
    // Emptying costs more than what many URLs find.
    if found.count > Self.foundLimit { found.removeAll(keepingCapacity: true) }
    if matcher !== self.matcher { use(matcher) }
  }

  private mutating func use(_ matcher: LinkMatcher) {
    self.matcher = matcher
    if let known = matchers[ObjectIdentifier(matcher)] {
      first = known.first
      return
    }
    if readers.count > Self.automatonLimit { (matchers, readers, size) = ([:], [], 0) }
    first = readers.count
    matchers[ObjectIdentifier(matcher)] = (matcher, first)
    readers += matcher.programs.map { Reader(automaton: LazyAutomaton($0)) }
  }

  /// Finds the patterns of an automaton that match a text.
  ///
  /// - Returns: Their positions in ``found``.
  mutating func read(_ text: Span<UInt8>, program: Int) -> Range<Int> {
    let (index, start) = (first + program, found.count)
    bytesRead += text.count
    if let progress = readers[index].automaton.readKnown(text, into: &found) {
      read(text, from: progress, index)
    }
    return start..<found.count
  }

  /// Finds the patterns of an automaton that match a text, for ``hasFound(_:program:)``.
  mutating func find(in text: Span<UInt8>, program: Int) {
    let range = read(text, program: program)
    (readers[first + program].url, readers[first + program].range) = (url, range)
  }

  private mutating func read(
    _ text: Span<UInt8>, from progress: LazyAutomaton.Progress, _ index: Int
  ) {
    var progress = progress
    while true {
      let old = readers[index].automaton.size
      let isRead = readers[index].automaton.read(
        text, &progress, limit: limit - size + old, into: &found)
      size += readers[index].automaton.size - old
      if isRead { return }
      for index in readers.indices { readers[index].automaton.removeStates(bytesRead: bytesRead) }
      (size, bytesRead) = (0, 0)
    }
  }

  mutating func beginItems(program: Int) {
    let index = first + program
    readers[index].url = url
    if readers[index].itemCounts.isEmpty, let count = matcher?.programs[program].patternCount {
      readers[index].itemCounts = Array(repeating: 0, count: count)
    }
    for pattern in readers[index].itemPatterns { readers[index].itemCounts[Int(pattern)] = 0 }
    readers[index].itemPatterns.removeAll(keepingCapacity: true)
  }

  mutating func read(_ name: Span<UInt8>, _ value: Span<UInt8>, program: Int) {
    var item: [UInt8] = []
    swap(&item, &self.item)
    item.removeAll(keepingCapacity: true)
    name.append(to: &item)
    item.append(RuleDefinition.Part.separator)
    value.append(to: &item)
    let index = first + program
    let range = read(item.span, program: program)
    for position in range {
      let pattern = found[position]
      if readers[index].itemCounts[Int(pattern)] == 0 {
        readers[index].itemPatterns.append(pattern)
      }
      readers[index].itemCounts[Int(pattern)] += 1
    }
    found.removeSubrange(range)
    swap(&item, &self.item)
  }

  /// Whether every item with a condition's name matches, or `nil` if there is none.
  func matchesItems(_ condition: CompiledRule.Condition) -> Bool? {
    let counts = readers[first + Int(condition.program)].itemCounts
    let count = counts[Int(condition.name)]
    return count == 0 ? nil : counts[Int(condition.pattern)] == count
  }

  func hasRead(_ program: Int) -> Bool { readers[first + program].url == url }

  /// Returns a Boolean value indicating whether an automaton has found a pattern.
  func hasFound(_ pattern: Int32, program: Int) -> Bool {
    found.contains(pattern, in: readers[first + program].range)
  }
}

extension Array where Element: FixedWidthInteger {
  /// Returns a Boolean value indicating whether there is a number in a range, which is ascending.
  @inline(__always)
  func contains(_ number: Element, in range: Range<Int>) -> Bool {
    let index = range.partitioningIndex { self[$0] >= number }
    return index < range.upperBound && self[index] == number
  }
}
