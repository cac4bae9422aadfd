internal import UniversalLinks

/// Paths whose requests don't count, such as those of health checks.
public struct IgnoredPaths: Hashable, Sendable {
  /// The patterns, in which `*` stands for any text.
  private let patterns: [[ArraySlice<UInt8>]]

  /// Creates a set of paths.
  ///
  /// - Parameter patterns: Paths such as `/healthz` or `/internal/*`.
  public init(_ patterns: [String] = []) {
    self.patterns = patterns.map { pattern in
      Self.encoded(pattern).split(
        separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
    }
  }

  /// The bytes of a pattern, those percent-encoded that no URL can hold, as paths are that
  /// it is compared with.
  private static func encoded(_ pattern: String) -> [UInt8] {
    var output: [UInt8] = []
    PercentEncoding.append(encoding: Array(pattern.utf8).span, to: &output)
    return output
  }

  /// A Boolean value indicating whether every path counts.
  public var isEmpty: Bool { patterns.isEmpty }

  /// Returns a Boolean value indicating whether requests for a path, as logged, don't
  /// count.
  func contains(_ path: Span<UInt8>) -> Bool {
    patterns.contains { Self.matches($0, path) }
  }

  /// The texts between stars stand one behind the other, the first at the start and the
  /// last at the end.
  private static func matches(_ texts: [ArraySlice<UInt8>], _ path: Span<UInt8>) -> Bool {
    guard let first = texts.first, let last = texts.last, path.holds(first, at: 0) else {
      return false
    }
    guard texts.count > 1 else { return path.count == first.count }
    let end = path.count - last.count
    var position = first.count
    for text in texts[1..<(texts.count - 1)] {
      while position <= end, !path.holds(text, at: position) { position += 1 }
      position += text.count
    }
    return position <= end && path.holds(last, at: end)
  }
}

extension Span<UInt8> {
  fileprivate func holds(_ text: ArraySlice<UInt8>, at position: Int) -> Bool {
    guard position >= 0, position + text.count <= count else { return false }
    for (offset, byte) in text.enumerated() where self[position + offset] != byte { return false }
    return true
  }
}
