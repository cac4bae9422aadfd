internal import ArgumentParser
internal import AuditStore
internal import LinkAuditing
internal import TrafficDigest

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

  var configurationOptions: ConfigurationOptions { judging.configurationOptions }

  mutating func check() throws {
    try judging.check()
    host = try HostArgument.validated(host, allowsWildcard: false)
    newHost = try HostArgument.validated(newHost, allowsWildcard: false)
    if host == newHost {
      throw ValidationError("the host and its new name are the same; pass two different hosts.")
    }
  }

  func run() throws {
    let store = try judging.storeOptions.changing()
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
