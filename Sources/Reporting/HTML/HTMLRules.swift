internal import LinkAuditing
internal import UniversalLinks

/// The rules of a site with their decisions, by the apps that share them.
struct HTMLRules {
  let site: SiteAudit

  /// The end of captions, which differs from those of other sites.
  let name: String

  /// The level of the headings of lists.
  let level: Int

  /// The number of rows per table.
  let limit: Int

  /// The greatest number of apps of a list that are named.
  private static let appLimit = 20

  func write(to page: inout HTMLWriter) {
    page.line { page in
      page.element("p", ["class": "hint"]) { page in
        page.text("The first rule that matches decides. Rules count from 0, as in the file. ")
        if site.versions.isEmpty, let file = site.filePath {
          page.text("Line numbers refer to ")
          page.element("code", ShownText(file).text)
          page.text(". ")
        }
        if site.ruleLists.contains(where: { $0.rules.contains(where: \.rule.dependsOnFragment) }) {
          page.text(
            "Fragments never reach a server, so rules with a fragment are judged without it.")
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
      Self.columns, list.rules, limit: limit
    ).write(to: &page)
  }

  private static let columns: [ShownColumn<RuleTraffic>] =
    [
      ShownColumn("Pattern", .code) { .code($0.rule.pattern, remark: $0.remark) },
      ShownColumn("Marks", .marks) { .marks($0.marks) },
    ] + ShownColumn.traffic(\.traffic) + [
      .number("Shadowed", help: "matching requests that an earlier rule decided") {
        $0.shadowed
      },
      .text("By") { rule in
        rule.shadowedBy.map { "rule \($0.rule.position ?? 0) (\($0.traffic.requests.grouped))" }
          .joined(separator: ", ")
      },
      .number("Line") { $0.rule.position?.line },
    ]
}

extension RuleTraffic {
  fileprivate var marks: [String] {
    var marks: [String] = []
    if rule.excludes { marks.append("excludes") }
    if traffic.requests == 0 { marks.append(shadowed > 0 ? "never reached" : "unused") }
    if rule.dependsOnFragment { marks.append("needs fragment") }
    return marks
  }

  fileprivate var remark: String {
    rule.id.remark + (rule.id.position != nil && rule.id.list == .paths ? ", in paths" : "")
  }
}
