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

  /// Returns a Boolean value indicating whether this is a host, in any letter case of ASCII, or the
  /// host is below the name.
  ///
  /// Bytes are compared, so hosts that only look alike are different.
  package func contains(_ host: Span<UInt8>) -> Bool {
    let bytes = name.utf8
    var index = host.count - bytes.count
    guard isWildcard ? index > 1 && host[index - 1] == UInt8(ascii: ".") : index == 0 else {
      return false
    }
    for byte in bytes {
      if host[index].asciiLowercased != byte { return false }
      index += 1
    }
    return true
  }

  /// The same for the bytes of a text.
  package func contains(_ host: some Sequence<UInt8>) -> Bool { contains(Array(host).span) }

  /// A host in this scope, for examples; all hosts below a name have the same rules.
  package var example: String { isWildcard ? "www." + name : name }
}
