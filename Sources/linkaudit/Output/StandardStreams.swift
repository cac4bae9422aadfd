// Unsafe code: `poll` reads and fills a structure in place.

internal import Foundations
internal import Reporting
internal import SystemPackage

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

  static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

  /// Writes a line that belongs to a complaint to standard error, fit to be shown.
  static func note(_ line: String) { try? write(SafeText.escaped(line) + "\n", to: .standardError) }

  static func note(document text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      note(String(line))
    }
  }

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

  /// Whether a message can be written to a descriptor without waiting for its reader.
  static func takesMore(_ descriptor: FileDescriptor) -> Bool {
    var state = pollfd(fd: descriptor.rawValue, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&state, 1, 0) == 1 && state.revents & Int16(POLLOUT) != 0
  }

  /// Whether bytes, or the end, can be read from a descriptor without waiting for its writer.
  static func holdsMore(_ descriptor: FileDescriptor) -> Bool { pollInput(descriptor, 0) }

  static func waitForMore(_ descriptor: FileDescriptor) { _ = pollInput(descriptor, -1) }

  private static func pollInput(_ descriptor: FileDescriptor, _ milliseconds: CInt) -> Bool {
    var state = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&state, 1, milliseconds) == 1
  }

  static func isTerminal(_ descriptor: FileDescriptor) -> Bool { isatty(descriptor.rawValue) == 1 }
}

/// Writes a complaint to standard error, with the name of the command in front and without anything
/// that a terminal would obey.
func warn(_ message: String) {
  let text = SafeText.escaped(message)
  // The message can quote text of any length, such as a path of 4096 bytes.
  let line = "linkaudit: " + (text.utf8.count > 8_192 ? text.shortened(to: 8_192) : text)
  // A terminal would break it within words; elsewhere, one line is one message.
  let lines = Style.errorWidth.map { line.broken(width: $0) } ?? [line]
  try? StandardStreams.write(lines.joined(separator: "\n") + "\n", to: .standardError)
}
