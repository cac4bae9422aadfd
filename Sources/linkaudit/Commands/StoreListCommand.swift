internal import ArgumentParser
internal import AuditStore
internal import LinkAuditing
internal import Reporting
internal import SystemPackage
internal import TrafficDigest

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
    try StandardStreams.write(
      StoreListText(listing: listing, style: styleOptions.style(for: OutputFile(nil))).text)
  }
}
