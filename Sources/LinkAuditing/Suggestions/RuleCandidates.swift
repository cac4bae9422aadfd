internal import UniversalLinks

/// Rules that could be put into a file together, to claim what one pattern matches.
struct RuleCandidate: Hashable, Sendable {
  /// The number of the rule that claims.
  var claim: Int

  /// The number of the rule in front of it that excludes what it shouldn't claim, or `nil`.
  var exclusion: Int?

  /// The position in the list in front of which they are put.
  var position: Int

  /// The number of rules.
  var cost: Int { exclusion == nil ? 1 : 2 }
}

/// The rules that could be put into a file, as the traffic suggests them.
struct RuleCandidates {
  let claims: [RouteDrafts.Claim]
  private(set) var exclusions: [ComponentDraft] = []

  /// The candidates, those first that are preferred.
  private(set) var candidates: [RuleCandidate] = []

  private let suggester: Suggester

  /// Makes rules for what nobody claims.
  init(_ suggester: Suggester, _ tally: SurveyTally, _ reader: StandingReader) {
    self.suggester = suggester
    guard let table = suggester.site.site.routes, suggester.list != nil else {
      claims = []
      return
    }
    let seen = Seen(suggester, tally, reader)
    var drafts = RouteDrafts(table, text: suggester.text, form: suggester.form)
    for (route, families) in seen.families { drafts.add(route, families) }
    drafts.addPrefixes()
    claims = drafts.claims
    for (number, claim) in claims.enumerated() {
      let positions = claim.routes.reduce(into: Set([reader.end])) { positions, route in
        positions.formUnion(seen.excluding[route] ?? [])
      }
      candidates += positions.sorted(by: >).map { RuleCandidate(claim: number, position: $0) }
    }
    var numbers = Numbering<ComponentDraft>()
    for (claim, draft) in exclusionDrafts(seen.foreign) {
      let number = numbers.number(of: draft)
      candidates.append(RuleCandidate(claim: claim, exclusion: number, position: reader.end))
    }
    exclusions = numbers.values
  }

  /// All rules, each alone: those that claim, then those that exclude.
  func probes() -> AssociationFile { probes(claims.map(\.draft) + exclusions) }

  private func probes(_ drafts: [ComponentDraft]) -> AssociationFile {
    let form = suggester.form
    let defaults = suggester.text.defaults(of: suggester.entry)
    let entries = drafts.enumerated().map { index, draft in
      // Exclusions match as rules that claim do; they are known by their numbers.
      var members = ["\"\(form.list.rawValue)\":[\(draft.json(form))]"]
      members.append(
        form.list == .paths ? "\"appID\":\"\(index)\"" : "\"appIDs\":[\"\(index)\"]")
      if let defaults { members.append("\"defaults\":\(defaults)") }
      return "{\(members.joined(separator: ","))}"
    }
    let text = AssociationText.text(
      of: entries, variables: suggester.text.variables, defaults: suggester.text.defaults)
    return (try? AssociationFile(decoding: text)) ?? AssociationFile(entries: [])
  }

  /// Rules in ascending order of the positions that they are put in front of.
  struct Insertion {
    var position: Int
    var drafts: [ComponentDraft]
  }

  /// The rules of candidates that are in ascending order of their positions.
  func insertions(of chosen: [RuleCandidate]) -> [Insertion] {
    var insertions: [Insertion] = []
    var known: Set<ComponentDraft> = []
    for candidate in chosen {
      let drafts = [candidate.exclusion.map { exclusions[$0] }, claims[candidate.claim].draft]
        .compactMap(\.self).filter { known.insert($0).inserted }
      if let last = insertions.indices.last, insertions[last].position == candidate.position {
        insertions[last].drafts += drafts
      } else {
        insertions.append(Insertion(position: candidate.position, drafts: drafts))
      }
    }
    return insertions
  }
}

// MARK: - Exclusions

extension RuleCandidates {
  /// The greatest number of rules in front of which others are tried.
  private static let exclusionLimit = 200

  /// Exclusions for the rules that claim too much.
  ///
  /// - Parameter families: The paths that nobody claims and the app doesn't implement, the
  ///   heaviest first, with samples.
  /// - Returns: The rules, each with the number of the one that it is for.
  private func exclusionDrafts(
    _ families: [(path: String, samples: [String])]
  ) -> [(claim: Int, draft: ComponentDraft)] {
    let (matcher, host) = (
      LinkMatcher(probes(claims.map(\.draft)), system: .current), suggester.site.exampleHost
    )
    var caught: [Int: [[Substring]]] = [:]
    var evaluation = Evaluation()
    for family in families {
      var hits: Set<Int> = []
      for sample in family.samples {
        var url = LinkURL("https://\(host)\(sample)", host: host)
        matcher.evaluate(&url, into: &evaluation)
        hits.formUnion(evaluation.matches.map(\.ruleList))
      }
      for hit in hits { caught[hit, default: []].append(family.path.split(separator: "/")) }
    }
    return caught.sorted { $0.key < $1.key }.prefix(Self.exclusionLimit).flatMap { claim, paths in
      let own = claims[claim].draft.path
      let common = paths.dropFirst().reduce(paths[0][...]) { common, path in
        common.prefix(zip(common, path).prefix { $0 == $1 }.count)
      }
      // A parameter is one segment, but a star is any number.
      var patterns = own.hasSuffix("?*") ? [own + "/?*"] : []
      patterns.append(Self.pattern(paths[0][...]))
      if !common.isEmpty { patterns.append(Self.pattern(common) + "/*") }
      return patterns.filter { $0 != own }.flatMap { pattern in
        ComponentDraft(path: pattern, excludes: true).variants(suggester.form).map { (claim, $0) }
      }
    }
  }

  /// The pattern of segments of a family.
  private static func pattern(_ segments: ArraySlice<Substring>) -> String {
    "/"
      + segments.map { $0.hasPrefix("{") && $0.hasSuffix("}") ? "?*" : $0 }
      .joined(separator: "/")
  }
}

// MARK: - Traffic

/// The traffic that nobody claims.
private struct Seen {
  /// The families of routes, the heaviest route and family first.
  private(set) var families: [(route: Int, families: [RouteDrafts.Family])] = []

  /// The families that the app doesn't implement, the heaviest first.
  private(set) var foreign: [(path: String, samples: [String])] = []

  /// By route, the positions of rules that exclude its paths and that rules may be put in
  /// front of.
  private(set) var excluding: [Int: Set<Int>] = [:]

  /// The greatest numbers of families of a route, and of those that the app doesn't implement:
  /// a log can be made to hold any number of them.
  private static let (familyLimit, foreignLimit) = (1_000, 5_000)

  init(_ suggester: Suggester, _ tally: SurveyTally, _ reader: StandingReader) {
    var routes: [Int: (weight: Int, families: [String: Int])] = [:]
    var others: [String: (weight: Int, samples: [SampleStore.Sample])] = [:]
    tally.forEachFamily { family, decision, traffic, samples in
      let standing = reader.standing(of: decision)
      let weight = suggester.weight(traffic)
      guard weight > 0 else { return }
      if standing.kind == .wanted, let route = decision.route {
        routes[route, default: (0, [:])].weight += weight
        routes[route, default: (0, [:])].families[family, default: 0] += weight
        if standing.limit < reader.end { excluding[route, default: []].insert(standing.limit) }
      } else if standing.kind == .foreign {
        others[family, default: (0, [])].weight += weight
        others[family, default: (0, [])].samples += samples
      }
    }
    families = routes.sorted { ($1.value.weight, $0.key) < ($0.value.weight, $1.key) }
      .map { route, seen in
        let sorted = seen.families.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return (
          route,
          sorted.prefix(Self.familyLimit).map {
            RouteDrafts.Family(path: $0.key, weight: $0.value)
          }
        )
      }
    foreign = others.sorted { ($1.value.weight, $0.key) < ($0.value.weight, $1.key) }
      .prefix(Self.foreignLimit)
      .map { ($0.key, SampleStore.Sample.encodedBest($0.value.samples)) }
  }
}
