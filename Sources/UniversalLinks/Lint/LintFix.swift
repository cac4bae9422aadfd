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
  static func replace(
    _ range: Range<Int>, with text: String, _ applicability: Applicability, _ title: String
  ) -> LintFix { LintFix(applicability, title, [Edit(range, text)]) }

  static func insert(
    _ text: String, at offset: Int, _ applicability: Applicability, _ title: String
  ) -> LintFix { LintFix(applicability, title, [Edit(offset..<offset, text)]) }

  /// Returns a text as a string of JSON, with its quotes.
  static func literal(_ text: String) -> String { "\"" + escaped(text) + "\"" }

  /// Returns a text as it is written inside a string of JSON.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": escaped += "\\\""
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\t": escaped += "\\t"
      case "\r": escaped += "\\r"
      case ..<" ":
        let digits = String(scalar.value, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

extension LintResult {
  /// Applies the fixes of some applicabilities, as many as don't overlap.
  ///
  /// - Parameters:
  ///   - applicabilities: The kinds of fixes to apply.
  ///   - limit: The greatest number of fixes to apply.
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
}

extension LintFix {
  /// Returns a Boolean value indicating whether this fix and other edits have bytes or a place in
  /// common, so that both can't be applied to one text.
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
  /// The greatest number of times that a file is linted again after fixes, because a fix can make
  /// others possible.
  private static let fixingLimit = 200

  /// Applies the fixes of a file until none is left.
  ///
  /// The encoding of the file, its indentation, its ends of lines and the order of its members stay.
  ///
  /// - Parameters:
  ///   - bytes: The file, as devices receive it. A signed file stays as it is.
  ///   - options: The checks that depend on more than the file.
  ///   - applicabilities: The kinds of fixes to apply.
  /// - Returns: The file in its encoding; the diagnostics whose fixes were applied, in that order, with
  ///   places in the text that each was applied to; and the mistakes that remain.
  public static func fix(
    _ bytes: [UInt8], options: LintOptions = LintOptions(),
    _ applicabilities: Set<LintFix.Applicability> = [.safe]
  ) -> (bytes: [UInt8], applied: [LintDiagnostic], result: LintResult) {
    var (bytes, applied, result) = (bytes, [LintDiagnostic](), lint(bytes, options: options))
    for _ in 0..<fixingLimit {
      guard var next = result.applyingFixes(applicabilities) else { break }
      var after = lint(next.file, options: options)
      // Fixes that are sound one by one may spoil each other.
      if next.applied.count > 1, after.hasOtherErrors(than: result) {
        guard let first = result.applyingFixes(applicabilities, limit: 1) else { break }
        next = first
        after = lint(next.file, options: options)
      }
      (bytes, result) = (next.file, after)
      applied += next.applied
    }
    return (bytes, applied, result)
  }
}

/// A text with edits, which knows the places of its parts in the original text.
struct EditedText {
  /// The text with all edits so far.
  private(set) var bytes: [UInt8]

  /// The parts of the original text that no edit has touched, in order.
  private var runs: [(range: Range<Int>, original: Int)]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    runs = [(0..<bytes.count, 0)]
  }

  /// Applies edits, whose places are in the text as it is now and don't overlap.
  mutating func apply(_ edits: [LintFix.Edit]) {
    let edits = edits.sorted { $0.range.lowerBound < $1.range.lowerBound }
    bytes = LintFix.apply(edits, to: bytes)
    var kept: [(range: Range<Int>, original: Int)] = []
    // The next edit, and the difference in length that those before it make.
    var (next, shift) = (0, 0)
    for run in runs {
      var start = run.range.lowerBound
      func keep(to end: Int) {
        guard end > start else { return }
        kept.append(((start + shift)..<(end + shift), run.original + start - run.range.lowerBound))
      }
      while next < edits.count, edits[next].range.lowerBound < run.range.upperBound {
        let range = edits[next].range
        keep(to: range.lowerBound)
        start = max(start, range.upperBound)
        // It goes on in the next part.
        if range.upperBound > run.range.upperBound { break }
        shift += edits[next].replacement.utf8.count - range.count
        next += 1
      }
      keep(to: run.range.upperBound)
    }
    runs = kept
  }

  /// Returns the place in the original text of a part of this one.
  ///
  /// The place of inserted text is where it was inserted, and that of replaced text what it replaces.
  func original(_ range: Range<Int>) -> Range<Int> {
    let end = originalEnd(range.upperBound)
    if range.isEmpty { return end..<end }
    let index = runs.indices.partitioningIndex { runs[$0].range.upperBound > range.lowerBound }
    if index < runs.count, runs[index].range.contains(range.lowerBound) {
      let start = runs[index].original + range.lowerBound - runs[index].range.lowerBound
      return start..<max(start, end)
    }
    let start = index > 0 ? runs[index - 1].original + runs[index - 1].range.count : 0
    return start..<max(start, end)
  }

  private func originalEnd(_ offset: Int) -> Int {
    let index = runs.indices.partitioningIndex { runs[$0].range.upperBound >= offset }
    guard index < runs.count else { return runs.last.map { $0.original + $0.range.count } ?? 0 }
    return runs[index].original + max(0, offset - runs[index].range.lowerBound)
  }

  /// Returns a fix with the places of its edits in the original text, or `nil` if an earlier edit has
  /// changed what it would replace.
  func original(_ fix: LintFix) -> LintFix? {
    var fix = fix
    for (index, edit) in fix.edits.enumerated() {
      let position = runs.indices.partitioningIndex {
        runs[$0].range.upperBound >= edit.range.upperBound
      }
      guard position < runs.count, runs[position].range.lowerBound <= edit.range.lowerBound else {
        return nil
      }
      let run = runs[position]
      let start = run.original + edit.range.lowerBound - run.range.lowerBound
      fix.edits[index].range = start..<(start + edit.range.count)
    }
    return fix
  }
}
