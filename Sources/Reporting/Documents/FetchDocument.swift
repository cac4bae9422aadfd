internal import FileDelivery
internal import LinkAuditing
internal import UniversalLinks

extension [HostDelivery] {
  /// The delivery of association files for people, host by host.
  package var document: Document {
    let found = flatMap(\.problems)
    return Document(
      subject: Prose(
        (found.isEmpty ? "no problems" : found.severityCounts)
          + (count > 1 ? " for \(count.counted("host"))" : ""))
    ) { enumerated().map { $1.section("host-\($0 + 1)") } }
  }
}

extension HostDelivery {
  private static let changeLimit = 10

  fileprivate func section(_ id: String) -> Document.Section {
    Document.Section(
      id: id, title: "\(code: host)",
      key: problems.isEmpty ? "Nothing is wrong." : problems.severityCounts, form: .entry
    ) {
      [
        .facts(copies.map { Document.Fact($0.copy.target.source.rawValue, $0.sentences) })
      ]
        + (problems.isEmpty
          ? []
          : [
            .problems(
              problems.map { Document.Problem(diagnostic: $0, place: $0.source?.rawValue ?? "") })
          ]) + changes
    }
  }

  private var changes: [Document.Block] {
    guard let changes = difference?.comparison.map(DiffReport.changes), !changes.isEmpty else {
      return []
    }
    let title = "Changes once the site's file replaces the CDN's copy"
    let rest = changes.count - Self.changeLimit
    return [
      .heading(Prose(title)),
      .table(
        DocumentTable(title, TableColumn.ofCopies, Array(changes.prefix(Self.changeLimit)))),
    ] + (rest > 0 ? [.paragraph("… and \(rest.grouped) more (--format json)", .hint)] : [])
  }
}

extension CopyJudgment {
  fileprivate var sentences: [Prose] {
    let asked = copy.target.askedURL.map { ["requested at \(code: $0)" as Prose] } ?? []
    return ["\(code: copy.target.url)"] + asked + [Prose(answer)]
  }

  private var answer: String {
    guard let response = copy.response else { return "no answer" }
    var facts = ["status \(response.status)"]
    if let content {
      if let type = response.contentType, !type.isEmpty { facts.append(type) }
      if let coding = response.contentEncoding { facts.append("coding \(coding)") }
      facts.append((content.isWhole ? "" : "at least ") + content.bytes.count.counted("byte"))
      if let date = response.lastModified { facts.append("changed on \(date)") }
      if let age = response.age { facts.append("cached for \(Self.duration(age))") }
    }
    return facts.joined(separator: ", ")
  }

  private static func duration(_ seconds: Int) -> String {
    switch seconds {
    case ..<120: seconds.counted("second")
    case ..<7_200: (seconds / 60).counted("minute")
    case ..<172_800: (seconds / 3_600).counted("hour")
    default: (seconds / 86_400).counted("day")
    }
  }
}
