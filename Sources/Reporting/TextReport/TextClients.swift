internal import LinkAuditing
internal import TrafficDigest

/// The part of a text report that is about clients on Apple devices.
struct TextClients {
  let digest: TrafficDigest

  /// The number of rows.
  let top: Int

  let style: Style

  func lines() -> [String] {
    let counts = digest.clients.filter(\.platform.isApple)
    guard !counts.isEmpty else { return [] }
    let all = digest.tally.requests
    let rows = sums(counts) { $0.label }
    var table = TextTable([.right, .right, .left])
    table.add(["requests", "", "client"])
    for row in rows.prefix(top) {
      table.add([row.requests.grouped, row.requests.percent(of: all), row.name])
    }
    var lines =
      ["", style.bold("Clients on Apple devices")] + table.lines(flexible: 2, width: style.width)
    lines += style.more(rows.count, top: top)
    lines += versions(counts)
    if counts.contains(where: { $0.platform == .macos }) {
      lines += style.note(Report.noteOnTablets)
    }
    return lines
  }

  /// The versions of iOS, the heaviest first.
  private func versions(_ counts: [TrafficDigest.ClientCount]) -> [String] {
    let known = counts.filter { $0.systemVersion != nil }
    guard !known.isEmpty else { return [] }
    let whole = known.reduce(0) { $0 + $1.requests }
    let rows = sums(known) { $0.systemVersion.map(String.init) ?? "" }
    var parts = rows.prefix(top).map { "\($0.name) (\($0.requests.percent(of: whole)))" }
    if rows.count > top {
      parts.append("\((rows.count - top).grouped) more (--top)")
    }
    return ("Versions of iOS: " + parts.joined(separator: ", "))
      .wrapped(width: style.width, indent: "  ")
  }

  /// Adds up requests by name, the heaviest first, then by name.
  private func sums(
    _ counts: [TrafficDigest.ClientCount], name: (TrafficDigest.ClientCount) -> String
  ) -> [(name: String, requests: Int)] {
    var sums: [String: Int] = [:]
    for count in counts { sums[name(count), default: 0] += count.requests }
    return sums.map { (name: $0.key, requests: $0.value) }.sorted {
      $0.requests != $1.requests ? $0.requests > $1.requests : $0.name < $1.name
    }
  }
}

extension TrafficDigest.ClientCount {
  /// The client and where it runs.
  fileprivate var label: String {
    switch platform {
    case .macos: "\(client.name) on a Mac"
    case .inApp: "\(client.name), in the app"
    default: client.name
    }
  }
}

extension Report {
  /// The reason why Safari on an iPad counts as Safari on a Mac.
  static let noteOnTablets =
    "Safari on an iPad requests desktop pages, so it counts as Safari on a Mac."
}
