internal import ArgumentParser
internal import AuditStore
internal import Foundations
internal import TrafficDigest

/// The store, and the behavior while another process is using it.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Use the store in this directory.", valueName: "directory"),
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

/// A day as people write it: `2026-11-19`.
struct StoredDate: ExpressibleByArgument {
  let day: Day

  init?(argument: String) {
    guard let day = Day(argument) else { return nil }
    self.day = day
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
