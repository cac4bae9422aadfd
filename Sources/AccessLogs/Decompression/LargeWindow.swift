#if Zstd
internal import Dispatch

/// The right to decompress data that takes much memory, which one file has at a time.
///
/// Whoever has it reads its file to the end, or closes it, before turning to another one
/// that could need it.
final class LargeWindow: Sendable {
  /// Windows of no more bytes are for as many files at a time as there are workers: it is
  /// what `zstd -d` reads without being told to.
  static let freeLength = 1 << 27

  private static let turn = DispatchSemaphore(value: 1)

  /// Waits until nobody else has it.
  init() { Self.turn.wait() }

  deinit { Self.turn.signal() }
}
#endif
