// Unsafe code: `read` fills a raw buffer. Its pointer stays inside the closure
// that hands out the array's memory.

internal import Foundations
package import SystemPackage

/// The stored bytes of an input, read into a reused buffer.
///
/// Logs are read, not mapped into memory. If a log is truncated meanwhile, reading gives fewer
/// bytes, but a mapping would raise a signal.
struct InputStream: ~Copyable {
  private static let bufferSize = 256 * 1024

  /// A small file gets a small buffer, so that many of them cost little.
  private static func bufferSize(for input: LogInput) -> Int {
    max(4096, min(bufferSize, input.size ?? bufferSize) + 1)
  }

  private let descriptor: FileDescriptor
  private let ownsDescriptor: Bool
  private var buffer: [UInt8] = []
  private var start = 0
  private var end = 0
  private(set) var hasEnded = false

  /// The system's record of the file when it was opened, or `nil` if there is none.
  private let status: Stat?

  /// The stamp of the file when it was opened, or `nil` if the file is standard input or not a
  /// regular one.
  var stamp: FileStamp? { ownsDescriptor ? status.flatMap { FileStamp($0) } : nil }

  /// The size of the file when it was opened, or `nil` if the file isn't a regular one.
  var storedSize: Int? { Self.size(status) }

  private static func size(_ status: Stat?) -> Int? {
    status.flatMap { $0.type == .regular ? Int($0.size) : nil }
  }

  private(set) var offset = 0

  init(_ input: LogInput) throws(LogDamage) {
    ownsDescriptor = !input.isStandardInput
    buffer = Array(repeating: 0, count: Self.bufferSize(for: input))
    do {
      if let fault = input.fault { throw fault }
      var descriptor = FileDescriptor.standardInput
      if !input.isStandardInput {
        descriptor = try unsafe input.path.withCString { path in
          try unsafe FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        }
      }
      let status = try? descriptor.stat()
      guard descriptor.hasLines(status) else {
        if !input.isStandardInput { try? descriptor.close() }
        throw Errno.notSupported
      }
      (self.descriptor, self.status) = (descriptor, status)
    } catch {
      throw LogDamage(.system(error as? Errno ?? .ioError), offset: 0)
    }
  }

  deinit {
    if ownsDescriptor { try? descriptor.close() }
  }

  var count: Int { end - start }

  /// Calls `body` with the bytes that have been read and not consumed.
  func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(buffer.span.extracting(start..<end))
  }

  mutating func consume(_ count: Int) {
    start += count
    offset += count
  }

  mutating func rewind() throws(LogDamage) {
    do {
      try descriptor.seek(offset: 0, from: .start)
    } catch {
      throw LogDamage(.system(error as? Errno ?? .ioError), offset: offset)
    }
    (start, end, offset, hasEnded) = (0, 0, 0, false)
  }

  /// Moves past a hole of a file, and zeros before it that have been read but not consumed.
  ///
  /// A hole contains zeros that aren't stored. A log that 'copytruncate' truncates can have
  /// gigabytes of them, which take as long to read as stored ones.
  ///
  /// - Returns: The number of zeros; 0 if other bytes follow, or the system doesn't support this.
  mutating func skipHole() -> Int {
    guard !hasEnded, withBytes({ bytes in bytes.indices.allSatisfy { bytes[$0] == 0 } }),
      // A pipe has no offset.
      let start = try? descriptor.seek(offset: 0, from: .current),
      let size = Self.size(try? descriptor.stat()), Int64(size) > start
    else { return 0 }
    var end = start
    do {
      end = min(try descriptor.seek(offset: start, from: .storedData), Int64(size))
    } catch Errno.noSuchAddressOrDevice {
      // The hole reaches to the end.
      end = Int64(size)
    } catch {}
    guard end > start, (try? descriptor.seek(offset: end, from: .start)) != nil else {
      _ = try? descriptor.seek(offset: start, from: .start)
      return 0
    }
    let length = count + Int(end - start)
    (self.start, self.end) = (0, 0)
    offset += length
    return length
  }

  /// Reads until there are at least `minimum` bytes or the input ends.
  mutating func fill(minimum: Int = 1) throws(LogDamage) {
    while count < minimum, !hasEnded {
      if start > 0 {
        if start < end { buffer.replaceSubrange(0..<(end - start), with: buffer[start..<end]) }
        (start, end) = (0, end - start)
      }
      do {
        let (descriptor, end) = (descriptor, end)
        let read = try unsafe buffer.withUnsafeMutableBytes { bytes in
          try unsafe descriptor.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[end...]))
        }
        self.end += read
        if read == 0 { hasEnded = true }
      } catch {
        hasEnded = true
        throw LogDamage(.system(error as? Errno ?? .ioError), offset: offset + count)
      }
    }
  }
}

extension FileDescriptor.SeekOrigin {
  /// Seeks to the first byte from an offset on that is stored, not in a hole.
  ///
  /// Without holes, or on a file system without support for them, it is the offset itself. If a
  /// hole reaches to the end of the file, the error is `ENXIO`. The corresponding C constant is
  /// `SEEK_DATA`.
  static var storedData: Self {
    // swift-system has no name for it on Linux.
    #if canImport(Darwin)
    nextData
    #else
    Self(rawValue: 3)
    #endif
  }
}

extension FileDescriptor {
  /// A Boolean value indicating whether the file can be a text file.
  ///
  /// Except for terminals and `/dev/null`, devices have no lines, and often no end.
  package var hasLines: Bool { hasLines(try? stat()) }

  /// Returns ``hasLines``, given the system's record of the file if there is one.
  fileprivate func hasLines(_ status: Stat?) -> Bool {
    guard let status, status.type == .characterSpecial else { return true }
    let null = try? Stat(FilePath("/dev/null"), followTargetSymlink: true)
    return status.specialDeviceID == null?.specialDeviceID || isatty(rawValue) == 1
  }
}
