internal import UniversalLinks

/// Makes rules that could stand in front of those that claim too much.
struct ExclusionDrafts {
  /// Paths that nobody claims and the app doesn't implement.
  struct Family {
    var path: String
    var weight: Int
    var samples: [String]
  }

  /// The greatest number of rules in front of which others are tried.
  private static let limit = 200

  private(set) var drafts: [ComponentDraft] = []
  private var positions: [ComponentDraft: Int] = [:]

  /// The rules that each rule could have in front of it, by their numbers.
  private(set) var pairs: [(claim: Int, exclusion: Int)] = []

  /// Creates the rules for what some would claim too much.
  ///
  /// - Parameters:
  ///   - claims: The rules, each alone.
  ///   - drafts: The same rules as they are written.
  ///   - families: What the app doesn't implement, the heaviest first.
  ///   - host: The host.
  ///   - form: How the file wants rules.
  init(
    claims: LinkMatcher, _ drafts: [ComponentDraft], _ families: [Family], host: String,
    form: ComponentDraft.Form
  ) {
    var caught: [Int: [Int]] = [:]
    var evaluation = Evaluation()
    for (number, family) in families.enumerated() {
      var hits: Set<Int> = []
      for sample in family.samples {
        var url = LinkURL("https://\(host)\(sample)", host: host)
        claims.evaluate(&url, into: &evaluation)
        hits.formUnion(evaluation.matches.map(\.ruleList))
      }
      for hit in hits { caught[hit, default: []].append(number) }
    }
    for (claim, numbers) in caught.sorted(by: { $0.key < $1.key }).prefix(Self.limit) {
      var patterns: [String] = []
      // A parameter stands for one segment, and a star for any number.
      if drafts[claim].path.hasSuffix("?*") { patterns.append(drafts[claim].path + "/?*") }
      let paths = numbers.map { families[$0].path.split(separator: "/") }
      if let first = paths.first {
        patterns.append("/" + first.map(Self.pattern).joined(separator: "/"))
        let common = paths.reduce(first[...]) { common, path in
          let count = zip(common, path).prefix { $0 == $1 }.count
          return common.prefix(count)
        }
        if !common.isEmpty {
          patterns.append("/" + common.map(Self.pattern).joined(separator: "/") + "/*")
        }
      }
      for pattern in patterns where pattern != drafts[claim].path {
        add(ComponentDraft(path: pattern, excludes: true), claim, form)
      }
    }
  }

  private mutating func add(
    _ draft: ComponentDraft, _ claim: Int, _ form: ComponentDraft.Form
  ) {
    var draft = draft
    if form.defaults.contains("percentEncoded") {
      if form.list == .components {
        draft.isPercentEncoded = true
      } else if var decoded = draft.decoded {
        // Which of the two matches, defaults decide.
        decoded.isPercentEncoded = nil
        add(decoded, claim, form)
      }
    }
    let position = positions[draft] ?? drafts.count
    if position == drafts.count {
      drafts.append(draft)
      positions[draft] = position
    }
    pairs.append((claim, position))
  }

  /// The pattern of a segment of a family.
  private static func pattern(_ segment: Substring) -> String {
    segment.hasPrefix("{") && segment.hasSuffix("}") ? "?*" : String(segment)
  }
}
