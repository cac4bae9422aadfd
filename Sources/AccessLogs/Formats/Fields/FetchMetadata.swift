internal import Foundations

/// The values of the headers in which browsers say what a response is for.
enum FetchMetadata {
  /// The destinations of the Fetch standard (https://fetch.spec.whatwg.org/#destination-table)
  /// except `document`, and its modes except `navigate`.
  private static let subresources: [StaticString] = [
    "empty", "cors", "no-cors", "same-origin", "image", "script", "style", "iframe", "font",
    "json", "audio", "video", "track", "manifest", "object", "embed", "frame", "fencedframe",
    "report", "text", "worker", "serviceworker", "sharedworker", "audioworklet", "paintworklet",
    "webidentity", "websocket", "xslt",
  ]

  /// Returns a Boolean value indicating whether a value of `Sec-Fetch-Dest` or `Sec-Fetch-Mode`
  /// names anything but a page to show.
  ///
  /// Values that no browser sends are ignored.
  static func isSubresource(_ value: Span<UInt8>) -> Bool {
    value.isOne(of: subresources)
  }
}
