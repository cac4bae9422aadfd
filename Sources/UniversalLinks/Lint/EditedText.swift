/// A text with edits, which knows the places of its parts in the original text.
struct EditedText {
  /// The text with all edits so far.
  private(set) var bytes: [UInt8]

  /// The parts of the original text that no edit has touched, in order.
  private var runs: [Run]

  private struct Run {
    var start: Int
    var original: Int
    var length: Int

    var end: Int { start + length }
  }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    runs = [Run(start: 0, original: 0, length: bytes.count)]
  }

  /// Applies edits, whose places are in the text as it is now.
  mutating func apply(_ edits: [LintFix.Edit]) {
    // From the last to the first, so that places before an edit stay.
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      let (range, length) = (edit.range, edit.replacement.utf8.count)
      bytes.replaceSubrange(range, with: edit.replacement.utf8)
      var kept: [Run] = []
      for run in runs {
        if run.start <= range.lowerBound {
          let before = min(run.end, range.lowerBound) - run.start
          if before > 0 || run.length == 0 {
            kept.append(Run(start: run.start, original: run.original, length: before))
          }
        }
        if run.end > range.upperBound {
          let skipped = max(run.start, range.upperBound) - run.start
          kept.append(
            Run(
              start: run.start + skipped + length - range.count,
              original: run.original + skipped, length: run.length - skipped))
        }
      }
      runs = kept
    }
  }

  /// Returns the place in the original text of a part of this one.
  ///
  /// The place of inserted text is where it was inserted, and that of replaced text what it replaces.
  func original(_ range: Range<Int>) -> Range<Int> {
    if range.isEmpty {
      let place = originalEnd(range.upperBound)
      return place..<place
    }
    let start =
      runs.first { $0.start <= range.lowerBound && range.lowerBound < $0.end }
      .map { $0.original + range.lowerBound - $0.start }
      ?? runs.last { $0.end <= range.lowerBound }.map { $0.original + $0.length } ?? 0
    return start..<max(start, originalEnd(range.upperBound))
  }

  private func originalEnd(_ offset: Int) -> Int {
    if let run = runs.first(where: { $0.start < offset && offset <= $0.end }) {
      return run.original + offset - run.start
    }
    return runs.first { $0.start >= offset }.map(\.original)
      ?? runs.last.map { $0.original + $0.length } ?? 0
  }

  /// Returns a fix with the places of its edits in the original text, or `nil` if an earlier edit has
  /// changed what it would replace.
  func original(_ fix: LintFix) -> LintFix? {
    var fix = fix
    for (index, edit) in fix.edits.enumerated() {
      guard
        let run = runs.first(where: {
          $0.start <= edit.range.lowerBound && edit.range.upperBound <= $0.end
        })
      else { return nil }
      let start = run.original + edit.range.lowerBound - run.start
      fix.edits[index].range = start..<(start + edit.range.count)
    }
    return fix
  }
}
