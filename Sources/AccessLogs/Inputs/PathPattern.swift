internal import Foundations
internal import SystemPackage

/// A shell pattern for paths.
///
/// `*` matches any characters of a name, `?` one, `[a-z]` one of some, `[!a-z]` one of all others,
/// and `**` directories of any depth.
///
/// Names that begin with a full stop match only where the pattern has the full stop.
struct PathPattern {
  /// Returns whether a character can be at a place of a name.
  private typealias Test = (Unicode.Scalar) -> Bool

  /// The part of a pattern between two slashes.
  struct Segment {
    let text: String

    /// The test of each place, or `nil` for a star.
    private let tokens: [Test?]
    let isPattern: Bool

    var isAnyDepth: Bool { text == "**" }

    init(_ text: String) {
      self.text = text
      let scalars = Array(text.unicodeScalars)
      var (tokens, position, isPattern): ([Test?], Int, Bool) = ([], 0, false)
      while position < scalars.count {
        let scalar = scalars[position]
        position += 1
        let set = scalar == "[" ? Self.test(in: scalars, &position) : nil
        isPattern = isPattern || scalar == "*" || scalar == "?" || set != nil
        switch scalar {
        case "*": tokens.append(nil)
        case "?": tokens.append { _ in true }
        default: tokens.append(set ?? { $0 == scalar })
        }
      }
      (self.tokens, self.isPattern) = (tokens, isPattern)
    }

    /// Reads the characters after an opening bracket, if it is closed.
    private static func test(in scalars: [Unicode.Scalar], _ position: inout Int) -> Test? {
      var next = position
      let isNegated = next < scalars.count && (scalars[next] == "!" || scalars[next] == "^")
      if isNegated { next += 1 }
      var ranges: [ClosedRange<Unicode.Scalar>] = []
      let first = next
      while next < scalars.count {
        let low = scalars[next]
        // A closing bracket in front is a literal one.
        if low == "]", next > first {
          position = next + 1
          return { [ranges] scalar in ranges.contains { $0.contains(scalar) } != isNegated }
        }
        if next + 2 < scalars.count, scalars[next + 1] == "-", scalars[next + 2] != "]" {
          let high = scalars[next + 2]
          if low <= high { ranges.append(low...high) }
          next += 3
        } else {
          ranges.append(low...low)
          next += 1
        }
      }
      return nil
    }

    /// Returns a Boolean value indicating whether a name matches.
    ///
    /// The time is proportional to the product of the lengths of name and pattern: after a
    /// mismatch, only the last star is extended.
    func matches(_ name: String) -> Bool {
      if name.hasPrefix("."), !text.hasPrefix(".") { return false }
      let scalars = Array(name.unicodeScalars)
      var (position, token) = (0, 0)
      var lastStar: (position: Int, token: Int)?
      while position < scalars.count {
        if token < tokens.count {
          guard let own = tokens[token] else {
            lastStar = (position, token)
            token += 1
            continue
          }
          if own(scalars[position]) {
            (position, token) = (position + 1, token + 1)
            continue
          }
        }
        guard let star = lastStar else { return false }
        lastStar = (star.position + 1, star.token)
        (position, token) = (star.position + 1, star.token + 1)
      }
      return tokens[token...].allSatisfy { $0 == nil }
    }
  }

  let segments: [Segment]
  private let isAbsolute: Bool

  private var found: [String] = []

  /// The directories that may hold matches but can't be listed, and why.
  private(set) var unlisted: [(path: String, fault: Errno)] = []

  /// The directories that were searched at any depth, by number of segments.
  private var visited: [Int: Set<FileIdentity>] = [:]

  /// Creates a pattern, or returns `nil` if the text is just a path.
  init?(_ text: String) {
    guard text.unicodeScalars.contains(where: { "*?[".unicodeScalars.contains($0) }) else {
      return nil
    }
    var segments: [Segment] = []
    for part in text.split(separator: "/") {
      let segment = Segment(String(part))
      // Consecutive `**` are equivalent to one.
      if !segment.isAnyDepth || segments.last?.isAnyDepth != true { segments.append(segment) }
    }
    guard segments.contains(where: \.isPattern) else { return nil }
    self.segments = segments
    isAbsolute = text.hasPrefix("/")
  }
}

extension PathPattern {
  /// Finds the paths of files and directories that match, in ascending order of their bytes.
  ///
  /// Paths inside a directory that matches are omitted.
  mutating func matches() -> [String] {
    find(segments[...], in: isAbsolute ? "/" : "")
    var matches: [String] = []
    // With a slash at its end, the path of a directory precedes all paths in it.
    for path in found.sorted(by: { ($0 + "/").utf8.lexicographicallyPrecedes(($1 + "/").utf8) })
    where !(matches.last.map { path == $0 || path.hasPrefix($0 + "/") } ?? false) {
      matches.append(path)
    }
    return matches
  }

  /// Finds everything that matches the segments in a directory, whose path ends with a slash
  /// unless it is empty.
  private mutating func find(_ segments: ArraySlice<Segment>, in directory: String) {
    guard let segment = segments.first else { return }
    let rest = segments.dropFirst()
    if segment.isAnyDepth {
      findAtAnyDepth(rest, in: directory)
    } else if segment.isPattern {
      for name in names(in: directory) where segment.matches(name) {
        add(directory + name, rest)
      }
    } else {
      add(directory + segment.text, rest)
    }
  }

  private mutating func add(_ path: String, _ rest: ArraySlice<Segment>) {
    guard let status = try? Stat(FilePath(path), followTargetSymlink: true) else { return }
    if rest.isEmpty {
      found.append(path)
    } else if status.type == .directory {
      find(rest, in: path + "/")
    }
  }

  /// Finds everything that matches the segments in a directory and its subdirectories.
  ///
  /// A directory is searched once for the same segments, so that circular links end.
  private mutating func findAtAnyDepth(
    _ segments: ArraySlice<Segment>, in directory: String
  ) {
    guard
      let status = try? Stat(
        FilePath(directory.isEmpty ? "." : directory), followTargetSymlink: true),
      status.type == .directory,
      visited[segments.count, default: []].insert(FileIdentity(status)).inserted
    else { return }
    if segments.isEmpty {
      found.append(directory.isEmpty ? "." : String(directory.dropLast()))
      return
    }
    find(segments, in: directory)
    for name in names(in: directory) where !name.hasPrefix(".") {
      findAtAnyDepth(segments, in: directory + name + "/")
    }
  }

  private mutating func names(in directory: String) -> [String] {
    let path = directory.isEmpty ? "." : directory
    do throws(Errno) {
      return try Directory(path).names()
    } catch {
      // A directory that was removed meanwhile matches nothing.
      let isGone = error == .noSuchFileOrDirectory || error == .notDirectory
      if !isGone, !unlisted.contains(where: { $0.path.hasSameBytes(as: path) }) {
        unlisted.append((path, error))
      }
      return []
    }
  }
}
