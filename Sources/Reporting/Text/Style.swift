internal import FoundationSubset
internal import Foundations
internal import LinkAuditing
internal import UniversalLinks

// Unsafe code: `ioctl`, which is given a place for its answer, and `setenv`.

/// The layout and the colors of text, for a terminal or for a file.
package struct Style {
  /// The width that every text fits into that doesn't go to a terminal.
  package static let fileWidth = 80
  private let hasColor: Bool

  /// The number of columns that lines may take.
  let width: Int

  /// Whether bars may be drawn with block elements of Unicode.
  let hasBlocks: Bool

  /// The condition for colored text.
  package enum Coloring: String, CaseIterable, Sendable {
    /// On a terminal, unless `NO_COLOR` in the environment forbids it (no-color.org) or the
    /// terminal can't.
    case auto
    case always
    case never
  }

  package init(isTerminal: Bool, coloring: Coloring = .auto) {
    let environment = ProcessInfo.processInfo.environment
    hasColor =
      switch coloring {
      case .auto:
        isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
      case .always: true
      case .never: false
      }
    // A file is the same, whichever terminal the command runs in.
    width = isTerminal ? Self.terminalWidth : Self.fileWidth
    hasBlocks = !isTerminal || Self.showsUnicode(environment)
  }

  /// Whether the locale's encoding of characters is UTF-8 (POSIX: the first of these
  /// variables that isn't empty counts).
  private static func showsUnicode(_ environment: [String: String]) -> Bool {
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    let name = (locale ?? "").lowercased()
    return (name.contains("utf-8") || name.contains("utf8")) && environment["TERM"] != "dumb"
  }

  package func bold(_ text: String) -> String { wrap(text, "1") }
  func dim(_ text: String) -> String { wrap(text, "2") }
  func red(_ text: String) -> String { wrap(text, "31") }
  func yellow(_ text: String) -> String { wrap(text, "33") }
  func green(_ text: String) -> String { wrap(text, "32") }
  func blue(_ text: String) -> String { wrap(text, "34") }

  func colored(_ text: String, _ severity: Severity) -> String {
    switch severity {
    case .error: red(text)
    case .warning: yellow(text)
    case .note: blue(text)
    }
  }

  func colored(_ text: String, _ verdict: Verdict) -> String {
    switch verdict {
    case .claimed: green(text)
    case .excluded: red(text)
    case .unclaimed: dim(text)
    case .ineligible: yellow(text)
    }
  }

  private func wrap(_ text: String, _ code: String) -> String {
    hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  /// The number of columns that bars take: what figures leave of a narrow terminal.
  var barColumns: Int { min(20, max(0, width - 60)) }

  /// Returns a bar that takes a number of columns, in steps of an eighth of a character, or of whole
  /// characters if eighths can't be shown.
  func bar(_ part: Int, of whole: Int, columns: Int) -> String {
    guard columns > 0, whole > 0, part > 0 else { return "".padded(to: columns) }
    let eighths = max(1, (part * columns * 8 + whole / 2) / whole)
    let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    let bar =
      hasBlocks
      ? String(repeating: "█", count: eighths / 8) + partial
      : String(repeating: "#", count: (eighths + 4) / 8)
    return bar.padded(to: columns)
  }

  var ellipsis: String { hasBlocks ? "…" : "..." }

  func note(_ text: String, indent: String = "  ") -> [String] {
    text.wrapped(width: width, indent: indent).map(dim)
  }

  /// Returns a line with the number of rows that were left out, and the option that shows them.
  func more(_ count: Int, top: Int) -> [String] {
    count > top ? ["  \(ellipsis) and \((count - top).grouped) more (--top)"] : []
  }

  var rule: String { String(repeating: hasBlocks ? "─" : "-", count: width) }
}

// MARK: - The size of the terminal

extension Style {
  /// Tables need some room, and lines longer than this are hard to read.
  private static let terminalWidths = 60...160

  /// Sets the width of help to that of all other output.
  ///
  /// The argument parser trusts any value of `COLUMNS`, wherever help is written, and traps if its
  /// columns don't fit.
  package static func setHelpWidth() { unsafe setenv("COLUMNS", "\(terminalWidth)", 1) }

  /// The number of columns of standard output; 80 where the terminal doesn't say.
  private static var terminalWidth: Int { width(of: STDOUT_FILENO) }

  /// The number of columns of standard error, or `nil` if that is no terminal.
  package static var errorWidth: Int? {
    isatty(STDERR_FILENO) == 1 ? width(of: STDERR_FILENO) : nil
  }

  private static func width(of descriptor: Int32) -> Int {
    var size = winsize()
    let request = UInt(TIOCGWINSZ)
    guard unsafe ioctl(descriptor, request, &size) == 0, size.ws_col > 0 else {
      return Self.fileWidth
    }
    return min(max(Int(size.ws_col), terminalWidths.lowerBound), terminalWidths.upperBound)
  }
}
