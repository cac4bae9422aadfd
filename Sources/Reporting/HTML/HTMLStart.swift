internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// The findings of a page to look at first, as in the start of a text report.
struct HTMLStart {
  let findings: [Finding]

  /// The comparison of the report with an earlier one, or `nil`.
  var comparison: String?

  /// Whether findings name their hosts.
  var namesHosts = false

  /// The command to run next for a finding.
  let nextCommand: (Finding) -> String

  func write(to page: inout HTMLWriter) {
    let shown = findings.start
    page.line {
      $0.element("section", ["id": "start", "aria-labelledby": "start-title"]) { page in
        page.heading(2, ["id": "start-title"]) { page in
          page.text("Start here ")
          page.element(
            "small", shown.isEmpty ? "no findings" : "\(shown.count) of \(findings.counts)")
        }
        if let comparison { page.paragraph(comparison, class: "hint") }
        guard !shown.isEmpty else { return }
        page.element("ol", ["class": "findings first"]) { page in
          for finding in shown {
            page.line {
              $0.element("li", ["class": finding.severity.rawValue]) { write(finding, to: &$0) }
            }
          }
        }
      }
    }
  }

  private func write(_ finding: Finding, to page: inout HTMLWriter) {
    HTMLFindings.heading(of: finding, level: 3, host: namesHosts ? finding.host : nil, to: &page)
    HTMLFindings.write(message: finding, to: &page)
    page.line {
      $0.element("p", ["class": "remedy"]) { page in
        page.element("strong", "To do")
        page.text(" " + finding.remedy)
      }
    }
    page.line {
      $0.element("p", ["class": "remedy"]) { page in
        page.element("strong", "Next")
        page.text(" ")
        page.element("code", nextCommand(finding))
      }
    }
  }
}

extension HTMLStart {
  /// Creates the start of a report.
  init(report: Report) {
    let audit = report.audit
    self.init(
      findings: audit.findings,
      comparison: audit.comparison?.endedAsSentence,
      namesHosts: audit.sites.count != 1
    ) { NextCommand(report: report, finding: $0).text }
  }
}

/// The outcome for some sites: a sentence, the verdicts, and the causes for which claimed visits stayed
/// on the web.
struct HTMLOutcome {
  let sites: [SiteAudit]
  let filter: TrafficFilter

  /// The end of captions, which differs from those of other sites.
  let name: String

  func write(to page: inout HTMLWriter) {
    let total = sites.sum(\.total)
    let verdicts = sites.reduce(into: [:]) { $0.merge($1.verdicts, uniquingKeysWith: +) }
    page.paragraph(
      "\(filter.words(for: total)). \(sites.outcome(withCause: false))", class: "lead")
    page.element("div", ["class": "pair"]) { page in
      page.element("div") { page in
        HTMLShares(whole: total).table(
          "Verdicts" + name,
          verdicts.shown.map { verdict, traffic in
            .init(name: verdict.title, remark: verdict.meaning, traffic: traffic, verdict: verdict)
          }, to: &page)
      }
      page.element("div") { page in
        causes(&page)
        if sites.count == 1, sites.first?.lacksReferrers ?? false {
          page.paragraph(SiteAudit.withoutReferrers, class: "hint")
        }
      }
    }
  }

  /// Writes the causes; where they aren't known, where the links were.
  private func causes(_ page: inout HTMLWriter) {
    let claimed = sites.sum { $0.verdicts[.claimed] }
    guard claimed.requests > 0 else { return }
    if sites.count == 1, let causes = sites.first?.causes, !causes.isEmpty {
      HTMLShares(whole: claimed).table(
        Report.causes.title + name,
        causes.shown(Self.causeLimit).map { .init(name: $0.cause.title, traffic: $0.traffic) },
        to: &page)
    } else {
      HTMLShares(whole: claimed).table(
        "Where claimed visits came from" + name,
        .referrals { referral in sites.sum { $0.referrals[referral] } }, to: &page)
    }
  }

  /// The number of causes that fit next to the verdicts; a table has all of them.
  private static let causeLimit = 4
}
