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
  @Option(
    help: .usual("Use the store in this directory.", valueName: "directory"),
    completion: .directory)
  var store: String?

  @Option(
    help: ArgumentHelp(
      "Wait this long for another process that uses the store. (default: 0)",
      valueName: "seconds"))
  var wait: Double?

  /// Checks the options after a configuration has completed them.
  ///
  /// - Throws: `ValidationError` if an option is invalid.
  func check() throws {
    guard let store, !store.isEmpty else {
      throw ValidationError(
        "no store; pass its directory, as in '--store /var/lib/linkaudit'.")
    }
    if let wait, !(0...86_400).contains(wait) {
      throw ValidationError("'--wait' must be from 0 to 86400 seconds, but it is \(wait).")
    }
  }

  /// The directory, which ``check()`` has seen.
  var directory: String { store ?? "" }

  /// Opens the store to change it.
  ///
  /// - Parameter isMade: Whether to create a missing store.
  /// - Returns: The store, which no other process can change while it is open.
  /// - Throws: `StoreError` if it can't be opened.
  func changing(isMade: Bool = false) throws(StoreError) -> AuditStore {
    try AuditStore.changing(directory, isMade: isMade, wait: wait ?? 0)
  }

  /// Completes missing options from a configuration.
  mutating func apply(_ configuration: Configuration) { fill(&store, configuration.store) }
}

/// The store that a command is about, which the command line or the configuration names.
struct NamedStoreOptions: ParsableArguments {
  @OptionGroup(title: RequiredOptions.title)
  var storeOptions: StoreOptions

  @OptionGroup(title: "Configuration")
  var configurationOptions: ConfigurationOptions

  /// Completes missing options from the configuration, and checks all of them.
  ///
  /// - Returns: The configuration.
  /// - Throws: `ValidationError` if an option is invalid.
  @discardableResult
  mutating func check() throws -> Configuration {
    let configuration = try configurationOptions.load()
    storeOptions.apply(configuration)
    try storeOptions.check()
    return configuration
  }
}

/// A store, and the options for judging its days again.
struct StoreJudgingOptions: ParsableArguments {
  @OptionGroup
  var named: NamedStoreOptions

  @OptionGroup(title: "App")
  var routeOptions: RouteOptions

  @OptionGroup(title: "Stored figures")
  var judgingOptions: JudgingOptions

  @OptionGroup(title: "Resources")
  var workerOptions: WorkerOptions

  /// Completes the options from the configuration, and checks them.
  ///
  /// - Throws: `ValidationError` if they don't fit together.
  mutating func check() throws {
    let configuration = try named.check()
    try judgingOptions.apply(configuration)
    try routeOptions.apply(configuration)
    fill(&workerOptions.jobs, configuration.jobs)
    fill(&workerOptions.temporaryDirectory, configuration.temporaryDirectory)
    try judgingOptions.check()
    try workerOptions.check()
  }

  /// Returns the options for judging the days of a store.
  ///
  /// - Throws: ``Complaint`` if routes can't be read, and `StoreError` if the store can't be read.
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
