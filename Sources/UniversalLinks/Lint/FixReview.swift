/// Tries the fixes of a file, and keeps those that cure.
///
/// A fix is kept if its mistake is gone after it, the file can still be read, and no other error
/// appears. It is safe only if the rules are the same after it, or are proved to decide the same.
struct FixReview {
  /// The file and its mistakes before any fix.
  private let result: LintResult
  private let errors: [String: Int]
  private var options: LintOptions

  /// The number of bytes that may still be linted, and that of the proofs that may still be made.
  private var (bytes, proofs) = (Self.byteLimit, Self.proofLimit)

  /// The budget of one file.
  private static let (byteLimit, proofLimit) = (1 << 21, 64)

  /// The part of the budget of proofs that one trial has.
  private static let share = 8

  /// Reviews the fixes of a file.
  static func review(_ result: inout LintResult, options: LintOptions) {
    guard result.diagnostics.contains(where: { $0.fix != nil }) else { return }
    var review = FixReview(result, options: options)
    let fixed = result.diagnostics.indices.filter { result.diagnostics[$0].fix != nil }
    guard !result.isSigned, options.provesRules else {
      for index in fixed { result.diagnostics[index].fix = nil }
      return
    }
    for (index, applicability) in review.kept(fixed) {
      result.diagnostics[index].fix?.applicability = applicability
    }
    for index in fixed where !review.isKept.contains(index) { result.diagnostics[index].fix = nil }
  }

  private var isKept: Set<Int> = []

  private init(_ result: LintResult, options: LintOptions) {
    self.result = result
    self.options = options
    self.options.reviewsFixes = false
    self.options.proofShare = Self.share
    errors = result.errorCounts
  }

  /// Returns the diagnostics whose fixes cure, each with the applicability that its fix has.
  private mutating func kept(_ fixed: [Int]) -> [(Int, LintFix.Applicability)] {
    var found: [(Int, LintFix.Applicability)] = []
    // With too many, some are tried together.
    let cost = max(1, result.text.count) * (1 + min(50, result.diagnostics.count))
    let size = 1 + fixed.count * cost / Self.byteLimit
    var groups: [[Int]] = []
    for index in fixed {
      if let last = groups.last, last.count < size, isCompatible(index, last) {
        groups[groups.count - 1].append(index)
      } else {
        groups.append([index])
      }
    }
    while let group = groups.popLast() {
      guard bytes > 0 else { break }
      bytes -= cost
      if let isSafe = trial(group) {
        for index in group {
          isKept.insert(index)
          found.append(
            (
              index,
              isSafe ? result.diagnostics[index].fix?.applicability ?? .suggestion : .suggestion
            ))
        }
      } else if group.count > 1 {
        groups.append(Array(group[(group.count / 2)...]))
        groups.append(Array(group[..<(group.count / 2)]))
      }
    }
    return found
  }

  /// Returns a Boolean value indicating whether a fix can be applied with others of the same kind.
  private func isCompatible(_ index: Int, _ others: [Int]) -> Bool {
    guard let fix = result.diagnostics[index].fix else { return false }
    return others.allSatisfy { other in
      guard let known = result.diagnostics[other].fix,
        result.diagnostics[other].code == result.diagnostics[index].code,
        known.applicability == fix.applicability
      else { return false }
      return !fix.edits.contains { edit in known.edits.contains { $0.touches(edit) } }
    }
  }

  /// Applies fixes of one kind of mistake.
  ///
  /// - Returns: Whether no verdict changes, or `nil` if the fixes don't cure.
  private mutating func trial(_ group: [Int]) -> Bool? {
    guard let first = group.first else { return nil }
    let diagnostic = result.diagnostics[first]
    let fixes = group.compactMap { result.diagnostics[$0].fix }
    let file = result.applying(fixes)
    let after = AssociationFile.lint(file, options: options)
    guard after.isFixed(of: diagnostic.code, count: group.count, from: result, errors) else {
      return nil
    }
    guard diagnostic.fix?.applicability == .safe, let old = result.file else { return true }
    guard let new = after.file else { return nil }
    if old.hasSameRules(as: new) { return true }
    guard proofs > 0 else { return false }
    proofs -= 1
    let limits = ExplorationLimits().divided(by: Self.share * 4)
    return OperatingSystem.allCases.allSatisfy { system in
      let changes = old.changes(
        to: new, host: options.host ?? "www.example.com", system: system, limits: limits)
      return changes.isEmpty && changes.isExhaustive
    }
  }
}

extension LintResult {
  /// The numbers of errors by code.
  fileprivate var errorCounts: [String: Int] {
    diagnostics.reduce(into: [:]) { counts, diagnostic in
      if diagnostic.severity == .error { counts[diagnostic.code, default: 0] += 1 }
    }
  }

  /// Returns a Boolean value indicating whether this is the result of a file in which some mistakes
  /// were fixed and no others made.
  ///
  /// - Parameters:
  ///   - code: The code of the mistakes.
  ///   - count: The number of mistakes.
  ///   - old: The result before.
  ///   - errors: The numbers of its errors by code.
  fileprivate func isFixed(
    of code: String, count: Int, from old: LintResult, _ errors: [String: Int]
  ) -> Bool {
    guard old.file == nil || file != nil else { return false }
    // Of a text that can't be repaired to its end, some mistakes are not known yet.
    let remaining = counts[code, default: 0] + (old.isComplete ? count : 0)
    return remaining <= old.counts[code, default: 0]
      && errorCounts.allSatisfy { $0.value <= errors[$0.key, default: 0] }
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
  /// Returns a Boolean value indicating whether another file has the same rules, if perhaps in
  /// another notation.
  ///
  /// If so, no verdict differs.
  fileprivate func hasSameRules(as other: AssociationFile) -> Bool {
    withPlainRules == other.withPlainRules
  }

  /// This file without the notation and the places of its rules.
  private var withPlainRules: AssociationFile {
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
    for index in file.entries.indices {
      let entry = entries[index]
      file.entries[index].components = plain(entry.components)
      file.entries[index].paths = plain(entry.paths)
      file.entries[index].legacyPaths = plain(entry.legacyPaths)
    }
    return file
  }
}
