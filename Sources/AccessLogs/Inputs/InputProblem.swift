/// A given path with nothing to read, and the reason.
public struct InputProblem: Error, Hashable, Sendable {
  /// The reason why a path can't be read.
  public enum Reason: Hashable, Sendable {
    /// It is a directory without visible files: all names begin with a full stop.
    case emptyDirectory

    /// Another path leads to the same file, which is read once.
    case sameFile(as: String)

    /// It is a pattern that matches no file, and no file has this name.
    case noMatch

    /// It is a named pipe, a socket or a device that was found in a directory or by a pattern.
    ///
    /// These are read only if their own path is given.
    case notRegular
  }

  /// The path.
  public var path: String

  /// The reason.
  public var reason: Reason
}
