internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

extension HTMLWriter {
  /// The number of findings of a kind that are shown unfolded, and the greatest number of findings in
  /// a list.
  private static let (openFindings, findingLimit) = (3, 200)

  /// Writes findings, each with its message, remedy and evidence.
  func write(_ list: Document.FindingList) {
    guard !list.isStart else { return writeStart(list) }
    if list.findings.isEmpty {
      paragraph(Document.FindingList.noneSentence, class: "hint")
    } else {
      element("ol", ["class": "findings"]) {
        let groups = list.findings.grouped { [$0.code, $0.severity.rawValue, $0.remedy] }
        for (_, group) in groups { writeKind(group) }
      }
    }
    guard let change = list.change, !list.gone.isEmpty else { return }
    heading(level) { text("Gone since the report of \(change.at.day)") }
    element("ul") {
      for finding in list.gone.prefix(Self.findingLimit) {
        block("li") {
          let message = ShownText.message(finding.message)
          element("code", finding.code)
          text(" ")
          element("span", ["title": message.title], message.text)
        }
      }
    }
    writeRest(list.gone.count)
  }

  private func writeStart(_ list: Document.FindingList) {
    block("section", ["id": "start", "aria-labelledby": "start-title"]) {
      let shown = list.first
      heading(level, ["id": "start-title"]) {
        text(Document.FindingList.startTitle + " ")
        if !shown.isEmpty { element("small", list.startKey) }
      }
      guard !shown.isEmpty else { return paragraph(list.findings.noneSentence, class: "hint") }
      element("ol", ["class": "findings first"]) {
        for finding in shown {
          block("li", ["class": finding.severity.rawValue]) {
            heading(level + 1) {
              write(titleOf: finding)
              if list.namesHosts, let host = finding.host { element("small", " " + host) }
              writeGain(finding)
            }
            writeMessage(finding)
            write(remedy: "To do") { text(finding.remedy) }
            write(remedy: "Next") { element("code", list.next(finding).joined(separator: " ")) }
          }
        }
      }
    }
  }

  private func writeRest(_ count: Int) {
    let rest = count - Self.findingLimit
    if rest > 0 { paragraph("and \(rest.grouped) more, in the JSON report", class: "hint") }
  }

  /// Writes findings with the same severity, title, code and remedy.
  private func writeKind(_ group: [Finding]) {
    let first = group[0]
    block("li", ["class": first.severity.rawValue]) {
      heading(level) {
        write(titleOf: first, count: group.count)
        writeGain(first)
      }
      group.prefix(Self.openFindings).forEach(writeMessage)
      let others = group.dropFirst(Self.openFindings)
      if !others.isEmpty {
        element("details") {
          element("summary", "\(others.count.grouped) more")
          others.prefix(Self.findingLimit).forEach(writeMessage)
          writeRest(others.count)
        }
      }
      write(remedy: "To do") { text(first.remedy) }
      write(group.prefix(Self.findingLimit).map(\.evidence))
    }
  }

  private func writeGain(_ finding: Finding) {
    if let gain = finding.gain { element("span", ["class": "gain"], gain) }
  }

  private func writeMessage(_ finding: Finding) {
    // Paths in messages are percent-encoded.
    let message = ShownText.message(finding.message)
    block("p", ["title": message.title]) {
      text(message.text)
      if let development = finding.development { text(" \(development).") }
      let known = finding.isKnown == true ? "known" : nil
      for mark in [known, finding.changeWord].compactMap(\.self) {
        text(" ")
        element("span", ["class": "mark"], mark)
      }
    }
  }

  private func write(_ evidence: [Finding.Evidence]) {
    let (paths, pairs) = (evidence.flatMap(\.paths), evidence.flatMap(\.pairs))
    let (rules, logs) = (evidence.flatMap(\.rules), evidence.flatMap(\.logs))
    let counts: [(Int, String)] = [
      (paths.count, "path"), (pairs.count, "pair"), (rules.count, "rule"), (logs.count, "log"),
    ]
    let parts = counts.filter { $0.0 > 0 }.map { count, noun -> String in
      count.counted(noun) + (noun == "pair" ? " of pages" : "")
    }
    guard !parts.isEmpty else { return }
    element("details") {
      element("summary", "Evidence: " + parts.joined(separator: ", "))
      element("dl", ["class": "evidence"]) {
        list("Paths like", paths) { write($0) }
        list("Links", pairs) { pair in
          text("on ")
          code(ShownText(path: pair.from))
          text(" to ")
          code(ShownText(path: pair.to))
          element("small", pair.visits.counted("visit"))
        }
        list("Rules", rules) { rule in
          element("code", ShownText(rule.pattern).text)
          element("small", rule.remark + ", of " + rule.app.text)
        }
        list("Logs", logs) { element("code", ShownText($0).text) }
      }
    }
  }

  private func list<Element>(
    _ title: String, _ elements: [Element], _ write: (Element) -> Void
  ) {
    guard !elements.isEmpty else { return }
    element("div") {
      element("dt", title)
      for element in elements { block("dd") { write(element) } }
    }
  }

  private func write(_ group: PathGroupTraffic) {
    code(ShownText(path: group.path))
    let (visits, requests) = (group.traffic.visits, group.traffic.requests)
    let remarks = [(visits, "visit"), (requests, "request")].filter { $0.0 > 0 }
    if !remarks.isEmpty {
      element("small", remarks.map { $0.0.counted($0.1) }.joined(separator: ", "))
    }
    let samples = group.samples.filter { $0 != group.path }
    guard !samples.isEmpty else { return }
    element("small") {
      text("such as ")
      for (index, sample) in samples.enumerated() {
        if index > 0 { text(", ") }
        code(ShownText(path: sample))
      }
    }
  }

  /// Writes severity, title and code of a problem that occurs a number of times.
  func write(titleOf problem: some Diagnostic, count: Int = 1) {
    element("span", ["class": "severity"]) {
      icon(problem.severity.rawValue)
      text(" " + problem.severity.rawValue.capitalizedFirst)
    }
    text(" " + problem.title + " ")
    if count > 1 { element("small", "\(count.grouped) times") }
    element("code", problem.code)
  }

  /// Writes a remedy, or the next step, after its name.
  func write(remedy title: String, _ content: () -> Void) {
    block("p", ["class": "remedy"]) {
      element("strong", title)
      text(" ")
      content()
    }
  }
}

extension Finding {
  /// The change since the last report, or `nil` if there is none.
  var changeWord: String? { change == .same ? nil : change?.rawValue }
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
  static func message(_ text: String) -> ShownText { ShownText(path: text, limit: messageLimit) }
}
