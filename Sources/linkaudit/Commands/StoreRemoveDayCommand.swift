internal import ArgumentParser
internal import AuditStore
internal import Foundations
internal import TrafficDigest

/// Removes days from a store.
struct StoreRemoveDayCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-day",
    abstract: "Remove days from a store: their digests and their figures.",
    usage: "linkaudit store remove-day [<options>] <day> ...",
    discussion: """
      The store still knows the logs of these days, so 'ingest' doesn't add them again.

      EXAMPLES
        linkaudit store remove-day 2026-11-19 --store /var/lib/linkaudit
        linkaudit store remove-day undated --store /var/lib/linkaudit
      """)

  /// A day, or that of requests without a time.
  struct Chosen: ExpressibleByArgument {
    let day: Day?

    init?(argument: String) {
      guard argument == "undated" || Day(argument) != nil else { return nil }
      day = Day(argument)
    }
  }

  @Argument(
    help: ArgumentHelp(
      "Days, such as 2026-11-19; 'undated' for requests without a time.", valueName: "day"))
  var days: [Chosen]

  @OptionGroup
  var named: NamedStoreOptions

  mutating func check() throws { try named.check() }

  func run() throws {
    let removed = try named.storeOptions.changing().removeDays(days.map(\.day))
    let missing = days.filter { !removed.contains($0.day) }.map {
      $0.day?.description ?? "undated"
    }
    if !missing.isEmpty {
      StandardStreams.complain("the store has nothing of \(missing.joined(separator: ", "))")
      throw ExitStatus.failure
    }
  }
}
