internal import Synchronization
internal import SystemPackage

/// Progress on a terminal, percent and time left; silent anywhere else.
final class Progress: Sendable {
  private struct State {
    var bytes = 0
    var lastShown: ContinuousClock.Instant?
    var isShown = false
  }

  private let total: Int?
  private let start = ContinuousClock.now
  private let state = Mutex(State())
  private let isTerminal: Bool

  /// - Parameter total: The number of bytes to be read, or `nil` if it isn't
  ///   known.
  init(total: Int?) {
    self.total = total
    isTerminal = StandardStreams.isTerminal(.standardError)
  }

  /// Adds bytes that have been read.
  func add(_ bytes: Int) {
    guard isTerminal else { return }
    let now = ContinuousClock.now
    let shown: String? = state.withLock { state in
      state.bytes += bytes
      // Runs that end at once show nothing.
      guard now - start > .milliseconds(500),
        state.lastShown.map({ now - $0 > .milliseconds(200) }) ?? true
      else { return nil }
      state.lastShown = now
      state.isShown = true
      return line(bytes: state.bytes, elapsed: now - start)
    }
    if let shown { write("\r\u{1B}[K" + shown) }
  }

  /// Removes what was shown.
  func finish() {
    if state.withLock({ $0.isShown }) { write("\r\u{1B}[K") }
  }

  private func line(bytes: Int, elapsed: Duration) -> String {
    let megabytes = "\((bytes / 1_000_000).grouped) MB"
    guard let total, total > 0 else { return "\(megabytes) read" }
    let share = min(1, Double(bytes) / Double(total))
    let seconds =
      Double(elapsed.components.seconds) + 1e-18 * Double(elapsed.components.attoseconds)
    let left = share > 0 ? Int((seconds / share * (1 - share)).rounded(.up)) : 0
    let time = left >= 60 ? "\(left / 60) min \(left % 60) s" : "\(left) s"
    return "\(Int(share * 100)) %, \(megabytes) read, \(time) left"
  }

  private func write(_ text: String) {
    try? StandardStreams.write(text, to: .standardError, name: "standard error")
  }
}
