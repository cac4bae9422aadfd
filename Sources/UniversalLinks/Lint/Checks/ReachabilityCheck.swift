internal import Foundations

/// Rules that can never decide, proved from the patterns alone.
enum ReachabilityCheck {
  static let rules = [neverDecides, matchesNothing, uselessExclusion, notProved]

  static let neverDecides = DiagnosticKind(
    "rule-never-decides", .warning,
    except: "`error` for an exclusion if an earlier rule claims the URLs; `note` if the earlier "
      + "rules do the same as the rule",
    "Rule that never decides",
    meaning: "The first rule that matches decides. Earlier rules match every URL that this rule "
      + "matches. linkaudit proves this for all URLs, without logs.",
    remedy: "Move the rule before the earlier rules, or remove it.",
    example: .components(#"{"/": "/*"}, {"/": "/help/*", "exclude": true}"#),
    fixed: .components(#"{"/": "/help/*", "exclude": true}, {"/": "/*"}"#))

  static let matchesNothing = DiagnosticKind(
    "rule-matches-nothing", .error, "Rule that matches no URL",
    meaning: "No URL matches all patterns of the rule. linkaudit proves this for all URLs.",
    remedy:
      "Run 'linkaudit match --explain' with a URL that it should match, to see the difference.",
    example: .components(#"{"/": "/buy", "?": {"a&b": "?*"}}, {"/": "/help/*"}"#),
    fixed: .components(#"{"/": "/buy", "?": {"a": "?*", "b": "?*"}}, {"/": "/help/*"}"#))

  static let uselessExclusion = DiagnosticKind(
    "useless-exclusion", .note, "Exclusion without effect",
    meaning: "No rule claims a URL that it excludes, so the same URLs open the app without it.",
    remedy: "Remove it, or keep it as a note to readers.",
    example: .components(#"{"/": "/help/*", "exclude": true}, {"/": "/buy/*"}"#),
    fixed: .components(#"{"/": "/buy/*"}"#))

  static let notProved = DiagnosticKind(
    "not-proved", .note, "Rules that could not be checked for all URLs",
    meaning:
      "linkaudit can't check all URLs: there are too many patterns, or they are too complex.",
    remedy: "Run 'linkaudit report' with your logs, which shows the rules that decide.")

  /// Checks which rules of a file can decide.
  ///
  /// - Returns: The URLs that each rule can decide on current systems.
  static func check(
    _ file: AssociationFile, in context: inout LintContext
  ) -> [RuleReachability.Rule] {
    // Any host with a full stop is sufficient, because rules don't compare it.
    let host = context.options.host ?? "www.example.com"
    let reaches = report(file, host: host, .current, in: &context) { _ in true }
    // Old systems read another list where there are both, and entries that others skip.
    let known = Set(LinkMatcher(file, system: .current).ruleLists.map(\.position))
    let others = Set(
      file.entries.filter {
        $0.components != nil && $0.paths != nil || !known.contains($0.position)
      }.map(\.position))
    if !others.isEmpty {
      _ = report(file, host: host, .legacy, in: &context) { others.contains($0.position) }
    }
    return reaches
  }

  private static func report(
    _ file: AssociationFile, host: String, _ system: OperatingSystem,
    in context: inout LintContext, where isChosen: (LinkMatcher.RuleList) -> Bool
  ) -> [RuleReachability.Rule] {
    let matcher = LinkMatcher(file, system: system)
    let ranges = context.ruleRanges
    var reaches: [RuleReachability.Rule] = []
    var gap: ExplorationGap?
    // The budget of all entries together; beyond it, each may still cost a little.
    let whole = Self.limits.divided(by: context.options.proofShare)
    var left = 8 * whole.work
    for (number, list) in matcher.ruleLists.enumerated() where isChosen(list) {
      let limits = left > 0 ? whole : whole.divided(by: 200)
      let definitions = list.definitions ?? []
      // Entries don't depend on each other, and together they take much longer.
      guard let entry = file.entries.first(where: { $0.position == list.position }) else {
        continue
      }
      let own = AssociationFile(
        entries: [entry], substitutionVariables: file.substitutionVariables)
      let reachability = own.reachability(host: host, system: system, limits: limits)
      gap = gap ?? reachability.gap
      // Exclusions are checked at about the same cost.
      left -= 2 * reachability.work
      context.proofWork += 2 * reachability.work
      let rules = reachability.rules.filter { $0.id.position != nil }
      guard rules.count == definitions.count else { continue }
      let known = rules.map(\.reach)
      let scope = entry.scope(of: system)
      var moves = 0
      func range(_ position: Int) -> Range<Int>? { ranges[rules[position].id] }
      // One array, of which all rules have a copy.
      let apps = matcher.apps.filter { $0.ruleList == number }.map(\.identifier)
      let freed = freedRules(
        of: entry, file.substitutionVariables, known, system, host: host, limits: limits, range,
        in: context)
      let claims = definitions.indices.filter { !definitions[$0].excludes }
      // Rules that match nothing are reported one by one.
      let isSilent =
        claims.allSatisfy { isSilenced(known[$0]) }
        && claims.contains { known[$0] != .matchesNothing }
      for (position, rule) in rules.enumerated() {
        reaches.append(rule)
        reaches[reaches.count - 1].apps = apps
        guard let place = range(position), freed.rules[position] == nil else { continue }
        // That no rule claims anything is one mistake.
        if isSilent, !definitions[position].excludes, case .covered = rule.reach { continue }
        report(rule.reach, position, definitions, scope, at: place, range: range, in: &context) {
          target, context in
          moves += 1
          guard moves <= Self.moveLimit, rules.count <= Self.movedListLimit else { return nil }
          return moving(
            position, before: target, of: entry, known, system, host: host,
            limits: limits.divided(by: Self.moveLimit), range, in: context)
        }
      }
      blame(
        freed, definitions,
        isSilent: isSilent
          && claims.allSatisfy { freed.rules[$0] != nil || known[$0] == .matchesNothing }, range,
        in: &context)
      if isSilent, freed.rules.isEmpty, let first = definitions.indices.first.flatMap(range) {
        let silenced = claims.filter { known[$0] != .matchesNothing }
        context.report(
          EntryCheck.nothingClaimed, at: context.firstLine(of: first),
          scope(
            "Earlier rules exclude every URL of the rules that claim, so no link opens the app."),
          severity: .error,
          remedy: "Move rules that claim before those that exclude the same URLs.",
          related: silenced.prefix(10).compactMap { rule in
            range(rule).map { ($0, "Rule \(rule), which claims nothing") }
          })
      }
      let useless = RuleReachability.uselessExclusions(of: list, in: matcher, limits: limits)
      // An entry that only excludes is reported as a whole.
      for position in isSilent || claims.isEmpty ? [] : useless {
        guard case .decides = known[position],
          let place = range(position)
        else { continue }
        context.report(
          uselessExclusion, at: context.firstLine(of: place),
          scope("No later rule claims a URL that this rule excludes, so it has no effect."))
      }
    }
    let hasUnknown = reaches.contains { $0.reach == .unknown }
    if hasUnknown, gap != nil, gap != .ineligibleHost {
      let count = reaches.count { $0.reach == .unknown }
      context.report(
        notProved, at: 0..<0,
        "linkaudit could not check whether \(count) of the rules can decide: the patterns are too complex."
      )
    }
    return reaches
  }

  /// Returns the rules of an entry with their reach if the file had some edits, or `nil` if it
  /// couldn't be read then.
  private static func editedRules(
    of entry: AssociationFile.Entry, with edits: [LintFix.Edit], _ system: OperatingSystem,
    host: String, limits: ExplorationLimits, in context: LintContext
  ) -> [RuleReachability.Rule]? {
    guard let file = try? AssociationFile(decoding: LintFix.apply(edits, to: context.text)),
      let edited = file.entries.first(where: { $0.position == entry.position })
    else { return nil }
    let own = AssociationFile(
      entries: [edited], substitutionVariables: file.substitutionVariables)
    return own.reachability(host: host, system: system, limits: limits).rules
      .filter { $0.id.position != nil }
  }

  /// The greatest number of exclusions of an entry whose move is tried, and of rules there.
  private static let (moveLimit, movedListLimit) = (8, 500)

  /// Returns the fix that moves an exclusion before a rule that takes its URLs, if it then decides,
  /// and all rules that did before still do.
  private static func moving(
    _ position: Int, before target: Int, of entry: AssociationFile.Entry,
    _ known: [RuleReachability.Reach], _ system: OperatingSystem, host: String,
    limits: ExplorationLimits, _ range: (Int) -> Range<Int>?, in context: LintContext
  ) -> LintFix? {
    guard target < position, let rule = range(position), let place = range(target),
      let previous = range(position - 1), previous.upperBound <= rule.lowerBound,
      context.text[previous.upperBound..<rule.lowerBound].allSatisfy({
        $0 <= 0x20 || $0 == UInt8(ascii: ",")
      })
    else { return nil }
    let edits = [
      LintFix.Edit(
        place.lowerBound..<place.lowerBound,
        context.spelling(of: rule) + "," + context.separator(before: place.lowerBound)),
      LintFix.Edit(previous.upperBound..<rule.upperBound, ""),
    ]
    guard
      let rules = editedRules(
        of: entry, with: edits, system, host: host, limits: limits, in: context),
      rules.count == known.count
    else { return nil }
    var order = Array(known.indices)
    order.insert(order.remove(at: position), at: target)
    for (rule, old) in zip(rules, order) {
      guard old == position || known[old].isDecision else { continue }
      guard rule.reach.isDecision else { return nil }
    }
    return LintFix(.suggestion, "Move the rule before rule \(target)", edits)
  }

  /// The rules of an entry that could decide if an item with the pattern '*' had to be there, each
  /// with the rule that has that item.
  private struct Freed {
    var rules: [Int: Int] = [:]
  }

  /// Finds the rules that never decide only because a '*' also matches an absent item.
  private static func freedRules(
    of entry: AssociationFile.Entry, _ variables: [SubstitutionVariable],
    _ known: [RuleReachability.Reach], _ system: OperatingSystem, host: String,
    limits: ExplorationLimits, _ range: (Int) -> Range<Int>?, in context: LintContext
  ) -> Freed {
    var freed = Freed()
    let covered = known.indices.filter { if case .covered = known[$0] { true } else { false } }
    guard let first = covered.first, covered.count <= 1_000 else { return freed }
    let items = context.diagnostics.filter { $0.kind == QueryCheck.itemAlways }
    func hasItem(_ position: Int) -> Bool {
      guard let place = range(position) else { return false }
      return items.contains { context.isReported($0, in: place) }
    }
    guard (0..<known.count).contains(where: { $0 < covered.last ?? first && hasItem($0) }) else {
      return freed
    }
    var required = entry
    for position in (required.components ?? []).indices {
      guard case .items(var items)? = required.components?[position].query else { continue }
      for item in items.indices where items[item].pattern == "*" { items[item].pattern = "?*" }
      required.components?[position].query = .items(items)
    }
    let own = AssociationFile(
      entries: [required], substitutionVariables: variables)
    let rules = own.reachability(host: host, system: system, limits: limits).rules
      .filter { $0.id.position != nil }
    guard rules.count == known.count else { return freed }
    for position in covered {
      guard case .decides = rules[position].reach, case .covered(let earlier, _) = known[position],
        let cause = earlier.compactMap(\.position).first(where: hasItem),
        rules[cause].definition.excludes != rules[position].definition.excludes
      else { continue }
      freed.rules[position] = cause
    }
    return freed
  }

  /// Reports rules that never decide at the '*' that is the cause.
  private static func blame(
    _ freed: Freed, _ definitions: [RuleDefinition], isSilent: Bool, _ range: (Int) -> Range<Int>?,
    in context: inout LintContext
  ) {
    for cause in Set(freed.rules.values).sorted() {
      guard let place = range(cause) else { continue }
      let silenced = freed.rules.filter { $0.value == cause }.map(\.key).sorted()
      let names = silenced.prefix(10).map(String.init).listed
      let verb = definitions[cause].excludes ? "excludes" : "claims"
      let isReported = context.isReported
      context.blame(
        where: { $0.kind == QueryCheck.itemAlways && isReported($0, place) }, severity: .error,
        "So the rule \(verb) all URLs of \(silenced.count == 1 ? "rule" : "rules") \(names), too"
          + (isSilent ? ", and no link opens the app." : "."),
        related: silenced.prefix(10).compactMap { rule in
          range(rule).map { ($0, "Rule \(rule), which never decides") }
        })
    }
  }

  /// The budget for exploring the rules of one entry: a good part of a second.
  static let limits: ExplorationLimits = {
    var limits = ExplorationLimits()
    (limits.states, limits.size) = (50_000, 32 << 20)
    (limits.work, limits.combinations) = (8_000_000, 40_000)
    return limits
  }()

  /// Returns a Boolean value indicating whether a rule is proved never to decide.
  private static func isSilenced(_ reach: RuleReachability.Reach) -> Bool {
    switch reach {
    case .covered, .matchesNothing: true
    case .decides, .unknown: false
    }
  }

  private static func report(
    _ reach: RuleReachability.Reach, _ position: Int, _ definitions: [RuleDefinition],
    _ scope: (String) -> String, at place: Range<Int>, range: (Int) -> Range<Int>?,
    in context: inout LintContext,
    moving: (_ target: Int, LintContext) -> LintFix?
  ) {
    let line = context.firstLine(of: place)
    switch reach {
    case .decides, .unknown: break
    case .matchesNothing:
      // Mostly the reason has been reported already.
      guard !context.unmatchable.contains(where: { place.overlaps($0) }) else { return }
      context.report(matchesNothing, at: line, scope("This rule matches no URL."))
    case .covered(let rules, let isComplete):
      let earlier = rules.compactMap(\.position)
      // A wrong rule may no longer cover this one once it is fixed.
      let wrong = earlier.compactMap(range).contains { other in
        context.hasError(in: other)
      }
      guard !wrong else { return }
      let rule = definitions[position]
      let covering = earlier.map { definitions[$0] }
      let takes: String
      switch earlier.count {
      case 0: takes = "Earlier rules match every URL that this rule matches"
      case 1:
        let first = earlier[0]
        takes =
          "Rule \(first) ('\(definitions[first].shortSource)'\(range(first).map { ", line \(context.line(of: $0.lowerBound))" } ?? "")) already matches every URL that this rule matches"
      default:
        takes =
          "Rules \(earlier.map(String.init).listed) together already match every URL that this rule matches"
      }
      let others = isComplete ? "" : "; more rules may be involved"
      var (severity, consequence): (Severity, String) = (.warning, "")
      if isComplete, covering.allSatisfy({ $0.excludes == rule.excludes }) {
        (severity, consequence) = (.note, ", and does the same")
        if earlier.count != 1 { consequence = ", and do the same" }
      } else if rule.excludes, covering.contains(where: { !$0.excludes }) {
        (severity, consequence) = (.error, ", so it excludes nothing")
      } else if !rule.excludes {
        consequence = ", so it claims nothing"
      }
      let target = earlier.first { !definitions[$0].excludes }
      let fix = severity == .error ? target.flatMap { moving($0, context) } : nil
      context.report(
        neverDecides, at: line, scope(takes + consequence + others + "."), severity: severity,
        remedy: severity == .note
          ? "Remove the rule, or keep it as a note to readers."
          : fix.map { $0.title + ", or remove it." },
        related: earlier.compactMap { rule in
          range(rule).map { ($0, "Rule \(rule), which matches some or all of its URLs") }
        }, fix: fix)
    }
  }
}

extension RuleReachability.Reach {
  /// A Boolean value indicating whether there is a URL that the rule decides.
  fileprivate var isDecision: Bool {
    if case .decides = self { true } else { false }
  }
}

extension AssociationFile.Entry {
  /// Returns the function that names the generation of systems in a statement about the rules, if
  /// others read other rules for an app of the entry, or read them otherwise.
  func scope(of system: OperatingSystem) -> (String) -> String {
    if system == .legacy {
      return { "On iOS 12 and earlier: " + $0.prefix(1).lowercased() + $0.dropFirst() }
    }
    let isReadByBoth = legacyAppID != nil
    let isSame =
      components == nil && paths?.map(\.path) == legacyPaths?.map(\.path)
      && !(paths ?? []).contains { $0.path?.utf8.span.contains("$(") ?? false }
    return isReadByBoth && !isSame
      ? { "On iOS 13 and later: " + $0.prefix(1).lowercased() + $0.dropFirst() } : { $0 }
  }
}

extension RuleDefinition {
  /// The rule in a few words, for messages.
  var shortSource: String {
    let text = source.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return text.count > 60 ? String(text.prefix(59)) + "…" : text
  }
}
