// Unsafe code: a span is appended to an array as the buffer that it is, in one
// copy; byte by byte, the array would be asked for room at each. The buffer never
// leaves the closure.

extension [UInt8] {
  /// Adds the bytes of a span at the end.
  package mutating func append(contentsOf bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
