internal import ArgumentParser
internal import AuditStore
internal import LinkAuditing

/// Reads a whole store to see whether it holds together.
struct StoreCheckCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the checksums of a store and the consistency of its parts.",
    discussion: """
      Nothing is printed if all is well. The exit status is 2 if something isn't.
      """)

  @OptionGroup
  var named: NamedStoreOptions

  mutating func check() throws { try named.check() }

  func run() throws {
    let check: StoreCheck
    do throws(StoreError) {
      check = try StoreCheck(try AuditStore.reading(named.storeOptions.directory))
    } catch {
      throw Complaint(error)
    }
    if !check.leftovers.isEmpty {
      StandardStreams.complain(
        "\(check.leftovers.count.counted("file")) in '\(named.storeOptions.directory)/digests' "
          + "\(check.leftovers.count == 1 ? "belongs" : "belong") to no day, such as "
          + "'\(check.leftovers[0])'; the store leaves alone what isn't its own")
    }
    for problem in check.problems { StandardStreams.complain(problem) }
    guard check.problems.isEmpty else {
      StandardStreams.complain(
        "the store '\(named.storeOptions.directory)' is damaged; put a backup in its place, or "
          + "remove the days concerned with 'linkaudit store remove-day'")
      throw ExitStatus.failure
    }
  }
}
