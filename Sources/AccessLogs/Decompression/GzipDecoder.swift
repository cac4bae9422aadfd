// Unsafe code: this file lends buffers to libz. Each call of `inflate` gets its
// pointers inside one closure and they are cleared before it returns, so that
// libz keeps none. The stream is allocated once, has one owner, and is released
// with it.

internal import CZlib

/// A streaming decoder of gzip members that follow one another (RFC 1952, 2.2).
@safe
struct GzipDecoder: ~Copyable {
  /// How far a step came.
  struct Progress {
    /// The number of bytes of input used up.
    var consumed: Int

    /// The number of bytes of output written.
    var produced: Int
  }

  private enum State {
    /// Before a member: at the start, or behind the end of another one.
    case betweenMembers

    /// Inside a member.
    case inMember

    /// In the zeros with which tapes and some tools fill up the end.
    case inPadding
  }

  // libz stores the address of its stream, so it needs a fixed place.
  private let stream: UnsafeMutablePointer<z_stream>
  private var state = State.betweenMembers

  init() throws(LogDamage) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    guard unsafe czlib_inflateInitGzip(stream) == Z_OK else {
      unsafe stream.deallocate()
      throw LogDamage(.outOfMemory, offset: 0)
    }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// A Boolean value indicating whether the input may end here.
  var isAtEnd: Bool {
    if case .inMember = state { false } else { true }
  }

  /// Decodes bytes from `input` until it is used up or `output` is full.
  ///
  /// - Parameters:
  ///   - input: Compressed bytes.
  ///   - offset: Where `input` stands in the whole, for errors.
  ///   - output: Where the decoded bytes go.
  ///   - produced: The number of bytes that have been written to `output`, also
  ///     before an error.
  /// - Returns: The number of bytes of `input` used up.
  /// - Throws: ``LogDamage`` where the data is not valid.
  mutating func decode(
    _ input: Span<UInt8>, at offset: Int, into output: inout MutableSpan<UInt8>,
    produced: inout Int
  ) throws(LogDamage) -> Int {
    var used = 0
    while used < input.count, produced < output.count {
      switch state {
      case .inPadding:
        guard input[used] == 0 else { throw LogDamage(.trailingGarbage, offset: offset + used) }
        used += 1
        continue
      case .betweenMembers where offset + used > 0:
        switch input[used] {
        case 0:
          state = .inPadding
          continue
        case 0x1F: unsafe inflateReset(stream)
        default: throw LogDamage(.trailingGarbage, offset: offset + used)
        }
      default: break
      }
      state = .inMember
      let (progress, status) = inflateOnce(
        input.extracting(used..<input.count), into: &output, from: produced)
      used += progress.consumed
      produced += progress.produced
      switch status {
      case Z_OK, Z_BUF_ERROR: break
      case Z_STREAM_END: state = .betweenMembers
      case Z_MEM_ERROR: throw LogDamage(.outOfMemory, offset: offset + used)
      default: throw LogDamage(damage, offset: offset + used)
      }
    }
    return used
  }

  /// What libz complains about.
  private var damage: LogDamage.Kind {
    guard let message = unsafe stream.pointee.msg else { return .invalidData }
    return switch unsafe String(cString: message) {
    case "incorrect data check", "incorrect length check": .wrongChecksum
    default: .invalidData
    }
  }

  /// Calls `inflate` once.
  private mutating func inflateOnce(
    _ input: Span<UInt8>, into output: inout MutableSpan<UInt8>, from start: Int
  ) -> (Progress, status: CInt) {
    unsafe input.withUnsafeBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        let free = unsafe UnsafeMutableBufferPointer(rebasing: output[start...])
        unsafe stream.pointee.next_in = input.baseAddress
        unsafe stream.pointee.avail_in = uInt(clamping: input.count)
        unsafe stream.pointee.next_out = free.baseAddress
        unsafe stream.pointee.avail_out = uInt(clamping: free.count)
        let (offeredIn, offeredOut) = unsafe (stream.pointee.avail_in, stream.pointee.avail_out)
        defer {
          unsafe stream.pointee.next_in = nil
          unsafe stream.pointee.next_out = nil
        }
        let status = unsafe inflate(stream, Z_NO_FLUSH)
        let progress = unsafe Progress(
          consumed: Int(offeredIn - stream.pointee.avail_in),
          produced: Int(offeredOut - stream.pointee.avail_out))
        return (progress, status)
      }
    }
  }
}
