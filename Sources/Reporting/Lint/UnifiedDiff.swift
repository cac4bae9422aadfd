/// The difference of two texts in the unified format, which `patch -p1` and `git apply` read.
package enum UnifiedDiff {
  private static let context = 3

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
    // Each line of both, in order: its number in each, and whether it is in only one of them.
    var steps: [(sign: UInt8, old: Int, new: Int)] = []
    var (first, second) = (0, 0)
    while first < before.count || second < after.count {
      if first < before.count, removed.contains(first) {
        steps.append((UInt8(ascii: "-"), first, second))
        first += 1
      } else if second < after.count, inserted.contains(second) {
        steps.append((UInt8(ascii: "+"), first, second))
        second += 1
      } else {
        steps.append((UInt8(ascii: " "), first, second))
        (first, second) = (first + 1, second + 1)
      }
    }
    let changed = steps.indices.filter { steps[$0].sign != UInt8(ascii: " ") }
    var position = 0
    while position < changed.count {
      let start = max(0, changed[position] - context)
      var end = min(steps.count, changed[position] + context + 1)
      while position + 1 < changed.count, changed[position + 1] - context <= end {
        position += 1
        end = min(steps.count, changed[position] + context + 1)
      }
      position += 1
      output += hunk(steps[start..<end], before, after)
    }
    return output
  }

  private static func hunk(
    _ steps: ArraySlice<(sign: UInt8, old: Int, new: Int)>, _ before: [ArraySlice<UInt8>],
    _ after: [ArraySlice<UInt8>]
  ) -> [UInt8] {
    guard let first = steps.first else { return [] }
    let oldCount = steps.count { $0.sign != UInt8(ascii: "+") }
    let newCount = steps.count { $0.sign != UInt8(ascii: "-") }
    func place(_ start: Int, _ count: Int) -> String {
      // An empty range is after the line before it.
      "\(count == 0 ? start : start + 1)" + (count == 1 ? "" : ",\(count)")
    }
    var output = Array("@@ -\(place(first.old, oldCount)) +\(place(first.new, newCount)) @@\n".utf8)
    for step in steps {
      let line = step.sign == UInt8(ascii: "+") ? after[step.new] : before[step.old]
      output.append(step.sign)
      output += line
      if line.last != UInt8(ascii: "\n") {
        output += Array("\n\\ No newline at end of file\n".utf8)
      }
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
