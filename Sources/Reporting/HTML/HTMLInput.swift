internal import AccessLogs
internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// The parts of a page about the input.
struct HTMLInput {
  let report: Report

  /// The number of rows per table.
  let limit: Int

  /// A list of a hundred thousand logs would be most of the page.
  private static let inputLimit = 1_000

  private var audit: Audit { report.audit }
  private var digest: TrafficDigest { report.digest }

  // MARK: - At the top

  /// Warns if some input was not read completely.
  func writeDamage(to page: inout HTMLWriter) {
    let damaged = digest.inputs.filter { $0.damage != nil }
    guard !damaged.isEmpty else { return }
    page.line {
      $0.element("section", ["class": "damage", "aria-labelledby": "damage-title"]) { page in
        page.heading(2, ["id": "damage-title"]) { page in
          page.icon("error")
          page.text(
            " \(damaged.count.grouped) of \(digest.inputs.count.counted("log")) could not be read whole"
          )
        }
        page.line {
          $0.element("p") { page in
            page.text("The figures count only the readable part. For the causes, see ")
            page.element("a", ["href": "#input"], "Input")
            page.text(".")
          }
        }
      }
    }
  }

  // MARK: - At the end

  /// The findings that concern no site.
  private var findings: [Finding] { audit.findings.filter { $0.host == nil } }

  var sections: [HTMLSection] {
    var sections: [HTMLSection] = []
    if !digest.clients.isEmpty {
      sections.append(
        HTMLSection(id: "clients", title: "Clients", key: digest.clients.count.counted("client")) {
          clients(&$0)
        })
    }
    sections.append(
      HTMLSection(
        id: "input", title: "Input",
        key: findings.isEmpty ? digest.tally.rejected.counted("rejected line") : findings.counts
      ) { input(&$0) })
    sections.append(HTMLSection(id: "limits", title: "Limits of logs") { limits(&$0) })
    return sections
  }

  private func clients(_ page: inout HTMLWriter) {
    page.paragraph(
      "Requests to all hosts by client, according to user agents. \(Report.noteOnTablets)",
      class: "hint")
    let requests = digest.tally.requests
    HTMLTable(
      "Clients",
      [
        .text("Client") { $0.client.name }, .text("Platform") { $0.platform.title },
        .number("iOS", help: "its major version") { $0.systemVersion },
        .number("Requests") { $0.requests },
        ShownColumn("Share", .share) { .text($0.requests.percent(of: requests)) },
      ], sorted: 3, digest.clients, limit: limit
    ).write(to: &page)
  }

  private func input(_ page: inout HTMLWriter) {
    let tally = digest.tally
    let gone = audit.change?.gone(besides: audit.sites) ?? []
    if !findings.isEmpty || !gone.isEmpty {
      HTMLFindings(
        findings: findings, change: audit.change, gone: gone, level: 3
      ).write(to: &page)
    }
    page.line {
      $0.element("dl", ["class": "facts"]) { page in
        fact(&page, "Logs", digest.inputs.count.grouped)
        fact(&page, "Lines", tally.lines.grouped)
        fact(&page, "Requests", tally.requests.grouped)
        fact(&page, "Rejected lines", tally.rejected.grouped)
        if tally.outside > 0 {
          fact(&page, "Outside the selected time", tally.outside.grouped)
        }
        if let ignored = audit.ignored {
          fact(&page, "Visits to ignored paths", ignored.visits.grouped)
        }
        if audit.subresources > 0 {
          fact(&page, "Requests by pages and scripts, no visits", audit.subresources.grouped)
        }
        if let times = digest.times {
          fact(&page, "First request", times.lowerBound.description)
          fact(&page, "Last request", times.upperBound.description)
        }
      }
    }
    rejections(&page)
    otherHosts(&page)
    details(&page, "The logs", digest.inputs.count) { page in
      // Those that matter come first.
      let inputs =
        digest.inputs.filter { $0.damage != nil } + digest.inputs.filter { $0.damage == nil }
      HTMLTable(
        "Logs",
        [
          .code("Log") { $0.path },
          .text("State") { input in
            InputStatus(input.damage).rawValue + (input.damage.map { ": \($0)" } ?? "")
          },
          .text("Format") { $0.format?.name }, .number("Lines") { $0.tally.lines },
          .number("Requests") { $0.tally.requests }, .number("Rejected") { $0.tally.rejected },
        ], inputs, limit: min(limit, Self.inputLimit)
      ).write(to: &page)
    }
  }

  private func fact(_ page: inout HTMLWriter, _ name: String, _ value: String) {
    page.element("div") { page in
      page.element("dt", name)
      page.element("dd", value)
    }
  }

  private func details(
    _ page: inout HTMLWriter, _ title: String, _ count: Int,
    _ content: (inout HTMLWriter) -> Void
  ) {
    page.line {
      $0.element("details") { page in
        page.element("summary", "\(title) (\(count.grouped))")
        content(&page)
      }
    }
  }

  private func rejections(_ page: inout HTMLWriter) {
    guard digest.tally.rejected > 0 else { return }
    details(&page, "Rejected lines", digest.tally.rejected) { page in
      page.paragraph(
        "Lines that aren't requests. Scanners and broken connections cause most lines without a request or target.",
        class: "hint")
      let rows = RejectionReason.allCases.compactMap { reason in
        digest.rejections[reason].map { count in
          (
            reason: reason, count: count,
            first: digest.rejectedLines.first { $0.reason == reason }
          )
        }
      }
      HTMLTable(
        "Rejected lines by reason",
        [
          .text("Lines that are") { $0.reason.sentence }, .number("Count") { $0.count },
          ShownColumn("First", .code) { row in
            row.first.map { .code($0.path, remark: "line \($0.line.grouped)") } ?? .text("")
          },
        ], rows, limit: rows.count
      ).write(to: &page)
    }
  }

  private func otherHosts(_ page: inout HTMLWriter) {
    guard !audit.otherHosts.isEmpty else { return }
    let count = audit.otherHosts.count + audit.unlistedHosts.hosts
    details(&page, "Requests to other hosts", count) { page in
      HTMLTable(Report.otherHosts, of: report, limit: min(limit, Self.inputLimit))
        .write(to: &page)
    }
  }

  private func limits(_ page: inout HTMLWriter) {
    page.element("ul", ["class": "limits"]) { page in
      for sentence in Self.limits { page.line { $0.element("li", sentence) } }
    }
  }

  private static let limits = [
    "When the app opens, the server gets no request. A claimed visit in a log did not open the app: it isn't installed, the person chose the browser, or the link couldn't open it. Only the app can count how often it opens.",
    "A link on a page of the same host never opens the app, even if it is installed.",
    "Fragments never reach a server. linkaudit judges a rule with one without it, and marks the rule.",
    "Without a referrer, the origin is unknown: a typed address, a bookmark, mail, another app, or a policy that strips it.",
    "A user agent can be false. Some bots look like people, and Safari on an iPad looks like Safari on a Mac.",
    "Logs don't record the target of a redirect; linkaudit infers it from other served pages.",
  ]
}
