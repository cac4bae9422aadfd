/// A source of log lines: a file or standard input.
public struct LogInput: Hashable, Sendable {
  /// The path as it is shown: that of a file as it was given or found, and `-`
  /// for standard input.
  public let path: String

  /// The size in bytes, or `nil` if it isn't known, as for a pipe.
  public let size: Int?

  /// Creates an input for a file.
  public init(path: String, size: Int? = nil) {
    self.path = path
    self.size = size
  }

  /// Standard input.
  public static let standardInput = LogInput(path: "-")

  /// A Boolean value indicating whether this is standard input.
  public var isStandardInput: Bool { path == "-" }
}
