internal import AccessLogs
internal import Foundations

/// A request target that isn't just a path: one with the log's escapes, or in absolute form.
struct RequestTarget {
  /// The target: path and query if it has them, else the text itself.
  private(set) var text: [UInt8] = []

  /// The normalized host in a target in absolute form, else empty.
  private(set) var host: [UInt8] = []

  /// The scheme and authority of the last target in absolute form, without escapes, or empty; its
  /// host is ``knownHost``.
  ///
  /// Consecutive requests mostly have the same one.
  private var knownStart: [UInt8] = []
  private var knownHost: [UInt8] = []

  /// Reads a target as logged.
  mutating func set(_ field: Span<UInt8>) {
    text.removeAll(keepingCapacity: true)
    let length = knownStart.count
    if length > 0, field.count > length, field.byte(length) == UInt8(ascii: "/"),
      field.extracting(0..<length).isEqual(to: knownStart.span),
      field.firstIndex(of: UInt8(ascii: "\\")) == nil
    {
      if host.isEmpty { host = knownHost }
      field.extracting(length..<field.count).append(to: &text)
      return
    }
    setAny(field)
  }

  /// Reads a target as ``set(_:)`` does, whatever the last one was.
  mutating func setAny(_ field: Span<UInt8>) {
    text.removeAll(keepingCapacity: true)
    host.removeAll(keepingCapacity: true)
    LogEscapes.append(undoing: field, to: &text)
    guard text.first != UInt8(ascii: "/"), let url = AbsoluteURL(text.span) else { return }
    let authority = Array(text[url.authority])
    HostName.append(normalizing: authority.span, to: &host)
    (knownStart, knownHost) = (Array(text[..<url.rest.lowerBound]), host)
    // The path of `http://host?query` is empty, which is the same as `/`.
    let rest = Array(text[url.rest])
    text.removeAll(keepingCapacity: true)
    if rest.first != UInt8(ascii: "/") { text.append(UInt8(ascii: "/")) }
    text.append(contentsOf: rest)
  }
}
