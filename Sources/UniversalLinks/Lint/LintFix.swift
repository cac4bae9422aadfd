internal import Foundations

/// A cure of a mistake, as edits of the file.
///
/// All edits of a fix are applied together; a part of them may leave a worse file.
public struct LintFix: Hashable, Sendable {
  /// Whether a fix may be applied without a look at it.
  public enum Applicability: String, CaseIterable, Hashable, Sendable {
    /// The verdict of no URL changes, or the file could not be read before.
    case safe

    /// The verdicts of URLs change, as the author probably meant.
    case suggestion
  }

  /// The replacement of some bytes.
  public struct Edit: Hashable, Sendable {
    /// The bytes to replace, as offsets in the text; empty for an insertion.
    public var range: Range<Int>

    /// The text that replaces them, as it is written in the file; empty for a deletion.
    public var replacement: String

    /// Creates an edit.
    public init(_ range: Range<Int>, _ replacement: String) {
      (self.range, self.replacement) = (range, replacement)
    }
  }

  /// Whether it may be applied without a look at it.
  public var applicability: Applicability

  /// The effect of the edits, as a sentence in the imperative without a full stop.
  public var title: String

  /// The edits, in the order of the text; their ranges don't overlap.
  public var edits: [Edit]

  /// A Boolean value indicating whether the file is saved as UTF-8 without a byte order mark.
  ///
  /// All other fixes keep the encoding.
  public var savesAsUTF8 = false

  /// Creates a fix.
  ///
  /// - Parameters:
  ///   - applicability: Whether it may be applied without a look at it.
  ///   - title: The effect of the edits, as a sentence in the imperative without a full stop.
  ///   - edits: The edits, which don't overlap, in any order.
  public init(_ applicability: Applicability, _ title: String, _ edits: [Edit]) {
    (self.applicability, self.title) = (applicability, title)
    self.edits = edits.sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
  }
}

extension LintFix {
  var remedy: String { title + "." }

  static func replace(
    _ range: Range<Int>, with text: String, _ title: String,
    _ applicability: Applicability = .suggestion
  ) -> LintFix { LintFix(applicability, title, [Edit(range, text)]) }

  static func insert(
    _ text: String, at offset: Int, _ title: String, _ applicability: Applicability = .suggestion
  ) -> LintFix { .replace(offset..<offset, with: text, title, applicability) }

  static func surround(
    _ range: Range<Int>, _ before: String, _ after: String, _ title: String,
    _ applicability: Applicability = .suggestion
  ) -> LintFix {
    let (start, end) = (range.lowerBound, range.upperBound)
    return LintFix(applicability, title, [Edit(start..<start, before), Edit(end..<end, after)])
  }

  /// Returns the fix that removes all bytes of a range but a part.
  static func reduce(
    _ range: Range<Int>, to part: Range<Int>, _ title: String,
    _ applicability: Applicability = .suggestion
  ) -> LintFix {
    let (before, after) = (range.lowerBound..<part.lowerBound, part.upperBound..<range.upperBound)
    return LintFix(applicability, title, [Edit(before, ""), Edit(after, "")])
  }

  /// Returns a text as a string of JSON, with its quotes.
  package static func literal(_ text: String) -> String { "\"" + escaped(text) + "\"" }

  /// Returns a text as it is written inside a string of JSON.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": escaped += "\\\(scalar)"
      case "\n": escaped += "\\n"
      case "\t": escaped += "\\t"
      case "\r": escaped += "\\r"
      case ..<" ":
        escaped += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Whether this fix and other edits have bytes or a place in common, so they exclude each other.
  func touches(_ others: [Edit]) -> Bool {
    edits.contains { edit in
      others.contains {
        edit.range.lowerBound <= $0.range.upperBound && $0.range.lowerBound <= edit.range.upperBound
      }
    }
  }

  /// Applies edits, which don't touch one another, to a text.
  package static func apply(_ edits: [Edit], to text: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var position = 0
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      output += text[position..<edit.range.lowerBound]
      output += edit.replacement.utf8
      position = edit.range.upperBound
    }
    return output + text[position...]
  }
}

extension AssociationFile {
  /// The greatest number of rounds of fixes: a fix can make others possible.
  ///
  /// Each lints the whole file, so a large one has fewer.
  private static func fixingLimit(_ byteCount: Int) -> Int {
    min(200, max(8, (1 << 19) / max(1, byteCount)))
  }

  /// Applies the fixes of a file until none is left; of a large one, as many as take a few seconds.
  ///
  /// The encoding of the file, its indentation, its ends of lines and the order of its members stay.
  ///
  /// - Parameters:
  ///   - bytes: The file, as devices receive it. A signed file stays as it is.
  ///   - options: The checks that depend on more than the file.
  ///   - applicabilities: The kinds of fixes to apply.
  /// - Returns: The file in its encoding; the diagnostics whose fixes were applied, in the order of
  ///   application, with places in the text that each was applied to; and the mistakes that remain.
  public static func fix(
    _ bytes: [UInt8], options: LintOptions = LintOptions(),
    _ applicabilities: Set<LintFix.Applicability> = [.safe]
  ) -> (bytes: [UInt8], applied: [LintDiagnostic], result: LintResult) {
    var all = options
    all.isFixing = true
    let notation = ForeignNotation()
    var (bytes, applied, result) = (bytes, [LintDiagnostic](), lint(bytes, options: all, notation))
    for _ in 0..<fixingLimit(bytes.count) {
      let known = result.errorCounts
      var limit = Int.max
      var found: (file: [UInt8], fixes: [LintDiagnostic], result: LintResult)?
      while found == nil, let next = result.applyingFixes(applicabilities, limit: limit) {
        let after = lint(next.file, options: all, notation)
        // Fixes that are sound one by one may spoil each other; fewer of them may not.
        let isSpoilt = after.errorCounts.contains { $0.value > known[$0.key, default: 0] }
        if next.applied.count > 1, result.isComplete, isSpoilt {
          limit = next.applied.count / 2
        } else {
          found = (next.file, next.applied, after)
        }
      }
      guard let found else { break }
      (bytes, result) = (found.file, found.result)
      applied += found.fixes
    }
    if result.counts.values.contains(where: { $0 > LintContext.limit }) {
      result = lint(bytes, options: options, notation)
    }
    return (bytes, applied, result)
  }
}

extension LintResult {
  /// A fix, and the positions of the diagnostics of one kind that it cures, each on its own.
  private typealias Candidate = (indexes: [Int], kind: DiagnosticKind, fix: LintFix)

  /// The bytes to lint, the work of proofs, and the comparisons with the file before that are left.
  private typealias Budget = (bytes: Int, work: Int, comparisons: Int)

  /// Tries the fixes of a file, and keeps those that cure.
  ///
  /// A fix is kept if its mistake is gone after it, the file can still be read, and no other error
  /// appears. It is safe only if the rules are the same after it, or are proved to decide the same. Of
  /// the other fixes, messages say which URLs change.
  mutating func reviewFixes(_ options: LintOptions, _ notation: ForeignNotation) {
    var candidates: [Candidate] = []
    var places: [LintFix.Edit?: Int] = [:]
    for (index, diagnostic) in diagnostics.enumerated() {
      guard let fix = diagnostic.fix else { continue }
      diagnostics[index].fix = nil
      // Several mistakes can have one cure, which is tried once.
      if let place = places[fix.edits.first], candidates[place].kind == diagnostic.kind,
        candidates[place].fix == fix
      {
        candidates[place].indexes.append(index)
      } else {
        places[fix.edits.first] = candidates.count
        candidates.append(([index], diagnostic.kind, fix))
      }
    }
    // A signed file can't be edited, and without proofs, nothing is known.
    if isSigned || !options.provesRules { return }
    let size = max(1, text.count)
    // Comparing large files takes long, even if little is explored.
    var budget: Budget = (1 << 20, ExplorationLimits().work, min(64, (1 << 18) / size))
    // A text with mistakes of syntax is parsed again after each; of many fixes, some are tried
    // together.
    let cost = size * (file == nil ? 1 + candidates.count(where: \.kind.isFatal) / 8 : 4)
    let groupSize = 1 + candidates.count * cost / budget.bytes
    var groups: [ArraySlice<Candidate>] = []
    for candidate in candidates {
      // Fixes of the same kind can be applied together, unless they exclude each other. In a text with
      // mistakes of syntax, so can all, because no rules are compared.
      let group = groups.firstIndex { group in
        group.count < groupSize
          && group.allSatisfy { other in
            (file == nil || other.kind == candidate.kind)
              && other.fix.applicability == candidate.fix.applicability
              && !candidate.fix.touches(other.fix.edits)
          }
      }
      if let group { groups[group].append(candidate) } else { groups.append([candidate]) }
    }
    groups.reverse()
    while let group = groups.popLast(), budget.bytes > 0 {
      budget.bytes -= cost
      if let outcome = trial(group, options, notation, &budget) {
        for candidate in group {
          var fix = candidate.fix
          fix.applicability = outcome.applicability
          for index in candidate.indexes {
            diagnostics[index].fix = fix
            diagnostics[index].message += outcome.effect
          }
        }
      } else if group.count > 1 {
        groups += [group.dropFirst(group.count / 2), group.prefix(group.count / 2)]
      }
    }
  }

  /// Tries fixes of one applicability together.
  ///
  /// - Returns: Their applicability, and the URLs whose verdicts they change in a sentence, or `nil` if
  ///   they don't cure.
  private func trial(
    _ group: ArraySlice<Candidate>, _ options: LintOptions, _ notation: ForeignNotation,
    _ budget: inout Budget
  ) -> (applicability: LintFix.Applicability, effect: String)? {
    guard let fix = group.first?.fix else { return nil }
    // Without the budget for proofs, what they find can't be compared.
    let proves = budget.work > 0
    guard proves || !group.contains(where: { DiagnosticKind.reachKinds.contains($0.kind) }) else {
      return nil
    }
    var options = options
    (options.isTrial, options.provesRules) = (true, proves)
    let after = AssociationFile.lint(applying(group.map(\.fix)), options: options, notation)
    budget.work -= after.proofWork
    // Of a text that can't be repaired to its end, some mistakes are not known yet.
    let isCured = Dictionary(grouping: group, by: \.kind.code).allSatisfy { code, fixes in
      after.counts[code, default: 0] + (isComplete ? fixes.count : 0) <= counts[code, default: 0]
    }
    let errors = errorCounts
    guard isCured,
      after.errorCounts.allSatisfy({ $0.value <= errors[$0.key, default: 0] })
    else { return nil }
    guard let old = file else { return (fix.applicability, "") }
    guard let new = after.file else { return nil }
    // If the rules are the same, no verdict differs.
    if OperatingSystem.allCases.allSatisfy({
      old.asRead(by: $0).withPlainRules == new.asRead(by: $0).withPlainRules
    }) || fix.applicability == .suggestion && (group.count > 1 || budget.comparisons <= 0) {
      return (fix.applicability, "")
    }
    guard budget.comparisons > 0, proves else { return (.suggestion, "") }
    budget.comparisons -= 1
    var (isProved, effect) = (true, "")
    for system in [OperatingSystem.current, .legacy] {
      let changes = old.asRead(by: system).changes(
        to: new.asRead(by: system), host: options.host ?? "www.example.com",
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
    let effects = [
      opened.map { "'\($0)' opens the app" },
      closed.map { "'\($0)' doesn't" + (opened == nil ? " open the app" : "") },
    ].compactMap(\.self)
    return effects.isEmpty ? "" : " With the fix, \(scope)\(effects.joined(separator: ", and "))."
  }

  /// Applies the fixes of some applicabilities, as many as don't overlap, up to a number.
  ///
  /// - Returns: The file with the fixes, and the diagnostics that they are for; `nil` if there are
  ///   none, or the file is signed.
  func applyingFixes(
    _ applicabilities: Set<LintFix.Applicability>, limit: Int = .max
  ) -> (file: [UInt8], applied: [LintDiagnostic])? {
    guard !isSigned else { return nil }
    var applied: [LintDiagnostic] = []
    var edits: [LintFix.Edit] = []
    for diagnostic in diagnostics {
      guard let fix = diagnostic.fix, applicabilities.contains(fix.applicability),
        !fix.touches(edits)
      else { continue }
      applied.append(diagnostic)
      edits += fix.edits
      if applied.count == limit { break }
    }
    if applied.isEmpty { return nil }
    return (applying(applied.compactMap(\.fix)), applied)
  }

  fileprivate var errorCounts: [String: Int] {
    diagnostics.reduce(into: [:]) { counts, diagnostic in
      if diagnostic.severity == .error { counts[diagnostic.code, default: 0] += 1 }
    }
  }

  /// The file with some fixes, whose edits don't touch.
  func applying(_ fixes: [LintFix]) -> [UInt8] {
    let text = LintFix.apply(fixes.flatMap(\.edits), to: text)
    return fixes.contains(where: \.savesAsUTF8) ? text : encoded.encode(text)
  }
}

extension AssociationFile {
  /// This file without the notation and the places of its rules.
  var withPlainRules: AssociationFile {
    func plain(_ rule: RuleDefinition) -> RuleDefinition {
      var rule = rule
      (rule.position, rule.source) = (nil, "")
      rule.path = rule.path.map {
        String(decoding: CompiledRule.normalized(path: $0), as: UTF8.self)
      }
      return rule
    }
    var file = self
    for (index, entry) in entries.enumerated() {
      file.entries[index].components = entry.components?.map(plain)
      file.entries[index].paths = entry.paths?.map(plain)
    }
    return file
  }
}
