internal import Foundations

/// A function that writes bytes.
package typealias OutputSink = (_ bytes: [UInt8]) throws -> Void

/// Text on its way out: bytes that are passed on by the block, so that a report is
/// never in memory as a whole.
struct OutputBuffer {
  private let sink: OutputSink
  private var bytes: [UInt8] = []
  private var failure: (any Error)?

  private static let blockSize = 1 << 16

  init(_ sink: @escaping OutputSink) {
    self.sink = sink
    bytes.reserveCapacity(Self.blockSize * 2)
  }

  /// Appends a byte.
  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Appends text as it is.
  @inline(__always)
  mutating func append(_ text: String) { text.utf8.span.append(to: &bytes) }

  /// Appends a number of spaces.
  mutating func append(spaces count: Int) {
    for _ in 0..<count { bytes.append(UInt8(ascii: " ")) }
  }

  /// Passes on the appended output if there is enough of it.
  mutating func passOn() {
    if bytes.count >= Self.blockSize { flush() }
  }

  private mutating func flush() {
    // After a failure, no output is passed on; `finish` throws it.
    if failure == nil {
      do { try sink(bytes) } catch { failure = error }
    }
    bytes.removeAll(keepingCapacity: true)
  }

  /// Throws the failure of an earlier write, after which more output is useless.
  ///
  /// - Throws: The error of writing.
  func check() throws { if let failure { throw failure } }

  /// Passes on the rest.
  ///
  /// - Throws: The error of writing, now or before.
  mutating func finish() throws {
    flush()
    if let failure { throw failure }
  }
}
