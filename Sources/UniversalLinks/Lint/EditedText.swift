internal import Foundations

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
    var originalEnd: Int { original + length }
  }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    runs = [Run(start: 0, original: 0, length: bytes.count)]
  }

  /// Applies edits, whose places are in the text as it is now and don't overlap.
  mutating func apply(_ edits: [LintFix.Edit]) {
    let edits = edits.sorted { $0.range.lowerBound < $1.range.lowerBound }
    bytes = LintFix.apply(edits, to: bytes)
    var kept: [Run] = []
    // The next edit, and the difference in length that those before it make.
    var (next, shift) = (0, 0)
    for run in runs {
      var start = run.start
      func keep(to end: Int) {
        guard end > start else { return }
        kept.append(
          Run(start: start + shift, original: run.original + start - run.start, length: end - start)
        )
      }
      while next < edits.count, edits[next].range.lowerBound < run.end {
        let range = edits[next].range
        keep(to: range.lowerBound)
        start = max(start, range.upperBound)
        // It goes on in the next part.
        if range.upperBound > run.end { break }
        shift += edits[next].replacement.utf8.count - range.count
        next += 1
      }
      keep(to: run.end)
    }
    runs = kept
  }

  /// Returns the place in the original text of a part of this one.
  ///
  /// The place of inserted text is where it was inserted, and that of replaced text what it replaces.
  func original(_ range: Range<Int>) -> Range<Int> {
    if range.isEmpty {
      let place = originalEnd(range.upperBound)
      return place..<place
    }
    let index = runs.indices.partitioningIndex { runs[$0].end > range.lowerBound }
    let start: Int
    if index < runs.count, runs[index].start <= range.lowerBound {
      start = runs[index].original + range.lowerBound - runs[index].start
    } else {
      start = index > 0 ? runs[index - 1].originalEnd : 0
    }
    return start..<max(start, originalEnd(range.upperBound))
  }

  private func originalEnd(_ offset: Int) -> Int {
    let index = runs.indices.partitioningIndex { runs[$0].end >= offset }
    guard index < runs.count else { return runs.last?.originalEnd ?? 0 }
    let run = runs[index]
    return run.original + max(0, offset - run.start)
  }

  /// Returns a fix with the places of its edits in the original text, or `nil` if an earlier edit has
  /// changed what it would replace.
  func original(_ fix: LintFix) -> LintFix? {
    var fix = fix
    for (index, edit) in fix.edits.enumerated() {
      let position = runs.indices.partitioningIndex { runs[$0].end >= edit.range.upperBound }
      guard position < runs.count, runs[position].start <= edit.range.lowerBound else { return nil }
      let run = runs[position]
      let start = run.original + edit.range.lowerBound - run.start
      fix.edits[index].range = start..<(start + edit.range.count)
    }
    return fix
  }
}
