internal import ArgumentParser
internal import AuditStore
internal import TrafficDigest

/// Recomputes the figures of a store.
struct StoreRebuildCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild",
    abstract: "Recompute all daily figures and findings of a store from its digests.",
    discussion: """
      Use it after a change of ignored paths, thresholds or routes, or an update of linkaudit. \
      Digests and the ledger stay as they are.
      """)

  @OptionGroup
  var judging: StoreJudgingOptions

  var configurationOptions: ConfigurationOptions { judging.configurationOptions }

  mutating func check() throws { try judging.check() }

  func run() throws {
    let store = try judging.storeOptions.changing()
    try store.rebuild(try judging.options(for: store))
  }
}
