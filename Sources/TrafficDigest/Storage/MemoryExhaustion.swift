internal import Foundations
internal import SystemPackage

/// The end of a process that can't allocate more memory.
enum MemoryExhaustion {
  /// Ends the process with a message and exit status 2.
  ///
  /// - Parameter byteCount: The number of requested bytes.
  static func end(asking byteCount: Int) -> Never {
    let message =
      "linkaudit: there is not enough memory for a table of \(byteCount >> 10) KiB; lower '--memory' or "
      + "'--jobs', or raise the limit on memory ('ulimit -v')\n"
    _ = try? FileDescriptor.standardError.writeAll(message.utf8)
    _exit(2)
  }
}
