internal import Foundations
internal import LinkAuditing
internal import Synchronization
internal import SystemPackage
internal import TrafficDigest

/// Progress on a terminal, percent and time left; silent anywhere else.
final class Progress: Sendable {
  private struct State {
    var bytes = 0
    var lines = 0
    var lastShown: ContinuousClock.Instant?
  }

  private let total: Int?
  private let start = ContinuousClock.now
  private let state = Locked(State())
  private let isTerminal: Bool

  /// Creates a progress line.
  ///
  /// - Parameters:
  ///   - total: The number of stored bytes to read, or `nil` if it isn't known.
  ///   - isQuiet: Whether to show no progress.
  init(total: Int?, isQuiet: Bool = false) {
    self.total = total
    isTerminal = !isQuiet && StandardStreams.isTerminal(.standardError)
  }

  /// Adds bytes that have been read, as they are stored, and lines, if it is logs that are
  /// read.
  func add(bytes: Int, lines: Int) {
    guard isTerminal else { return }
    let now = ContinuousClock.now
    let shown: String? = state.withLock { state in
      state.bytes += bytes
      state.lines += lines
      // Short runs show no progress.
      guard now - start > .milliseconds(500),
        state.lastShown.map({ now - $0 > .milliseconds(200) }) ?? true
      else { return nil }
      state.lastShown = now
      return line(state, elapsed: now - start)
    }
    if let shown { ProgressLine.show(shown) }
  }

  /// Removes the progress from the terminal.
  func finish() {
    ProgressLine.remove()
  }

  private func line(_ state: State, elapsed: Duration) -> String {
    let seconds =
      Double(elapsed.components.seconds) + 1e-18 * Double(elapsed.components.attoseconds)
    let rate = Int(Double(state.lines) / max(seconds, 0.001))
    let read =
      "\((state.bytes / 1_000_000).grouped) MB"
      + (state.lines > 0 ? ", \(rate.grouped) lines/s" : "")
    guard let total, total > 0 else { return read }
    let share = min(1, Double(state.bytes) / Double(total))
    let left = share > 0 ? Int((seconds / share * (1 - share)).rounded(.up)) : 0
    let time = left >= 60 ? "\(left / 60) min \(left % 60) s" : "\(left) s"
    return "\(Int(share * 100))%, \(read), \(time) left"
  }
}

/// The only line of progress of the process, on a terminal.
enum ProgressLine {
  private struct State {
    var isShown = false
    var isRemovedForGood = false
  }

  private static let state = Mutex(State())

  private static let clearing = "\r\u{1B}[K"

  /// Replaces the text that is shown.
  static func show(_ text: String) {
    state.withLock { state in
      guard !state.isRemovedForGood else { return }
      state.isShown = true
      write(clearing + text)
    }
  }

  /// Removes the text that is shown.
  static func remove() {
    state.withLock { state in
      if state.isShown { write(clearing) }
      state.isShown = false
    }
  }

  /// Removes the text that is shown, and permanently prevents new text.
  ///
  /// It leaves the text if the terminal accepts no output, so that it never waits.
  static func removeForGood() {
    // Writing a line takes a moment, but a terminal that accepts no output never returns.
    for _ in 0..<50 {
      let isRemoved: Void? = state.withLockIfAvailable { state in
        if state.isShown, StandardStreams.takesMore(.standardError) { write(clearing) }
        state = State(isShown: false, isRemovedForGood: true)
      }
      if isRemoved != nil { return }
      usleep(1_000)
    }
  }

  private static func write(_ text: String) {
    try? StandardStreams.write(text, to: .standardError)
  }
}
