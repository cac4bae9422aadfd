internal import TrafficDigest
internal import UniversalLinks

/// The templates of referring pages, which digests hold as logged.
package enum ReferrerTemplate {
  /// Returns a template with bytes that a URL cannot hold percent-encoded, so that it equals the
  /// template of a request for the page.
  package static func encoded(_ template: [UInt8]) -> [UInt8] {
    // Most have nothing to encode; braces occur only in placeholders.
    let isEncoded = template.allSatisfy { byte in
      byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}")
        || byte != UInt8(ascii: "%") && PercentEncoding.isAllowed(byte)
    }
    if isEncoded { return template }
    let segments = template.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    // A stray '%' changes all others of the path (Matching.md, 3.3).
    let keepsEscapes = !segments.contains { segment in
      !PathTemplate.isPlaceholder(segment) && PercentEncoding.hasStrayPercent(Array(segment).span)
    }
    var output: [UInt8] = []
    var isFirst = true
    for segment in segments {
      if !isFirst { output.append(UInt8(ascii: "/")) }
      isFirst = false
      if PathTemplate.isPlaceholder(segment) {
        output.append(contentsOf: segment)
      } else {
        PercentEncoding.append(
          encoding: Array(segment).span, keepsEscapes: keepsEscapes, to: &output)
      }
    }
    return output
  }
}
