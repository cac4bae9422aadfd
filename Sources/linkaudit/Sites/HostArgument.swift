internal import AccessLogs
internal import ArgumentParser
internal import Foundations
internal import Reporting

/// Hosts as people write them, in options and configurations.
enum HostArgument {
  /// Returns a host in lower case and in Punycode, as logs have it, or throws an error that says
  /// how to write one.
  ///
  /// - Parameters:
  ///   - text: The host.
  ///   - allowsWildcard: Whether `*.example.com` is allowed for all hosts below.
  /// - Returns: The host in lower case.
  /// - Throws: `ValidationError` if it isn't a host.
  static func validated(_ text: String, allowsWildcard: Bool) throws(ValidationError) -> String {
    let isWildcard = allowsWildcard && text.hasPrefix("*.")
    // The text may have been pasted from anywhere, so escape it.
    let name = isWildcard ? text.dropFirst(2) : text[...]
    let host = SafeText.escaped(InternationalName.ascii(name) ?? String(name))
    if host.isEmpty || host.contains("/") || host.contains("@") || host.contains(" ") {
      throw ValidationError(
        "'\(host)' is not a host name; leave out scheme and path, as in 'www.example.com'.")
    }
    if host.contains(":") {
      throw ValidationError(
        "'\(host)' has a port; leave it out: Universal Links work on the default ports only.")
    }
    if host.contains("*") {
      throw ValidationError(
        "'\(host)' has a wildcard; "
          + (allowsWildcard
            ? "it can only be the first label, as in '*.example.com'."
            : "pass a single host here, such as 'www.example.com'."))
    }
    if host.hasSuffix(".") {
      throw ValidationError("'\(host)' ends with a full stop; leave it out.")
    }
    if host.contains(",") {
      throw ValidationError("'\(host)' is a list; repeat the option for each host.")
    }
    let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isInHostLabel) }) else {
      throw ValidationError(
        "'\(host)' is not a host name; leave out scheme and path, as in 'www.example.com'.")
    }
    if let last = labels.last, last.allSatisfy(\.isDigit) {
      throw ValidationError(
        "'\(host)' is not a host name; pass a name, not an IP address: Universal Links need one.")
    }
    return (isWildcard ? "*." : "") + host.lowercased()
  }
}
