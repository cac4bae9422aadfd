internal import UniversalLinks

/// New rules that are added together, to claim the URLs that one pattern matches.
struct RuleCandidate: Hashable, Sendable {
  var claim: Int

  /// The number of the preceding rule that excludes URLs that it shouldn't claim, or `nil`.
  var exclusion: Int?

  /// The position in the list of the rule that they precede.
  var position: Int
  var cost: Int { exclusion == nil ? 1 : 2 }

  /// Returns a Boolean value indicating whether the rules claim traffic that their claim matches.
  func keeps(_ decision: RuleSurvey.Decision) -> Bool {
    let isExcluded = exclusion.map { decision.matches.contains(Int32($0)) } ?? false
    return position <= decision.limit && !isExcluded
  }
}

/// The possible new rules of a file, as routes and traffic suggest them.
struct RuleCandidates {
  /// The rules that claim; their positions are their numbers.
  let claims: [RouteDrafts.Claim]

  /// All rules by their numbers: those that claim, then those that exclude.
  private(set) var drafts: [ComponentDraft]
  private(set) var candidates: [RuleCandidate] = []

  /// A file in which each rule is alone in an entry, so that one evaluation finds all that match.
  private(set) var probes: AssociationFile

  /// The greatest numbers of path groups of a route, and of those that the app doesn't implement.
  ///
  /// They are needed because a hostile log can hold any number of path groups.
  private static let (groupLimit, foreignLimit) = (1_000, 5_000)

  /// The greatest number of rules before which exclusions are tried.
  private static let exclusionLimit = 200

  init(_ suggester: Suggester, _ tally: RuleSurvey.Tally) {
    var routes: [Int: (weight: Int, groups: [String: Int])] = [:]
    var foreign: [String: (weight: Int, samples: [SampleStore.Sample])] = [:]
    // By route, the positions of rules that exclude its paths and that new rules may precede.
    var excluding: [Int: Set<Int>] = [:]
    let (decisions, end) = (tally.decisions.decisions, suggester.survey.end)
    tally.decisions.forEachCount { path, number, traffic, samples in
      let (decision, weight) = (decisions[number], suggester.weight(traffic))
      guard weight > 0 else { return }
      if decision.kind == .wanted, let route = decision.route {
        routes[route, default: (0, [:])].weight += weight
        routes[route, default: (0, [:])].groups[path, default: 0] += weight
        if let rule = decision.excludingRule, rule < end {
          excluding[route, default: []].insert(rule)
        }
      } else if decision.kind == .foreign {
        foreign[path, default: (0, [])].weight += weight
        foreign[path, default: (0, [])].samples += samples
      }
    }
    var makers = RouteDrafts(suggester)
    for (route, seen) in routes.sorted(by: { ($1.value.weight, $0.key) < ($0.value.weight, $1.key) }
    )
    where suggester.list != nil {
      let groups = seen.groups.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      makers.add(route, groups.prefix(Self.groupLimit).map { ($0.key, $0.value) })
    }
    makers.addPrefixes()
    claims = makers.claims
    drafts = claims.map(\.draft)
    probes = suggester.text.probes(drafts)
    for (number, claim) in claims.enumerated() {
      let positions = Set([end] + claim.routes.flatMap { excluding[$0] ?? [] })
      candidates += positions.sorted(by: >).map { RuleCandidate(claim: number, position: $0) }
    }
    let heaviest = foreign.sorted { ($1.value.weight, $0.key) < ($0.value.weight, $1.key) }
      .prefix(Self.foreignLimit)
    let caught = caught(
      heaviest.map { ($0.key, SampleStore.Sample.encodedBest($0.value.samples)) },
      host: suggester.site.site.exampleHost)
    var exclusions = Numbering<ComponentDraft>()
    for (claim, paths) in caught.sorted(by: { $0.key < $1.key }).prefix(Self.exclusionLimit) {
      for draft in exclusionDrafts(from: claims[claim].draft.path, paths) {
        for variant in draft.variants(in: suggester.text) {
          let number = claims.count + exclusions.number(of: variant)
          candidates.append(RuleCandidate(claim: claim, exclusion: number, position: end))
        }
      }
    }
    drafts += exclusions.values
    probes = suggester.text.probes(drafts)
  }

  // MARK: - Exclusions

  /// By rule that claims, the segments of the path groups that it would claim.
  private func caught(
    _ groups: [(path: String, samples: [String])], host: String
  ) -> [Int: [[Substring]]] {
    let matcher = LinkMatcher(probes)
    var caught: [Int: [[Substring]]] = [:]
    var evaluation = Evaluation()
    for group in groups {
      var hits: Set<Int> = []
      for sample in group.samples {
        var url = LinkURL("https://\(host)\(sample)", host: host)
        matcher.evaluate(&url, into: &evaluation)
        hits.formUnion(evaluation.matches.map(\.ruleList))
      }
      for hit in hits { caught[hit, default: []].append(group.path.split(separator: "/")) }
    }
    return caught
  }

  /// Rules that keep paths from a rule that claims a pattern.
  private func exclusionDrafts(from own: String, _ paths: [[Substring]]) -> [ComponentDraft] {
    func pattern(_ segments: ArraySlice<Substring>) -> String {
      "/"
        + segments.map { $0.hasPrefix("{") && $0.hasSuffix("}") ? "?*" : $0 }
        .joined(separator: "/")
    }
    let common = paths.dropFirst().reduce(paths[0][...]) { common, path in
      common.prefix(zip(common, path).prefix { $0 == $1 }.count)
    }
    // A parameter is one segment, but a star is any number.
    var patterns = own.hasSuffix("?*") ? [own + "/?*"] : []
    patterns.append(pattern(paths[0][...]))
    if !common.isEmpty { patterns.append(pattern(common) + "/*") }
    return patterns.filter { $0 != own }.map { ComponentDraft(path: $0, excludes: true) }
  }

  /// Removes the candidates with exclusions that match paths of the app, by the decisions about
  /// traffic.
  mutating func removeHarmful(_ decisions: [RuleSurvey.Decision], _ survey: RuleSurvey) {
    let harmful = decisions.reduce(into: Set<Int>()) { harmful, decision in
      if survey.isImplemented(decision.route) { harmful.formUnion(decision.matches.map(Int.init)) }
    }
    candidates.removeAll { $0.exclusion.map(harmful.contains) ?? false }
  }

  // MARK: - Insertions

  /// Rules that are inserted before the rule of the file at a position, by their numbers.
  typealias Insertion = (position: Int, drafts: [Int])

  /// The rules of candidates that are in ascending order of their positions.
  func insertions(of chosen: [RuleCandidate]) -> [Insertion] {
    var known: Set<Int> = []
    return chosen.grouped(by: \.position).map { position, candidates in
      let drafts = candidates.flatMap { [$0.exclusion, $0.claim].compactMap(\.self) }
      return (position, drafts.filter { known.insert($0).inserted })
    }
  }
}
