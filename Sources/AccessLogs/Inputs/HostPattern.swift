/// A pattern by which the path of a log tells the host that its lines are of.
///
///     {host}-access         /var/log/apache2/www.example.com-access.log.1.gz
///     {host}/access         /srv/logs/www.example.com/access.log
///     ssl_{host}.           /var/log/nginx/ssl_www.example.com.access.log
///
/// It is held against the end of the path, as many names as it has itself: `*` stands
/// for any text within a name, and anything may follow.
public struct HostPattern: Hashable, Sendable {
  private enum Piece: Hashable {
    case text([UInt8])
    case star
    case host
  }

  private let pieces: [Piece]

  /// The number of names in the pattern.
  private let depth: Int

  /// Creates a pattern, or returns `nil` if it doesn't have `{host}` just once.
  public init?(_ text: String) {
    let parts = text.split(separator: "{host}", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    depth = text.split(separator: "/").count
    pieces = Self.pieces(parts[0]) + [.host] + Self.pieces(parts[1])
  }

  private static func pieces(_ text: Substring) -> [Piece] {
    text.split(separator: "*", omittingEmptySubsequences: false).map {
      [Piece.text(Array($0.utf8))]
    }
    .joined(separator: [.star]).filter { $0 != .text([]) }
  }

  /// The host of a log, in lower case, or `nil` if its path doesn't have the pattern.
  public func host(of path: String) -> String? {
    let names = path.split(separator: "/").suffix(depth)
    guard names.count == depth else { return nil }
    let bytes = Array(names.joined(separator: "/").utf8)
    var host: Range<Int>?
    guard Self.match(pieces[...], bytes, 0, &host), let host else { return nil }
    return String(decoding: bytes[host], as: UTF8.self).lowercased()
  }

  private static func match(
    _ pieces: ArraySlice<Piece>, _ bytes: [UInt8], _ start: Int, _ host: inout Range<Int>?
  ) -> Bool {
    guard let piece = pieces.first else { return true }
    let rest = pieces.dropFirst()
    switch piece {
    case .text(let text):
      guard bytes[start...].starts(with: text) else { return false }
      return match(rest, bytes, start + text.count, &host)
    case .star:
      var end = start
      while true {
        if match(rest, bytes, end, &host) { return true }
        guard end < bytes.count, bytes[end] != UInt8(ascii: "/") else { return false }
        end += 1
      }
    case .host:
      // The shortest that fits; all that can be a host if nothing follows.
      var end = start
      while end < bytes.count, isHostByte(bytes[end]) {
        end += 1
        if rest.isEmpty, end < bytes.count, isHostByte(bytes[end]) { continue }
        guard bytes[end - 1] != UInt8(ascii: "."), match(rest, bytes, end, &host) else { continue }
        host = start..<end
        return true
      }
      return false
    }
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    byte.isDigit || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
  }
}
