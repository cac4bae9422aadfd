internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// The findings of a page, each with its message, remedy and evidence.
struct HTMLFindings {
  let list: Document.FindingList
  let level: Int

  private var findings: [Finding] { list.findings }
  private var gone: [FindingRecord] { list.gone }

  func write(to page: inout HTMLWriter) {
    guard !list.isStart else { return writeStart(to: &page) }
    writeFindings(to: &page)
    if let change = list.change, !gone.isEmpty { writeGone(since: change, to: &page) }
  }

  private func writeStart(to page: inout HTMLWriter) {
    let shown = list.first
    page.block("section", ["id": "start", "aria-labelledby": "start-title"]) { page in
      page.heading(level, ["id": "start-title"]) { page in
        page.text(Document.FindingList.startTitle + " ")
        if !shown.isEmpty { page.element("small", list.startKey) }
      }
      guard !shown.isEmpty else { return page.paragraph(findings.noneSentence, class: "hint") }
      page.element("ol", ["class": "findings first"]) { page in
        for finding in shown {
          page.block("li", ["class": finding.severity.rawValue]) { page in
            let host = list.namesHosts ? finding.host : nil
            heading(of: finding, level: level + 1, host: host, to: &page)
            write(message: finding, to: &page)
            page.write(remedy: "To do") { $0.text(finding.remedy) }
            page.write(remedy: "Next") { $0.element("code", list.next(finding).text) }
          }
        }
      }
    }
  }

  private func writeGone(since change: AuditChange, to page: inout HTMLWriter) {
    page.heading(level, "Gone since the report of \(change.at.day)")
    page.element("ul") { page in
      for finding in gone.prefix(Self.limit) {
        page.block("li") { page in
          let message = ShownText.message(finding.message)
          page.element("code", finding.code)
          page.text(" ")
          page.element("span", ["title": message.title], message.text)
        }
      }
    }
    if gone.count > Self.limit {
      page.paragraph(
        "and \((gone.count - Self.limit).grouped) more, in the JSON report",
        class: "hint")
    }
  }

  private func writeFindings(to page: inout HTMLWriter) {
    guard !findings.isEmpty else {
      page.paragraph(Document.FindingList.noneSentence, class: "hint")
      return
    }
    page.element("ol", ["class": "findings"]) { page in
      for group in groups {
        guard let first = group.first else { continue }
        page.block("li", ["class": first.severity.rawValue]) { write(first, group, to: &$0) }
      }
    }
  }

  private var groups: [[Finding]] {
    findings.grouped { [$0.code, $0.severity.rawValue, $0.remedy] }.map(\.elements)
  }

  private static let openLimit = 3

  /// The greatest number of findings of a kind, and of each sort of evidence.
  private static let limit = 200

  private func write(_ first: Finding, _ group: [Finding], to page: inout HTMLWriter) {
    heading(of: first, level: level, count: group.count, to: &page)
    for finding in group.prefix(Self.openLimit) { write(message: finding, to: &page) }
    let others = group.dropFirst(Self.openLimit)
    if !others.isEmpty {
      page.element("details") { page in
        page.element("summary", "\(others.count.grouped) more")
        for finding in others.prefix(Self.limit) { write(message: finding, to: &page) }
        if others.count > Self.limit {
          page.paragraph(
            "and \((others.count - Self.limit).grouped) more, in the JSON report",
            class: "hint")
        }
      }
    }
    page.write(remedy: "To do") { $0.text(first.remedy) }
    var evidence = Finding.Evidence()
    for finding in group.prefix(Self.limit) {
      evidence.rules += finding.evidence.rules
      evidence.paths += finding.evidence.paths
      evidence.pairs += finding.evidence.pairs
      evidence.logs += finding.evidence.logs
    }
    writeEvidence(evidence, to: &page)
  }

  /// Writes the heading of a finding, or of several of its kind: severity, title, code, the site if
  /// there are several, and the visits to win.
  private func heading(
    of finding: Finding, level: Int, host: String? = nil, count: Int = 1,
    to page: inout HTMLWriter
  ) {
    page.heading(level) { page in
      page.write(titleOf: finding, count: count)
      if let host { page.element("small", " " + host) }
      if let gain = finding.gain { page.element("span", ["class": "gain"], gain) }
    }
  }

  private func write(message finding: Finding, to page: inout HTMLWriter) {
    // Paths in messages are percent-encoded.
    let message = ShownText.message(finding.message)
    page.block("p", ["title": message.title]) { page in
      page.text(message.text)
      if let development = finding.development { page.text(" \(development).") }
      if finding.isKnown == true {
        page.text(" ")
        page.element("span", ["class": "mark"], "known")
      }
      guard let change = finding.change, change != .same else { return }
      page.text(" ")
      page.element("span", ["class": "mark"], change.rawValue)
    }
  }

  private func writeEvidence(_ evidence: Finding.Evidence, to page: inout HTMLWriter) {
    let parts = [
      (evidence.paths.count, "path"), (evidence.pairs.count, "pair"),
      (evidence.rules.count, "rule"), (evidence.logs.count, "log"),
    ].filter { $0.0 > 0 }.map { $0.counted($1) + ($1 == "pair" ? " of pages" : "") }
    guard !parts.isEmpty else { return }
    page.element("details") { page in
      page.element("summary", "Evidence: " + parts.joined(separator: ", "))
      page.element("dl", ["class": "evidence"]) { page in
        list("Paths like", evidence.paths, to: &page) { write($0, to: &$1) }
        list("Links", evidence.pairs, to: &page) { pair, page in
          page.text("on ")
          page.path(pair.from)
          page.text(" to ")
          page.path(pair.to)
          page.element("small", pair.visits.counted("visit"))
        }
        list("Rules", evidence.rules, to: &page) { rule, page in
          page.element("code", ShownText(rule.pattern).text)
          page.element("small", rule.remark + ", of " + rule.app.text)
        }
        list("Logs", evidence.logs, to: &page) { log, page in
          page.element("code", ShownText(log).text)
        }
      }
    }
  }

  private func list<Element>(
    _ title: String, _ elements: [Element], to page: inout HTMLWriter,
    _ write: (Element, inout HTMLWriter) -> Void
  ) {
    guard !elements.isEmpty else { return }
    page.element("div") { page in
      page.element("dt", title)
      for element in elements { page.block("dd") { write(element, &$0) } }
    }
  }

  private func write(_ group: PathGroupTraffic, to page: inout HTMLWriter) {
    page.path(group.path)
    var remarks: [String] = []
    if group.traffic.visits > 0 { remarks.append(group.traffic.visits.counted("visit")) }
    if group.traffic.requests > 0 { remarks.append(group.traffic.requests.counted("request")) }
    if !remarks.isEmpty { page.element("small", remarks.joined(separator: ", ")) }
    let samples = group.samples.filter { $0 != group.path }
    guard !samples.isEmpty else { return }
    page.element("small") { page in
      page.text("such as ")
      for (index, sample) in samples.enumerated() {
        if index > 0 { page.text(", ") }
        page.path(sample)
      }
    }
  }
}

extension HTMLWriter {
  /// Writes severity, title and code of a problem that occurs a number of times.
  mutating func write(titleOf problem: some Diagnostic, count: Int = 1) {
    element("span", ["class": "severity"]) { page in
      page.icon(problem.severity.rawValue)
      page.text(" " + problem.severity.rawValue.capitalizedFirst)
    }
    text(" " + problem.title + " ")
    if count > 1 { element("small", "\(count.grouped) times") }
    element("code", problem.code)
  }

  /// Writes a remedy, or the next step, after its name.
  mutating func write(remedy title: String, _ content: (inout HTMLWriter) -> Void) {
    block("p", ["class": "remedy"]) { page in
      page.element("strong", title)
      page.text(" ")
      content(&page)
    }
  }
}

extension RuleID {
  var remark: String {
    guard let position else { return "an entry without rules" }
    return "rule \(position)" + (entry.text.isEmpty ? "" : " of entry \(entry.text)")
  }
}

extension ReportedRule {
  var remark: String {
    var text = id.remark
    guard id.position != nil else { return text }
    if let position { text += ", line \(position.line)" }
    if let version { text += ", \(version.name)" }
    return text
  }
}

extension ShownText {
  /// A message, in which paths are percent-encoded.
  static func message(_ text: String) -> ShownText { ShownText(path: text, limit: 2_000) }
}
