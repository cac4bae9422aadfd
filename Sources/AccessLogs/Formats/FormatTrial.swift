internal import Foundations

/// The named formats that come closest to lines that none of them fits.
public struct FormatTrial: Hashable, Sendable {
  /// The reasons why formats don't fit, with their names in the order of the catalog.
  public struct Group: Hashable, Sendable {
    /// The reason why the lines are no requests.
    public var reason: RejectionReason

    /// The names of the formats.
    public var names: [String]
  }

  /// The first line that isn't empty.
  public let firstLine: [UInt8]

  /// The formats grouped by the reason why the lines are not requests, the nearest first.
  public let groups: [Group]

  /// Tries all formats that have names on the first lines of a log.
  public init(_ lines: [UInt8]) {
    let bytes = lines.span
    var first: [UInt8] = []
    var position = 0
    while first.isEmpty, let range = bytes.nextLine(&position) {
      bytes.extracting(range).append(to: &first)
    }
    firstLine = first
    var names: [RejectionReason: [String]] = [:]
    for format in LogFormat.named {
      names[Self.nearest(format, bytes), default: []].append(format.name)
    }
    groups = names.map { Group(reason: $0.key, names: $0.value) }
      .sorted { $0.reason.nearness > $1.reason.nearness }
  }

  /// The number of lines that are tried.
  private static let lineLimit = 50

  private static func nearest(_ format: LogFormat, _ bytes: Span<UInt8>) -> RejectionReason {
    var parser = LogParser(format)
    var (position, seen) = (0, 0)
    var nearest = RejectionReason.noFields
    while seen < lineLimit, let range = bytes.nextLine(&position) {
      seen += 1
      parser.reset()
      if case .rejected(let reason) = parser.parse(bytes.extracting(range)),
        reason.nearness > nearest.nearness
      {
        nearest = reason
      }
    }
    return nearest
  }
}

/// A server's error log, which is in the directory of its access logs.
public enum ErrorLog {
  /// Returns a Boolean value indicating whether a log begins as nginx's or Apache's log of
  /// errors: `2026/11/21 10:00:00 [error] …`, `[Sat Nov 21 … 2026] [`.
  ///
  /// - Parameter start: The first bytes of the log.
  /// - Returns: Whether it does.
  public static func isStart(_ start: [UInt8]) -> Bool {
    ["0000/00/00 00:00:00 [?", "[aaa aaa 00 00:00:00?"].contains { start.span.hasShape($0) }
  }
}
