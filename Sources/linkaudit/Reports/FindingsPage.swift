internal import LinkAuditing

/// Documentation/Findings.md, which is made from the findings themselves.
struct FindingsPage {
  let descriptions: [FindingDescription]

  var text: String {
    var lines = [
      "# Findings", "",
      """
      What `linkaudit report` and `linkaudit diff` find, by code. Codes are stable: monitors may rely on
      them. `--fail-on SEVERITY` makes the exit status 1 if there is a finding of that severity or a higher
      one; a damaged input makes it 2, which goes before. Every finding has a message with figures, the
      traffic concerned, evidence (paths with samples of targets, rules with their places in the file, pairs
      of pages, logs), and what to do about it, the same in every form of a report.
      """, "",
      """
      Many are measured: how severe they are depends on their share of the traffic, by visits, or by
      requests where there are no visits at all. `--threshold CODE:SEVERITY=SHARE` changes from which share
      on a finding has a severity, and `--threshold CODE:SEVERITY=never` takes it away; in
      `linkaudit.yml`, `report.thresholds` has a list of the same. This page is printed by
      `linkaudit findings --format markdown`.
      """, "", "| code | severity | found when |", "| --- | --- | --- |",
    ]
    lines += descriptions.map {
      "| [`\($0.code.rawValue)`](#\($0.code.rawValue)) | \($0.severityText) | \($0.condition) |"
    }
    for subject in FindingDescription.Subject.allCases {
      let own = descriptions.filter { $0.subject == subject }
      guard !own.isEmpty else { continue }
      lines += ["", "## \(subject.title)"]
      for description in own {
        lines += [
          "", "### " + description.code.rawValue, "",
          "**\(description.title).** Found when \(description.condition).",
          "", description.meaning, "", "**To do:** \(description.remedy)",
        ]
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension FindingDescription.Subject {
  /// A heading, with code in Markdown's marks.
  var title: String {
    switch self {
    case .input: "About the logs"
    case .site: "About a site"
    case .comparison: "About a change (`linkaudit diff`)"
    }
  }
}
