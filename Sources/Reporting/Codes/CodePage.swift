internal import UniversalLinks

extension CodeExplanation {
  /// The codes of each origin as a page of the documentation, with a line feed at its end.
  ///
  /// Documentation/Lint.md and Documentation/Findings.md are such pages; the page about delivery is
  /// the end of Documentation/Fetch.md.
  var markdown: String {
    DiagnosticCatalog.Origin.allCases.compactMap { origin in
      let own = groups.filter { $0.origin == origin }
      return own.isEmpty ? nil : page(origin, own)
    }.joined(separator: "\n")
  }

  private func page(
    _ origin: DiagnosticCatalog.Origin, _ groups: [DiagnosticCatalog.Group]
  ) -> String {
    // The codes of delivery are a section of a page.
    let heading = origin == .delivery ? "##" : "#"
    var lines = ["\(heading) \(origin == .delivery ? "Codes" : origin.title)", ""]
    lines.append(origin.introduction)
    for group in groups {
      lines += ["", "\(heading)# \(group.title)", "", "| code | severity | title |"]
      lines.append("| --- | --- | --- |")
      lines += group.kinds.map {
        "| [`\($0.code)`](#\($0.code)) | \($0.severityText) | \($0.title) |"
      }
      for kind in group.kinds { lines += ["", "\(heading)## \(kind.code)"] + section(kind) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func section(_ kind: DiagnosticKind) -> [String] {
    var lines = [""]
    if let condition = kind.condition {
      lines += ["**\(kind.title).** Found when \(condition).", "", kind.meaning]
    } else {
      lines.append("**\(kind.title).** \(kind.meaning)")
    }
    if let example = kind.example { lines += block(example) }
    lines += ["", "**To do:** \(kind.remedy)"]
    if let example = kind.fixedExample { lines += block(example) }
    return lines
  }

  private func block(_ example: DiagnosticKind.Example) -> [String] {
    let lines = example.text.split(separator: "\n", omittingEmptySubsequences: false)
    return ["", "```json"] + lines.map { SafeText.escaped(String($0)) } + ["```"]
  }
}

extension DiagnosticCatalog.Origin {
  /// The first paragraphs of a page.
  fileprivate var introduction: String {
    switch self {
    case .lint:
      """
      `linkaudit lint` reports these mistakes in association files and entitlements. Codes are stable, so scripts can rely
      on them. Each mistake has its line and column, the marked text, a reason and a fix. `--format json` and `--format
      sarif` (for code review) contain the same. The exit status is 1 if there is an error, or a mistake of the severity
      that `--fail-on` names, and 2 if a file can't be read.

      The checks follow Apple's systems ([Matching](Matching.md)), which ignore unknown members and don't reject the file.
      If a file isn't JSON and the intention is clear, linkaudit fixes it in memory, so that one run finds all mistakes.
      It proves from the patterns of all rules that a rule never decides, for all URLs. If a proof would take too long,
      linkaudit says that it doesn't know. `linkaudit explain --kind lint --format markdown` prints this page.
      """
    case .finding:
      """
      `linkaudit report` and `linkaudit diff` report these findings. Codes are stable, so monitors can rely on them.
      With `--fail-on SEVERITY`, the exit status is 1 if there is a finding of that severity or a higher one. A damaged
      input makes it 2, which takes precedence. Every finding has a message with figures, the traffic concerned,
      evidence (paths with samples of targets, rules with their places in the file, pairs of pages, logs), and a remedy.
      They are the same in every format of a report.

      Many findings are measured: their severity depends on their share of visits, or of requests if there are no visits.
      `--threshold CODE:SEVERITY=SHARE` sets the minimum share for a severity, and `--threshold CODE:SEVERITY=never`
      removes the severity. In `linkaudit.yml`, list the same values in `report.thresholds`.

      Reports list the most important findings first:

      1. Findings that make the others doubtful: damaged logs, a wrong format, a file that no device reads.
      2. Findings with visits to win, the most first. These visits could open the app if the problem were fixed:
         `same-host-links`, `implemented-not-claimed`, `implemented-but-excluded`, `claimed-broken`, and causes such as
         `cause-mail`. In a comparison, they are visits to keep: `claims-lost`, `app-claims-lost`, `app-removed`. Visits
         of several findings can overlap.
      3. All others, by severity, then by traffic.

      `linkaudit explain --kind finding --format markdown` prints this page.
      """
    case .delivery:
      """
      Codes are stable, so monitors can rely on them. `linkaudit explain --kind delivery --format markdown` prints them.
      """
    }
  }
}
