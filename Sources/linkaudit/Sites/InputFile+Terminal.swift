internal import SystemPackage

extension InputFile {
  /// Reports that a command waits for typed input, if it reads standard input from a terminal.
  ///
  /// - Parameters:
  ///   - what: The purpose of the input.
  ///   - path: The path that is read; `-` for standard input.
  static func announceWaiting(for what: String, from path: String) {
    guard path == "-", StandardStreams.isTerminal(.standardInput) else { return }
    StandardStreams.complain("reading \(what) from the terminal; end with Control-D")
  }
}
