internal import ArgumentParser
internal import AuditStore
internal import Foundations
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
    do {
      let listing = try StoreListing(try AuditStore.reading(named.storeOptions.directory))
      try StandardStreams.write(
        listing.text(styleOptions.style(for: OutputFile(nil))))
    } catch let error as StoreError {
      throw Complaint(error)
    }
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
