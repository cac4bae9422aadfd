/// Nobody reads the output any more.
struct BrokenPipe: Error {
  /// Writes what may go unread: whoever closes a pipe has seen enough, and what else the command
  /// has to do, its exit status, too, stays as it is.
  ///
  /// - Parameter write: The writing.
  /// - Returns: What `write` returns, or `nil` if nobody reads any more.
  /// - Throws: Any other error of `write`.
  @discardableResult
  static func isNoError<Value>(in write: () throws -> Value) throws -> Value? {
    do {
      return try write()
    } catch is BrokenPipe {
      return nil
    }
  }
}
