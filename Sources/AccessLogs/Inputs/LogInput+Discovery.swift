public import SystemPackage

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A path that was given and holds nothing to read, and why.
public struct InputProblem: Error, Hashable, Sendable {
  /// What is wrong with a path.
  public enum Reason: Hashable, Sendable {
    /// The system refused.
    case system(Errno)

    /// It is a directory without files.
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
  /// below, those apart whose names begin with a full stop. A file that several
  /// paths lead to is found once.
  ///
  /// - Parameter paths: Files, directories, and `-` for standard input.
  /// - Returns: The inputs in ascending order of their paths, so that no result
  ///   depends on the order in which they are given, and what couldn't be found.
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
    var device: DeviceID
    var inode: Inode
  }

  private var inputs: [LogInput] = []
  private var problems: [InputProblem] = []
  private var known: [Identity: String] = [:]
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
        let before = inputs.count
        addContents(of: path)
        if inputs.count == before, problems.last?.path.hasPrefix(path) != true {
          problems.append(InputProblem(path: path, reason: .emptyDirectory))
        }
      } else {
        addFile(path, status)
      }
    } catch {
      problems.append(InputProblem(path: path, reason: .system(error)))
    }
  }

  private mutating func addFile(_ path: String, _ status: Stat) {
    let isRegular = status.type == .regular
    if isRegular {
      let identity = Identity(device: status.deviceID, inode: status.inode)
      if let first = known[identity] {
        problems.append(InputProblem(path: path, reason: .sameFile(as: first)))
        return
      }
      known[identity] = path
    }
    inputs.append(LogInput(path: path, size: isRegular ? Int(status.size) : nil))
  }

  private mutating func addContents(of directory: String) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: directory)
    } catch {
      problems.append(InputProblem(path: directory, reason: .system(.permissionDenied)))
      return
    }
    for name in names.sorted() where !name.hasPrefix(".") {
      let path = directory.hasSuffix("/") ? directory + name : directory + "/" + name
      // Links to directories are not followed: they can lead round in circles.
      guard let own = try? Stat(FilePath(path), followTargetSymlink: false),
        let target = try? Stat(FilePath(path), followTargetSymlink: true)
      else {
        problems.append(InputProblem(path: path, reason: .system(.noSuchFileOrDirectory)))
        continue
      }
      switch (own.type, target.type) {
      case (.directory, _): addContents(of: path)
      case (_, .regular): addFile(path, target)
      default: break
      }
    }
  }
}
