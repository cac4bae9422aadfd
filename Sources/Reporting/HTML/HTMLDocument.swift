internal import Foundations
internal import LinkAuditing
internal import UniversalLinks

extension Document {
  /// The subject of all reports, as titles have it.
  static let topic = "Universal links"

  /// Returns the document as one page.
  ///
  /// `top` is the number of rows per table, by default as many as a page can hold.
  package func html(top: Int?) -> String {
    HTMLDocument(document: self, limit: top ?? HTMLDocument.rowLimit).text()
  }
}

/// Writes a document as one page, whose sections are folded.
struct HTMLDocument {
  let document: Document

  /// The number of rows per table.
  let limit: Int

  /// A page of more rows would be too large to be sent.
  static let rowLimit = 20_000

  /// The place of a block: the level of headings, and the end of captions, which differs from those
  /// of other sites.
  private struct Place {
    var level = 2
    var name = ""

    var below: Place { Place(level: level + 1, name: name) }
  }

  // MARK: - Blocks

  /// Writes blocks; shares that follow one another are a pair, next to each other.
  func write(_ blocks: [Document.Block], to page: inout HTMLWriter) {
    write(blocks, Place(), to: &page)
  }

  private func write(_ blocks: [Document.Block], _ place: Place, to page: inout HTMLWriter) {
    var shares: [Document.Shares] = []
    for block in blocks {
      if case .shares(let next) = block {
        shares.append(next)
        continue
      }
      writePair(shares, place, to: &page)
      shares = []
      write(block, place, to: &page)
    }
    writePair(shares, place, to: &page)
  }

  private func writePair(
    _ shares: [Document.Shares], _ place: Place, to page: inout HTMLWriter
  ) {
    guard !shares.isEmpty else { return }
    page.element("div", ["class": shares.count > 1 ? "pair" : nil]) { page in
      for each in shares { page.element("div") { write(each, place, to: &$0) } }
    }
  }

  private func write(_ block: Document.Block, _ place: Place, to page: inout HTMLWriter) {
    switch block {
    case .heading(let prose, let key):
      let isNames = prose.runs.contains { if case .code = $0 { true } else { false } }
      page.heading(place.level, ["class": isNames ? "apps" : nil]) { page in
        prose.write(to: &page)
        if !key.isEmpty {
          page.text(" ")
          page.element("small", key)
        }
      }
    case .paragraph(let prose, let tone): write(prose, tone, to: &page)
    case .list(let items):
      page.element("ul", ["class": "limits"]) { page in
        for item in items { page.line { $0.element("li") { item.write(to: &$0) } } }
      }
    case .facts(let facts):
      page.line {
        $0.element("dl", ["class": "facts"]) { page in
          for fact in facts {
            page.element("div") { page in
              page.element("dt", fact.name)
              for value in fact.values { page.element("dd") { value.write(to: &$0) } }
            }
          }
        }
      }
    case .shares(let shares): write(shares, place, to: &page)
    case .table(let table):
      if !table.about.isEmpty { page.paragraph(table.about, class: "hint") }
      HTMLTable(table, name: place.name, limit: limit).write(to: &page)
    case .findings(let list):
      HTMLFindings(list: list, level: place.level).write(to: &page)
    case .problems(let problems): write(problems, place, to: &page)
    case .code(let code):
      page.line { $0.element("pre", ["class": "paste"], code.joined(separator: "\n")) }
    case .days(let site, let table):
      HTMLDays(site: site).write(to: &page)
      fold("The days as a table", to: &page) {
        HTMLTable(table, name: place.name, limit: limit).write(to: &$0)
      }
    case .flow(let pairs): HTMLFlow(pairs: pairs).write(to: &page)
    case .section(let section): write(section, place, to: &page)
    }
  }

  private func write(_ prose: Prose, _ tone: Document.Tone, to page: inout HTMLWriter) {
    page.line {
      switch tone {
      case .lead: $0.element("p", ["class": "lead"]) { prose.write(to: &$0) }
      case .plain: $0.element("p") { prose.write(to: &$0) }
      case .hint: $0.element("p", ["class": "hint"]) { prose.write(to: &$0) }
      case .alarm:
        $0.element("section", ["class": "damage", "aria-label": "Problem"]) { page in
          page.element("p") { page in
            page.icon("error")
            page.text(" ")
            prose.write(to: &page)
          }
        }
      }
    }
  }

  /// Writes a section, to which the contents lead.
  private func write(
    _ section: Document.Section, _ place: Place, to page: inout HTMLWriter
  ) {
    var inner = place.below
    switch section.form {
    case .open, .entry:
      page.line {
        $0.element("section", ["id": section.id, "aria-labelledby": "\(section.id)-title"]) {
          page in
          page.heading(place.level, ["id": "\(section.id)-title"]) {
            section.title.write(to: &$0)
          }
          write(section.blocks(), inner, to: &page)
          if section.form == .entry { page.paragraph(section.key, class: "hint") }
        }
      }
      return
    case .part: inner.name = place.level > 1 ? ", " + section.title.text : ""
    case .folded, .group: break
    }
    // Inside a site's part, whose name would have to be in theirs, sections are no landmarks.
    let name = place.level > 2 ? nil : "\(section.id)-title"
    page.line {
      $0.element("section", ["id": section.id, "class": "fold", "aria-labelledby": name]) { page in
        page.element("details") { page in
          page.element("summary") { page in
            page.heading(place.level, ["id": "\(section.id)-title"]) {
              section.title.write(to: &$0)
            }
            if !section.key.isEmpty { page.element("span", ["class": "key"], section.key) }
          }
          write(section.blocks(), inner, to: &page)
        }
      }
    }
  }

  private func write(
    _ problems: [Document.Problem], _ place: Place, to page: inout HTMLWriter
  ) {
    page.element("ol", ["class": "findings"]) { page in
      for problem in problems {
        page.line {
          $0.element("li", ["class": problem.diagnostic.severity.rawValue]) {
            write(problem, place, to: &$0)
          }
        }
      }
    }
  }

  private func write(_ problem: Document.Problem, _ place: Place, to page: inout HTMLWriter) {
    page.heading(place.level) { page in
      page.write(titleOf: problem.diagnostic)
      if !problem.place.isEmpty { page.element("small", " " + problem.place) }
    }
    let excerpt = problem.excerpt(TextTable.width)
    if !excerpt.isEmpty {
      page.line { $0.element("pre", ["class": "paste"], excerpt.joined(separator: "\n")) }
    }
    for sentence in [problem.diagnostic.message] + problem.related { page.paragraph(sentence) }
    page.write(remedy: "To do") { $0.text(problem.diagnostic.remedy) }
  }

  private func fold(
    _ title: String, to page: inout HTMLWriter, _ content: (inout HTMLWriter) -> Void
  ) {
    page.line {
      $0.element("details") { page in
        page.element("summary", title)
        content(&page)
      }
    }
  }
}

// MARK: - Shares

extension HTMLDocument {
  /// Writes a table with a bar in each row.
  private func write(
    _ shares: Document.Shares, _ place: Place, to page: inout HTMLWriter
  ) {
    page.element("div", ["class": "scroll"]) { page in
      page.element("table", ["class": "shares"]) { page in
        page.element("caption", shares.title + place.name)
        page.element("thead") { page in
          page.element("tr") { page in
            page.element("td") { _ in }
            page.element("td", ["class": "picture"]) { _ in }
            for title in ["Visits", "Share", "Requests", "Share"] {
              page.element("th", ["scope": "col", "class": "number"], title)
            }
          }
        }
        page.element("tbody") { page in
          for row in shares.rows where !row.isDetail { write(row, of: shares.whole, to: &page) }
        }
      }
    }
  }

  private func write(
    _ row: Document.Shares.Row, of whole: Traffic, to page: inout HTMLWriter
  ) {
    let (traffic, isByVisits) = (row.traffic, whole.visits > 0)
    let length =
      isByVisits
      ? traffic.visits.length(of: whole.visits) : traffic.requests.length(of: whole.requests)
    page.trusted("\n")
    page.element("tr") { page in
      page.element("th", ["scope": "row", "title": row.meaning]) { page in
        if let verdict = row.verdict { page.swatch(verdict) }
        page.text((row.isNested ? "– " : "") + row.name)
      }
      page.element("td", ["class": "picture"]) { page in
        page.element(
          "svg", ["class": "bar", "aria-hidden": "true", "width": "100%", "height": "8"]
        ) { page in
          page.element("rect", ["class": "track", "width": "100%", "height": "100%"]) { _ in }
          page.element(
            "rect",
            ["class": row.verdict?.rawValue ?? "part", "width": length, "height": "100%"]
          ) { _ in }
        }
      }
      page.element("td", ["class": "number"], traffic.visits.grouped)
      page.element("td", ["class": "share"], traffic.visits.percent(of: whole.visits))
      page.element("td", ["class": "number"], traffic.requests.grouped)
      page.element("td", ["class": "share"], traffic.requests.percent(of: whole.requests))
    }
  }
}

extension HTMLWriter {
  /// Writes the color and pattern of a verdict, to precede its name.
  mutating func swatch(_ verdict: Verdict) {
    element("svg", ["class": "swatch", "aria-hidden": "true", "width": "12", "height": "12"]) {
      $0.element("rect", ["class": verdict.rawValue, "width": "100%", "height": "100%"]) { _ in }
    }
  }
}

extension Prose {
  fileprivate func write(to page: inout HTMLWriter) {
    for run in runs {
      switch run {
      case .text(let text): page.text(text)
      case .code(let text):
        let shown = ShownText(text)
        page.element("code", ["title": shown.title], shown.text)
      case .path(let path): page.path(path)
      case .link(let title, let id): page.element("a", ["href": "#\(id)"], title)
      }
    }
  }
}
