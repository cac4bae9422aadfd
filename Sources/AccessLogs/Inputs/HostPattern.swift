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
  private enum Piece: Hashable {
    case text([UInt8])
    case star
    case host
  }

  private let pieces: [Piece]

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
    pieces = Self.pieces(parts[0]) + [.host] + Self.pieces(parts[1])
    guard pieces.count <= Self.pieceLimit else { return nil }
  }

  private static let pieceLimit = 1_000

  private static func pieces(_ text: Substring) -> [Piece] {
    var pieces: [Piece] = []
    let texts = text.split(separator: "*", omittingEmptySubsequences: false)
    for (index, text) in texts.enumerated() {
      // Consecutive stars are equivalent to one.
      if index > 0, pieces.last != .star { pieces.append(.star) }
      if !text.isEmpty { pieces.append(.text(Array(text.utf8))) }
    }
    return pieces
  }

  /// The host of a log, in lower case, or `nil` if its path doesn't match.
  public func host(of path: String) -> String? {
    let names = path.split(separator: "/").suffix(depth)
    guard names.count == depth else { return nil }
    let bytes = Array(names.joined(separator: "/").utf8)
    var host: Range<Int>?
    var failed: Set<Int> = []
    guard match(0, bytes, 0, &host, &failed), let host else { return nil }
    return String(decoding: bytes[host], as: UTF8.self).lowercased()
  }

  /// Matches the pieces from `number` on with a path from `start` on.
  ///
  /// It repeats none of the attempts that failed so far.
  private func match(
    _ number: Int, _ bytes: [UInt8], _ start: Int, _ host: inout Range<Int>?,
    _ failed: inout Set<Int>
  ) -> Bool {
    guard number < pieces.count else { return true }
    let key = number * (bytes.count + 1) + start
    guard !failed.contains(key) else { return false }
    switch pieces[number] {
    case .text(let text):
      if bytes[start...].starts(with: text),
        match(number + 1, bytes, start + text.count, &host, &failed)
      {
        return true
      }
    case .star:
      var end = start
      while true {
        if match(number + 1, bytes, end, &host, &failed) { return true }
        guard end < bytes.count, bytes[end] != UInt8(ascii: "/") else { break }
        end += 1
      }
    case .host:
      // The shortest that fits; if nothing follows, all bytes that can be a host.
      let isLast = number == pieces.count - 1
      var end = start
      while end < bytes.count, bytes[end].isInHostName {
        end += 1
        if isLast, end < bytes.count, bytes[end].isInHostName { continue }
        guard bytes[end - 1] != UInt8(ascii: "."), match(number + 1, bytes, end, &host, &failed)
        else { continue }
        host = start..<end
        return true
      }
    }
    failed.insert(key)
    return false
  }
}
