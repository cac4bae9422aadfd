internal import Foundations
internal import SystemPackage

extension PathPattern {
  /// The paths of files and directories that match, in ascending order of their bytes.
  ///
  /// Paths inside a directory that matches are omitted.
  ///
  /// - Returns: The paths, and directories that may hold others but can't be listed.
  func matches() -> (paths: [String], unlisted: [(path: String, fault: Errno)]) {
    var search = Search()
    search.find(segments[...], in: isAbsolute ? "/" : "")
    var matches: [String] = []
    // With a slash at its end, the path of a directory precedes all paths in it.
    for path in search.found.sorted(by: {
      ($0 + "/").utf8.lexicographicallyPrecedes(($1 + "/").utf8)
    })
    where !(matches.last.map { path == $0 || path.hasPrefix($0 + "/") } ?? false) {
      matches.append(path)
    }
    return (matches, search.unlisted)
  }

  /// The paths found so far.
  private struct Search {
    var found: [String] = []

    /// The directories that can't be listed, and why.
    private(set) var unlisted: [(path: String, fault: Errno)] = []

    /// The directories that were searched at any depth, by number of segments.
    private var visited: [Int: Set<FileIdentity>] = [:]

    /// Finds everything that matches the segments in a directory, whose path ends with a slash
    /// unless it is empty.
    mutating func find(_ segments: ArraySlice<Segment>, in directory: String) {
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
}
