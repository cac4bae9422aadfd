// Unsafe code: reading, writing and `unlink` get the memory of an array or a path
// inside the closure that lends it.

internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A file that nobody sees: it has lost its name before it holds anything, so that
/// it is gone when the process is, however that ends.
final class TemporaryFile: Sendable {
  private let descriptor: FileDescriptor
  private let directory: String

  /// Creates an empty file.
  init(in directory: String) throws(DigestFileError) {
    self.directory = directory
    do {
      let name = String(UInt64.random(in: 0...UInt64.max), radix: 36)
      let path = FilePath(directory).appending("linkaudit-\(name)")
      descriptor = try FileDescriptor.open(
        path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: [.ownerReadWrite])
      unsafe path.withPlatformString { _ = unsafe unlink($0) }
    } catch {
      throw DigestFileError(
        path: directory, reason: .system(error as? Errno ?? .ioError), isTemporary: true, offset: 0)
    }
  }

  deinit { try? descriptor.close() }

  /// Writes bytes, which belong at `offset`.
  func write(_ bytes: [UInt8], at offset: Int) throws(DigestFileError) {
    do {
      _ = try unsafe bytes.withUnsafeBytes { buffer in
        try unsafe descriptor.writeAll(toAbsoluteOffset: Int64(offset), buffer)
      }
    } catch {
      throw failure(.system(error as? Errno ?? .ioError), at: offset)
    }
  }

  /// Fills `buffer` with the bytes from `offset` on.
  func read(into buffer: inout [UInt8], count: Int, at offset: Int) throws(DigestFileError) {
    if buffer.count < count {
      buffer.append(contentsOf: repeatElement(0, count: count - buffer.count))
    }
    var done = 0
    while done < count {
      do {
        let (descriptor, start) = (descriptor, done)
        let length = try unsafe buffer.withUnsafeMutableBytes { bytes in
          try unsafe descriptor.read(
            fromAbsoluteOffset: Int64(offset + start),
            into: UnsafeMutableRawBufferPointer(rebasing: bytes[start..<count]))
        }
        guard length > 0 else { throw failure(.truncated, at: offset + done) }
        done += length
      } catch let error as DigestFileError {
        throw error
      } catch {
        throw failure(.system(error as? Errno ?? .ioError), at: offset + done)
      }
    }
  }

  /// Describes what is wrong with the file.
  func failure(_ reason: DigestFileError.Reason, at offset: Int) -> DigestFileError {
    DigestFileError(path: directory, reason: reason, isTemporary: true, offset: offset)
  }
}
