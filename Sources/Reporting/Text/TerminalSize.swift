internal import Foundations

// Unsafe code: `ioctl`, which is given a place for its answer, and `setenv`.

/// The size of the terminal that shows the output.
package enum TerminalSize {
  /// Tables need some room, and lines longer than this are hard to read.
  private static let range = 60...160

  /// Sets the width of help to that of all other output.
  ///
  /// The argument parser trusts any value of `COLUMNS`, wherever help is written, and traps if its
  /// columns don't fit.
  package static func apply() { unsafe setenv("COLUMNS", "\(columns)", 1) }

  /// The number of columns of standard output; 80 where the terminal doesn't say.
  static var columns: Int { columns(of: STDOUT_FILENO) }

  /// The number of columns of standard error, or `nil` if that is no terminal.
  package static var errorColumns: Int? {
    isatty(STDERR_FILENO) == 1 ? columns(of: STDERR_FILENO) : nil
  }

  private static func columns(of descriptor: Int32) -> Int {
    var size = winsize()
    let request = UInt(TIOCGWINSZ)
    guard unsafe ioctl(descriptor, request, &size) == 0, size.ws_col > 0 else {
      return TextTable.width
    }
    return min(max(Int(size.ws_col), range.lowerBound), range.upperBound)
  }
}
