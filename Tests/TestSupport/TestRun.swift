import Foundation

/// The extent of a test run, and its random inputs.
public enum TestRun {
  /// A Boolean value indicating whether inputs are tried at full size, as `make test-full` does.
  public static let isFull: Bool =
    ProcessInfo.processInfo.environment["LINKAUDIT_FULL_TESTS"] != nil

  /// The seed of random inputs.
  ///
  /// The usual run has the same seed each time, so that a failure comes from the tested change.
  /// `LINKAUDIT_SEED` sets another one. A full run chooses one and prints it.
  public static let seed: UInt64 = {
    if let text = ProcessInfo.processInfo.environment["LINKAUDIT_SEED"], let seed = UInt64(text) {
      return seed
    }
    guard isFull else { return 20_261_122 }
    let seed = UInt64.random(in: 0...UInt64.max)
    print("to repeat this run of the tests, set LINKAUDIT_SEED=\(seed)")
    return seed
  }()

  /// The number of rounds, or the size of an input: `full` in a full run, else `usual`.
  public static func size(full: Int, usual: Int) -> Int { isFull ? full : usual }

  /// The folder of the package.
  public static let packageFolder: String =
    URL(filePath: #filePath).appending(path: "../../..").standardized.path

  /// The folder of vectors and of files from the web, next to the package or as the environment says.
  public static let sharedFolder: String =
    ProcessInfo.processInfo.environment["LINKAUDIT_SHARED"]
    ?? URL(filePath: #filePath).appending(path: "../../../../shared").standardized.path

  /// A Boolean value indicating whether a missing tool fails a test instead of skipping it.
  public static let requiresTools: Bool =
    ProcessInfo.processInfo.environment["LINKAUDIT_NO_SKIPS"] != nil
}
