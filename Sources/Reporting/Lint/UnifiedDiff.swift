/// The difference of two texts in the unified format, which `patch -p1` and `git apply` read.
package enum UnifiedDiff {
  private static let context = 3

  /// A line of one version or both: `-`, `+` or a space, and the numbers of the next lines of both.
  private typealias Step = (sign: String, line: ArraySlice<UInt8>, old: Int, new: Int)

  /// Returns the difference of two versions of a file, empty if they are equal.
  package static func text(from old: [UInt8], to new: [UInt8], path: String) -> [UInt8] {
    if old == new { return [] }
    let (before, after) = (lines(of: old), lines(of: new))
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in after.difference(from: before) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    let name = path == "-" ? "stdin" : String(path.drop { $0 == "/" })
    var output = Array("--- a/\(name)\n+++ b/\(name)\n".utf8)
    var steps: [Step] = []
    var (first, second) = (0, 0)
    while first < before.count || second < after.count {
      let sign = removed.contains(first) ? "-" : inserted.contains(second) ? "+" : " "
      steps.append((sign, sign == "+" ? after[second] : before[first], first, second))
      if sign != "+" { first += 1 }
      if sign != "-" { second += 1 }
    }
    let changed = steps.indices.filter { steps[$0].sign != " " }
    var position = 0
    while position < changed.count {
      let start = max(0, changed[position] - context)
      var end = min(steps.count, changed[position] + context + 1)
      while position + 1 < changed.count, changed[position + 1] - context <= end {
        position += 1
        end = min(steps.count, changed[position] + context + 1)
      }
      position += 1
      output += hunk(steps[start..<end])
    }
    return output
  }

  private static func hunk(_ steps: ArraySlice<Step>) -> [UInt8] {
    guard let first = steps.first else { return [] }
    let oldCount = steps.count { $0.sign != "+" }
    let newCount = steps.count { $0.sign != "-" }
    func place(_ start: Int, _ count: Int) -> String {
      // An empty range is after the line before it.
      "\(count == 0 ? start : start + 1)" + (count == 1 ? "" : ",\(count)")
    }
    var output = Array("@@ -\(place(first.old, oldCount)) +\(place(first.new, newCount)) @@\n".utf8)
    for step in steps {
      output += step.sign.utf8 + step.line
      if step.line.last != UInt8(ascii: "\n") { output += "\n\\ No newline at end of file\n".utf8 }
    }
    return output
  }

  private static func lines(of text: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? text.count
      lines.append(text[start..<end])
      start = end
    }
    return lines
  }
}
