package import FileDelivery
internal import LinkAuditing
internal import UniversalLinks

/// The delivery of association files, as text.
package struct TextFetch {
  let deliveries: [HostDelivery]
  let style: Style

  package init(deliveries: [HostDelivery], style: Style) {
    self.deliveries = deliveries
    self.style = style
  }

  /// The number of changes that are shown.
  private static let shownChanges = 10

  package func lines() -> [String] {
    Array(deliveries.map(lines).joined(separator: [""]))
  }

  private func lines(_ delivery: HostDelivery) -> [String] {
    var lines = [style.bold(SafeText.escaped(delivery.host))]
    for copy in delivery.copies { lines += self.lines(copy) }
    for problem in delivery.problems {
      let name = style.colored(problem.severity.rawValue, problem.severity)
      let source = problem.source.map { " (\($0.rawValue))" } ?? ""
      lines.append("  \(name) \(style.bold(problem.code))\(source)")
      lines += text(problem.message)
      lines += text("To do: " + problem.remedy).map(style.dim)
    }
    if delivery.problems.isEmpty { lines.append("  " + style.green("Nothing is wrong.")) }
    if let comparison = delivery.difference?.comparison { lines += changes(comparison) }
    return lines
  }

  private func lines(_ judgment: CopyJudgment) -> [String] {
    let copy = judgment.copy
    let name = copy.target.source.rawValue
    var lines = [
      ("  " + name + String(repeating: " ", count: 8 - name.count)
        + SafeText.escaped(copy.target.url)).shortened(to: style.width)
    ]
    func add(_ text: String) {
      lines += SafeText.escaped(text).wrapped(width: style.width, indent: "          ")
    }
    if let asked = copy.target.askedURL { add("requested at \(asked)") }
    guard let response = copy.response else { return lines + ["          no answer"] }
    var facts = ["status \(response.status)"]
    if let content = judgment.content {
      if let type = response.contentType, !type.isEmpty { facts.append(type) }
      if let coding = response.contentEncoding { facts.append("coding \(coding)") }
      facts.append(
        (content.isWhole ? "" : "at least ") + content.bytes.count.counted("byte"))
      if let date = response.lastModified { facts.append("changed on \(date)") }
      if let age = response.age { facts.append("cached for \(Self.duration(age))") }
    }
    add(facts.joined(separator: ", "))
    return lines
  }

  private static func duration(_ seconds: Int) -> String {
    switch seconds {
    case ..<120: seconds.counted("second")
    case ..<7_200: (seconds / 60).counted("minute")
    case ..<172_800: (seconds / 3_600).counted("hour")
    default: (seconds / 86_400).counted("day")
    }
  }

  private func text(_ message: String) -> [String] {
    SafeText.escaped(message).wrapped(width: style.width, indent: "    ")
  }

  private func changes(_ comparison: PatternComparison) -> [String] {
    let changes = DiffReport.changes(comparison)
    guard !changes.isEmpty else { return [] }
    var lines = ["  " + style.bold("Changes once the site's file replaces the CDN's copy")]
    for change in changes.prefix(Self.shownChanges) {
      let app = change.app.map { " for " + SafeText.escaped($0.text) } ?? ""
      lines.append(
        ("    " + ReadablePath.shown(change.change.url)).shortened(to: style.width))
      let (old, new) = (change.change.old, change.change.new)
      let verdicts =
        old.verdict == new.verdict
        ? "opens another app"
        : "was \(old.verdict.rawValue), becomes \(new.verdict.rawValue)"
      lines += (verdicts + app + " (\(change.system.label))")
        .wrapped(width: style.width, indent: "      ")
    }
    return lines
      + style.more(changes.count, top: Self.shownChanges, indent: "    ", hint: "--format json")
  }
}
