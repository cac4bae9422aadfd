/// A compiled association file: what each app's rules say of a URL.
///
///     let file = try AssociationFile(decoding: bytes)
///     let matcher = LinkMatcher(file)
///     matcher.verdict(for: "https://example.com/buy/42")
///     for decision in matcher.decisions(for: "https://example.com/buy/42") {
///       print(decision.app, decision.verdict)
///     }
///
/// Compile once and match many: compiling looks up variables and picks a way of
/// matching for each pattern. To match millions of URLs without allocating, reuse a ``LinkURL`` and
/// an ``Evaluation`` with ``evaluate(_:into:)``. A matcher never changes, so any number of threads
/// can use the same one.
public final class LinkMatcher: Sendable {
  /// An app, and which entry's rules are its own.
  public struct App: Sendable {
    /// The app's identifier.
    public let identifier: ApplicationIdentifier

    /// The position in ``LinkMatcher/ruleLists`` of the rules that decide.
    package let ruleList: Int
  }

  /// The rules of one entry of `details`.
  package struct RuleList: Sendable {
    /// The entry as the file identifies it.
    package let entry: AssociationFile.EntryID

    /// The entry as the system identifies it: iOS 12 and earlier count the entries of both forms
    /// of `details`.
    package let systemEntry: AssociationFile.EntryID

    /// The position of the entry in `details`, from 0.
    package let position: Int

    /// The array that holds the rules.
    package let list: RuleID.List

    /// The rules as decoded, in file order, or `nil` if the entry has none, so
    /// that it matches every URL.
    package let definitions: [RuleDefinition]?

    /// The numbers of the rules among those of all lists; an entry without rules has one, which
    /// matches every URL.
    package let rules: Range<Int>

    let relativeOrder: Int

    /// The identity of the rule with a number.
    package func id(ofRule number: Int) -> RuleID {
      RuleID(
        entry: entry, list: list,
        position: definitions == nil ? nil : number - rules.lowerBound)
    }

    /// The rule with a number as decoded, or `nil` for an entry without rules.
    package func definition(ofRule number: Int) -> RuleDefinition? {
      definitions?[number - rules.lowerBound]
    }
  }

  /// The greatest number of stars and variables of a pattern that systems follow at a time
  /// (MATCHING.md, 3c.6).
  public static let levelLimit = Pattern.levelLimit

  /// The generation of systems that this matcher stands for.
  public let system: OperatingSystem

  /// The apps in the order in which the system prefers them when several match
  /// (MATCHING.md, 1.9).
  public let apps: [App]

  /// The rules of each entry that decides for an app, in file order.
  package let ruleLists: [RuleList]

  /// The number of rules in all lists.
  package var ruleCount: Int { rules.count }

  /// The rules of all lists, by number.
  let rules: [CompiledRule]
  private let index: RuleIndex

  /// The rules that stand for entries without rules, which match every URL.
  private let wholeEntries: [Evaluation.Match]

  /// Compiles the rules of an association file as a system reads them.
  public init(_ file: AssociationFile, system: OperatingSystem = .current) {
    self.system = system
    let variables = Variables(file.substitutionVariables, for: system)
    var (lists, apps): ([RuleList], [App]) = ([], [])
    var known: Set<ApplicationIdentifier> = []
    var cache = PatternCache()
    var rules: [CompiledRule] = []
    var indexed: [RuleIndex.Item] = []
    var wholeEntries: [Evaluation.Match] = []
    for entry in file.entries {
      // An app that occurs again keeps its first entry (MATCHING.md, 1.4).
      let newApps = entry.apps(for: system).filter { known.insert($0).inserted }
      guard !newApps.isEmpty else { continue }
      apps += newApps.map { App(identifier: $0, ruleList: lists.count) }
      let (definitions, first) = (entry.rules(for: system), rules.count)
      if definitions == nil {
        // An entry without rules matches every URL; the index needn't find that out.
        wholeEntries.append(Evaluation.Match(rule: first, ruleList: lists.count))
      }
      for definition in definitions ?? [RuleDefinition()] {
        let rule = CompiledRule(definition, variables: variables, cache: &cache)
        if definitions != nil {
          indexed.append(RuleIndex.Item(rule: rule, number: rules.count, list: lists.count))
        }
        rules.append(rule)
      }
      lists.append(
        RuleList(
          entry: entry.id,
          systemEntry: system == .legacy && entry.id.isKey ? .index(entry.position) : entry.id,
          position: entry.position, list: entry.ruleList(for: system), definitions: definitions,
          rules: first..<rules.count,
          // Systems before iOS 13 know `appID` and `paths` only.
          relativeOrder: system == .current ? entry.relativeOrder : 0))
    }
    ruleLists = lists
    self.rules = rules
    index = RuleIndex(indexed)
    self.wholeEntries = wholeEntries
    self.apps = apps.enumerated().sorted { first, second in
      let (one, other) = (lists[first.element.ruleList], lists[second.element.ruleList])
      if one.relativeOrder != other.relativeOrder { return one.relativeOrder > other.relativeOrder }
      let (oneHasRules, otherHasRules) = (one.definitions != nil, other.definitions != nil)
      if oneHasRules != otherHasRules { return oneHasRules }
      return first.offset < second.offset
    }.map(\.element)
  }
}

extension LinkMatcher {
  /// Asks the rules of every entry about a URL.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - evaluation: Where the answers go; it keeps its space from one URL to
  ///     the next.
  public func evaluate(_ url: inout LinkURL, into evaluation: inout Evaluation) {
    evaluation.isEligible = url.ineligibility == nil
    guard evaluation.isEligible else { return evaluation.reset(ruleListCount: 0) }
    evaluation.reset(ruleListCount: ruleLists.count)
    for index in wholeEntries.indices {
      let match = wholeEntries[index]
      evaluation.add(rule: match.rule, ofRuleList: match.ruleList, excludes: false)
    }
    index.collect(&url, into: &evaluation.candidates)
    let hasFragment = !url.fragment.isEmpty
    for candidate in evaluation.candidates.indices {
      let entry = evaluation.candidates[candidate]
      let rule = Int(entry.rule)
      if !entry.isDecided {
        guard hasFragment || entry.matchesWithoutFragment else { continue }
        url.prepare(rules[rule].neededForms)
        guard
          rules[rule].matches(
            url, isPathDecided: entry.isPathDecided, scratch: &evaluation.scratch)
        else { continue }
      }
      evaluation.add(rule: rule, ofRuleList: Int(entry.list), excludes: rules[rule].excludes)
    }
  }

  /// Decides for a site whether a URL opens any of its apps.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - host: The host whose file this is, `*.` and a domain for all hosts below that, or `nil`
  ///     if any host will do.
  /// - Returns: The verdict, ``Verdict/ineligible`` for a text that isn't such a URL.
  public func verdict(for url: String, host: String? = nil) -> Verdict {
    evaluation(of: url, host: host).siteVerdict
  }

  /// Decides for every app whether a URL opens it, in the order of ``apps``.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - host: The host whose file this is, `*.` and a domain for all hosts below that, or `nil`
  ///     if any host will do.
  /// - Returns: A decision for each app.
  public func decisions(for url: String, host: String? = nil) -> [Decision] {
    decisions(of: evaluation(of: url, host: host))
  }

  /// Decides for every app whether a URL opens it, in the order of ``apps``.
  public func decisions(for url: inout LinkURL) -> [Decision] {
    var evaluation = Evaluation()
    evaluate(&url, into: &evaluation)
    return decisions(of: evaluation)
  }

  private func evaluation(of url: String, host: String?) -> Evaluation {
    var link = LinkURL(url, host: host)
    var evaluation = Evaluation()
    evaluate(&link, into: &evaluation)
    return evaluation
  }

  /// Returns the decision of an evaluation by this matcher for every app, in the order of ``apps``.
  public func decisions(of evaluation: Evaluation) -> [Decision] {
    apps.map { app in
      Decision(
        app: app.identifier, verdict: evaluation.verdict(ofRuleList: app.ruleList),
        rule: evaluation.decidingRule(ofRuleList: app.ruleList).map {
          ruleLists[app.ruleList].id(ofRule: $0)
        })
    }
  }

  /// Returns the rules that match the URL of an evaluation by this matcher, also where an earlier
  /// one has decided, in file order.
  public func matches(of evaluation: Evaluation) -> [RuleID] {
    evaluation.matches.filter { ruleLists.indices.contains($0.ruleList) }
      .sorted { $0.rule < $1.rule }.map { ruleLists[$0.ruleList].id(ofRule: $0.rule) }
  }
}

// MARK: - Rules

extension LinkMatcher {
  /// The rules that decide for some app, in file order.
  public var ruleIDs: [RuleID] {
    ruleLists.flatMap { list in list.rules.map { list.id(ofRule: $0) } }
  }

  /// Returns a rule as decoded, or `nil` if there is no such rule that decides for an app.
  public func definition(of id: RuleID) -> RuleDefinition? {
    guard let rule = number(of: id) else { return nil }
    return ruleLists[rule.list].definition(ofRule: rule.number)
  }

  /// Returns the position of the list that has the rule with a number.
  package func ruleList(ofRule number: Int) -> Int {
    var (low, high) = (0, ruleLists.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if ruleLists[middle].rules.upperBound <= number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The number of a rule and the position of its list, or `nil` if the matcher doesn't have it.
  func number(of id: RuleID) -> (number: Int, list: Int)? {
    guard let index = ruleLists.firstIndex(where: { $0.entry == id.entry && $0.list == id.list })
    else { return nil }
    let list = ruleLists[index]
    guard (id.position == nil) == (list.definitions == nil) else { return nil }
    let (number, isOverflow) = list.rules.lowerBound.addingReportingOverflow(id.position ?? 0)
    return !isOverflow && list.rules.contains(number) ? (number, index) : nil
  }
}

extension AssociationFile.EntryID {
  /// A Boolean value indicating whether the entry is one of the object form of `details`.
  fileprivate var isKey: Bool { if case .key = self { true } else { false } }
}
