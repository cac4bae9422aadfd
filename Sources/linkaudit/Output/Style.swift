#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Colours, for a terminal that wants them.
struct Style {
  private let hasColor: Bool

  /// - Parameter isTerminal: Whether the text goes to a terminal. `NO_COLOR` in
  ///   the environment turns colours off there, too (no-color.org).
  init(isTerminal: Bool) {
    let environment = ProcessInfo.processInfo.environment
    hasColor =
      isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }

  func bold(_ text: String) -> String { wrap(text, "1") }
  func dim(_ text: String) -> String { wrap(text, "2") }
  func red(_ text: String) -> String { wrap(text, "31") }
  func yellow(_ text: String) -> String { wrap(text, "33") }
  func green(_ text: String) -> String { wrap(text, "32") }
  func blue(_ text: String) -> String { wrap(text, "34") }

  private func wrap(_ text: String, _ code: String) -> String {
    hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
