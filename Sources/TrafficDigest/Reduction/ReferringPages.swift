internal import AccessLogs

/// The pages of the same host that requests came from.
struct ReferringPages: ~Copyable {
  /// The templates of the pages' paths.
  private(set) var templates = ByteTable(capacity: 256)

  private var field: [UInt8] = []
  private var template: [UInt8] = []

  /// Finds the path in a referrer that is on the given host; there is none in any
  /// other referrer.
  ///
  /// Hosts are compared exactly, without ports (MATCHING.md, 7.1).
  ///
  /// - Parameters:
  ///   - referrer: The referrer as logged.
  ///   - host: The request's host, normalised.
  ///   - nameLength: The length of that host without its port.
  /// - Returns: The position of the path, which may be empty.
  @inline(__always)
  static func sameHostPath(
    in referrer: Span<UInt8>, host: [UInt8], nameLength: Int
  ) -> Range<Int>? {
    // `https://host/…`, as the referrers of most same-host visits are.
    let end = 8 + nameLength
    if nameLength > 0, referrer.count > end, referrer[end] == UInt8(ascii: "/"),
      referrer.extracting(8..<end).isEqual(to: host.span.extracting(0..<nameLength)),
      referrer.extracting(0..<8).isHTTPS
    {
      return end..<AbsoluteURL.pathEnd(in: referrer, from: end)
    }
    guard let url = AbsoluteURL(referrer), url.host.count == nameLength, nameLength > 0 else {
      return nil
    }
    for index in 0..<url.host.count
    where referrer[url.host.lowerBound + index].asciiLowercased != host[index] {
      return nil
    }
    return url.path
  }

  /// Returns the number of the template of a page's path, as logged.
  mutating func template(of path: Span<UInt8>) -> UInt32 {
    // Most pages have no number or the like in their path: nothing to fold.
    let hasEscapes = path.firstIndex(of: UInt8(ascii: "\\")) != nil
    if path.count > 0, !hasEscapes, PathTemplate.isTemplate(path) {
      return UInt32(templates.insert(path).id)
    }
    template.removeAll(keepingCapacity: true)
    if path.count == 0 {
      template.append(UInt8(ascii: "/"))
    } else if hasEscapes {
      field.removeAll(keepingCapacity: true)
      LogEscapes.append(undoing: path, to: &field)
      Self.fold(field, into: &template)
    } else {
      PathTemplate.append(folding: path, to: &template)
    }
    return UInt32(templates.insert(template).id)
  }

  /// Apart, because a span of one property and a change of another overlap.
  private static func fold(_ path: [UInt8], into template: inout [UInt8]) {
    PathTemplate.append(folding: path.span, to: &template)
  }

}

extension Span<UInt8> {
  /// A Boolean value indicating whether these eight bytes are `https://`.
  @inline(__always)
  fileprivate var isHTTPS: Bool {
    self[0] == UInt8(ascii: "h") && self[1] == UInt8(ascii: "t") && self[2] == UInt8(ascii: "t")
      && self[3] == UInt8(ascii: "p") && self[4] == UInt8(ascii: "s")
      && self[5] == UInt8(ascii: ":") && self[6] == UInt8(ascii: "/")
      && self[7] == UInt8(ascii: "/")
  }
}
