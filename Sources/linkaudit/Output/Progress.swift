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

  /// The only line of progress of the process.
  private enum Line {
    case hidden, shown, removedForGood
  }

  private static let line = Mutex(Line.hidden)
  private static let clearing = "\r\u{1B}[K"

  private let total: Int?
  private let start = ContinuousClock.now
  private let state = Locked(State())
  private let isTerminal: Bool

  init(total: Int?, isQuiet: Bool = false) {
    self.total = total
    isTerminal = !isQuiet && StandardStreams.isTerminal(.standardError)
  }

  /// Adds bytes that have been read, as they are stored, and the lines of logs; digests
  /// have none.
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
      return text(state, after: (now - start) / .seconds(1))
    }
    guard let shown else { return }
    Self.line.withLock { line in
      guard line != .removedForGood else { return }
      line = .shown
      Self.write(Self.clearing + shown)
    }
  }

  private func text(_ state: State, after seconds: Double) -> String {
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

  func finish() {
    Self.line.withLock { line in
      guard line == .shown else { return }
      Self.write(Self.clearing)
      line = .hidden
    }
  }

  /// Removes the text that is shown, and permanently prevents new text.
  ///
  /// It leaves the text if the terminal accepts no output, so that it never waits.
  static func removeForGood() {
    // Writing a line takes a moment, but a terminal that accepts no output never returns.
    for _ in 0..<50 {
      let isRemoved: Void? = line.withLockIfAvailable { line in
        if line == .shown, StandardStreams.takesMore(.standardError) { write(clearing) }
        line = .removedForGood
      }
      if isRemoved != nil { return }
      usleep(1_000)
    }
  }

  private static func write(_ text: String) { try? StandardStreams.write(text, to: .standardError) }
}
