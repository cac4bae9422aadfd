internal import AccessLogs
internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// The words of a command line that name the traffic and the routes of a report.
///
/// Reports write commands to run next with them. Without words, they write `linkaudit explain CODE`.
package struct ReportWords {
  /// The words that name the logs and their format, or the store, and those that select requests;
  /// empty if they aren't known.
  var traffic: [String]

  /// The words that name the format, if it isn't detected.
  var format: [String]
  var routes: [String]

  /// Creates the words from options with their values.
  ///
  /// A store has no options that name a format or say how logs are read.
  package init(
    traffic: [String] = [], format: Options = [:], reading: Options = [:],
    selection: Options = [:], routes: Options = [:]
  ) {
    func words(_ options: Options) -> [String] {
      options.flatMap { name, values in values.compactMap(\.self).flatMap { [name, $0] } }
    }
    let logWords = traffic.first == "--store" ? [] : words(format) + words(reading)
    self.traffic = traffic + logWords + words(selection)
    (self.format, self.routes) = (words(format), words(routes))
  }

  package typealias Options = KeyValuePairs<String, [String?]>
}

/// The command to run next for a finding: it shows more of the problem, or helps to fix it.
struct NextCommand {
  /// The report that has the finding, or `nil` if only an explanation helps.
  var report: Report?
  let finding: Finding

  /// The command with its arguments, quoted for a shell.
  ///
  /// Arguments that a shell or a terminal could take for something else are never shown; the command
  /// then explains the finding.
  var text: String { quotedWords.joined(separator: " ") }

  private var quotedWords: [String] {
    guard let words = report?.nextWords(after: finding),
      words.allSatisfy({ SafeText.escaped($0) == $0 })
    else { return explanation }
    return words.map { $0.shellWord(isQuoted: false) }
  }

  /// Returns the command in at most `limit` lines of at most `width` columns.
  ///
  /// All lines but the last end with a backslash. If the command needs more lines, the result is a
  /// command that explains the finding.
  func lines(width: Int, limit: Int) -> [String] {
    var lines: [String] = []
    var parts: [String] = []
    for word in quotedWords {
      // An option and its value stay together.
      if let last = parts.last, last.hasPrefix("--"), !last.contains(" "), !word.hasPrefix("--") {
        parts[parts.count - 1] = last + " " + word
      } else {
        parts.append(word)
      }
    }
    for part in parts {
      if let last = lines.last, last.displayWidth + 3 + part.displayWidth <= width {
        lines[lines.count - 1] = last + " " + part
      } else {
        lines.append((lines.isEmpty ? "" : "  ") + part)
      }
    }
    guard lines.count <= limit, lines.allSatisfy({ $0.displayWidth + 2 <= width }) else {
      return [explanation.joined(separator: " ")]
    }
    return lines.dropLast().map { $0 + " \\" } + lines.suffix(1)
  }

  private var explanation: [String] { ["linkaudit", "explain", finding.code] }
}

extension Report {
  /// Returns the words of the command, or `nil` if only an explanation helps.
  fileprivate func nextWords(after finding: Finding) -> [String]? {
    let site = audit.sites.first { $0.host == finding.host }
    switch finding.code {
    case "same-host-links": return tableWords(Self.sameHostFixes.name, finding, site)
    case "implemented-not-claimed": return suggestionWords([], site)
    case "implemented-but-excluded": return suggestionWords(["--including-excluded"], site)
    case "file-too-large", "no-usable-rules", "matches-everything", "rule-shadowed":
      return site?.filePath.map { ["linkaudit", "lint", $0] }
    case "format-doubtful", "no-requests", "lines-rejected":
      return doubtfulLog(finding).map { ["linkaudit", "formats", "test", $0] + words.format }
    case "cause-\(Cause.fileNotDelivered.entry.name)", "cdn-behind", "certificate-expires":
      return finding.host.map { ["linkaudit", "fetch", $0] }
    case let code where code.hasPrefix("file-") || code.hasPrefix("served-file-"):
      return finding.host.map { ["linkaudit", "fetch", $0] }
    case let code where code.hasPrefix("cause-"):
      return tableWords(Self.causePaths.name, finding, site)
    case let code: return Self.table(code).flatMap { tableWords($0.name, finding, site) }
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

  private func tableWords(_ name: String, _ finding: Finding, _ site: SiteAudit?) -> [String]? {
    let readsStore = words.traffic.first == "--store"
    // A single site would count requests that name no host, which several don't.
    let needsAllSites =
      audit.sites.count > 1 && !readsStore && audit.otherHosts.hostless > 0
    guard !words.traffic.isEmpty,
      let siteWords = needsAllSites ? allSiteWords : site?.words(hasFile: !readsStore)
    else { return nil }
    let needsRoutes = finding.code == "claimed-not-implemented"
    return ["linkaudit", "report"] + words.traffic + siteWords + (needsRoutes ? words.routes : [])
      + ["--format", "csv", "--table", name]
  }

  private func suggestionWords(_ options: [String], _ site: SiteAudit?) -> [String]? {
    guard !words.traffic.isEmpty, !words.routes.isEmpty, let site,
      let siteWords = site.words(hasFile: true)
    else { return nil }
    let app = site.ruleLists.count > 1 ? site.ruleLists.first?.apps.first : nil
    return ["linkaudit", "suggest"] + words.traffic + siteWords + words.routes
      + (app.map { ["--app", $0.text] } ?? []) + options
  }

  private var allSiteWords: [String]? {
    var words: [String] = []
    for site in audit.sites {
      guard let file = site.filePath, file != "-" else { return nil }
      words += ["--site", "\(site.host)=\(file)"]
    }
    return words
  }
}

extension SiteAudit {
  fileprivate func words(hasFile: Bool) -> [String]? {
    guard hasFile else { return ["--host", host] }
    guard let filePath, filePath != "-" else { return nil }
    return ["--aasa", filePath, "--host", host]
  }
}
