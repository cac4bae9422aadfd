// Unsafe code: `poll` reads and fills a structure in place.

internal import Foundations
internal import Reporting
internal import SystemPackage

/// Standard output and standard error.
enum StandardStreams {
  /// Occupies the file descriptors of closed standard streams.
  ///
  /// Otherwise, a file could take such a descriptor and receive output meant for the stream.
  /// Reading or writing these streams then fails.
  static func occupy() {
    for (number, mode) in [
      (0, FileDescriptor.AccessMode.writeOnly), (1, .readOnly), (2, .readOnly),
    ]
    where fcntl(Int32(number), F_GETFD) == -1 {
      // The system returns the least free number, which is the required one.
      _ = try? FileDescriptor.open("/dev/null", mode)
    }
  }

  /// Makes writing to a closed pipe fail instead of ending the process.
  static func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// The number of characters of a complaint that are shown.
  private static let messageLimit = 8_192

  /// Writes a complaint to standard error, with the name of the command in front
  /// and without anything that a terminal would obey.
  static func complain(_ message: String) {
    let text = SafeText.escaped(message)
    // The message can quote text of any length, such as a path of 4096 bytes.
    let line =
      "linkaudit: " + (text.utf8.count > messageLimit ? text.shortened(to: messageLimit) : text)
    try? write(brokenAtSpaces(line) + "\n", to: .standardError)
  }

  /// Writes the problem of the command line to standard error, line by line.
  ///
  /// It escapes control sequences for terminals.
  ///
  /// - Parameters:
  ///   - message: The message, which may quote arguments.
  ///   - arguments: The arguments of the command line.
  static func explain(_ message: String, arguments: [String] = CommandLine.arguments) {
    // A line feed of an argument must not begin a line of its own.
    // Messages also quote parts of arguments, so the text around it identifies it.
    var message = Array(message.unicodeScalars)
    for argument in arguments {
      let scalars = Array(argument.unicodeScalars)
      // Most of many are in the same company.
      var known: Set<ArraySlice<Unicode.Scalar>> = []
      for (index, scalar) in scalars.enumerated() where scalar == "\n" {
        let around = scalars[max(0, index - 1)..<min(scalars.count, index + 2)]
        guard known.count < 100, known.insert(around).inserted else { continue }
        var shown = String.UnicodeScalarView()
        for scalar in around {
          shown.append(
            contentsOf: (scalar == "\n" ? SafeText.escape(scalar) : String(scalar)).unicodeScalars)
        }
        message = message.replacing(around, with: shown)
      }
    }
    var lines = String.UnicodeScalarView()
    lines.append(contentsOf: message)
    let text = SafeText.escapedLines(String(lines))
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("linkaudit: ") ? brokenAtSpaces(String($0)) : String($0) }
      .joined(separator: "\n")
    try? write(text + "\n", to: .standardError)
  }

  /// A line of standard error in as many lines as a terminal needs that doesn't break within words;
  /// elsewhere, one line is one message.
  private static func brokenAtSpaces(_ line: String) -> String {
    guard let columns = TerminalSize.errorColumns else { return line }
    return line.broken(width: columns).joined(separator: "\n")
  }

  /// Writes a line that belongs to a complaint to standard error, with control sequences for
  /// terminals escaped.
  static func note(_ line: String) {
    try? write(SafeText.escaped(line) + "\n", to: .standardError)
  }

  /// Writes text to standard output or standard error.
  ///
  /// - Throws: ``BrokenPipe`` if its reader has gone, and ``Complaint`` if it can't be written.
  static func write(_ text: String, to descriptor: FileDescriptor = .standardOutput) throws {
    try write(text.utf8, to: descriptor)
  }

  /// Writes bytes to standard output or standard error.
  ///
  /// - Throws: ``BrokenPipe`` if its reader has gone, and ``Complaint`` if it can't be written.
  static func write(
    _ bytes: some Sequence<UInt8>, to descriptor: FileDescriptor = .standardOutput
  ) throws {
    do {
      try descriptor.writeAll(bytes)
    } catch Errno.brokenPipe {
      throw BrokenPipe()
    } catch {
      let remedy = (error as? Errno)?.writingRemedy(nil) ?? Errno.otherPlace
      let name = descriptor == .standardError ? "standard error" : "standard output"
      throw Complaint("cannot write to \(name): \(error); \(remedy)")
    }
  }

  /// Returns a Boolean value indicating whether a message can be written to a descriptor without
  /// waiting for its reader.
  static func takesMore(_ descriptor: FileDescriptor) -> Bool {
    var state = pollfd(fd: descriptor.rawValue, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&state, 1, 0) == 1 && state.revents & Int16(POLLOUT) != 0
  }

  /// Returns a Boolean value indicating whether bytes, or the end, can be read from a descriptor
  /// without waiting for its writer.
  static func holdsMore(_ descriptor: FileDescriptor) -> Bool { pollInput(descriptor, 0) }

  /// Waits until bytes, or the end, can be read from a descriptor.
  static func waitForMore(_ descriptor: FileDescriptor) { _ = pollInput(descriptor, -1) }

  private static func pollInput(_ descriptor: FileDescriptor, _ milliseconds: CInt) -> Bool {
    var state = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&state, 1, milliseconds) == 1
  }

  /// Returns a Boolean value indicating whether a descriptor is a terminal.
  static func isTerminal(_ descriptor: FileDescriptor) -> Bool {
    isatty(descriptor.rawValue) == 1
  }
}
