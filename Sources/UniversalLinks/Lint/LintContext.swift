internal import Foundations

/// The text being checked, and the mistakes found in it so far.
struct LintContext {
  /// The text that is checked, with repaired syntax; all places are in it.
  private(set) var text: [UInt8]

  /// The parts that no repair has touched, in order, each with the distance to its original place.
  private var runs: [(range: Range<Int>, distance: Int)]

  var original: [UInt8] { lines.text }

  private let lines: LineIndex
  let options: LintOptions
  private(set) var diagnostics: [LintDiagnostic] = []

  var ruleRanges: [RuleID: Range<Int>] = [:]

  /// The first places of well-formed identifiers of apps, and the services that name them.
  var mentions: [String: (range: Range<Int>, services: Set<String>)] = [:]

  /// The first place of each app in `details` so far, with the position of its entry.
  var firstPlaces: [ApplicationIdentifier: (range: Range<Int>, entry: Int)] = [:]

  /// The entry whose rules decide for each app on iOS 12 and earlier.
  var legacyEntries: [ApplicationIdentifier: Int] = [:]

  /// The file's own variables, each with its place and the number of its usable values.
  var ownVariables: [[UInt8]: (range: Range<Int>, name: String, values: Int)] = [:]

  /// The names that an undefined variable could mean.
  lazy var knownVariables: [(name: String, folded: String)] =
    (ownVariables.values.map(\.name).sorted() + Variables.builtInNames).map {
      ($0, $0.lowercased())
    }

  var usedVariables: Set<[UInt8]> = []

  let notation: ForeignNotation
  var firstReference: Range<Int>?

  /// The places of members that have a meaning where they are, by name, if releases are checked.
  var memberPlaces: [String: [Range<Int>]] = [:]

  /// Bytes that keep their rule from matching anything.
  private(set) var unmatchable: [Range<Int>] = []

  var proofWork = 0

  /// The fixes that write the `paths` of entries as `components`, by the places of the arrays.
  ///
  /// All mistakes that one cures share it.
  var componentsFixes: [Int: LintFix?] = [:]

  /// The greatest number of mistakes of one kind that are reported one by one.
  static let limit = 200

  /// The same number while all mistakes are fixed, so that few rounds are enough.
  private static let fixingLimit = 2_000

  private var limit: Int { options.isFixing ? Self.fixingLimit : Self.limit }

  /// The mistakes by the codes of their rules, also those that aren't reported.
  private(set) var counts: [String: Int] = [:]

  /// The mistakes in the order of the text.
  ///
  /// If some of a kind were left out, the last one of that kind gives their number.
  var orderedDiagnostics: [LintDiagnostic] {
    // Mistakes at the same place keep their order.
    var ordered = diagnostics.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }.map(\.element)
    for (code, count) in counts where count > limit {
      guard let last = ordered.lastIndex(where: { $0.code == code }) else { continue }
      ordered[last].message += " There are \(count - limit) more of this kind."
    }
    return ordered
  }

  init(
    _ text: [UInt8], options: LintOptions, _ notation: ForeignNotation = ForeignNotation()
  ) {
    self.notation = notation
    (self.text, runs) = (text, [(0..<text.count, 0)])
    (lines, self.options) = (LineIndex(text), options)
  }

  /// Counts a mistake without details if enough of its kind have been reported.
  ///
  /// - Returns: Whether it was counted; if not, report it.
  mutating func countsOnly(_ rule: DiagnosticKind) -> Bool {
    guard counts[rule.code, default: 0] >= limit else { return false }
    counts[rule.code, default: 0] += 1
    return true
  }

  /// Adds a mistake; `spoiling` is the place of a pattern that matches nothing because of it.
  mutating func report(
    _ rule: DiagnosticKind, at range: Range<Int>, _ message: String, severity: Severity? = nil,
    remedy: String? = nil, related: [LintDiagnostic.Related] = [], fix: LintFix? = nil,
    cure: LintFix? = nil, spoiling pattern: Range<Int>? = nil
  ) {
    if let pattern { markUnmatchable(pattern) }
    report(
      LintDiagnostic(
        rule, range, message, severity: severity, remedy: remedy, related: related, fix: fix,
        cure: cure))
  }

  /// Adds a mistake with places in the text as it is now.
  mutating func report(_ mistake: LintDiagnostic) {
    guard !countsOnly(mistake.kind) else { return }
    counts[mistake.code, default: 0] += 1
    var mistake = mistake
    mistake.range = original(mistake.range)
    mistake.start = lines.position(of: mistake.range.lowerBound)
    mistake.end = lines.position(of: mistake.range.upperBound)
    mistake.related = mistake.related.map(place)
    mistake.fix = mistake.fix.flatMap(original)
    diagnostics.append(mistake)
  }

  private func place(_ other: LintDiagnostic.Related) -> LintDiagnostic.Related {
    var other = other
    other.range = original(other.range)
    other.position = lines.position(of: other.range.lowerBound)
    return other
  }

  func hasError(in range: Range<Int>) -> Bool {
    let place = original(range)
    return diagnostics.contains { $0.severity == .error && place.contains($0.range.lowerBound) }
  }

  func isReported(_ diagnostic: LintDiagnostic, in range: Range<Int>) -> Bool {
    original(range).contains(diagnostic.range.lowerBound)
  }

  /// Makes a mistake that was found before the cause of errors, in place of reports of their own.
  mutating func blame(
    where isCause: (LintDiagnostic) -> Bool, _ consequence: String,
    related: [LintDiagnostic.Related]
  ) {
    guard let index = diagnostics.firstIndex(where: isCause) else { return }
    diagnostics[index].severity = .error
    diagnostics[index].message += " " + consequence
    diagnostics[index].related += related.map(place)
  }

  /// The white space between an element and the one before it, as the file writes it: a line of its
  /// own, or a blank.
  func separator(before offset: Int) -> String {
    let start = text[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let indentation = text[start..<offset]
    guard start > 0, indentation.allSatisfy(\.isBlank) else { return " " }
    let isWindows = start > 1 && text[start - 2] == 0x0D
    return (isWindows ? "\r\n" : "\n") + String(decoding: indentation, as: UTF8.self)
  }

  mutating func markUnmatchable(_ range: Range<Int>) { unmatchable.append(range) }

  func line(of offset: Int) -> Int {
    let place = original(offset..<min(text.count, offset + 1)).lowerBound
    return lines.position(of: place).line
  }

  /// The bytes that spell a part of a string, escapes and all; the part is in the UTF-8 of the string.
  func range(of part: Range<Int>, inString literal: Range<Int>) -> Range<Int> {
    let text = self.text
    var (start, end, decoded) = (literal.lowerBound + 1, literal.lowerBound + 1, 0)
    while end < literal.upperBound - 1, decoded < part.upperBound {
      let isEscape = text[end] == UInt8(ascii: "\\")
      end += isEscape ? 2 : 1
      let scalar =
        isEscape && text[end - 1] == UInt8(ascii: "u") ? text.span.escapedScalar(at: &end) : nil
      decoded += scalar?.utf8.count ?? 1
      if decoded <= part.lowerBound { start = end }
    }
    return start..<end
  }

  /// The bytes of the file that spell a part of a pattern.
  func source(_ range: Range<Int>, of pattern: PatternText) -> Range<Int> {
    let start = pattern.start
    return self.range(
      of: (range.lowerBound + start)..<(range.upperBound + start), inString: pattern.literal)
  }

  /// The bytes of the file that spell a pattern, without quotes and without 'NOT '.
  func wholeSource(of pattern: PatternText) -> Range<Int> {
    source(0..<0, of: pattern).lowerBound..<(pattern.literal.upperBound - 1)
  }
}

extension LintContext {
  /// Applies edits, whose places are in the text as it is now and don't overlap.
  mutating func edit(_ edits: [LintFix.Edit]) {
    // The end of the edit before, the difference in length that those so far make, and the next part.
    var (start, shift, next) = (0, 0, 0)
    var kept: [(range: Range<Int>, distance: Int)] = []
    let end = LintFix.Edit(text.count..<text.count, "")
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) + [end] {
      while next < runs.count, runs[next].range.lowerBound < edit.range.lowerBound {
        let (run, distance) = runs[next]
        let part = run.clamped(to: start..<edit.range.lowerBound)
        if !part.isEmpty {
          kept.append(((part.lowerBound + shift)..<(part.upperBound + shift), distance - shift))
        }
        // The rest of it may be after the edit.
        guard run.upperBound <= edit.range.upperBound else { break }
        next += 1
      }
      start = edit.range.upperBound
      shift += edit.replacement.utf8.count - edit.range.count
    }
    (text, runs) = (LintFix.apply(edits, to: text), kept)
  }

  /// Returns the place in the original text of a part of this one.
  ///
  /// The place of inserted text is where it was inserted, and that of replaced text what it replaces.
  func original(_ range: Range<Int>) -> Range<Int> {
    let last = runs.indices.partitioningIndex { runs[$0].range.upperBound >= range.upperBound }
    let end =
      last < runs.count
      ? max(range.upperBound, runs[last].range.lowerBound) + runs[last].distance
      : runs.last.map { $0.range.upperBound + $0.distance } ?? 0
    if range.isEmpty { return end..<end }
    let index = runs.indices.partitioningIndex { runs[$0].range.upperBound > range.lowerBound }
    let isInRun = index < runs.count && runs[index].range.contains(range.lowerBound)
    let start =
      isInRun
      ? range.lowerBound + runs[index].distance
      : index > 0 ? runs[index - 1].range.upperBound + runs[index - 1].distance : 0
    return start..<max(start, end)
  }

  /// Returns a fix with the places of its edits in the original text, or `nil` if an earlier edit has
  /// changed what it would replace.
  func original(_ fix: LintFix) -> LintFix? {
    if runs.count == 1, runs[0].distance == 0, runs[0].range == text.indices { return fix }
    var fix = fix
    for (index, edit) in fix.edits.enumerated() {
      let position = runs.indices.partitioningIndex {
        runs[$0].range.upperBound >= edit.range.upperBound
      }
      guard position < runs.count, runs[position].range.lowerBound <= edit.range.lowerBound else {
        return nil
      }
      let start = edit.range.lowerBound + runs[position].distance
      fix.edits[index].range = start..<(start + edit.range.count)
    }
    return fix
  }
}
