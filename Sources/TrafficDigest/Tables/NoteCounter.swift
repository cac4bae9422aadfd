/// Counts how often each key occurs.
///
/// An occurrence is not counted where the key's count is, which would be one more
/// place in memory to wait for. It is noted; when there are many notes, they are
/// sorted and counted. The runs of counts that this gives are merged only with
/// others of about their length, so that none is copied often.
struct NoteCounter: ~Copyable {
  /// The number of notes that are sorted at a time.
  private static let noteLimit = 1 << 18

  private var notes = Slab<UInt64>(capacity: 1024)
  private var spare = Slab<UInt64>(capacity: 1024)
  private var runs: [CellRun] = []

  /// The number of bytes that notes and counts take.
  var byteCount: Int {
    runs.reduce(notes.count * 16) { $0 + $1.cells.count * MemoryLayout<Cell>.stride }
  }

  /// Notes an occurrence of a key.
  @inline(__always)
  mutating func note(_ key: UInt64) {
    notes.append(key)
    if notes.count == Self.noteLimit { countNotes() }
  }

  @inline(never)
  private mutating func countNotes() {
    guard notes.count > 0 else { return }
    runs.append(CellRun(counting: &notes, spare: &spare))
    notes.removeAll()
    while runs.count > 1, runs[runs.count - 2].cells.count < 2 * runs[runs.count - 1].cells.count {
      mergeLast()
    }
  }

  private mutating func mergeLast() {
    let last = runs.removeLast()
    let other = runs.removeLast()
    runs.append(CellRun(merging: other, last))
  }

  /// All counts.
  mutating func finish() -> CellRun {
    countNotes()
    while runs.count > 1 { mergeLast() }
    return runs.popLast() ?? CellRun(Slab())
  }
}
