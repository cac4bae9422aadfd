// Unsafe code: arguments are C strings as the system passes them.

internal import ArgumentParser

/// The encoding of the command line's arguments.
enum ArgumentEncoding {
  /// Checks that all arguments are UTF-8.
  ///
  /// Invalid bytes would be replaced, so the argument would name another file.
  static func check() throws {
    for (number, text) in CommandLine.arguments.enumerated() where text.contains("\u{FFFD}") {
      guard let argument = unsafe CommandLine.unsafeArgv[number],
        unsafe String(validatingCString: argument) == nil
      else { continue }
      throw ValidationError(
        "argument \(number), '\(text)', is not UTF-8; rename the file, or pass a single log on standard "
          + "input, with '-'.")
    }
  }
}
