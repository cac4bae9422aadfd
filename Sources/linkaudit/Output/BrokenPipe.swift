/// The error of writing to a closed pipe.
struct BrokenPipe: Error {
  /// Writes output that may go unread.
  ///
  /// A closed pipe is no error: it changes neither the rest of the command nor its exit status.
  ///
  /// - Parameter write: The writing.
  /// - Returns: The result of `write`, or `nil` if the pipe is closed.
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
