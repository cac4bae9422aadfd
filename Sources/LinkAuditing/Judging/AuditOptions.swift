internal import AccessLogs
public import Foundations
public import TrafficDigest
internal import UniversalLinks

/// The options of judging a digest.
public struct AuditOptions: Sendable {
  /// The greatest number of literal segments below one parent; more fold into one path group.
  public var fanOut = 100
  public var grouping = PathGrouping.template
  public var weight = Traffic.Weight.visits

  /// The minimum shares of traffic for the severities of findings.
  public var thresholds = FindingThresholds()

  /// The extensions of paths that aren't pages.
  public var assetExtensions = AssetExtensions.standard

  /// Paths whose requests don't count.
  public var ignoredPaths = PathPatterns()

  /// Paths to which login services send browsers back.
  public var callbackPaths = PathPatterns()

  /// The filter that selects requests and possible visits.
  public var filter = TrafficFilter()

  /// The present day, after which requests are doubtful, or `nil` if it isn't known.
  public var today: Day?
  public var jobs: Int

  public init(jobs: Int = 1) { self.jobs = max(1, jobs) }
}

/// A filter that selects the requests of a digest to judge, and the possible visits.
public struct TrafficFilter: Hashable, Sendable {
  /// The platforms whose requests count, or `nil` for all.
  public var platforms: Set<Platform>?

  /// The statuses of requests that count, or `nil` for all.
  public var statuses: Set<UInt16>?

  /// A Boolean value indicating whether pages that crawlers open also count as visits.
  public var includesBots = false

  /// Creates a filter that lets every request pass and no crawler visit.
  public init() {}

  /// A Boolean value indicating whether this filter changes anything.
  public var isActive: Bool { self != TrafficFilter() }

  /// A Boolean value indicating whether some requests may not count.
  var isSelective: Bool { platforms != nil || statuses != nil }

  /// Returns a Boolean value indicating whether requests with such dimensions count.
  func lets(_ dimensions: Dimensions) -> Bool {
    (platforms?.contains(dimensions.platform) ?? true)
      && (statuses?.contains(dimensions.status) ?? true)
  }

  /// Whether such requests are visits if they ask for a page.
  func isVisitLike(_ dimensions: Dimensions) -> Bool {
    includesBots ? dimensions.mayBeVisit : dimensions.isVisitLike
  }

  /// Whether such requests would be visits if they asked for a page and had received one.
  func isAttempt(_ dimensions: Dimensions) -> Bool {
    dimensions.isGet && !dimensions.isSubresource
      && (dimensions.platform.isApple || includesBots && dimensions.platform == .bot)
  }
}

/// Patterns of paths, for example of health checks to leave out.
public struct PathPatterns: Hashable, Sendable {
  private let patterns: [Glob]

  /// Creates a set of paths.
  ///
  /// - Parameter patterns: Paths such as `/healthz` or `/internal/*`, in which `*` matches any
  ///   text. Bytes that no URL can hold are percent-encoded, as in the paths of logs.
  public init(_ patterns: [String] = []) {
    self.patterns = patterns.map { pattern in
      var encoded: [UInt8] = []
      PercentEncoding.append(encoding: Array(pattern.utf8).span, to: &encoded)
      return Glob(bytes: encoded.map { $0 == UInt8(ascii: "*") ? Glob.gap : $0 }, leastGap: 0)
    }
  }

  /// A Boolean value indicating whether there is no pattern.
  public var isEmpty: Bool { patterns.isEmpty }

  /// Returns a Boolean value indicating whether a path, as logged, has one of the patterns.
  func contains(_ path: Span<UInt8>) -> Bool { patterns.contains { $0.matches(path) } }
}

/// The extensions of paths that aren't pages.
public struct AssetExtensions: Sendable {
  /// The extensions that are known to begin with.
  public static let standard = AssetExtensions(
    "css js mjs map json xml txt png jpg jpeg gif svg webp avif ico bmp woff woff2 ttf otf eot mp3 "
      + "mp4 webm ogg wav wasm")

  private let extensions: Set<[UInt8]>
  private let longest: Int

  /// Those of up to seven bytes, each as a number.
  private let keys: Set<UInt64>

  /// For each byte, whether an extension ends with it, in either letter case.
  ///
  /// Most paths without an extension are recognized by their last byte.
  private let lastBytes: [Bool]

  /// Creates a set of extensions without full stops, separated by spaces or commas.
  public init(_ list: String) {
    extensions = Set(
      list.split { $0 == " " || $0 == "," }.map { name in
        Array(name.drop { $0 == "." }.lowercased().utf8)
      })
    longest = extensions.map(\.count).max() ?? 0
    keys = Set(
      extensions.filter { $0.count < 8 }.map { $0.reduce(0) { $0 << 8 | UInt64($1) } })
    var lastBytes = Array(repeating: false, count: 256)
    for last in extensions.compactMap(\.last) {
      lastBytes[Int(last)] = true
      if (0x61...0x7A).contains(last) { lastBytes[Int(last) - 0x20] = true }
    }
    self.lastBytes = lastBytes
  }

  /// The extensions in ascending order, in lower case and without full stops.
  package var names: [String] { extensions.map { String(decoding: $0, as: UTF8.self) }.sorted() }

  /// Whether a path ends with one of the extensions, in any letter case.
  func contains(extensionOf path: Span<UInt8>) -> Bool {
    guard path.count > 0, lastBytes[Int(path[path.count - 1])] else { return false }
    var start = path.count - 1
    while start > 0, path.count - start <= longest {
      start -= 1
      if path[start] == UInt8(ascii: "/") { return false }
      if path[start] == UInt8(ascii: ".") { return contains(path, from: start + 1) }
    }
    return false
  }

  /// Returns a Boolean value indicating whether a path has an extension from a position on.
  private func contains(_ path: Span<UInt8>, from start: Int) -> Bool {
    guard path.count - start < 8 else {
      return extensions.contains((start..<path.count).map { path[$0].asciiLowercased })
    }
    var key = UInt64(0)
    for index in start..<path.count { key = key << 8 | UInt64(path[index].asciiLowercased) }
    return keys.contains(key)
  }
}
