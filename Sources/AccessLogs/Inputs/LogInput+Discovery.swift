internal import SystemPackage

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A path that was given and holds nothing to read, and why.
public struct InputProblem: Error, Hashable, Sendable {
  /// What is wrong with a path.
  public enum Reason: Hashable, Sendable {
    /// It is a directory without files whose names don't begin with a full stop.
    case emptyDirectory

    /// Another path has led to the same file, which is read once.
    case sameFile(as: String)
  }

  /// The path.
  public var path: String

  /// What is wrong with it.
  public var reason: Reason
}

extension LogInput {
  /// Finds the files behind some paths.
  ///
  /// A directory stands for the regular files in it and in the directories
  /// below, those apart whose names begin with a full stop. Links are followed; a
  /// file that several paths lead to is found once. What isn't there is an input
  /// all the same: reading it says why.
  ///
  /// - Parameter paths: Files, directories, and `-` for standard input.
  /// - Returns: The inputs in ascending order of their paths, so that no result
  ///   depends on the order in which they are given, and paths that add nothing.
  public static func discover(
    _ paths: [String]
  ) -> (inputs: [LogInput], problems: [InputProblem]) {
    var discovery = Discovery()
    for path in paths { discovery.add(path) }
    return discovery.result()
  }
}

/// The files found so far.
private struct Discovery {
  private struct Identity: Hashable {
    private var device: DeviceID
    private var inode: Inode

    init(_ status: Stat) {
      device = status.deviceID
      inode = status.inode
    }
  }

  private var inputs: [LogInput] = []
  private var problems: [InputProblem] = []
  /// The positions of known files in ``inputs``.
  private var known: [Identity: Int] = [:]
  private var directories: Set<Identity> = []
  private var hasStandardInput = false

  func result() -> (inputs: [LogInput], problems: [InputProblem]) {
    (inputs.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }, problems)
  }

  mutating func add(_ path: String) {
    if path == "-" {
      if !hasStandardInput { inputs.append(.standardInput) }
      hasStandardInput = true
      return
    }
    do throws(Errno) {
      let status = try Stat(FilePath(path), followTargetSymlink: true)
      if status.type == .directory {
        let before = (inputs.count, problems.count)
        addContents(of: path, status)
        if (inputs.count, problems.count) == before {
          problems.append(InputProblem(path: path, reason: .emptyDirectory))
        }
      } else {
        addFile(path, status)
      }
    } catch {
      inputs.append(LogInput(path: path))
    }
  }

  private mutating func addFile(_ path: String, _ status: Stat) {
    let isRegular = status.type == .regular
    if isRegular {
      let identity = Identity(status)
      if let position = known[identity] {
        // The least path stays, in whatever order they are given.
        let paths = [inputs[position].path, path].sorted {
          $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        inputs[position] = LogInput(path: paths[0], size: inputs[position].size)
        problems.append(InputProblem(path: paths[1], reason: .sameFile(as: paths[0])))
        return
      }
      known[identity] = inputs.count
    }
    inputs.append(LogInput(path: path, size: isRegular ? Int(clamping: status.size) : nil))
  }

  private mutating func addContents(of directory: String, _ status: Stat) {
    // Links can lead round in circles.
    guard directories.insert(Identity(status)).inserted else { return }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: directory)
    } catch {
      inputs.append(LogInput(path: directory))
      return
    }
    for name in names.sorted() where !name.hasPrefix(".") {
      let path = directory.hasSuffix("/") ? directory + name : directory + "/" + name
      guard let status = try? Stat(FilePath(path), followTargetSymlink: true) else {
        inputs.append(LogInput(path: path))
        continue
      }
      switch status.type {
      case .directory: addContents(of: path, status)
      case .regular: addFile(path, status)
      default: break
      }
    }
  }
}
