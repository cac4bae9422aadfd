internal import ArgumentParser
internal import AuditStore
internal import LinkAuditing

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
