internal import ArgumentParser
internal import AuditStore
internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import SystemPackage
internal import TrafficDigest

/// The commands that maintain a store.
struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Check, list and repair a store.",
    discussion: """
      EXAMPLES
        linkaudit store list --store /var/lib/linkaudit
        linkaudit store check --store /var/lib/linkaudit
        linkaudit store remove-day 2026-11-19 --store /var/lib/linkaudit
        linkaudit store rename-host shop.example www.shop.example \\
            --store /var/lib/linkaudit
        linkaudit store remove-site wwww.example.com --store /var/lib/linkaudit
        linkaudit store rebuild --store /var/lib/linkaudit --routes routes.txt
      """,
    subcommands: [
      StoreListCommand.self, StoreCheckCommand.self, StoreRemoveDayCommand.self,
      StoreRemoveSiteCommand.self, StoreRenameHostCommand.self, StoreRebuildCommand.self,
    ]
  )
}

/// Lists the content of a store.
struct StoreListCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the days and association files of a store.",
    usage: "linkaudit store list [<options>]")

  @OptionGroup
  var named: NamedStoreOptions

  @OptionGroup
  var styleOptions: StyleOptions

  mutating func check() throws { try named.check() }

  func run() throws {
    let listing = try StoreListing(try AuditStore.reading(named.storeOptions.directory))
    try StandardStreams.write(listing.text(styleOptions.style(for: OutputFile(nil))))
  }
}

extension StoreListing {
  /// The text, with a line feed at the end.
  fileprivate func text(_ style: Style) -> String {
    var lines = [
      "\(logs.counted("log")), \(self.lines.counted("line")), "
        + "\(runs.counted("run"))"
        + (lastRun.map { ", the last one at " + SafeText.escaped($0) } ?? "")
    ]
    if !files.isEmpty { lines += ["", style.bold("Association files")] + fileLines }
    if !days.isEmpty { lines += ["", style.bold("Days")] + dayLines }
    return lines.joined(separator: "\n") + "\n"
  }

  private var fileLines: [String] {
    var table = TextTable([.left, .left, .right, .left])
    table.add(["from", "host", "bytes", "file"])
    for file in files {
      table.add([
        SafeText.escaped(file.day), SafeText.escaped(file.host), file.size.grouped,
        SafeText.escaped(file.path),
      ])
    }
    return table.lines(flexible: 3)
  }

  private var dayLines: [String] {
    var table = TextTable([.left, .right, .right, .right, .right])
    table.add(["day", "requests", "logs", "targets", "bytes"])
    for day in days {
      table.add([
        day.day?.description ?? "undated", day.requests.grouped, day.logs.grouped,
        day.targets.grouped, day.size.grouped,
      ])
    }
    return table.lines(flexible: 0)
  }
}

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

/// Removes sites from a store.
struct StoreRemoveSiteCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-site",
    abstract: "Remove sites from a store: their association files and their figures.",
    usage: "linkaudit store remove-site [<options>] <host> ...",
    discussion: """
      Use it if 'linkaudit ingest' was run with a wrong '--host'. The store keeps the requests \
      for the host, which then belong to no site.

      EXAMPLES
        linkaudit store remove-site wwww.example.com --store /var/lib/linkaudit
      """)

  @Argument(
    help: ArgumentHelp(
      "Hosts of sites, as 'linkaudit store list' shows them.", valueName: "host"))
  var hosts: [String]

  @OptionGroup
  var named: NamedStoreOptions

  mutating func check() throws {
    try named.check()
    hosts = try hosts.map { try HostArgument.validated($0, allowsWildcard: true) }
  }

  func run() throws {
    var missing: [String] = []
    let store = try named.storeOptions.changing()
    for host in hosts {
      guard let requests = try store.removeSite(host) else {
        missing.append(host)
        continue
      }
      guard requests > 0 else { continue }
      StandardStreams.complain(
        "the store keeps \(requests.counted("request")) for '\(host)', which belong to no "
          + "site now; to update the findings of their days, run 'linkaudit store rebuild'")
    }
    let known = try StoredSites(store).hosts
    guard !missing.isEmpty else { return }
    StandardStreams.complain(
      "the store has no site \(missing.map { "'\($0)'" }.joined(separator: ", ")); it has "
        + (known.isEmpty ? "none" : known.joined(separator: ", ")))
    throw ExitStatus.failure
  }
}

/// Renames a host in a store.
struct StoreRenameHostCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename-host",
    abstract: "Rename a host, so that its requests count for another one.",
    usage: "linkaudit store rename-host [<options>] <host> <new-host>",
    discussion: """
      Use it if 'linkaudit ingest' was run with a wrong '--host', or if a site has a new name. \
      The new host gets the association files of the old one, unless it has its own. linkaudit \
      recomputes all figures of the days concerned.

      Counts of same-host links don't change, because a store doesn't keep referrers of other \
      hosts. If '--host' was wrong, links from the right host count as links from another site.

      EXAMPLES
        linkaudit store rename-host shop.example www.shop.example \\
            --store /var/lib/linkaudit
      """)

  @Argument(help: ArgumentHelp("The host to rename.", valueName: "host"))
  var host: String

  @Argument(help: ArgumentHelp("Its new name.", valueName: "new-host"))
  var newHost: String

  @OptionGroup
  var judging: StoreJudgingOptions

  var configurationOptions: ConfigurationOptions { judging.named.configurationOptions }

  mutating func check() throws {
    try judging.check()
    host = try HostArgument.validated(host, allowsWildcard: false)
    newHost = try HostArgument.validated(newHost, allowsWildcard: false)
    if host == newHost {
      throw ValidationError("the host and its new name are the same; pass two different hosts.")
    }
  }

  func run() throws {
    let store = try judging.named.storeOptions.changing()
    let renamed = try store.renameHost(
      host, to: newHost, try judging.options(for: store))
    guard let renamed else {
      throw Complaint("the store has no requests and no site of '\(host)'")
    }
    StandardStreams.complain(
      "\(renamed.requests.counted("request")) on \(renamed.days.counted("day")) now "
        + "\(renamed.requests == 1 ? "counts" : "count") for '\(newHost)'; counts of same-host links "
        + "did not change")
  }
}

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

  var configurationOptions: ConfigurationOptions { judging.named.configurationOptions }

  mutating func check() throws { try judging.check() }

  func run() throws {
    let store = try judging.named.storeOptions.changing()
    try store.rebuild(try judging.options(for: store))
  }
}
