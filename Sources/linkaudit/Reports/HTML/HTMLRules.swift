internal import LinkAuditing
internal import UniversalLinks

/// The rules of a site with what they decide, by the apps that share them.
struct HTMLRules {
  let site: SiteAudit

  /// The end of captions, which differs from those of other sites.
  let name: String

  /// The level of the headings of lists.
  let level: Int

  /// The number of rows per table.
  let limit: Int

  /// How many apps of a list are named.
  private static let appLimit = 20

  func write(to page: inout HTMLWriter) {
    page.line { page in
      page.element("p", ["class": "hint"]) { page in
        page.text("The first rule that matches decides. Rules count from 0, as in the file. ")
        if site.versions.isEmpty, let file = site.filePath {
          page.text("Lines are those of ")
          page.element("code", ShownText(file).text)
          page.text(". ")
        }
        if site.ruleLists.contains(where: { $0.rules.contains(where: \.isFragmentDependent) }) {
          page.text(
            "A fragment never reaches a server: rules that need one are judged without it.")
        }
      }
    }
    for (index, list) in site.ruleLists.enumerated() {
      page.heading(level, ["class": "apps"]) { page in
        for (index, app) in list.apps.prefix(Self.appLimit).enumerated() {
          if index > 0 { page.text(" ") }
          page.element("code", ShownText(app.text).text)
        }
        if list.apps.count > Self.appLimit {
          page.text(" and \((list.apps.count - Self.appLimit).counted("more app"))")
        }
        if let version = list.version {
          page.text(" ")
          page.element("small", ShownText(version.title).text)
        }
      }
      write(list, number: index + 1, to: &page)
    }
  }

  private func write(_ list: RuleListTraffic, number: Int, to page: inout HTMLWriter) {
    let number = site.ruleLists.count > 1 ? " of list \(number)" : ""
    HTMLTable(
      "Rules\(number)\(name)",
      [
        .init("Pattern", .code), .init("Marks", .marks), .init("Visits", .number),
        .init("Requests", .number),
        .init("Shadowed", .number, help: "requests that it matches and an earlier rule decided"),
        .init("By", .text), .init("Line", .number),
      ], list.rules, limit: limit
    ) { rule in
      [
        .code(ShownText(rule.pattern), remark: rule.remark),
        .marks(marks(rule)), .number(rule.traffic.visits), .number(rule.traffic.requests),
        .number(rule.shadowed),
        .text(shadows(rule, in: list)),
        rule.position.map { .number($0.line) } ?? .text(""),
      ]
    }.write(to: &page)
  }

  private func marks(_ rule: RuleTraffic) -> [String] {
    var marks: [String] = []
    if rule.excludes { marks.append("excludes") }
    if rule.traffic.requests == 0 {
      marks.append(rule.shadowed > 0 ? "never reached" : "unused")
    }
    if rule.isFragmentDependent { marks.append("needs fragment") }
    return marks
  }

  private func shadows(_ rule: RuleTraffic, in list: RuleListTraffic) -> String {
    rule.shadowedBy.map { shadow in
      "rule \(shadow.rule) (\(shadow.traffic.requests.grouped))"
    }.joined(separator: ", ")
  }
}

extension RuleTraffic {
  fileprivate var remark: String {
    guard let rule else { return "an entry without rules" }
    return "rule \(rule)" + (place.text.isEmpty ? "" : " of entry \(place.text)")
      + (list == .paths ? ", in paths" : "")
  }
}
