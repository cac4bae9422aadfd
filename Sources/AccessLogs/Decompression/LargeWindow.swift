#if Zstd
internal import Dispatch

/// The right to decompress data that needs much memory; one file has it at a time.
///
/// The holder reads its file to the end, or closes it, before it opens another one that could need
/// the right.
final class LargeWindow: Sendable {
  /// The largest window that every worker may use at the same time: the limit of `zstd -d` without
  /// options.
  static let freeLength = 1 << 27

  private static let turn = DispatchSemaphore(value: 1)

  /// Waits until nobody else holds the right.
  init() { Self.turn.wait() }

  deinit { Self.turn.signal() }
}
#endif
