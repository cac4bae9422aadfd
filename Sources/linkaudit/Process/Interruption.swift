// Unsafe code: sets of signals, and a thread that waits for them, are initialized in place.

internal import Foundations
internal import SystemPackage

/// The end of a run by a signal: by Ctrl-C, by `kill`, or by closing the terminal.
///
/// A thread waits for these signals, which are blocked in all others. So the cleanup may take
/// locks, which a signal handler must not, and it runs even while a worker waits for a pipe or a
/// disk. The process then dies by the signal, so that shells and service managers see why it ended.
enum Interruption {
  private static let signals: [(number: Int32, name: String)] = [
    (SIGINT, "SIGINT"), (SIGTERM, "SIGTERM"), (SIGHUP, "SIGHUP"), (SIGQUIT, "SIGQUIT"),
    (SIGXCPU, "SIGXCPU"),
  ]

  /// Begins to wait for signals; to be called before any thread is started.
  static func await() {
    var set = awaited
    guard unsafe pthread_sigmask(SIG_BLOCK, &set, nil) == 0 else { return }
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread = pthread_t()
    #endif
    let status = unsafe pthread_create(
      &thread, nil,
      { _ in
        Interruption.wait()
        return nil
      }, nil)
    // Without the thread, signals have their default effect.
    if status != 0 { unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil) }
  }

  /// The signals that end the process, except ignored ones, such as those that `nohup` ignores.
  private static let awaited: sigset_t = {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals where !isIgnored(signal.number) { unsafe sigaddset(&set, signal.number) }
    return set
  }()

  private static func isIgnored(_ number: Int32) -> Bool {
    let current = signal(number, SIG_IGN)
    _ = signal(number, current)
    // Functions can't be compared; the one that ignores signals has the number 1.
    return unsafe unsafeBitCast(current, to: Int.self) == 1
  }

  private static func wait() {
    var set = awaited
    var number: Int32 = 0
    while unsafe sigwait(&set, &number) != 0 {}
    // A file that is being named has two seconds.
    for _ in 0..<200 {
      FileDraft.removeAll { targets in die(by: number, leaving: targets) }
      usleep(10_000)
    }
    die(by: number, leaving: [])
  }

  private static func die(by number: Int32, leaving targets: [String]) -> Never {
    Progress.removeForGood()
    let name = signals.first { $0.number == number }?.name ?? "signal \(number)"
    var message = "ended by \(name)"
    if let first = targets.first {
      message +=
        targets.count == 1
        ? "; '\(first)' is unchanged" : "; '\(first)' and others are unchanged"
    }
    if StandardStreams.takesMore(.standardError) { warn(message) }
    var set = awaited
    _ = signal(number, SIG_DFL)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(number)
    // The first process of a container outlives its own signals.
    _exit(128 + number)
  }
}
