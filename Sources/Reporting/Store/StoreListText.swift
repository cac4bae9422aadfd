package import AuditStore
internal import Foundations
internal import LinkAuditing
internal import TrafficDigest

/// The content of a store, as text.
package struct StoreListText {
  let listing: StoreListing
  let style: Style

  package init(listing: StoreListing, style: Style) {
    self.listing = listing
    self.style = style
  }

  /// The text, with a line feed at the end.
  package var text: String {
    var lines = [
      "\(listing.logs.counted("log")), \(listing.lines.counted("line")), "
        + "\(listing.runs.counted("run"))"
        + (listing.lastRun.map { ", the last one at " + SafeText.escaped($0) } ?? "")
    ]
    if !listing.files.isEmpty { lines += ["", style.bold("Association files")] + fileLines }
    if !listing.days.isEmpty { lines += ["", style.bold("Days")] + dayLines }
    return lines.joined(separator: "\n") + "\n"
  }

  private var fileLines: [String] {
    var table = TextTable([.left, .left, .right, .left])
    table.add(["from", "host", "bytes", "file"])
    for file in listing.files {
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
    for day in listing.days {
      table.add([
        day.day?.description ?? "undated", day.requests.grouped, day.logs.grouped,
        day.targets.grouped, day.size.grouped,
      ])
    }
    return table.lines(flexible: 0)
  }
}
