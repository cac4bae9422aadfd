/// Tries the fixes of a file, and keeps those that cure.
///
/// A fix is kept if its mistake is gone after it, the file can still be read, and no other error
/// appears. It is safe only if the rules are the same after it, or are proved to decide the same. Of
/// the other fixes, messages say which URLs change.
struct FixReview {
  /// The outcome of a trial that succeeded, with the URLs whose verdicts change in a sentence.
  private typealias Outcome = (applicability: LintFix.Applicability, effect: String)

  private let result: LintResult
  private let errors: [String: Int]
  private let options: LintOptions

  /// The number of bytes that may still be linted, the work of the proofs that may still be made,
  /// and the number of comparisons with the file before.
  private var (bytes, work, comparisons) = (1 << 20, ExplorationLimits().work, 64)

  static func review(_ result: inout LintResult, options: LintOptions) {
    let fixed = result.diagnostics.indices.filter { result.diagnostics[$0].fix != nil }
    guard !fixed.isEmpty else { return }
    var review = FixReview(result, options: options)
    // A signed file can't be edited, and without proofs, nothing is known.
    let outcomes = result.isSigned || !options.provesRules ? [:] : review.outcomes(fixed)
    for index in fixed {
      guard let outcome = outcomes[index] else {
        result.diagnostics[index].fix = nil
        continue
      }
      result.diagnostics[index].fix?.applicability = outcome.applicability
      result.diagnostics[index].message += outcome.effect
    }
  }

  private init(_ result: LintResult, options: LintOptions) {
    (self.result, self.options, errors) = (result, options, result.errorCounts)
    // Comparing large files takes long, even if little is explored.
    comparisons = min(comparisons, (1 << 18) / max(1, result.text.count))
  }

  /// Returns the outcomes of the fixes that cure, by diagnostic.
  private mutating func outcomes(_ fixed: [Int]) -> [Int: Outcome] {
    var outcomes: [Int: Outcome] = [:]
    // A text with mistakes of syntax is parsed again after each; of many fixes, some are tried
    // together.
    let cost = max(1, result.text.count) * (result.file == nil ? 1 + min(50, fixed.count) : 4)
    let size = 1 + fixed.count * cost / bytes
    var groups: [ArraySlice<Int>] = []
    for index in fixed {
      if let last = groups.last, last.count < size, isCompatible(index, last) {
        groups[groups.count - 1].append(index)
      } else {
        groups.append([index])
      }
    }
    groups.reverse()
    while let group = groups.popLast(), bytes > 0 {
      bytes -= cost
      if let outcome = trial(group) {
        for index in group { outcomes[index] = outcome }
      } else if group.count > 1 {
        groups += [group.dropFirst(group.count / 2), group.prefix(group.count / 2)]
      }
    }
    return outcomes
  }

  /// Returns a Boolean value indicating whether a fix can be applied with others of the same kind.
  private func isCompatible(_ index: Int, _ others: ArraySlice<Int>) -> Bool {
    let diagnostic = result.diagnostics[index]
    return others.map { result.diagnostics[$0] }.allSatisfy { other in
      guard let fix = diagnostic.fix, let known = other.fix else { return false }
      return other.code == diagnostic.code && known.applicability == fix.applicability
        && !fix.touches(known.edits)
    }
  }

  /// Applies fixes of one kind of mistake.
  ///
  /// - Returns: The outcome, or `nil` if they don't cure.
  private mutating func trial(_ group: ArraySlice<Int>) -> Outcome? {
    let fixes = group.compactMap { result.diagnostics[$0].fix }
    guard let fix = fixes.first, let kind = group.first.map({ result.diagnostics[$0].kind }) else {
      return nil
    }
    // Without the budget for proofs, what they find can't be compared.
    let proves = work > 0
    guard proves || !DiagnosticKind.reachKinds.contains(kind) else { return nil }
    var options = options
    (options.reviewsFixes, options.provesRules, options.proofShare) = (false, proves, 8)
    let after = AssociationFile.lint(result.applying(fixes), options: options)
    work -= after.proofWork
    // Of a text that can't be repaired to its end, some mistakes are not known yet.
    let remaining = after.counts[kind.code, default: 0] + (result.isComplete ? group.count : 0)
    guard remaining <= result.counts[kind.code, default: 0],
      after.errorCounts.allSatisfy({ $0.value <= errors[$0.key, default: 0] })
    else { return nil }
    guard let old = result.file else { return (fix.applicability, "") }
    guard let new = after.file else { return nil }
    // If the rules are the same, no verdict differs.
    if old.withPlainRules == new.withPlainRules
      || fix.applicability == .suggestion && (group.count > 1 || comparisons <= 0)
    {
      return (fix.applicability, "")
    }
    guard comparisons > 0, proves else { return (.suggestion, "") }
    comparisons -= 1
    var (isProved, effect) = (true, "")
    for system in [OperatingSystem.current, .legacy] {
      let changes = old.changes(
        to: new, host: options.host ?? "www.example.com", system: system,
        limits: ExplorationLimits().divided(by: 64))
      isProved = isProved && changes.isEmpty && changes.isExhaustive
      if effect.isEmpty { effect = Self.effect(changes, system) }
    }
    return (isProved ? fix.applicability : .suggestion, effect)
  }

  /// Examples of the URLs whose verdicts change, in a sentence after a blank; nothing if none is known.
  private static func effect(_ changes: VerdictChanges, _ system: OperatingSystem) -> String {
    let scope = system == .legacy ? "on iOS 12 and earlier, " : ""
    let all = changes.site + changes.apps.map(\.change)
    func path(of change: VerdictChanges.Change) -> String {
      let rest = change.url.firstRange(of: "://").map { change.url[$0.upperBound...] }
      return rest.map { String($0.drop { $0 != "/" }) } ?? change.url
    }
    let opened = all.first { $0.new.verdict == .claimed && $0.old.verdict != .claimed }.map(path)
    let closed = all.first { $0.old.verdict == .claimed && $0.new.verdict != .claimed }.map(path)
      .flatMap { $0 == opened ? nil : $0 }
    return switch (opened, closed) {
    case (let opened?, let closed?):
      " With the fix, \(scope)'\(opened)' opens the app, and '\(closed)' doesn't."
    case (let opened?, nil): " With the fix, \(scope)'\(opened)' opens the app."
    case (nil, let closed?): " With the fix, \(scope)'\(closed)' doesn't open the app."
    case (nil, nil): ""
    }
  }
}

extension LintResult {
  fileprivate var errorCounts: [String: Int] {
    diagnostics.reduce(into: [:]) { counts, diagnostic in
      if diagnostic.severity == .error { counts[diagnostic.code, default: 0] += 1 }
    }
  }

  /// Returns a Boolean value indicating whether it has an error that another result lacks.
  func hasOtherErrors(than other: LintResult) -> Bool {
    let known = other.errorCounts
    return other.isComplete && errorCounts.contains { $0.value > known[$0.key, default: 0] }
  }

  /// The file with some fixes, whose edits don't touch.
  func applying(_ fixes: [LintFix]) -> [UInt8] {
    let text = LintFix.apply(fixes.flatMap(\.edits), to: text)
    return fixes.contains(where: \.savesAsUTF8) ? text : encoded.encode(text)
  }
}

extension AssociationFile {
  /// This file without the notation and the places of its rules.
  fileprivate var withPlainRules: AssociationFile {
    func plain(_ rules: [RuleDefinition]?) -> [RuleDefinition]? {
      rules?.map { rule in
        var rule = rule
        (rule.position, rule.source) = (nil, "")
        rule.path = rule.path.map {
          String(decoding: CompiledRule.normalized(path: $0), as: UTF8.self)
        }
        return rule
      }
    }
    var file = self
    for (index, entry) in entries.enumerated() {
      file.entries[index].components = plain(entry.components)
      file.entries[index].paths = plain(entry.paths)
      file.entries[index].legacyPaths = plain(entry.legacyPaths)
    }
    return file
  }
}
