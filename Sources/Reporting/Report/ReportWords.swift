internal import AccessLogs
internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// The command line of a report, which commands to run next repeat: a configuration that it uses says
/// the same to them.
package struct ReportWords {
  /// The logs as they are typed; none if a store or a configuration names them.
  let logs: [String]

  /// The typed options that say which requests count and how they are judged, each with its value.
  let options: [[String]]

  /// The options for the format of logs, if it isn't detected, wherever they are set.
  let format: [[String]]

  package init(
    logs: [String], options: [[String]], format: KeyValuePairs<String, String?> = [:]
  ) {
    (self.logs, self.options) = (logs, options)
    self.format = format.compactMap { name, value in value.map { [name, $0] } }
  }

  /// The greatest number of columns of logs that are named one by one; a shell can have named
  /// thousands.
  private static let logWidth = 60

  /// Whether a command reads the same again, as it can't from standard input, and names no log like
  /// an option.
  fileprivate var canBeRepeated: Bool {
    !logs.contains { $0.hasPrefix("-") }
      && !options.contains { $0.last == "-" || $0.last?.hasSuffix("=-") ?? false }
  }

  /// The logs if they are few, a pattern for exactly these logs, or else a word in their place.
  fileprivate var shownLogs: [[String]] {
    guard logs.count > 2, logs.joined(separator: " ").displayWidth > Self.logWidth else {
      return logs.map { [$0] }
    }
    let start = logs.commonStart
    let end = logs.map { String($0.dropFirst(start.count).reversed()) }.commonStart
    let pattern = start + "*" + String(end.reversed())
    let isExact = LogInput.discover([pattern]).inputs == LogInput.discover(logs).inputs
    return [[isExact ? pattern : "LOG..."]]
  }
}

extension [String] {
  /// The characters with which all of these texts begin.
  fileprivate var commonStart: String {
    dropFirst().reduce(first ?? "") { start, text in
      String(zip(start, text).prefix { $0 == $1 }.map(\.0))
    }
  }
}

extension Finding {
  /// The command that explains it.
  var explanation: String { "linkaudit explain \(code)" }
}

extension Report {
  /// Returns the command to run next for a finding, which shows more of the problem, or helps to fix
  /// it: words, and options with their values, quoted for a shell.
  ///
  /// Arguments that a shell or a terminal could take for something else are never shown; the command
  /// then explains the finding.
  func nextCommand(after finding: Finding) -> [String] {
    guard let parts = nextParts(after: finding),
      parts.joined().allSatisfy({ SafeText.escaped($0) == $0 })
    else { return [finding.explanation] }
    return parts.map { $0.map { $0.shellWord(isQuoted: false) }.joined(separator: " ") }
  }

  /// Returns the parts of the command, or `nil` if only an explanation helps.
  private func nextParts(after finding: Finding) -> [[String]]? {
    let site = audit.sites.first { $0.host == finding.host }
    switch finding.code {
    case "same-host-links": return tableParts(Self.sameHostFixes.name)
    case "implemented-not-claimed": return suggestionParts([], site)
    case "implemented-but-excluded": return suggestionParts(["--including-excluded"], site)
    case "file-too-large", "no-usable-rules", "matches-everything", "rule-shadowed":
      return site?.filePath.map { [["linkaudit", "lint"], [$0]] }
    case "format-doubtful", "no-requests", "lines-rejected":
      return doubtfulLog(finding).map {
        [["linkaudit", "formats", "test"], [$0]] + (words?.format ?? [])
      }
    case "cause-\(Cause.fileNotDelivered.entry.name)", "cdn-behind", "certificate-expires",
      _ where ["file-", "served-file-"].contains(where: finding.code.hasPrefix):
      // A host pattern has no file of its own.
      return (finding.host.map { [$0] } ?? []).onlyHost.map { [["linkaudit", "fetch"], [$0]] }
    case let code where code.hasPrefix("cause-"): return tableParts(Self.causePaths.name)
    case let code: return Self.table(code).flatMap { tableParts($0.name) }
    }
  }

  private func doubtfulLog(_ finding: Finding) -> String? {
    let inputs = digest.inputs.filter {
      $0.format.map { $0.name != LogFormat.rows.name } ?? ($0.tally.requests == 0)
    }
    let path =
      finding.code == "format-doubtful"
      ? inputs.first { $0.path == finding.evidence.logs.first }?.path
      : inputs.max { $0.tally.rejected < $1.tally.rejected }?.path
    return path == "-" ? nil : path
  }

  private func tableParts(_ name: String) -> [[String]]? {
    guard let words, words.canBeRepeated else { return nil }
    return [["linkaudit", "report"]] + words.shownLogs + words.options
      + [["--format", "csv"], ["--table", name]]
  }

  /// Returns a command about one site, for one of its apps.
  private func suggestionParts(_ flags: [String], _ site: SiteAudit?) -> [[String]]? {
    guard let words, words.canBeRepeated, let site, let filePath = site.filePath else { return nil }
    let others = audit.sites.map { $0.host + "=" }.filter { $0 != site.host + "=" }
    let own = words.options.filter { option in
      !["--aasa", "--host", "--site", "--app"].contains(option[0])
        && !others.contains { option.last?.lowercased().hasPrefix($0) ?? false }
    }
    let isOneOfSeveral = site.ruleLists.count > 1 || words.options.contains { $0[0] == "--app" }
    let app = isOneOfSeveral ? site.ruleLists.first?.apps.first : nil
    return [["linkaudit", "suggest"]] + words.shownLogs
      + [["--aasa", filePath], ["--host", site.host]] + own
      + (app.map { [["--app", $0.text]] } ?? [])
      + flags.map { [$0] }
  }
}
