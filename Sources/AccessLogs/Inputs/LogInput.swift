internal import Foundations
internal import SystemPackage

/// A source of log lines: a file or standard input.
public struct LogInput: Hashable, Sendable {
  /// The path to show: for a file, as it was given or found; for standard input, `-` or its given
  /// name.
  public let path: String

  /// The size in bytes, or `nil` if it isn't known, as for a pipe.
  public let size: Int?

  /// A Boolean value indicating whether this is standard input.
  public let isStandardInput: Bool

  /// The error that prevented the listing of the directory that this input represents, or `nil`.
  let fault: Errno?

  public static func == (one: LogInput, other: LogInput) -> Bool {
    one.path.hasSameBytes(as: other.path) && one.size == other.size
      && one.isStandardInput == other.isStandardInput && one.fault == other.fault
  }

  /// Creates an input for a file.
  public init(path: String, size: Int? = nil) {
    (self.path, self.size, isStandardInput, fault) = (path, size, false, nil)
  }

  /// Creates an input that represents a directory that can't be listed.
  init(directory path: String, fault: Errno) {
    (self.path, size, isStandardInput, self.fault) = (path, nil, false, fault)
  }

  private init(standardInputNamed name: String) {
    (path, size, isStandardInput, fault) = (name, nil, true, nil)
  }

  /// Standard input.
  ///
  /// - Parameter name: Its name, such as the path of the log that comes from a
  ///   pipe.
  /// - Returns: The input.
  public static func standardInput(named name: String = "-") -> LogInput {
    LogInput(standardInputNamed: name)
  }
}
