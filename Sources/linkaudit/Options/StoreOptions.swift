internal import ArgumentParser
internal import AuditStore
internal import Foundations
internal import TrafficDigest

/// Options that a command can't do without.
enum RequiredOptions {
  /// The title of their group in the help, which is the first one.
  static let title = "Main options, also in linkaudit.yml"
}

/// The store, and the behavior while another process is using it.
struct StoreOptions: ParsableArguments {
  @Option(help: .usual("Use the store in this directory.", "directory"), completion: .directory)
  var store: String?

  @Option(
    help: .rare("Wait this long for another process. (default: 0)", "seconds"),
    transform: number(0...86_400, "must be from 0 to 86400 seconds"))
  var wait: Double?

  /// Checks the options after a configuration has completed them.
  func check() throws {
    guard let store, !store.isEmpty else {
      throw ValidationError("no store; pass its directory, as in '--store /var/lib/linkaudit'.")
    }
  }

  /// The directory, which ``check()`` has seen.
  var directory: String { store ?? "" }

  /// Opens the store to change it.
  func changing(isMade: Bool = false) throws(StoreError) -> AuditStore {
    try AuditStore.changing(directory, isMade: isMade, wait: wait ?? 0)
  }
}

/// A command about the store that the command line or the configuration names.
protocol StoreSubcommand: ConfiguredCommand {
  var storeOptions: StoreOptions { get }
}

extension StoreSubcommand {
  func check() throws { try storeOptions.check() }

  func arguments(from configuration: Configuration) throws -> [String] {
    configuration.options(of: [.store], for: Self.self)
  }
}

/// A command that judges the days of a store again.
protocol StoreJudgingSubcommand: StoreSubcommand {
  var judging: StoreJudgingOptions { get }
}

extension StoreJudgingSubcommand {
  func arguments(from configuration: Configuration) throws -> [String] {
    configuration.options(of: [.store, .judging, .resources], for: Self.self)
      + configuration.routeOptions(judging.routeOptions)
  }
}

/// The options for judging the days of a store again.
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

/// A number of days as people write it: `400d`, `60w`.
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
  /// Explains an error of a store, with its remedy.
  init(_ error: StoreError) {
    switch error {
    case .digest(let error): self.init(error, isStored: true)
    case .system(_, let cause): self.init("\(error); \(cause.writingRemedy("--store"))")
    default: self.init("\(error)")
    }
  }
}
