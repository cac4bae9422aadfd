internal import AccessLogs
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// The parts of a page that are about what was read.
struct HTMLInput {
  let audit: Audit
  let digest: TrafficDigest

  /// The number of rows per table.
  let limit: Int

  /// A list of a hundred thousand logs would be most of the page.
  private static let inputLimit = 1_000

  /// How many damaged logs are named at the top.
  private static let damageLimit = 5

  // MARK: - At the top

  /// Says so if the figures are not of all that there was to read.
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
        page.paragraph("The figures below are those of what could be read.")
        page.element("ul") { page in
          for input in damaged.prefix(Self.damageLimit) {
            page.element("li") { page in
              page.element("code", ShownText(input.path).text)
              page.text(": " + (input.damage?.description ?? ""))
            }
          }
          if damaged.count > Self.damageLimit {
            page.element("li") { page in
              page.text("and ")
              page.element(
                "a", ["href": "#input"], (damaged.count - Self.damageLimit).counted("more log"))
            }
          }
        }
      }
    }
  }

  /// Writes the findings that concern no site and that can't wait.
  func writeFindings(to page: inout HTMLWriter) {
    let findings = audit.findings.filter { $0.host == nil && $0.severity > .note }
    guard !findings.isEmpty else { return }
    HTMLSection(id: "input-findings", title: "About the logs") {
      HTMLFindings(findings: findings, level: 3).write(to: &$0)
    }.write(to: &page, level: 2)
  }

  // MARK: - At the end

  var sections: [HTMLSection] {
    var sections: [HTMLSection] = []
    if !digest.clients.isEmpty {
      sections.append(HTMLSection(id: "clients", title: "Clients") { clients(&$0) })
    }
    sections.append(HTMLSection(id: "input", title: "What was read") { input(&$0) })
    sections.append(HTMLSection(id: "limits", title: "What logs cannot know") { limits(&$0) })
    return sections
  }

  private func clients(_ page: inout HTMLWriter) {
    page.paragraph(
      "The requests of all hosts by who asked, as user agents say. Safari on an iPad asks for desktop pages as a Mac does, and counts as one.",
      class: "hint")
    HTMLTable(
      "Clients",
      [
        .init("Client", .text), .init("Platform", .text),
        .init("iOS", .number, help: "its major version"),
        .init("Requests", .number), .init("Share", .share),
      ], sorted: 3, digest.clients, limit: limit
    ) { count in
      [
        .text(count.client.name), .text(count.platform.title),
        count.systemVersion.map { .number($0) } ?? .text(""), .number(count.requests),
        .text(count.requests.percent(of: digest.tally.requests)),
      ]
    }.write(to: &page)
  }

  private func input(_ page: inout HTMLWriter) {
    let tally = digest.tally
    let notes = audit.findings.filter { $0.host == nil && $0.severity == .note }
    let gone = audit.change?.gone(besides: audit.sites) ?? []
    if !notes.isEmpty || !gone.isEmpty {
      HTMLFindings(
        findings: notes, change: audit.change, gone: gone, level: 3
      ).write(to: &page)
    }
    page.line {
      $0.element("dl", ["class": "facts"]) { page in
        fact(&page, "Logs", digest.inputs.count.grouped)
        fact(&page, "Lines", tally.lines.grouped)
        fact(&page, "Requests", tally.requests.grouped)
        fact(&page, "Rejected lines", tally.rejected.grouped)
        if tally.outside > 0 {
          fact(&page, "Outside the time asked for", tally.outside.grouped)
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
          .init("Log", .code), .init("State", .text), .init("Format", .text),
          .init("Lines", .number), .init("Requests", .number), .init("Rejected", .number),
        ], inputs, limit: min(limit, Self.inputLimit)
      ) { input in
        [
          .code(ShownText(input.path)),
          .text(
            InputStatus(input.damage).rawValue
              + (input.damage.map { ": \($0)" } ?? "")), .text(input.format?.name ?? ""),
          .number(input.tally.lines), .number(input.tally.requests),
          .number(input.tally.rejected),
        ]
      }.write(to: &page)
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
        "Lines that aren't requests. Those without a request or target are mostly what scanners and broken connections leave.",
        class: "hint")
      let rows = RejectionReason.allCases.compactMap { reason in
        digest.rejections[reason].map { (reason, $0) }
      }
      HTMLTable(
        "Rejected lines by reason",
        [.init("Lines that are", .text), .init("Count", .number), .init("First", .code)],
        rows, limit: rows.count
      ) { reason, count in
        let first = digest.rejectedLines.first { $0.reason == reason }
        return [
          .text(reason.sentence), .number(count),
          first.map { .code(ShownText($0.path), remark: "line \($0.line.grouped)") } ?? .text(""),
        ]
      }.write(to: &page)
    }
  }

  private func otherHosts(_ page: inout HTMLWriter) {
    guard !audit.otherHosts.isEmpty else { return }
    let count = audit.otherHosts.count + audit.unlistedHosts.hosts
    details(&page, "Requests to other hosts", count) { page in
      HTMLTable(
        "Requests to other hosts", [.init("Host", .code), .init("Requests", .number)], sorted: 1,
        audit.otherHosts, limit: min(limit, Self.inputLimit)
      ) { host in
        [
          host.host.isEmpty
            ? .text("named by no line, which several sites need") : .code(ShownText(host.host)),
          .number(host.requests),
        ]
      }.write(to: &page)
    }
  }

  private func limits(_ page: inout HTMLWriter) {
    page.element("ul", ["class": "limits"]) { page in
      for sentence in Self.limits { page.line { $0.element("li", sentence) } }
    }
  }

  private static let limits = [
    "When the app opens, the server is not asked. A claimed visit in a log did not open the app: because it isn't installed, because the person chose the browser, or because the link could not. How often the app did open is for the app to count.",
    "A link on a page of the same host never opens the app, whatever is installed.",
    "Fragments never reach a server. A rule with one is judged without it, and marked.",
    "No referrer means unknown: typed, a bookmark, mail, another app, or stripped by a policy.",
    "A user agent is a claim. Some bots pass for people, and Safari on an iPad for Safari on a Mac.",
    "Where a redirect leads is not in a log; what is said of it is told from what else is served.",
  ]
}
