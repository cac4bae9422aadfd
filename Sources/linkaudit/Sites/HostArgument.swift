internal import AccessLogs
internal import Foundations
internal import Reporting

/// Hosts as people write them, in options and configurations.
enum HostArgument {
  /// The reason why a text isn't a host, and the correct notation, in a sentence.
  struct Mistake: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  /// Returns a host in lower case, or throws a complaint that says how to write one.
  ///
  /// - Parameters:
  ///   - text: The host.
  ///   - allowsWildcard: Whether `*.example.com` is allowed for all hosts below.
  /// - Returns: The host in lower case.
  /// - Throws: ``Mistake`` if it isn't a host.
  static func validated(_ text: String, allowsWildcard: Bool) throws(Mistake) -> String {
    let isWildcard = allowsWildcard && text.hasPrefix("*.")
    // The text may have been pasted from anywhere, so escape it.
    let host = SafeText.escaped(isWildcard ? String(text.dropFirst(2)) : text)
    if host.isEmpty || host.contains("/") || host.contains("@") || host.contains(" ") {
      throw Mistake(
        "'\(host)' is not a host name; leave out scheme and path, as in 'www.example.com'.")
    }
    if host.contains(":") {
      throw Mistake(
        "'\(host)' has a port; leave it out: Universal Links work on the default ports only.")
    }
    if host.contains("*") {
      throw Mistake(
        "'\(host)' has a wildcard; "
          + (allowsWildcard
            ? "it can only be the first label, as in '*.example.com'."
            : "pass a single host here, such as 'www.example.com'."))
    }
    if host.hasSuffix(".") {
      throw Mistake("'\(host)' ends with a full stop; leave it out.")
    }
    if !host.utf8.allSatisfy({ $0 < 0x80 }) {
      throw Mistake(
        "'\(host)' is not ASCII; write it in Punycode ('xn--'), as in logs.")
    }
    if host.contains(",") {
      throw Mistake("'\(host)' is a list; repeat the option for each host.")
    }
    let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isInHostLabel) }) else {
      throw Mistake(
        "'\(host)' is not a host name; leave out scheme and path, as in 'www.example.com'.")
    }
    if let last = labels.last, last.allSatisfy(\.isDigit) {
      throw Mistake(
        "'\(host)' is not a host name; pass a name, not an IP address: Universal Links need one.")
    }
    return text.lowercased()
  }
}
