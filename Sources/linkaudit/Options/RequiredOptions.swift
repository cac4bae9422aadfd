internal import ArgumentParser

/// Options that a command can't do without.
enum RequiredOptions {
  /// The title of their group in the help, which is the first one.
  static let title = "Main options, also in linkaudit.yml"
}

/// The store whose requests count instead of those of logs.
struct TrafficStoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Use the requests of this store instead of logs.", valueName: "directory"),
    completion: .directory)
  var store: String?

  /// Checks that the requests are those of a store or of logs.
  ///
  /// - Throws: `ValidationError` if both are named.
  func check(besides inputs: InputOptions) throws {
    guard store != nil, !inputs.isEmpty else { return }
    throw ValidationError(
      "'--store' and logs exclude each other; to add logs to a store, use 'linkaudit ingest'.")
  }
}
