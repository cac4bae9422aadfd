internal import AccessLogs
internal import TrafficDigest

/// The grouping of paths in reports.
public enum PathGrouping: Hashable, Sendable {
  /// By path groups: numbers and the like fold, and so do more different names under one
  /// parent than the fan-out.
  case template

  /// Not at all: each path is its own group.
  case exact

  /// By path groups whose segments after the given number of them fold to `{*}`.
  case depth(Int)
}

extension PathGrouping {
  /// Returns the greatest number of literal segments below one parent in a tree of path groups.
  func fanOut(_ fanOut: Int) -> Int { self == .exact ? .max : fanOut }

  /// Returns the end of the part of a template that doesn't fold, or `nil` if nothing folds.
  ///
  /// That end is after the slash that begins the part that folds.
  static func end(of template: [UInt8], depth: Int) -> Int? {
    var slashes = 0
    for (index, byte) in template.enumerated() where byte == UInt8(ascii: "/") {
      slashes += 1
      // Nothing follows a slash at the end that could fold.
      if slashes > depth { return index + 1 < template.count ? index + 1 : nil }
    }
    return nil
  }

  /// Folds a path's template to its group.
  func fold(_ template: inout [UInt8]) {
    guard case .depth(let depth) = self, let end = Self.end(of: template, depth: depth) else {
      return
    }
    template.removeSubrange(end...)
    template.append(contentsOf: PathTemplate.anything.utf8)
  }
}
