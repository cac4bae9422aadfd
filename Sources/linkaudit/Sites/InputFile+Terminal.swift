internal import SystemPackage

extension InputFile {
  /// Says that a command waits for what is typed, if it reads from standard input and that is a
  /// terminal.
  ///
  /// - Parameters:
  ///   - what: The purpose of what is typed.
  ///   - path: The path that is read; `-` for standard input.
  static func announceWaiting(for what: String, from path: String) {
    guard path == "-", StandardStreams.isTerminal(.standardInput) else { return }
    StandardStreams.complain("reading \(what) from the terminal; Control-D ends it")
  }
}
