#if ISAL
// Unsafe code: this file lends buffers to ISA-L. Each call gets its pointers inside
// one closure, and the function in C clears them before it returns, so that ISA-L
// keeps none. The state has one owner and is released with it.

internal import CISAL

/// A decoder of one gzip member at a time, by ISA-L.
@safe
final class IsalInflater: Inflater {
  private let decoder: UnsafeMutableRawPointer

  init() throws(LogDamage) {
    guard let decoder = unsafe cisal_create() else { throw LogDamage(.outOfMemory, offset: 0) }
    unsafe self.decoder = decoder
  }

  deinit { unsafe cisal_destroy(decoder) }

  func reset() { unsafe cisal_reset(decoder) }

  func inflate(
    _ input: Span<UInt8>, into output: inout MutableSpan<UInt8>, from start: Int
  ) -> InflateStep {
    unsafe input.withUnsafeBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        let free = unsafe UnsafeMutableBufferPointer(rebasing: output[start...])
        let offered = (UInt32(clamping: input.count), UInt32(clamping: free.count))
        var rest = offered
        let status = unsafe cisal_inflate(
          decoder, input.baseAddress, &rest.0, free.baseAddress, &rest.1)
        return InflateStep(
          consumed: Int(offered.0 - rest.0), produced: Int(offered.1 - rest.1),
          outcome: outcome(status))
      }
    }
  }

  private func outcome(_ status: CInt) -> InflateStep.Outcome {
    switch status {
    case ISAL_INCORRECT_CHECKSUM: .failure(.wrongChecksum)
    case ..<0: .failure(.invalidData)
    default: unsafe cisal_has_ended(decoder) != 0 ? .memberEnd : .more
    }
  }
}
#endif
