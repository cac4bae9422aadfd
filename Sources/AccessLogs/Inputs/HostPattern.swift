internal import Foundations

/// A pattern that extracts the host from the path of a log, for lines without a host.
///
///     {host}-access         /var/log/apache2/www.example.com-access.log.1.gz
///     {host}/access         /srv/logs/www.example.com/access.log
///     ssl_{host}.access     /var/log/nginx/ssl_www.example.com.access.log
///
/// It is compared with the end of the path, for as many names as it has itself. `*` matches any
/// text within a name, and anything may follow in the last name. If the pattern ends with a slash,
/// as `/srv/logs/{host}/`, the file can have any name.
public struct HostPattern: Hashable, Sendable {
  /// The texts before the host, and those after it backwards, with stars between them.
  private let before: [[UInt8]]
  private let after: [[UInt8]]

  /// The number of names in the pattern.
  private let depth: Int

  /// Creates a pattern, or returns `nil` if `{host}` isn't in it exactly once, or only a full stop
  /// follows it.
  ///
  /// Hosts contain full stops themselves.
  public init?(_ text: String) {
    var names = text.split(separator: "/")
    if text.last == "/" { names.append("") }
    let parts = names.joined(separator: "/")
      .split(separator: "{host}", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1] != "." else { return nil }
    depth = names.count
    before = Self.texts(parts[0])
    after = Self.texts(parts[1]).reversed().map { $0.reversed() }
    // The texts, the stars between them, and the host.
    let texts = before + after
    guard texts.count + texts.count(where: { !$0.isEmpty }) - 1 <= Self.pieceLimit else {
      return nil
    }
  }

  private static let pieceLimit = 1_000

  private static func texts(_ part: Substring) -> [[UInt8]] {
    let texts = part.split(separator: "*", omittingEmptySubsequences: false)
    // Consecutive stars are equivalent to one.
    return texts.indices.filter { $0 == 0 || $0 == texts.count - 1 || !texts[$0].isEmpty }
      .map { Array(texts[$0].utf8) }
  }

  /// The host of a log, in lower case, or `nil` if its path doesn't match.
  public func host(of path: String) -> String? {
    let names = path.split(separator: "/").suffix(depth)
    guard names.count == depth else { return nil }
    let bytes = Array(names.joined(separator: "/").utf8)
    let atStart = [true] + Array(repeating: false, count: bytes.count)
    let starts = Self.ends(of: before, from: atStart, in: bytes)
    // Anything may follow.
    let anywhere = Array(repeating: true, count: bytes.count + 1)
    let rests = Self.ends(of: after, from: anywhere, in: bytes.reversed())
    // The first that fits, and the shortest; if nothing follows, all bytes that can be a host.
    for start in bytes.indices where starts[start] {
      var end = start
      while end < bytes.count, bytes[end].isInHostName {
        end += 1
        if after == [[]], end < bytes.count, bytes[end].isInHostName { continue }
        if bytes[end - 1] != UInt8(ascii: "."), rests[bytes.count - end] {
          return String(decoding: bytes[start..<end], as: UTF8.self).lowercased()
        }
      }
    }
    return nil
  }

  /// Returns for each position whether texts with stars between them can end there that begin at a
  /// start.
  private static func ends(of texts: [[UInt8]], from starts: [Bool], in bytes: [UInt8]) -> [Bool] {
    var ends = starts
    for (number, text) in texts.enumerated() {
      if number > 0 {
        for index in bytes.indices where ends[index] && bytes[index] != UInt8(ascii: "/") {
          ends[index + 1] = true
        }
      }
      ends = ends.indices.map { end in
        let first = end - text.count
        return first >= 0 && ends[first] && bytes[first..<end].elementsEqual(text)
      }
    }
    return ends
  }
}
