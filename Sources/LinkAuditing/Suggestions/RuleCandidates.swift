internal import UniversalLinks

/// The rules that could be put into a file, as the traffic suggests them.
struct RuleCandidates {
  let claims: [RuleDrafts.Claim]
  let exclusions: [ComponentDraft]

  /// What could be put in together, those first that are preferred.
  let candidates: [RuleCandidate]

  private let suggester: Suggester

  /// Makes rules of what nobody claims.
  init(_ suggester: Suggester, _ tally: SurveyTally, _ reader: StandingReader) {
    self.suggester = suggester
    let seen = Seen(suggester, tally, reader)
    guard let table = suggester.site.site.routes, suggester.list != nil else {
      (claims, exclusions, candidates) = ([], [], [])
      return
    }
    var drafts = RouteDrafts(table, text: suggester.text, form: suggester.form)
    for (route, families) in seen.families { drafts.add(route, families) }
    drafts.addPrefixes()
    let claims = drafts.drafts.claims
    let probes = LinkMatcher(
      Self.file(claims.map(\.draft), suggester), system: .current)
    let front = ExclusionDrafts(
      claims: probes, claims.map(\.draft), seen.foreign, host: suggester.site.exampleHost,
      form: suggester.form)
    (self.claims, exclusions) = (claims, front.drafts)

    var candidates: [RuleCandidate] = []
    for (number, claim) in claims.enumerated() {
      let places = claim.routes.reduce(into: Set([reader.end])) { places, route in
        places.formUnion(seen.excluding[route] ?? [])
      }
      candidates += places.sorted(by: >).map {
        RuleCandidate(claim: number, exclusion: nil, place: $0)
      }
    }
    candidates += front.pairs.map {
      RuleCandidate(claim: $0.claim, exclusion: $0.exclusion, place: reader.end)
    }
    self.candidates = candidates
  }

  /// All rules, each alone: those that claim, then those that exclude.
  func probes() -> AssociationFile {
    Self.file(claims.map(\.draft) + exclusions, suggester)
  }

  private static func file(_ drafts: [ComponentDraft], _ suggester: Suggester) -> AssociationFile {
    let form = suggester.form
    let defaults = suggester.text.defaults(of: suggester.place)
    let entries = drafts.enumerated().map { index, draft in
      // Exclusions match as rules that claim do; what they are is told by their numbers.
      var members = ["\"\(form.list.rawValue)\":[\(draft.json(form))]"]
      members.append(
        form.list == .paths ? "\"appID\":\"\(index)\"" : "\"appIDs\":[\"\(index)\"]")
      if let defaults { members.append("\"defaults\":\(defaults)") }
      return "{\(members.joined(separator: ","))}"
    }
    let text = ProbeFile.text(
      entries, variables: suggester.text.variables, defaults: suggester.text.defaults)
    return (try? AssociationFile(decoding: text)) ?? AssociationFile(entries: [])
  }
}

extension RuleCandidates {
  /// What is seen of the traffic that nobody claims.
  private struct Seen {
    /// The families of routes, the heaviest route first.
    private(set) var families: [(route: Int, families: [RouteDrafts.Family])] = []

    /// What the app doesn't implement, the heaviest first.
    private(set) var foreign: [ExclusionDrafts.Family] = []

    /// By route, the positions of rules that exclude what it has and that rules may be put
    /// in front of.
    private(set) var excluding: [Int: Set<Int>] = [:]

    /// The families of a route, and of what the app doesn't implement, that are looked at: a
    /// log can be made to hold any number of them.
    private static let (familyLimit, foreignLimit) = (1_000, 5_000)

    init(_ suggester: Suggester, _ tally: SurveyTally, _ reader: StandingReader) {
      var routes: [Int: (weight: Int, families: [String: Int])] = [:]
      var others: [String: (weight: Int, samples: [SampleStore.Sample])] = [:]
      tally.forEachFamily { family, decision, traffic, samples in
        let standing = reader.standing(of: decision)
        let weight = suggester.weight(traffic)
        guard weight > 0 else { return }
        switch standing.kind {
        case .wanted:
          guard let route = decision.route else { return }
          routes[route, default: (0, [:])].weight += weight
          routes[route, default: (0, [:])].families[family, default: 0] += weight
          if standing.limit < reader.end { excluding[route, default: []].insert(standing.limit) }
        case .foreign:
          others[family, default: (0, [])].weight += weight
          others[family, default: (0, [])].samples += samples
        case .taken, .claimed, .excluded, .unreadable: break
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
        .prefix(Self.foreignLimit).map { path, seen in
          ExclusionDrafts.Family(
            path: path, weight: seen.weight,
            samples: SampleStore.Sample.encodedBest(seen.samples))
        }
    }
  }
}

extension CompiledSite {
  /// The host whose URLs are asked about; for all hosts below a name, one of them.
  var exampleHost: String {
    site.host.hasPrefix("*.") ? "www" + site.host.dropFirst() : site.host
  }
}
