/// A path that was given and holds nothing to read, and why.
public struct InputProblem: Error, Hashable, Sendable {
  /// The reason why a path can't be read.
  public enum Reason: Hashable, Sendable {
    /// It is a directory without files whose names don't begin with a full stop.
    case emptyDirectory

    /// Another path has led to the same file, which is read once.
    case sameFile(as: String)

    /// It is a pattern that no file matches, and no file has it as its name.
    case noMatch

    /// It was found in a directory or by a pattern, and is a named pipe, a socket or a device: only
    /// the path itself asks for reading it.
    case notRegular
  }

  /// The path.
  public var path: String

  /// The reason.
  public var reason: Reason
}
