internal import AccessLogs

/// The positions of authority and path in a text that begins with `http://` or `https://`.
///
/// Request targets in absolute form and referrers are such texts.
struct AbsoluteURL {
  /// Host and port, without user information.
  private(set) var authority: Range<Int>

  /// The host without its port.
  private(set) var host: Range<Int>

  /// Everything after the authority: path, query and fragment.
  private(set) var rest: Range<Int>

  /// Finds the parts, or returns `nil` if the text has another beginning.
  init?(_ text: Span<UInt8>) {
    guard text.count >= 8, text[0] | 0x20 == 0x68, text[1] | 0x20 == 0x74,
      text[2] | 0x20 == 0x74, text[3] | 0x20 == 0x70
    else { return nil }
    let colon = text[4] | 0x20 == 0x73 ? 5 : 4
    guard text.count > colon + 3, text[colon] == UInt8(ascii: ":"),
      text[colon + 1] == UInt8(ascii: "/"), text[colon + 2] == UInt8(ascii: "/")
    else { return nil }
    var start = colon + 3
    var end = start
    var hostEnd: Int?
    while end < text.count, text[end] != UInt8(ascii: "/"), text[end] != UInt8(ascii: "?"),
      text[end] != UInt8(ascii: "#")
    {
      switch text[end] {
      case UInt8(ascii: "@"): (start, hostEnd) = (end + 1, nil)
      case UInt8(ascii: ":"): hostEnd = end
      // The colons before it are part of an address.
      case UInt8(ascii: "]"): hostEnd = nil
      default: break
      }
      end += 1
    }
    guard start < end else { return nil }
    authority = start..<end
    host = start..<(hostEnd ?? end)
    rest = end..<text.count
  }

  /// The end of the path that begins at `start`, before query and fragment.
  static func pathEnd(in text: Span<UInt8>, from start: Int) -> Int {
    var end = start
    while end < text.count, text[end] != UInt8(ascii: "?"), text[end] != UInt8(ascii: "#") {
      end += 1
    }
    return end
  }
}
