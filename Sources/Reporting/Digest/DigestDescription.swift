internal import AccessLogs
internal import LinkAuditing
package import TrafficDigest

/// The content of a digest, as text.
package struct DigestDescription {
  private let file: DigestFile
  private var hosts: [(host: String, targets: Int, requests: Int)] = []

  /// Reads a digest whole.
  ///
  /// - Throws: ``DigestFileError`` if it is damaged.
  package init(_ file: DigestFile) throws(DigestFileError) {
    self.file = file
    var hosts: [(host: String, targets: Int, requests: Int)] = []
    try file.verify { host, targets, requests in hosts.append((host, targets, requests)) }
    self.hosts = hosts
  }

  /// The text, with a line feed at the end.
  package var text: String {
    let tally = file.tally
    var lines = [
      "\(SafeText.escaped(file.path)): a digest of version \(DigestFile.version), "
        + "\(file.size.counted("byte")), undamaged",
      "  identity  \(file.identity)",
      "  input     \(file.inputs.count.counted("log")): \(tally.words)"
        + (tally.outside > 0
          ? ", \(tally.outside.counted("request")) outside the selected time" : ""),
      "  targets   \(file.targetCount.grouped)",
    ]
    if let times = file.times {
      lines.append("  time      \(times.lowerBound) to \(times.upperBound)")
    }
    if let first = file.days.first, let last = file.days.last {
      lines.append(
        "  days      \(file.days.count.grouped), " + (first == last ? "" : "\(first) to ")
          + "\(last)")
    }
    if file.hasUndatedRequests { lines.append("  undated   some requests have no time") }
    lines += ["", "  Hosts"] + hostLines + ["", "  Logs"] + file.inputs.flatMap(self.lines)
    return lines.joined(separator: "\n") + "\n"
  }

  private var hostLines: [String] {
    var table = TextTable([.right, .right, .left])
    table.add(["targets", "requests", "host"])
    for host in hosts {
      table.add([
        host.targets.grouped, host.requests.grouped,
        host.host.isEmpty ? "(none)" : SafeText.escaped(host.host),
      ])
    }
    return table.lines(flexible: 2).map { "  " + $0 }
  }

  private func lines(of input: TrafficDigest.Input) -> [String] {
    let settings = input.settings
    var facts = [InputStatus(input.damage).rawValue]
    if let format = input.format {
      facts.append(format.name + (settings.namesFormat ? " (as named)" : ""))
    }
    facts.append(input.tally.words)
    var lines = [
      "    \(SafeText.escaped(input.path))",
      "      \(SafeText.escaped(facts.joined(separator: ", ")))",
    ]
    if let damage = input.damage { lines.append("      ! \(damage)") }
    if let host = settings.defaultHost {
      lines.append("      host of lines without one: \(SafeText.escaped(host))")
    }
    for (name, bound) in [("since", settings.since), ("until", settings.until)] {
      if let bound { lines.append("      \(name) \(SafeText.escaped(bound))") }
    }
    if let fingerprint = input.fingerprint {
      lines.append(
        "      content \(fingerprint), \(fingerprint.length.counted("byte"))")
    }
    return lines
  }
}
