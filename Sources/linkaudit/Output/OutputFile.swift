// Unsafe code: `rename` and `chmod`, which Swift hands copies of its strings.

internal import SystemPackage

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Where a report goes: a file, or standard output.
struct OutputFile {
  /// The path, or `nil` for standard output.
  private let path: String?

  /// Whether links, pipes and devices are written through rather than replaced.
  private let followsLinks: Bool

  /// The option that says where the output goes.
  private var option = "-o"

  /// Whether a file is on the disk before it gets its name.
  private var isSynced = false

  /// - Parameters:
  ///   - path: A path; `-` and `nil` stand for standard output.
  ///   - option: The option that the path is from.
  ///   - isSynced: Whether a file is on the disk before it gets its name, so that it is
  ///     whole even if the machine stops.
  init(_ path: String?, option: String = "-o", isSynced: Bool = false) {
    self.path = path == "-" ? nil : path
    self.option = option
    followsLinks = true
    self.isSynced = isSynced
  }

  /// A file in a directory, which replaces whatever has its name there and touches
  /// nothing elsewhere.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - directory: The path of the directory.
  init(_ name: String, in directory: String) {
    path = Self.path(of: name, in: directory)
    followsLinks = false
  }

  /// The path of a file in a directory.
  static func path(of name: String, in directory: String) -> String {
    FilePath(directory).appending(name).string
  }

  /// A Boolean value indicating whether the output goes to a terminal.
  var isTerminal: Bool { path == nil && StandardStreams.isTerminal(.standardOutput) }

  /// What writes bytes.
  typealias Sink = (_ bytes: [UInt8]) throws -> Void

  /// Writes the whole output.
  ///
  /// A file appears under its name only when it is complete.
  func write(_ text: String) throws { try write { try $0(Array(text.utf8)) } }

  /// Writes what `produce` passes to its argument, piece by piece.
  ///
  /// A file appears under its name only when it is complete.
  func write(_ produce: (@escaping Sink) throws -> Void) throws {
    guard let path else {
      return try produce { bytes in
        try StandardStreams.write(bytes, to: .standardOutput, name: "standard output")
      }
    }
    do {
      if followsLinks, let status = try? Stat(FilePath(path), followTargetSymlink: true),
        status.type != .regular
      {
        // A pipe or a device is written to, never replaced.
        try write(produce, to: path, options: [])
      } else {
        try replace(path, by: produce)
      }
    } catch let error as Errno {
      throw Complaint(
        "cannot write '\(path)': \(error); choose another place with '\(option)', or make room there"
      )
    }
  }

  /// What makes a regular file the same under all its names.
  struct Identity: Equatable {
    private let device: DeviceID
    private let inode: Inode

    /// Returns `nil` if the path leads to no regular file.
    init?(_ path: String) {
      guard let status = try? Stat(FilePath(path), followTargetSymlink: true),
        status.type == .regular
      else { return nil }
      (device, inode) = (status.deviceID, status.inode)
    }
  }

  /// Returns a Boolean value indicating whether two paths lead to the same place, whether
  /// there is a file yet or not.
  static func isSamePlace(_ first: String, _ second: String) -> Bool {
    func place(_ path: String) -> String {
      URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
    }
    return place(first) == place(second)
  }

  private func write(
    _ produce: (@escaping Sink) throws -> Void, to path: String, options: FileDescriptor.OpenOptions
  ) throws {
    let descriptor = try FileDescriptor.open(
      FilePath(path), .writeOnly, options: options.union(.closeOnExec),
      permissions: [.ownerReadWrite, .groupRead, .otherRead])
    try descriptor.closeAfter {
      try produce { bytes in _ = try descriptor.writeAll(bytes) }
      // What can't be synced, such as a pipe, needs it least.
      if isSynced { _ = fsync(descriptor.rawValue) }
    }
  }

  private func replace(
    _ path: String, by produce: (@escaping Sink) throws -> Void
  ) throws {
    // A link stays, and so do the permissions of the file that it leads to.
    let target = followsLinks ? URL(fileURLWithPath: path).resolvingSymlinksInPath().path : path
    let suffix = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let temporary = target + ".part-" + suffix
    do {
      try write(produce, to: temporary, options: [.create, .exclusiveCreate])
      if let status = try? Stat(FilePath(target), followTargetSymlink: followsLinks),
        status.type == .regular
      {
        _ = unsafe chmod(temporary, status.permissions.rawValue)
      }
      guard unsafe rename(temporary, target) == 0 else { throw Errno(rawValue: errno) }
      if isSynced { Self.syncDirectory(of: target) }
    } catch {
      try? FileManager.default.removeItem(atPath: temporary)
      throw error
    }
  }

  /// Has the name of a file on the disk, too.
  private static func syncDirectory(of path: String) {
    let parent = FilePath(path).removingLastComponent()
    let directory = parent.isEmpty ? FilePath(".") : parent
    guard let descriptor = try? FileDescriptor.open(directory, .readOnly, options: .closeOnExec)
    else { return }
    _ = fsync(descriptor.rawValue)
    try? descriptor.close()
  }
}
