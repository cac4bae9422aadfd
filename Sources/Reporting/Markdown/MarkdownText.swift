internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// Text in GitHub Flavored Markdown (https://github.github.com/gfm/), which GitLab also reads.
enum MarkdownText {
  /// A text as it is, without any mark-up, link, mention or reference that it could be taken for.
  static func escaped(_ text: String) -> String {
    var output = ""
    // Scalars, as marks that combine with them would hide these characters from a comparison.
    for scalar in SafeText.escaped(text).unicodeScalars {
      switch scalar {
      case "\\", "`", "*", "_", "[", "]", "~", "|", "#", "!": output += "\\" + String(scalar)
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      case "&": output += "&amp;"
      // Sites link mentions and addresses after they have parsed the Markdown, so only a comment
      // prevents that.
      case "@": output += "@<!-- -->"
      case ":" where output.endsWith("http") || output.endsWith("https") || output.endsWith("ftp"):
        output += ":<!-- -->"
      case "." where output.endsWith("www"): output += ".<!-- -->"
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }

  /// A text in code.
  static func code(_ text: String) -> String {
    let text = SafeText.escaped(text)
    guard !text.isEmpty else { return "" }
    // A bar ends the cell of a table, even in code.
    let scalars = text.unicodeScalars
    guard !scalars.contains("`"), !scalars.contains("|"), scalars.first != " ", scalars.last != " "
    else { return "<code>" + escaped(text) + "</code>" }
    return "`" + text + "`"
  }

  /// A percent-encoded path in code, with letters that people can read, shortened if it is long.
  static func path(_ path: String) -> String { code(ShownText(path: path).text) }

  /// A message of a finding, whose paths are percent-encoded, shortened if it is long.
  static func message(_ message: String) -> String { escaped(ShownText.message(message).text) }

  /// A table.
  ///
  /// - Parameters:
  ///   - heading: The headings.
  ///   - numbers: The positions of the columns with numbers.
  ///   - rows: The cells, in Markdown.
  /// - Returns: The lines, the first of them empty.
  static func table(
    _ heading: [String], numbers: Set<Int> = [], _ rows: [[String]]
  ) -> [String] {
    let rule = heading.indices.map { numbers.contains($0) ? "---:" : "---" }
    return [""] + ([heading, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
  }

  /// A table of traffic, with shares of a whole.
  static func shares(
    _ title: String, _ rows: [(name: String, traffic: Traffic)], of whole: Traffic
  ) -> [String] {
    table(
      [title, "Visits", "Share", "Requests", "Share"], numbers: [1, 2, 3, 4],
      rows.map { name, traffic in
        [
          name, traffic.visits.grouped, traffic.visits.percent(of: whole.visits),
          traffic.requests.grouped, traffic.requests.percent(of: whole.requests),
        ]
      })
  }

  /// A section that opens with a click.
  static func details(_ summary: String, _ lines: [String]) -> [String] {
    ["", "<details><summary>\(summary)</summary>"] + lines + ["", "</details>"]
  }

  /// A command for a shell, which sites offer to copy.
  static func command(_ command: String) -> [String] {
    ["", "```sh", SafeText.escaped(command), "```"]
  }
}

extension MarkdownText {
  /// Findings, each with its message, remedy and next command.
  ///
  /// - Parameters:
  ///   - findings: The findings; known ones are counted at the end.
  ///   - limit: The number of findings that are shown.
  ///   - namesHosts: Whether findings name their hosts.
  ///   - next: The next command for a finding, or `nil` for none.
  /// - Returns: The lines.
  static func findings(
    _ findings: [Finding], limit: Int, namesHosts: Bool, next: (Finding) -> String?
  ) -> [String] {
    let new = findings.filter { $0.isKnown != true }
    let known = findings.count - new.count
    var lines = [
      "",
      "### "
        + (new.isEmpty
          ? (known > 0 ? "No new findings" : "No findings") : new.counts.capitalizedFirst),
    ]
    for finding in new.prefix(limit) {
      let host = namesHosts ? finding.host.map { ", " + code($0) } ?? "" : ""
      let gain = finding.gain.map { ", **\($0)**" } ?? ""
      let change = finding.change.map { $0 == .same ? "" : ", \($0.rawValue)" } ?? ""
      lines += [
        "", "#### \(finding.severity.mark) \(escaped(finding.title))", "",
        "\(finding.severity.rawValue.capitalizedFirst) \(code(finding.code))\(host)\(gain)\(change)",
        "", message(finding.message),
      ]
      if let development = finding.development { lines += ["", escaped(development) + "."] }
      lines += ["", "**To do:** " + message(finding.remedy)]
      if let next = next(finding) { lines += command(next) }
    }
    if new.count > limit { lines += ["", "… and \((new.count - limit).counted("more finding"))"] }
    return lines + knownLine(known)
  }

  /// A line about problems that a baseline has, or none.
  static func knownLine(_ count: Int) -> [String] {
    count == 0 ? [] : ["", Baseline.sentence(known: count)]
  }
}

extension String {
  /// Returns a Boolean value indicating whether the text ends with a word of ASCII in lower case,
  /// whatever its letter case here.
  fileprivate func endsWith(_ word: String) -> Bool {
    utf8.suffix(word.utf8.count).elementsEqual(word.utf8) { $0 | 0x20 == $1 }
  }
}

extension Severity {
  /// A sign by which people find what matters in a long page.
  var mark: String {
    switch self {
    case .error: "❌"
    case .warning: "⚠️"
    case .note: "ℹ️"
    }
  }
}
