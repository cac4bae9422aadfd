extension UInt8 {
  /// This byte, in lower case if it is an ASCII letter.
  @inline(__always)
  package var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

  /// A Boolean value indicating whether this byte is an ASCII digit.
  @inline(__always)
  package var isDigit: Bool { self &- 0x30 < 10 }

  /// A Boolean value indicating whether this byte is a hexadecimal digit.
  @inline(__always)
  package var isHexadecimalDigit: Bool { isDigit || (self | 0x20) &- 0x61 < 6 }
}

extension StaticString {
  /// Calls `body` with the text's bytes.
  func withUTF8Span<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    withUTF8Buffer { buffer in unsafe body(buffer.span) }
  }
}

extension Span<UInt8> {
  /// Appends these bytes to `output`.
  package func append(to output: inout [UInt8]) {
    unsafe withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
  }
}
