internal import Foundations
internal import Synchronization
internal import SystemPackage

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
