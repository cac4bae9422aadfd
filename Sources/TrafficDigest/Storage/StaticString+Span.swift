extension StaticString {
  /// Calls `body` with the text's bytes.
  func withUTF8Span<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    withUTF8Buffer { buffer in unsafe body(buffer.span) }
  }
}
