/// An app's identifier: a team prefix, a full stop and a bundle identifier.
///
/// Two identifiers are equal if their bundle identifiers are the same and their
/// team prefixes differ in letter case at most (Matching.md, 1.5).
public struct ApplicationIdentifier: Sendable {
  /// The identifier as the file spells it.
  public let text: String

  /// The identifier with its team prefix in upper case.
  private let comparisonKey: LiteralKey

  /// Creates an identifier from its text, which may be anything.
  public init(_ text: String) {
    self.text = text
    let prefixLength = 10
    let bytes = text.utf16
    if let stop = bytes.firstIndex(of: 0x2E),
      bytes.distance(from: bytes.startIndex, to: stop) == prefixLength
    {
      comparisonKey = LiteralKey(text[..<stop].uppercased() + text[stop...])
    } else {
      comparisonKey = LiteralKey(text)
    }
  }
}

extension ApplicationIdentifier: Hashable {
  /// Whether both name the same app.
  public static func == (first: Self, second: Self) -> Bool {
    first.comparisonKey == second.comparisonKey
  }

  /// Feeds the identifier into a hasher, with its team prefix in upper case.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(comparisonKey)
  }
}

extension ApplicationIdentifier: CustomStringConvertible {
  /// The identifier as the file spells it.
  public var description: String { text }
}
