internal import Foundations
public import SystemPackage

// Unsafe code: reading, writing and `unlink` use the memory of an array or a path only inside the
// closure that lends it.

/// A file that is read and written at offsets: a temporary one, or a digest.
final class RandomAccessFile: Sendable {
  /// The file, or `nil` if its bytes are in memory.
  private let descriptor: FileDescriptor?
  private let bytes: [UInt8]

  /// The path, or the directory of a temporary file.
  private let path: String
  private let isTemporary: Bool

  /// Opens or creates a file.
  private init(
    _ path: String, isTemporary: Bool, _ open: () throws -> FileDescriptor
  ) throws(DigestFileError) {
    (self.path, self.isTemporary, bytes) = (path, isTemporary, [])
    do {
      descriptor = try open()
    } catch {
      throw DigestFileError(
        path: path, reason: .system(error as? Errno ?? .ioError), isTemporary: isTemporary,
        offset: 0)
    }
  }

  /// A file whose bytes are in memory, with a name to show in place of a path; it can only be read.
  init(bytes: [UInt8], name: String) {
    (descriptor, self.bytes, path, isTemporary) = (nil, bytes, name, false)
  }

  /// Creates an unnamed file.
  ///
  /// It loses its name before it holds anything, so the system removes it when the process ends in
  /// any way.
  static func temporary(in directory: String) throws(DigestFileError) -> RandomAccessFile {
    try RandomAccessFile(directory, isTemporary: true) {
      if let descriptor = try nameless(in: directory) { return descriptor }
      let name = String(UInt64.random(in: 0...UInt64.max), radix: 36)
      let path = FilePath(directory).appending("linkaudit-\(name)")
      let descriptor = try FileDescriptor.open(
        path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: [.ownerReadWrite])
      unsafe path.withPlatformString { _ = unsafe unlink($0) }
      return descriptor
    }
  }

  /// Creates a file that never has a name, or returns `nil` if the system or the file system
  /// doesn't support that.
  private static func nameless(in directory: String) throws(Errno) -> FileDescriptor? {
    #if os(Linux)
    // `O_TMPFILE`, which Swift doesn't import.
    let options = FileDescriptor.OpenOptions(rawValue: 0o20000000 | O_DIRECTORY)
    do {
      return try FileDescriptor.open(
        FilePath(directory), .readWrite, options: options.union(.closeOnExec),
        permissions: [.ownerReadWrite])
    } catch Errno.notSupported, Errno.isDirectory, Errno.invalidArgument,
      Errno.noSuchFileOrDirectory
    {
      return nil
    } catch {
      throw error as? Errno ?? .ioError
    }
    #else
    return nil
    #endif
  }

  /// Opens a file to read it.
  static func opening(_ path: String) throws(DigestFileError) -> RandomAccessFile {
    try RandomAccessFile(path, isTemporary: false) {
      try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
    }
  }

  deinit { try? descriptor?.close() }

  /// The number of bytes.
  func size() throws(DigestFileError) -> Int {
    guard let descriptor else { return bytes.count }
    return try catching(at: 0) { Int(clamping: try descriptor.stat().size) }
  }

  /// Writes bytes at `offset`.
  func write(_ bytes: [UInt8], at offset: Int) throws(DigestFileError) {
    guard let descriptor else { throw failure(.system(.badFileDescriptor), at: offset) }
    _ = try catching(at: offset) {
      try unsafe bytes.withUnsafeBytes { buffer in
        try unsafe descriptor.writeAll(toAbsoluteOffset: Int64(offset), buffer)
      }
    }
  }

  /// Fills `buffer` with the bytes from `offset` on.
  func read(into buffer: inout [UInt8], count: Int, at offset: Int) throws(DigestFileError) {
    if buffer.count < count {
      buffer.append(contentsOf: repeatElement(0, count: count - buffer.count))
    }
    guard let descriptor else {
      guard offset + count <= bytes.count else { throw failure(.truncated, at: bytes.count) }
      buffer.replaceSubrange(0..<count, with: bytes[offset..<(offset + count)])
      return
    }
    var done = 0
    while done < count {
      let length = try catching(at: offset + done) {
        try unsafe buffer.withUnsafeMutableBytes { bytes in
          try unsafe descriptor.read(
            fromAbsoluteOffset: Int64(offset + done),
            into: UnsafeMutableRawBufferPointer(rebasing: bytes[done..<count]))
        }
      }
      guard length > 0 else { throw failure(.truncated, at: offset + done) }
      done += length
    }
  }

  /// Calls `body`, and describes an error of the system.
  private func catching<Result>(
    at offset: Int, _ body: () throws -> Result
  ) throws(DigestFileError) -> Result {
    do {
      return try body()
    } catch {
      throw failure(.system(error as? Errno ?? .ioError), at: offset)
    }
  }

  /// Describes what is wrong with the file.
  func failure(_ reason: DigestFileError.Reason, at offset: Int) -> DigestFileError {
    DigestFileError(path: path, reason: reason, isTemporary: isTemporary, offset: offset)
  }
}

/// The reason why a digest or a part of it could not be written or read.
public struct DigestFileError: Error, Hashable, Sendable {
  /// The reason of a failure.
  public enum Reason: Hashable, Sendable {
    /// The system refused to create, write or read the file.
    case system(Errno)

    /// The file ends too early.
    case truncated

    /// A checksum is wrong, or the bytes under it are inconsistent.
    case damaged

    /// The file doesn't have the beginning of a digest.
    case notDigest

    /// The file is a digest of a version that this program can't read.
    case unknownVersion(UInt32)

    /// There is no memory for compression.
    case outOfMemory
  }

  /// The directory of a temporary file, or the path of a digest.
  public var path: String

  /// The reason.
  public var reason: Reason

  /// A Boolean value indicating whether the file is a temporary one in the directory ``path``.
  public var isTemporary: Bool

  /// The offset of the first byte that could not be read or written.
  public var offset: Int

  /// A Boolean value indicating whether there is no file of that name.
  public var isMissing: Bool {
    if case .system(.noSuchFileOrDirectory) = reason { true } else { false }
  }
}

extension DigestFileError: CustomStringConvertible {
  public var description: String {
    let what = isTemporary ? "a temporary file in '\(path)'" : "'\(path)'"
    return switch reason {
    case .system(let error): "\(what) at byte \(offset): \(error)"
    case .truncated where offset == 0 && !isTemporary: "\(what) is empty, so it is not a digest"
    case .truncated: "\(what) ends too early, at byte \(offset)"
    case .damaged: "\(what) is damaged at byte \(offset)"
    case .notDigest: "\(what) is not a digest"
    case .unknownVersion(let version):
      "\(what) is a digest of version \(version), but this linkaudit reads only version "
        + "\(DigestBlock.version)"
    case .outOfMemory: "there is not enough memory to compress \(what)"
    }
  }
}
