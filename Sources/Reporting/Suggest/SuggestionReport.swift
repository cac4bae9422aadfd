internal import AccessLogs
internal import Foundations
package import LinkAuditing
package import TrafficDigest
internal import UniversalLinks

/// A report about suggested rules.
package struct SuggestionReport {
  let suggestion: Suggestion
  let digest: TrafficDigest

  /// The path of the association file, or `nil` for standard input.
  let filePath: String?

  /// The path of the written candidate with the rules inserted, or `nil`.
  let candidatePath: String?

  package init(
    suggestion: Suggestion, digest: TrafficDigest, filePath: String?, candidatePath: String?
  ) {
    (self.suggestion, self.digest) = (suggestion, digest)
    (self.filePath, self.candidatePath) = (filePath, candidatePath)
  }

  /// The rules as an array in JSON, one a line.
  package var componentsText: String {
    let rules = suggestion.rules.map { "  " + SafeText.escapedJSON($0.json) }
    return rules.isEmpty ? "[]\n" : "[\n\(rules.joined(separator: ",\n"))\n]\n"
  }

  static let jsonSchema = "linkaudit.suggest/1"

  /// Writes the suggested rules as one JSON document.
  package func writeJSON(to sink: @escaping OutputSink) throws {
    try JSONWriter.document(Self.jsonSchema, of: self, TableColumn.members, to: sink)
  }

  /// The name of the list in sentences, such as `'components' of entry 0`.
  var listName: String {
    let list = suggestion.list?.rawValue ?? ""
    return "'\(list)' of entry \(SafeText.escaped(suggestion.entry.text))"
  }

  var summary: String {
    if suggestion.list == nil {
      return
        "The entry has neither 'components' nor 'paths', so it claims everything: no rule is needed."
    }
    guard suggestion.total.requests > 0 else {
      return "Nothing to suggest: no request is for '\(suggestion.host)'. Check the host."
    }
    let countsVisits = suggestion.options.weight == .visits
    let thing = countsVisits ? "visit" : "request"
    let wanted = countsVisits ? suggestion.wanted.visits : suggestion.wanted.requests
    guard wanted > 0 else {
      return "Nothing to suggest: there is no unclaimed \(thing) with a route."
    }
    let what = "unclaimed \(thing)\(wanted == 1 ? "" : "s") with a route"
    let name = suggestion.list == .paths ? "element" : "component"
    guard suggestion.rules.isEmpty else {
      let won = countsVisits ? suggestion.won.visits : suggestion.won.requests
      return
        "\(suggestion.rules.count.counted(name)) would claim \(won.grouped) of \(wanted.grouped) \(what)."
    }
    let reasons = Set(suggestion.remaining.map(\.reason))
    if reasons == [.excludedByDefault] {
      return
        "No element of 'paths' can undo the default 'exclude', so none can claim the \(wanted.grouped) \(what)."
    }
    if reasons == [.unmatched] {
      return "No tested \(name) claims the \(wanted.grouped) \(what)."
    }
    if wanted == 1 { return "No \(name) wins enough: there is only 1 \(what)." }
    return "No \(name) wins enough of the \(wanted.grouped) \(what)."
  }
}

extension RemainingRoute.Reason {
  static let codes = [
    "excluded", "ios12", "light", "besides", "top", "noRule", "unmatched", "excludedByDefault",
    "everyPath",
  ]

  var code: String {
    switch self {
    case .excluded: "excluded"
    case .oldSystems: "ios12"
    case .besides: "besides"
    case .light, .top, .noRule, .unmatched, .excludedByDefault, .everyPath: "\(self)"
    }
  }
}

extension TableColumn where Row == SuggestionReport {
  static let members: [TableColumn] =
    judging { $0.suggestion.options } + [
      .text("host", "The host") { $0.suggestion.host },
      .texts("apps", "The apps whose rules these are") { $0.suggestion.apps.map(\.text) },
      .optional("file", "The association file; none for standard input") { $0.filePath },
      .detail { $0.suggestion.entry },
      TableColumn(
        "list", .nullable(.choice(["components", "paths"])),
        "The array that the rules go into; none if the entry has none and claims everything"
      ) { .text($0.suggestion.list?.rawValue) },
      .text("summary", "The gain in a sentence") { $0.summary },
      .part("input", "The logs", TableColumn<TrafficDigest>.document) { $0.digest },
    ] + TableColumn<Suggestion>.rules.map { $0.of(\.suggestion) }
}

extension TableColumn where Row == Suggestion {
  fileprivate static let rules: [TableColumn] =
    [
      TableColumn(
        "components", .list(.definition("component")),
        "The rules in the order of the file: objects, or texts for `paths`"
      ) { .values($0.rules.map { SafeText.escapedJSON($0.json) }) },
      .ordinal("least", "The visits that a rule must win to be worth its line", \.least),
      .traffic(object: "total", "The traffic of the host") { $0.total },
      .traffic(object: "wanted", "Traffic with a route that no app claims", \.wanted),
      .traffic(object: "won", "The part of it that the rules would claim") { $0.won },
      .traffic(
        object: "sameHost",
        "The part of that from pages of the same host, where links never open the app"
      ) { $0.wonFromSameHost },
      .traffic(object: "besides", "Traffic without a route that they would claim, too", \.besides),
      .traffic(object: "taken", "Traffic that would open this app instead of another", \.taken),
      // Rules that are inserted never lose traffic.
      .traffic(object: "lost", "Traffic that would no longer be claimed") { _ in Traffic() },
      .objects(
        "rules", named: "rule", "The rules, in the order of `components`",
        TableColumn<SuggestedRule>.members
      ) { $0.rules },
      .objects(
        "placements", named: "placement", "The places of the rules in the list",
        [
          .count("position", "The position in the list, from 0") { $0.position },
          .ordinal("count", "The number of rules to insert there") { $0.count },
          .object(
            "inFrontOf", named: "ruleName", "The rule that they precede; none after the last",
            TableColumn<ReportedRule>.ruleName
          ) { $0.following },
        ]
      ) { $0.placements },
      .objects(
        "remaining", named: "remaining", "Routes that would still not open the app",
        TableColumn<RemainingRoute>.members
      ) { $0.remaining },
      .objects(
        "claimedByOthers", named: "claimingApp", "Routes that other apps open",
        [
          .text("app", "The app") { $0.app.text },
          .count("routes", "The number of routes that it claims") { $0.routes },
        ] + TableColumn<Suggestion.ClaimingApp>.traffic { $0.traffic }
      ) { $0.claimedByOthers },
      .objects(
        "hiddenRules", named: "ruleName", "Rules that would no longer decide anything",
        TableColumn<ReportedRule>.ruleName
      ) { $0.hiddenRules },
    ]
}

extension TableColumn where Row == SuggestedRule {
  /// The members of a suggested rule; one that excludes keeps traffic, others take it.
  fileprivate static let members: [TableColumn] = [
    .count("position", "Its position in the list of the new file, from 0") { $0.position },
    .truth("excludes", "Whether the rule excludes what it matches") { $0.excludes },
    .traffic(object: "won", "Newly claimed traffic with a route") { $0.won },
    .traffic(object: "sameHost", "The part of it that came from pages of the same host") {
      $0.sameHost
    },
    .objects(
      "routes", named: "servedRoute", "The routes that it claims",
      [.text("route", "The route as written") { $0.path }]
        + TableColumn<PathGroupTraffic>.traffic { $0.traffic }
    ) { $0.routes },
    .traffic(
      object: "kept", "Traffic without a route that it keeps on the web", presence: .sometimes
    ) { $0.excludes ? $0.others.total : nil },
    .traffic(object: "besides", "Newly claimed traffic without a route", presence: .sometimes) {
      $0.excludes ? nil : $0.others.total
    },
    .traffic(
      object: "taken", "Newly claimed traffic that another app opens now", presence: .sometimes
    ) { $0.excludes ? nil : $0.taken },
    .objects(
      "paths", named: "path", "The path groups of that traffic",
      TableColumn<PathGroupTraffic>.pathGroup()
    ) { $0.others },
    TableColumn(
      "unseenPath", .nullable(.text),
      "A path without a route and without a request that it would also claim",
      presence: .sometimes
    ) { $0.excludes ? nil : .text($0.unseenPath) },
  ]
}

extension TableColumn where Row == RemainingRoute {
  fileprivate static let members: [TableColumn] =
    [
      .text("route", "The route as written") { $0.route },
      TableColumn(
        "reason", .choice(RemainingRoute.Reason.codes), "The reason why no rule claims it"
      ) { .text($0.reason.code) },
    ] + traffic { $0.traffic } + [
      TableColumn(
        "component", .text, "The best rejected rule, as JSON", presence: .sometimes
      ) { route in
        if case .besides(let rule, _) = route.reason { .text(rule) } else { nil }
      },
      .traffic(
        object: "besides", "The traffic without a route that this rule would claim",
        presence: .sometimes
      ) { route in
        if case .besides(_, let traffic) = route.reason { traffic } else { nil }
      },
      TableColumn(
        "rule", .nullable(.object(TableColumn<ReportedRule>.ruleName, named: "ruleName")),
        "The rule that excludes it", presence: .sometimes
      ) { route in
        guard case .excluded(let rule) = route.reason else { return nil }
        return .object(rule, TableColumn<ReportedRule>.ruleName)
      },
      .texts("samples", "Up to three targets", atMost: 3) { $0.samples },
    ]
}
