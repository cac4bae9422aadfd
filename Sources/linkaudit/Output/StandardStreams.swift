internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Nobody reads the output any more.
struct BrokenPipe: Error {}

/// Standard output and standard error.
enum StandardStreams {
  /// Lets writing to a closed pipe fail rather than end the process.
  static func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Writes text to standard output.
  static func write(_ text: String) throws {
    try write(text, to: .standardOutput, name: "standard output")
  }

  /// Writes a complaint to standard error, with the name of the command in front
  /// and without anything that a terminal would obey.
  static func complain(_ message: String) {
    let line = "linkaudit: " + SafeText.escaped(message) + "\n"
    try? write(line, to: .standardError, name: "standard error")
  }

  /// Writes a line that goes with a complaint to standard error, without anything that
  /// a terminal would obey.
  static func note(_ line: String) {
    try? write(SafeText.escaped(line) + "\n", to: .standardError, name: "standard error")
  }

  /// Writes text to a descriptor.
  static func write(_ text: String, to descriptor: FileDescriptor, name: String) throws {
    try write(text.utf8, to: descriptor, name: name)
  }

  /// Writes bytes to a descriptor.
  static func write(
    _ bytes: some Sequence<UInt8>, to descriptor: FileDescriptor, name: String
  ) throws {
    do {
      try descriptor.writeAll(bytes)
    } catch Errno.brokenPipe {
      throw BrokenPipe()
    } catch {
      throw Complaint("cannot write to \(name): \(error)")
    }
  }

  /// Returns a Boolean value indicating whether a descriptor is a terminal.
  static func isTerminal(_ descriptor: FileDescriptor) -> Bool {
    isatty(descriptor.rawValue) == 1
  }
}
