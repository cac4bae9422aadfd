internal import Foundations

extension DiagnosticKind {
  static let reachKinds = [neverDecides, matchesNothing, uselessExclusion, notProved]

  static let neverDecides = DiagnosticKind(
    "rule-never-decides", .warning,
    except: "`error` for an exclusion if an earlier rule claims the URLs; `note` if the earlier "
      + "rules do the same as the rule", "Rule that never decides",
    meaning: "The first rule that matches decides. Earlier rules match every URL that this rule "
      + "matches. linkaudit proves this for all URLs, without logs.",
    remedy: "Move the rule before the earlier rules, or remove it.",
    example: components(
      #"{"/": "/*"}, {"/": "/help/*", "exclude": true}"#,
      #"{"/": "/help/*", "exclude": true}, {"/": "/*"}"#))

  static let matchesNothing = DiagnosticKind(
    "rule-matches-nothing", .error, "Rule that matches no URL",
    meaning: "No URL matches all patterns of the rule. linkaudit proves this for all URLs.",
    remedy:
      "Run 'linkaudit match --explain' with a URL that it should match, to see the difference.",
    example: components(
      #"{"/": "/buy", "?": {"a&b": "?*"}}, {"/": "/help/*"}"#,
      #"{"/": "/buy", "?": {"a": "?*", "b": "?*"}}, {"/": "/help/*"}"#))

  static let uselessExclusion = DiagnosticKind(
    "useless-exclusion", .note, "Exclusion without effect",
    meaning: "No rule claims a URL that it excludes, so the same URLs open the app without it.",
    remedy: "Remove it, or keep it as a note to readers.",
    example: components(#"{"/": "/help/*", "exclude": true}, {"/": "/buy/*"}"#, #"{"/": "/buy/*"}"#)
  )

  static let notProved = DiagnosticKind(
    "not-proved", .note, "Rules that could not be checked for all URLs",
    meaning:
      "linkaudit can't check all URLs: there are too many patterns, or they are too complex.",
    remedy: "Run 'linkaudit report' with your logs, which shows the rules that decide.")
}

extension LintContext {
  /// Checks which rules can decide, and returns the URLs that each can decide on current systems.
  mutating func checkReachability(_ file: AssociationFile) -> [RuleReachability.Rule] {
    let matcher = LinkMatcher(file)
    let reaches = checkReachability(file, matcher) { _ in true }
    // Old systems read another list where there are both, and entries that others skip.
    let known = Set(matcher.ruleLists.map(\.entry.position))
    let others = Set(
      file.entries.filter {
        $0.components != nil && $0.paths != nil || !known.contains($0.position)
      }.map(\.position))
    if !others.isEmpty {
      let matcher = LinkMatcher(file.asRead(by: .legacy))
      _ = checkReachability(file, matcher) { others.contains($0.entry.position) }
    }
    return reaches
  }

  private mutating func checkReachability(
    _ file: AssociationFile, _ matcher: LinkMatcher,
    where isChosen: (LinkMatcher.RuleList) -> Bool
  ) -> [RuleReachability.Rule] {
    var reaches: [RuleReachability.Rule] = []
    var gap: ExplorationGap?
    // The budget of all entries together; beyond it, each may still cost a little.
    var limits = ExplorationLimits().divided(by: options.isTrial ? 8 : 1)
    let (least, whole) = (limits.work / 400, limits.work)
    let entries = Dictionary(file.entries.map { ($0.position, $0) }) { first, _ in first }
    let apps = Dictionary(grouping: matcher.apps, by: \.ruleList)
    for (number, list) in matcher.ruleLists.enumerated() where isChosen(list) {
      guard let entry = entries[list.entry.position] else { continue }
      limits.work = max(least, whole - proofWork)
      // One array, of which all rules have a copy.
      let apps = (apps[number] ?? []).map(\.identifier)
      var proof = EntryProof(
        entry: entry, variables: file.substitutionVariables, system: matcher.system,
        // Any host with a full stop is sufficient, because rules don't compare it.
        host: options.host ?? "www.example.com", limits: limits)
      let reachability = proof.reachability(of: entry, in: &self)
      gap = gap ?? reachability.gap
      proof.rules = reachability.rules
      for index in proof.rules.indices { proof.rules[index].apps = apps }
      proof.places = proof.rules.map { [ruleRanges] in ruleRanges[$0.id] }
      reaches += proof.rules
      proof.report(in: &self)
      let useless = RuleReachability.uselessExclusions(of: list, in: matcher, limits: limits)
      proofWork += useless.work
      proof.report(useless: useless.positions, in: &self)
    }
    let unknown = reaches.count { $0.reach == .unknown }
    if unknown > 0, gap != nil, gap != .ineligibleHost {
      report(
        .notProved, at: 0..<0,
        "linkaudit could not check whether \(unknown) of the rules can decide: the patterns are too complex."
      )
    }
    return reaches
  }
}

/// The rules of an entry, and the proofs about them, which are faster entry by entry.
private struct EntryProof {
  let entry: AssociationFile.Entry
  let variables: [SubstitutionVariable]
  let system: OperatingSystem
  let host: String
  let limits: ExplorationLimits

  var rules: [RuleReachability.Rule] = []

  var places: [Range<Int>?] = []

  func reachability(
    of entry: AssociationFile.Entry, in context: inout LintContext
  ) -> (rules: [RuleReachability.Rule], gap: ExplorationGap?) {
    let file = AssociationFile(entries: [entry], substitutionVariables: variables)
    let reachability = file.asRead(by: system).reachability(host: host, limits: limits)
    context.proofWork += reachability.work
    return (reachability.rules.filter { $0.id.position != nil }, reachability.gap)
  }

  private func scope(_ statement: String) -> String { entry.scope(statement, of: system) }

  private func excludes(_ position: Int) -> Bool { rules[position].definition.excludes }

  private var claims: [Int] { rules.indices.filter { !excludes($0) } }

  /// The rules that claim and match something, if there are any and earlier rules take all their
  /// URLs.
  private var silencedClaims: [Int] {
    // Rules that match nothing are reported one by one.
    claims.allSatisfy { !rules[$0].reach.isDecision && rules[$0].reach != .unknown }
      ? claims.filter { rules[$0].reach != .matchesNothing } : []
  }

  func report(in context: inout LintContext) {
    let freed = freedRules(in: &context)
    let silenced = silencedClaims
    for (position, rule) in rules.enumerated() {
      guard let place = places[position], freed[position] == nil else { continue }
      // Mostly the reason why it matches nothing has been reported already.
      if rule.reach == .matchesNothing, !context.unmatchable.contains(where: place.overlaps) {
        context.report(
          .matchesNothing, at: context.firstLine(of: place), scope("This rule matches no URL."))
      }
      // That no rule claims anything is one mistake.
      if case .covered(let earlier, let isComplete) = rule.reach,
        silenced.isEmpty || excludes(position)
      {
        report(
          position, at: place, coveredBy: earlier.compactMap(\.position), isComplete, in: &context)
      }
    }
    blame(
      freed,
      isSilent: !silenced.isEmpty
        && claims.allSatisfy { freed[$0] != nil || rules[$0].reach == .matchesNothing },
      in: &context)
    if !silenced.isEmpty, freed.isEmpty, let first = places.first ?? nil {
      context.report(
        .nothingClaimed, at: context.firstLine(of: first),
        scope("Earlier rules exclude every URL of the rules that claim, so no link opens the app."),
        severity: .error, remedy: "Move rules that claim before those that exclude the same URLs.",
        related: related(silenced.prefix(10)) { "Rule \($0), which claims nothing" })
    }
  }

  func report(useless positions: [Int], in context: inout LintContext) {
    // An entry that only excludes is reported as a whole.
    guard !positions.isEmpty, silencedClaims.isEmpty, !claims.isEmpty else { return }
    // Until its name is corrected, a pattern doesn't limit what its rule claims.
    let names = context.diagnostics.filter { [.misspeltKey, .patternAsKey].contains($0.kind) }
    let unlimited = claims.last { rule in
      places[rule].map { place in names.contains { context.isReported($0, in: place) } } ?? false
    }
    for position in positions where position > unlimited ?? -1 {
      // Until the name 'exclude' is corrected, the rule claims its URLs.
      guard rules[position].reach.isDecision, let place = places[position],
        !names.contains(where: { context.isReported($0, in: place) })
      else { continue }
      context.report(
        .uselessExclusion, at: context.firstLine(of: place),
        scope("No later rule claims a URL that this rule excludes, so it has no effect."))
    }
  }

  private func related(
    _ positions: some Sequence<Int>, _ sentence: (Int) -> String
  ) -> [LintDiagnostic.Related] {
    positions.compactMap { rule in places[rule].map { LintDiagnostic.Related($0, sentence(rule)) } }
  }

  private func report(
    _ position: Int, at place: Range<Int>, coveredBy earlier: [Int], _ isComplete: Bool,
    in context: inout LintContext
  ) {
    // A wrong rule may no longer cover this one once it is fixed.
    if earlier.compactMap({ places[$0] }).contains(where: context.hasError) { return }
    var takes = "Earlier rules match"
    if earlier.count == 1 {
      let line = places[earlier[0]].map { ", line \(context.line(of: $0.lowerBound))" } ?? ""
      let source = rules[earlier[0]].definition.source.split(whereSeparator: \.isWhitespace).joined(
        separator: " ")
      let shortSource = source.count > 60 ? String(source.prefix(59)) + "…" : source
      takes = "Rule \(earlier[0]) ('\(shortSource)'\(line)) already matches"
    } else if !earlier.isEmpty {
      takes = "Rules \(earlier.map(String.init).listed) together already match"
    }
    let others = isComplete ? "" : "; more rules may be involved"
    let excludes = excludes(position)
    let claim = earlier.first { !self.excludes($0) }
    var (severity, consequence) = (Severity.warning, excludes ? "" : ", so it claims nothing")
    if isComplete, earlier.allSatisfy({ self.excludes($0) == excludes }) {
      (severity, consequence) = (.note, ", and \(earlier.count == 1 ? "does" : "do") the same")
    } else if excludes, claim != nil {
      (severity, consequence) = (.error, ", so it excludes nothing")
    }
    let fix =
      severity == .error ? claim.flatMap { moving(position, before: $0, in: context) } : nil
    context.report(
      .neverDecides, at: context.firstLine(of: place),
      scope(takes + " every URL that this rule matches" + consequence + others + "."),
      severity: severity,
      remedy: severity == .note
        ? "Remove the rule, or keep it as a note to readers."
        : fix.map { $0.title + ", or remove it." },
      related: related(earlier) { "Rule \($0), which matches some or all of its URLs" }, fix: fix)
  }

  /// Returns the fix that moves an exclusion before a rule that takes its URLs.
  private func moving(_ position: Int, before target: Int, in context: LintContext) -> LintFix? {
    guard target < position, let rule = places[position], let place = places[target],
      let previous = places[position - 1], previous.upperBound <= rule.lowerBound,
      context.text[previous.upperBound..<rule.lowerBound].allSatisfy({
        $0 <= 0x20 || $0 == UInt8(ascii: ",")
      })
    else { return nil }
    let moved = context.spelling(of: rule) + "," + context.separator(before: place.lowerBound)
    return LintFix(
      .suggestion, "Move the rule before rule \(target)",
      [
        LintFix.Edit(place.lowerBound..<place.lowerBound, moved),
        LintFix.Edit(previous.upperBound..<rule.upperBound, ""),
      ])
  }

  /// Finds the rules that never decide only because a '*' also matches an absent item, each with the
  /// rule that has the '*'.
  private func freedRules(in context: inout LintContext) -> [Int: Int] {
    let covered = rules.indices.filter {
      if case .covered = rules[$0].reach { true } else { false }
    }
    guard let last = covered.last, covered.count <= 1_000 else { return [:] }
    let items = context.diagnostics.filter { $0.kind == .itemAlways }
    let isReported = context.isReported
    func hasItem(_ position: Int) -> Bool {
      places[position].map { place in items.contains { isReported($0, place) } } ?? false
    }
    guard (0..<last).contains(where: hasItem) else { return [:] }
    var required = entry
    for position in (required.components ?? []).indices {
      guard case .items(var items)? = required.components?[position].query else { continue }
      for item in items.indices where items[item].pattern == "*" { items[item].pattern = "?*" }
      required.components?[position].query = .items(items)
    }
    let others = reachability(of: required, in: &context).rules
    guard others.count == rules.count else { return [:] }
    var freed: [Int: Int] = [:]
    for position in covered where others[position].reach.isDecision {
      guard case .covered(let earlier, _) = rules[position].reach,
        let cause = earlier.compactMap(\.position).first(where: hasItem),
        excludes(cause) != excludes(position)
      else { continue }
      freed[position] = cause
    }
    return freed
  }

  private func blame(_ freed: [Int: Int], isSilent: Bool, in context: inout LintContext) {
    for cause in Set(freed.values).sorted() {
      guard let place = places[cause] else { continue }
      let silenced = freed.filter { $0.value == cause }.map(\.key).sorted()
      let first = silenced.prefix(10)
      let isReported = context.isReported
      context.blame(
        where: { $0.kind == .itemAlways && isReported($0, place) },
        "So the rule \(excludes(cause) ? "excludes" : "claims") all URLs of "
          + "\(silenced.count == 1 ? "rule" : "rules") \(first.map(String.init).listed), too"
          + (isSilent ? ", and no link opens the app." : "."),
        related: related(first) { "Rule \($0), which never decides" })
    }
  }
}

extension RuleReachability.Reach {
  fileprivate var isDecision: Bool { if case .decides = self { true } else { false } }
}

extension AssociationFile.Entry {
  /// Returns a statement about the rules of a system that names its generation if others read other
  /// rules for an app of the entry, or read them otherwise.
  func scope(_ statement: String, of system: OperatingSystem) -> String {
    var isSame: Bool {
      components == nil && !(paths ?? []).contains { $0.path?.utf8.span.contains("$(") ?? false }
    }
    if system == .current, legacyAppID == nil || isSame { return statement }
    return "On iOS \(system == .legacy ? "12 and earlier" : "13 and later"): "
      + statement.prefix(1).lowercased() + statement.dropFirst()
  }
}
