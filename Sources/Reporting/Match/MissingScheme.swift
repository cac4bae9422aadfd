internal import Foundations

/// URLs without a scheme.
enum MissingScheme {
  /// Returns the URL that a text without a scheme probably means.
  ///
  /// - Parameters:
  ///   - text: The text, such as `www.example.com/buy` or `/buy`.
  ///   - host: The host for a path alone, or `nil` if it isn't known.
  /// - Returns: The URL, or `nil` if the text has a scheme or nothing can be guessed.
  static func url(meantBy text: String, host: String? = nil) -> String? {
    if text.hasPrefix("//") { return url(meantBy: String(text.dropFirst(2))) }
    if text.hasPrefix("/") { return host.map { "https://\($0)\(text)" } }
    let labels = text.prefix { !"/?#:".contains($0) }
      .split(separator: ".", omittingEmptySubsequences: false)
    let isHost =
      labels.count > 1
      && labels.allSatisfy { label in
        !label.isEmpty
          && label.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "-") || byte.isLetterOrDigit
          }
      }
    guard isHost, let last = labels.last, last.utf8.allSatisfy({ $0 > 0x40 }) else { return nil }
    return "https://" + text
  }
}
