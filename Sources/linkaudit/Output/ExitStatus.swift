internal import ArgumentParser

/// The exit statuses besides 0 and that of wrong usage, 64.
enum ExitStatus {
  /// There are findings at or above the severity that was asked for.
  static let findings = ExitCode(1)

  /// Some input could not be read whole, or nothing could be done.
  static let failure = ExitCode(2)
}

/// Why nothing could be done, in a sentence that names the file and the remedy.
struct Complaint: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
