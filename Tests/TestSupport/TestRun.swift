import Foundation

/// How much a run of the tests tries, and with which random inputs.
public enum TestRun {
  /// A Boolean value indicating whether inputs are tried at full size, as `make test-full` does.
  public static let isFull: Bool =
    ProcessInfo.processInfo.environment["LINKAUDIT_FULL_TESTS"] != nil

  /// The seed of random inputs.
  ///
  /// The usual run takes the same one each time, so that a failure comes from the change that is
  /// tested. `LINKAUDIT_SEED` sets another one. A full run draws one for each test, and a test
  /// that fails prints its seed.
  public static var seed: UInt64 {
    if let text = ProcessInfo.processInfo.environment["LINKAUDIT_SEED"], let seed = UInt64(text) {
      return seed
    }
    return isFull ? UInt64.random(in: 0...UInt64.max) : 20_261_122
  }

  /// The number of rounds, or the size of an input: `full` in a full run, else `usual`.
  public static func size(full: Int, usual: Int) -> Int { isFull ? full : usual }

  /// A Boolean value indicating whether a tool that is missing fails a test instead of skipping it.
  public static let requiresTools: Bool =
    ProcessInfo.processInfo.environment["LINKAUDIT_NO_SKIPS"] != nil
}
