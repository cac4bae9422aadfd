internal import ArgumentParser
internal import AuditStore
internal import LinkAuditing

/// Reads a whole store to see whether it holds together.
struct StoreCheckCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the checksums of a store and the consistency of its parts.",
    usage: "linkaudit store check [<options>]",
    discussion: """
      Prints nothing if the store is sound, else exits with status 2.
      """)

  @OptionGroup
  var named: NamedStoreOptions

  mutating func check() throws { try named.check() }

  func run() throws {
    let check = try StoreCheck(try AuditStore.reading(named.storeOptions.directory))
    if !check.leftovers.isEmpty {
      StandardStreams.complain(
        "\(check.leftovers.count.counted("file")) in '\(named.storeOptions.directory)/digests' "
          + "\(check.leftovers.count == 1 ? "belongs" : "belong") to no day, such as "
          + "'\(check.leftovers[0])'; linkaudit doesn't remove files that it didn't write")
    }
    for problem in check.problems { StandardStreams.complain(problem) }
    guard check.problems.isEmpty else {
      StandardStreams.complain(
        "the store '\(named.storeOptions.directory)' is damaged; restore a backup, or "
          + "remove the damaged days with 'linkaudit store remove-day'")
      throw ExitStatus.failure
    }
  }
}
