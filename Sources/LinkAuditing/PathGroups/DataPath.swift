internal import Foundations
internal import TrafficDigest

/// The signs that a path holds data for programs, not a page for people.
///
/// Only names that sites hardly ever give to pages count. `/docs/api/users` can be a page, and so
/// can a form that submits to its own URL.
enum DataPath {
  /// The names of first segments.
  private static let roots: Set<String> = [
    ".well-known", "_nuxt", "_vercel", "ajax", "api", "cdn-cgi", "gql", "graphql", "jsonrpc",
    "rest", "rpc", "socket.io", "trpc", "xhr",
  ]

  /// The names of segments anywhere in a path, from frameworks that serve data and code there.
  private static let names: Set<String> = [
    "_next", "admin-ajax.php", "wp-cron.php", "wp-json", "xmlrpc.php",
  ]

  /// The names of segments before that of a version, as in `/shop/api/v2`.
  private static let versioned: Set<String> = ["api", "rest", "rpc"]

  /// The extensions of feeds, data and media that are no usual asset's.
  private static let extensions: Set<String> = [
    "aac", "apng", "atom", "flac", "geojson", "heic", "jsonld", "jsonp", "m3u8", "m4a", "m4s",
    "m4v", "mov", "mpd", "ndjson", "opus", "rdf", "rss", "vtt", "webmanifest",
  ]

  /// Returns a pattern of `--ignore` for all paths with the sign that a path group has, or `nil` if they
  /// may be pages.
  static func ignorePattern(of group: String, host: String) -> String? {
    let segments = group.split(separator: "/")
    let isAPIHost = host.prefix { $0 != "." } == "api"
    for (index, segment) in segments.enumerated() {
      let name = segment.lowercased()
      let hasSign =
        index == 0 && (roots.contains(name) || isAPIHost && isVersion(name))
        || names.contains(name)
        || versioned.contains(name) && index + 1 < segments.count
          && isVersion(segments[index + 1].lowercased())
      if hasSign {
        let isEnd = segment.endIndex == group.endIndex
        return pattern(group[..<segment.endIndex]) + (isEnd ? "" : "/*")
      }
    }
    guard let last = segments.last, last.endIndex == group.endIndex,
      let point = last.lastIndex(of: "."), point > last.startIndex
    else { return nil }
    let suffix = last[point...]
    return extensions.contains(suffix.dropFirst().lowercased()) ? "*" + suffix : nil
  }

  /// Returns a Boolean value indicating whether scripts send data to a path, and pages read it.
  ///
  /// A form that submits to its own URL also has visitors from elsewhere, and each submits it about
  /// once. A group with placeholders contains other paths, of which nothing is known. `submissions` are
  /// the requests of Apple devices with other methods than GET, and `entries` the visits that did not
  /// come from a page of the host.
  static func isEndpoint(
    _ group: String, submissions: Int, entries: Int, visits: Int
  ) -> Bool {
    entries == 0 && submissions >= 2 * visits && !group.contains("{") && group != "/"
  }

  /// Whether a segment is the version of an interface, such as `v1`.
  private static func isVersion(_ segment: String) -> Bool {
    let digits = segment.dropFirst()
    return segment.first == "v" && !digits.isEmpty && digits.count < 4
      && digits.allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// The beginning of a path group, with `*` in place of placeholders.
  private static func pattern(_ group: Substring) -> String {
    var (pattern, isInside) = ("", false)
    for character in group {
      if character == "{" { pattern += "*" }
      if character == "{" || character == "}" {
        isInside = character == "{"
      } else if !isInside {
        pattern.append(character)
      }
    }
    return pattern
  }
}
