/// A host by its name, or all hosts below it: `www.example.com`, `*.example.com`.
package struct HostScope: Hashable, Sendable {
  /// The name in lower case, without the wildcard.
  package let name: String

  /// A Boolean value indicating whether this means all hosts below the name.
  package let isWildcard: Bool

  /// Reads a host, or a wildcard in its first label.
  package init(_ text: some StringProtocol) {
    isWildcard = text.hasPrefix("*.")
    let bytes = text.utf8.dropFirst(isWildcard ? 2 : 0).map(\.asciiLowercased)
    name = String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a Boolean value indicating whether this is a host in lower case, or the host is below
  /// the name.
  ///
  /// Bytes are compared, so hosts that only look alike are different.
  package func contains(_ host: some Collection<UInt8>) -> Bool {
    guard isWildcard else { return host.elementsEqual(name.utf8) }
    let end = name.utf8.count + 1
    return host.count > end && host.suffix(end).elementsEqual(".\(name)".utf8)
  }

  /// A host in this scope, for examples; all hosts below a name have the same rules.
  package var example: String { isWildcard ? "www." + name : name }
}
