internal import UniversalLinks

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
      return Glob(atoms: encoded.map { $0 == UInt8(ascii: "*") ? .run : .byte($0) })
    }
  }

  /// A Boolean value indicating whether there is no pattern.
  public var isEmpty: Bool { patterns.isEmpty }

  /// Returns a Boolean value indicating whether a path, as logged, has one of the patterns.
  func contains(_ path: Span<UInt8>) -> Bool {
    patterns.contains { $0.matches(path) }
  }
}
