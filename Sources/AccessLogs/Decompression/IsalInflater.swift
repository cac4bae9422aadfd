#if ISAL
// Unsafe code: this file lends buffers to ISA-L. Each call gets its pointers inside one closure,
// and the C function clears them before it returns, so that ISA-L keeps none. The state has one
// owner and is released with it.

internal import CISAL

/// A decoder of one gzip member at a time, by ISA-L.
@safe
final class IsalInflater: Inflater {
  private let decoder: UnsafeMutableRawPointer
  private var functions: cisal_library

  /// The functions of ISA-L, or `nil` if they aren't available on this machine.
  static let library: cisal_library? = {
    var library = cisal_library()
    return unsafe cisal_load(&library) != 0 ? library : nil
  }()

  /// Compresses bytes (RFC 1951), in a fifth of libz's time.
  ///
  /// - Returns: The compressed bytes, or `nil` if ISA-L isn't available, or has no memory for it.
  static func deflate(_ bytes: Span<UInt8>) -> [UInt8]? {
    guard var library else { return nil }
    let bound = cisal_deflate_bound(bytes.count)
    let output = unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, count in
      count = unsafe bytes.withUnsafeBufferPointer { input in
        unsafe cisal_deflate(
          &library, input.baseAddress, input.count, output.baseAddress, output.count)
      }
    }
    return output.isEmpty ? nil : output
  }

  /// The state of the member: the bytes used, the bytes produced, and the last bytes used before it
  /// produced any.
  private var position = 0
  private var length = 0
  private var tail = UInt128(0)

  init(_ library: cisal_library) throws(LogDamage) {
    functions = library
    guard let decoder = unsafe cisal_create(&functions) else {
      throw LogDamage(.outOfMemory, offset: 0)
    }
    unsafe self.decoder = decoder
  }

  deinit { unsafe cisal_destroy(decoder) }

  func reset() {
    unsafe cisal_reset(&functions, decoder)
    (position, length, tail) = (0, 0, 0)
  }

  func inflate(
    _ input: Span<UInt8>, from used: inout Int, into output: inout MutableSpan<UInt8>,
    at produced: inout Int
  ) -> InflateOutcome {
    // ISA-L skips flags that are reserved (RFC 1952, 2.3.1); libz refuses them.
    let flags = used + 3 - position
    if flags >= used, flags < input.count, input[flags] & 0xE0 != 0 {
      return .failure(.invalidData)
    }
    let (first, before) = (used, produced)
    let outcome = decode(input, from: &used, into: &output, at: &produced)
    position += used - first
    if length == 0 { tail.append(input.extracting(first..<used)) }
    length += produced - before
    // ISA-L accepts sets of codes that libz refuses. The checksum doesn't reveal it, because that
    // of empty data is 0.
    if case .memberEnd = outcome, length == 0, !endsWithEmptyBlock { return .failure(.invalidData) }
    return outcome
  }

  /// Whether the last bytes are those of an empty member as encoders write it.
  ///
  /// It is an empty block, with fixed codes or stored (RFC 1951, 3.2.3), then checksum and length.
  private var endsWithEmptyBlock: Bool {
    let block = tail >> 64
    return block & 0xFFFF == 0x0300 || block & 0xFF_FFFF_FFFF == 0x01_0000_FFFF
  }

  private func decode(
    _ input: Span<UInt8>, from used: inout Int, into output: inout MutableSpan<UInt8>,
    at produced: inout Int
  ) -> InflateOutcome {
    unsafe input.extracting(used..<input.count).withUnsafeBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        let free = unsafe UnsafeMutableBufferPointer(rebasing: output[produced...])
        let offered = (UInt32(clamping: input.count), UInt32(clamping: free.count))
        var rest = offered
        let status = unsafe cisal_inflate(
          &functions, decoder, input.baseAddress, &rest.0, free.baseAddress, &rest.1)
        // It can give back bytes of earlier calls, which are no longer available.
        guard rest.0 <= offered.0, rest.1 <= offered.1 else {
          return .failure(.invalidData)
        }
        used += Int(offered.0 - rest.0)
        produced += Int(offered.1 - rest.1)
        return outcome(status)
      }
    }
  }

  private func outcome(_ status: CInt) -> InflateOutcome {
    switch status {
    case ISAL_INCORRECT_CHECKSUM: .failure(.wrongChecksum)
    case ..<0: .failure(.invalidData)
    default: unsafe cisal_has_ended(decoder) != 0 ? .memberEnd : .more
    }
  }
}
#endif
