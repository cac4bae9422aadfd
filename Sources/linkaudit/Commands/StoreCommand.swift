internal import ArgumentParser
internal import AuditStore
internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import SystemPackage
internal import TrafficDigest

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

struct StoreListCommand: StoreSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the days and association files of a store.",
    usage: "linkaudit store list [<options>]")

  @OptionGroup(title: ConfigurationOptions.mainTitle) var storeOptions: StoreOptions
  @OptionGroup(title: "Configuration") var configurationOptions: ConfigurationOptions
  @OptionGroup var styleOptions: StyleOptions

  func run() throws {
    let listing = try StoreListing(try AuditStore.reading(storeOptions.directory))
    try StandardStreams.write(listing.text(styleOptions.style(for: OutputFile(nil))))
  }
}

extension StoreListing {
  fileprivate func text(_ style: Style) -> String {
    var lines = [
      "\(logs.counted("log")), \(self.lines.counted("line")), \(runs.counted("run"))"
        + (lastRun.map { ", the last one at " + SafeText.escaped($0) } ?? "")
    ]
    if !files.isEmpty {
      let rows = files.map { file in
        [
          SafeText.escaped(file.day), SafeText.escaped(file.host), file.size.grouped,
          SafeText.escaped(file.path),
        ]
      }
      lines += ["", style.bold("Association files")]
      lines += ([["from", "host", "bytes", "file"]] + rows).lines(numbers: [2], flexible: 3)
    }
    if !days.isEmpty {
      let heads = ["day", "requests", "logs", "targets", "bytes"]
      let rows = days.map { day in
        [
          day.day?.description ?? "undated", day.requests.grouped, day.logs.grouped,
          day.targets.grouped, day.size.grouped,
        ]
      }
      lines += ["", style.bold("Days")]
      lines += ([heads] + rows).lines(numbers: [1, 2, 3, 4], flexible: 0)
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

struct StoreCheckCommand: StoreSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the checksums of a store and the consistency of its parts.",
    usage: "linkaudit store check [<options>]",
    discussion: """
      Prints nothing if the store is sound, else exits with status 2.
      """)

  @OptionGroup(title: ConfigurationOptions.mainTitle) var storeOptions: StoreOptions
  @OptionGroup(title: "Configuration") var configurationOptions: ConfigurationOptions

  func run() throws {
    let check = try StoreCheck(try AuditStore.reading(storeOptions.directory))
    if !check.leftovers.isEmpty {
      warn(
        "\(check.leftovers.count.counted("file")) in '\(storeOptions.directory)/digests' "
          + "\(check.leftovers.count == 1 ? "belongs" : "belong") to no day, such as "
          + "'\(check.leftovers[0])'; linkaudit doesn't remove files that it didn't write")
    }
    for problem in check.problems { warn(problem) }
    guard check.problems.isEmpty else {
      warn(
        "the store '\(storeOptions.directory)' is damaged; restore a backup, or "
          + "remove the damaged days with 'linkaudit store remove-day'")
      throw ExitStatus.failure
    }
  }
}

struct StoreRemoveDayCommand: StoreSubcommand {
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

  struct Chosen: ExpressibleByArgument {
    let day: Day?

    init?(argument: String) {
      guard argument == "undated" || Day(argument) != nil else { return nil }
      day = Day(argument)
    }
  }

  @Argument(help: .rare("Days, such as 2026-11-19, or 'undated'.", "day"))
  var days: [Chosen]

  @OptionGroup(title: ConfigurationOptions.mainTitle) var storeOptions: StoreOptions
  @OptionGroup(title: "Configuration") var configurationOptions: ConfigurationOptions

  func run() throws {
    let removed = try storeOptions.changing().removeDays(days.map(\.day))
    let missing = days.filter { !removed.contains($0.day) }.map {
      $0.day?.description ?? "undated"
    }
    if !missing.isEmpty {
      warn("the store has nothing of \(missing.joined(separator: ", "))")
      throw ExitStatus.failure
    }
  }
}

struct StoreRemoveSiteCommand: StoreSubcommand {
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
    help: .rare("Hosts of sites, as 'linkaudit store list' shows them.", "host"),
    transform: HostArgument.pattern)
  var hosts: [String]

  @OptionGroup(title: ConfigurationOptions.mainTitle) var storeOptions: StoreOptions
  @OptionGroup(title: "Configuration") var configurationOptions: ConfigurationOptions

  func run() throws {
    var missing: [String] = []
    let store = try storeOptions.changing()
    for host in hosts {
      guard let requests = try store.removeSite(host) else {
        missing.append(host)
        continue
      }
      guard requests > 0 else { continue }
      warn(
        "the store keeps \(requests.counted("request")) for '\(host)', which belong to no "
          + "site now; to update the findings of their days, run 'linkaudit store rebuild'")
    }
    let known = try store.siteHosts()
    guard !missing.isEmpty else { return }
    warn(
      "the store has no site \(missing.map { "'\($0)'" }.joined(separator: ", ")); it has "
        + (known.isEmpty ? "none" : known.joined(separator: ", ")))
    throw ExitStatus.failure
  }
}

struct StoreRenameHostCommand: StoreJudgingSubcommand {
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

  @Argument(help: .rare("The host to rename.", "host"), transform: HostArgument.single)
  var host: String

  @Argument(help: .rare("Its new name.", "new-host"), transform: HostArgument.single)
  var newHost: String

  @OptionGroup(title: ConfigurationOptions.mainTitle) var storeOptions: StoreOptions
  @OptionGroup var judging: StoreJudgingOptions
  @OptionGroup(title: "Configuration") var configurationOptions: ConfigurationOptions

  func validate() throws {
    try refuse(
      if: host == newHost, "the host and its new name are the same; pass two different hosts.")
  }

  func run() throws {
    let store = try storeOptions.changing()
    guard let renamed = try store.renameHost(host, to: newHost, try judging.options(for: store))
    else { throw Complaint("the store has no requests and no site of '\(host)'") }
    warn(
      "\(renamed.requests.counted("request")) on \(renamed.days.counted("day")) now "
        + "\(renamed.requests == 1 ? "counts" : "count") for '\(newHost)'; counts of same-host links "
        + "did not change")
  }
}

struct StoreRebuildCommand: StoreJudgingSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild",
    abstract: "Recompute all daily figures and findings of a store from its digests.",
    discussion: """
      Use it after a change of ignored paths, thresholds or routes, or an update of linkaudit. \
      Digests and the ledger stay as they are.
      """)

  @OptionGroup(title: ConfigurationOptions.mainTitle) var storeOptions: StoreOptions
  @OptionGroup var judging: StoreJudgingOptions
  @OptionGroup(title: "Configuration") var configurationOptions: ConfigurationOptions

  func run() throws {
    let store = try storeOptions.changing()
    try store.rebuild(try judging.options(for: store))
  }
}

struct StoreOptions: ParsableArguments {
  @Option(help: .usual("Use the store in this directory.", "directory"), completion: .directory)
  var store: String?

  @Option(
    help: .rare("Wait this long for another process. (default: 0)", "seconds"),
    transform: number(0...86_400, "must be from 0 to 86400 seconds"))
  var wait: Double?

  func check() throws {
    guard let store, !store.isEmpty else {
      throw ValidationError("no store; pass its directory, as in '--store /var/lib/linkaudit'.")
    }
  }

  var directory: String { store ?? "" }

  func changing(isMade: Bool = false) throws(StoreError) -> AuditStore {
    try AuditStore.changing(directory, isMade: isMade, wait: wait ?? 0)
  }
}

protocol StoreSubcommand: ConfiguredCommand {
  var storeOptions: StoreOptions { get }
}

extension StoreSubcommand {
  func check() throws { try storeOptions.check() }

  func arguments(from configuration: Configuration) throws -> [String] {
    configuration.options(of: [.store], for: Self.self)
  }
}

protocol StoreJudgingSubcommand: StoreSubcommand {
  var judging: StoreJudgingOptions { get }
}

extension StoreJudgingSubcommand {
  func arguments(from configuration: Configuration) throws -> [String] {
    configuration.options(of: [.store, .judging, .resources], for: Self.self)
      + configuration.routeOptions(judging.routeOptions)
  }
}

struct StoreJudgingOptions: ParsableArguments {
  @OptionGroup(title: "App") var routeOptions: RouteOptions
  @OptionGroup(title: "Stored figures") var judgingOptions: JudgingOptions
  @OptionGroup(title: "Resources") var workerOptions: WorkerOptions

  func options(for store: AuditStore) throws -> IngestOptions {
    let reduction = try workerOptions.reductionOptions()
    var options = IngestOptions(
      reduction: reduction, audit: try judgingOptions.auditOptions(jobs: reduction.jobs))
    options.routes = try StoreSites(store, routeOptions).routes()
    return options
  }
}

struct DayCount: ExpressibleByArgument {
  let days: Int

  init?(argument: String) {
    guard let unit = argument.lowercased().last, let count = Int(argument.dropLast()),
      (1...100_000).contains(count), unit == "d" || unit == "w"
    else { return nil }
    days = unit == "w" ? count * 7 : count
  }
}

extension Complaint {
  init(_ error: StoreError) {
    switch error {
    case .digest(let error): self.init(error, isStored: true)
    case .system(_, let cause): self.init("\(error); \(cause.writingRemedy("--store"))")
    default: self.init("\(error)")
    }
  }
}
