internal import Foundations

extension Span<UInt8> {
  /// Appends the line that Docker has wrapped in JSON, without its line terminator
  /// (https://docs.docker.com/engine/logging/drivers/json-file).
  ///
  ///     {"log":"192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] …\n","stream":"stdout","time":"…"}
  ///
  /// - Parameters:
  ///   - output: Where the line goes.
  ///   - escaped: Scratch space.
  /// - Returns: Whether this is such a line.
  func appendDockerLine(to output: inout [UInt8], _ escaped: inout [UInt8]) -> Bool {
    guard isDockerLine(), let end = dockerTextEnd else { return false }
    escaped.removeAll(keepingCapacity: true)
    FieldText.append(extracting(Self.dockerStart..<end), .json, to: &escaped)
    while let last = escaped.last, last == 0x0A || last == 0x0D { escaped.removeLast() }
    LogEscapes.append(undoing: escaped.span, to: &output)
    return true
  }

  /// Returns a Boolean value indicating whether Docker has cut a line.
  ///
  /// It does so after 16 KiB; only the last part ends in a line feed.
  ///
  /// - Parameter length: The length of the part.
  /// - Returns: Whether the line continues.
  func isPartialDockerLine(_ length: Int) -> Bool {
    guard length >= 16_000, let end = dockerTextEnd else { return false }
    return !begins(with: "\\n", at: end - 2)
  }

  private static var dockerStart: Int { 8 }

  /// Returns a Boolean value indicating whether a line begins as Docker's do.
  func isDockerLine() -> Bool { begins(with: "{\"log\":\"") }

  /// The position of the quote after the text, or `nil` if the line isn't Docker's.
  private var dockerTextEnd: Int? {
    closingQuote(from: Self.dockerStart)
      .flatMap { begins(with: "\",\"stream\":\"std", at: $0) ? $0 : nil }
  }
}

extension LineChunk {
  /// A Boolean value indicating whether the first line that isn't empty is Docker's.
  var isDockerLog: Bool {
    withBytes { bytes in
      var position = 0
      while let range = bytes.nextLine(&position) {
        guard !range.isEmpty else { continue }
        return bytes.extracting(range).isDockerLine()
      }
      return false
    }
  }
}
