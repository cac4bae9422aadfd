internal import TrafficDigest
internal import UniversalLinks

/// The counts of one worker, or of all, in a survey.
struct SurveyTally: Sendable {
  /// The verdicts of a file on a target.
  struct Side: Hashable, Sendable {
    /// For the site.
    var site = Verdict.unclaimed

    /// The list of the app that opens, if one does.
    var opener: Int?

    /// For the entry that rules are put into, and the rule that decided there.
    var own = Verdict.unclaimed
    var rule: Int?
  }

  /// The properties by which targets are counted.
  struct Decision: Hashable, Sendable {
    var system: OperatingSystem

    /// The position of the app's route.
    var route: Int?

    /// The verdicts of the file as it is.
    var old: Side

    /// Those of the file with new rules, if there is one.
    var new: Side?

    /// The rules that could be put in and match, by their numbers, ascending.
    var matches: [Int32] = []
  }

  /// The traffic of a decision.
  struct Sum: Sendable {
    var traffic = Traffic()

    /// The part of it that came from pages of the same host.
    var sameHost = Traffic()
  }

  /// All traffic of the site.
  var total = Traffic()

  /// The decisions that were counted, numbered.
  private var numbering = Numbering<Decision>()
  var decisions: [Decision] { numbering.values }
  private(set) var sums: [Sum] = []

  /// The traffic by paths, with the number of a decision as second word.
  private var paths = FoldingTally()
  private var families: FamilyTree

  init(fanOut: Int) { families = FamilyTree(fanOut: fanOut) }

  /// Counts the traffic of a target.
  mutating func add(
    _ traffic: Traffic, sameHost: Traffic, _ decision: Decision, template: Int,
    target: Span<UInt8>
  ) {
    let number = number(of: decision)
    sums[number].traffic += traffic
    sums[number].sameHost += sameHost
    paths.add(
      traffic, to: CountTable.Key(first: UInt64(template), second: UInt64(number)),
      sample: target)
  }

  private mutating func number(of decision: Decision) -> Int {
    let number = numbering.number(of: decision)
    if number == sums.count { sums.append(Sum()) }
    return number
  }

  /// The bytes that samples of targets take whose templates aren't folded yet.
  var sampleByteCount: Int { paths.sampleByteCount }

  /// Adds a template of a path.
  ///
  /// - Returns: The number of its family.
  mutating func addFamily(of template: Span<UInt8>) -> Int { families.insert(template) }

  /// Counts by families what has been counted by templates, whose numbers have no
  /// meaning from then on.
  mutating func foldTemplates(_ family: (_ template: Int) -> Int) {
    let families = families
    paths.fold({ families.resolve(family($0)) }, resolve: families.resolve)
  }

  /// Adds the counts of another worker, both by families.
  mutating func merge(_ other: SurveyTally) {
    total += other.total
    let numbers = families.merge(other.families)
    let families = families
    let decisions = other.decisions.map { number(of: $0) }
    for (theirs, own) in decisions.enumerated() {
      sums[own].traffic += other.sums[theirs].traffic
      sums[own].sameHost += other.sums[theirs].sameHost
    }
    paths.merge(
      other.paths, { families.resolve(numbers[$0]) }, second: { UInt64(decisions[Int($0)]) })
  }

  /// Calls `body` with each decision and its traffic.
  func forEachDecision(_ body: (Decision, Sum) -> Void) {
    for (decision, sum) in zip(decisions, sums) { body(decision, sum) }
  }

  /// Calls `body` with the family of paths, its decision, its traffic, and samples; the
  /// same can occur more than once.
  func forEachFamily(
    _ body: (_ family: String, Decision, Traffic, [SampleStore.Sample]) -> Void
  ) {
    var texts: [Int: String] = [:]
    paths.forEachCount(resolve: families.resolve) { key, traffic, samples in
      let text = texts[key.path] ?? families.text(key.path)
      texts[key.path] = text
      body(text, decisions[Int(key.second)], traffic, samples)
    }
  }
}
