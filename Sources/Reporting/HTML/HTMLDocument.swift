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
  private func write(
    _ blocks: [Document.Block], _ place: Place = Place(), to page: inout HTMLWriter
  ) {
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

  private func writePair(_ shares: [Document.Shares], _ place: Place, to page: inout HTMLWriter) {
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
        for item in items { page.block("li") { item.write(to: &$0) } }
      }
    case .facts(let facts):
      page.block("dl", ["class": "facts"]) { page in
        for fact in facts {
          page.element("div") { page in
            page.element("dt", fact.name)
            for value in fact.values { page.element("dd") { value.write(to: &$0) } }
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
      page.block("pre", ["class": "paste"], code.joined(separator: "\n"))
    case .days(let site, let table):
      HTMLDays(site: site).write(to: &page)
      page.block("details") { page in
        page.element("summary", "The days as a table")
        HTMLTable(table, name: place.name, limit: limit).write(to: &page)
      }
    case .flow(let pairs): HTMLFlow(pairs: pairs).write(to: &page)
    case .section(let section): write(section, place, to: &page)
    }
  }

  private func write(_ prose: Prose, _ tone: Document.Tone, to page: inout HTMLWriter) {
    switch tone {
    case .lead: page.block("p", ["class": "lead"]) { prose.write(to: &$0) }
    case .plain: page.block("p") { prose.write(to: &$0) }
    case .hint: page.block("p", ["class": "hint"]) { prose.write(to: &$0) }
    case .alarm:
      page.block("section", ["class": "damage", "aria-label": "Problem"]) { page in
        page.element("p") { page in
          page.icon("error")
          page.text(" ")
          prose.write(to: &page)
        }
      }
    }
  }

  /// Writes a section, to which the contents lead.
  private func write(_ section: Document.Section, _ place: Place, to page: inout HTMLWriter) {
    var inner = place.below
    switch section.form {
    case .open, .entry:
      page.block("section", ["id": section.id, "aria-labelledby": "\(section.id)-title"]) {
        page in
        page.heading(place.level, ["id": "\(section.id)-title"]) { section.title.write(to: &$0) }
        write(section.blocks(), inner, to: &page)
        if section.form == .entry { page.paragraph(section.key, class: "hint") }
      }
      return
    case .part: inner.name = place.level > 1 ? ", " + section.title.text : ""
    case .folded, .group: break
    }
    // Inside a site's part, whose name would have to be in theirs, sections are no landmarks.
    let name = place.level > 2 ? nil : "\(section.id)-title"
    page.block("section", ["id": section.id, "class": "fold", "aria-labelledby": name]) { page in
      page.element("details") { page in
        page.element("summary") { page in
          page.heading(place.level, ["id": "\(section.id)-title"]) { section.title.write(to: &$0) }
          if !section.key.isEmpty { page.element("span", ["class": "key"], section.key) }
        }
        write(section.blocks(), inner, to: &page)
      }
    }
  }

  private func write(_ problems: [Document.Problem], _ place: Place, to page: inout HTMLWriter) {
    page.element("ol", ["class": "findings"]) { page in
      for problem in problems {
        page.block("li", ["class": problem.diagnostic.severity.rawValue]) {
          write(problem, place, to: &$0)
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
      page.block("pre", ["class": "paste"], excerpt.joined(separator: "\n"))
    }
    for sentence in [problem.diagnostic.message] + problem.related { page.paragraph(sentence) }
    page.write(remedy: "To do") { $0.text(problem.diagnostic.remedy) }
  }
}

// MARK: - Shares

extension HTMLDocument {
  private func write(_ shares: Document.Shares, _ place: Place, to page: inout HTMLWriter) {
    page.element("div", ["class": "scroll"]) { page in
      page.element("table", ["class": "shares"]) { page in
        page.element("caption", shares.title + place.name)
        page.element("thead") { page in
          page.element("tr") { page in
            page.element("td")
            page.element("td", ["class": "picture"])
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

  private func write(_ row: Document.Shares.Row, of whole: Traffic, to page: inout HTMLWriter) {
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
          page.element("rect", ["class": "track", "width": "100%", "height": "100%"])
          page.element(
            "rect",
            ["class": row.verdict?.rawValue ?? "part", "width": length, "height": "100%"]
          )
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
      $0.element("rect", ["class": verdict.rawValue, "width": "100%", "height": "100%"])
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

/// The frame of a self-contained page: it needs no network, no build, and no script to be readable.
extension HTMLDocument {
  func text() -> String {
    var page = HTMLWriter()
    page.trusted("<!DOCTYPE html>\n<html lang=\"en\">\n")
    page.element("head") { writeHead(to: &$0) }
    page.trusted("\n")
    page.element("body") { writeBody(to: &$0) }
    page.trusted("\n</html>\n")
    return page.markup
  }

  private func writeHead(to page: inout HTMLWriter) {
    page.trusted("\n<meta charset=\"utf-8\">\n")
    // Before all that it governs.
    page.void(
      "meta", ["http-equiv": "Content-Security-Policy", "content": Self.securityPolicy])
    page.trusted(
      "\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        + "<meta name=\"color-scheme\" content=\"light dark\">\n"
        + "<meta name=\"robots\" content=\"noindex\">\n"
        + "<meta name=\"referrer\" content=\"no-referrer\">\n")
    let title = "\(Document.topic): \(document.relation)\(document.subject.text)"
    page.block("title", [:], title + (document.period.map { ", " + $0 } ?? ""))
    page.trusted("<style>\(Self.style)</style>\n")
  }

  private func writeBody(to page: inout HTMLWriter) {
    let sections = document.sections()
    let sources = document.sources.map { fact in
      (fact.name.isEmpty ? "" : fact.name + ": ") + fact.values.map(\.text).joined(separator: ", ")
    }
    page.trusted("\n")
    page.trusted(Self.drawings)
    page.block("a", ["class": "skip", "href": "#content"], "Skip to the report")
    page.element("header") { page in
      page.trusted("\n")
      let relation = document.relation.trimmingEnd()
      page.paragraph(Document.topic + (relation.isEmpty ? "" : ": " + relation), class: "kicker")
      page.heading(1, document.subject.text)
      page.paragraph(
        ([document.period].compactMap(\.self) + sources).joined(separator: " · "), class: "period")
      if !document.filter.isEmpty { page.paragraph(document.filter, class: "filter") }
    }
    page.trusted("\n")
    page.element("nav", ["aria-label": "Contents"]) { page in
      page.paragraph("Contents", class: "kicker")
      page.element("ul") { page in
        for block in document.start { writeEntry(block, to: &page) }
        for section in sections { writeEntry(.section(section), to: &page) }
      }
    }
    page.trusted("\n")
    page.element("main", ["id": "content", "tabindex": "-1"]) { page in
      page.trusted("\n")
      write(document.start, to: &page)
      for section in sections { write([.section(section)], to: &page) }
    }
    page.trusted("\n")
    page.element("footer") {
      $0.paragraph(
        "Written by linkaudit from access logs. This page loads nothing and sends nothing.")
    }
    page.trusted("\n<script>\(Self.script)</script>\n")
  }

  /// Writes the entry of a section in the table of contents; those of parts are below it.
  private func writeEntry(_ block: Document.Block, to page: inout HTMLWriter) {
    switch block {
    case .findings(let list) where list.isStart:
      writeEntry(Document.FindingList.startTitle, "start", to: &page)
    case .section(let section):
      switch section.form {
      case .open, .folded, .entry: writeEntry(section.title.text, section.id, to: &page)
      case .group: for block in section.blocks() { writeEntry(block, to: &page) }
      case .part:
        page.block("li") { page in
          page.element("a", ["href": "#\(section.id)"], section.title.text)
          page.element("ul") { page in
            for block in section.blocks() { writeEntry(block, to: &page) }
          }
        }
      }
    default: break
    }
  }

  private func writeEntry(_ title: String, _ id: String, to page: inout HTMLWriter) {
    page.block("li") { $0.element("a", ["href": "#\(id)"], title) }
  }
}

extension HTMLDocument {
  static let style = String(decoding: PackageResources.Page_css, as: UTF8.self)
  static let script = String(decoding: PackageResources.Page_js, as: UTF8.self)

  /// The SHA-256 of the style and of the script, in base64, with which a test compares them.
  static let styleHash = "56Bvs/z+q4aHiV4PfqJo2eflBCCtZynF2IFxwtoWug4="
  static let scriptHash = "lTMxS+f5sBHQe8ILtx4BMfdW0wXROT1ppiNPKI8wWo4="

  /// The policy that allows no loading and no sending, and only the styles and scripts of this
  /// program.
  static let securityPolicy =
    "default-src 'none'; style-src 'sha256-\(styleHash)'; script-src 'sha256-\(scriptHash)'; "
    + "base-uri 'none'; form-action 'none'"

  static let drawings = """
    <svg class="drawings" width="0" height="0" aria-hidden="true"><defs>\
    <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
    <rect class="hatch-ground" width="5" height="5"/><rect class="hatch-line" width="2" height="5"/></pattern>\
    <pattern id="dots" width="4" height="4" patternUnits="userSpaceOnUse">\
    <rect class="dots-ground" width="4" height="4"/><circle class="dots-dot" cx="2" cy="2" r="1"/></pattern>\
    <symbol id="icon-error" viewBox="0 0 16 16"><path d="M5 .8h6L15.2 5v6L11 15.2H5L.8 11V5z"/>\
    <path class="cut" d="M5.2 5.2l5.6 5.6m0-5.6l-5.6 5.6"/></symbol>\
    <symbol id="icon-warning" viewBox="0 0 16 16"><path d="M8 .9l7.6 13.9H.4z"/>\
    <path class="cut" d="M8 5.6v4.6m0 1.5v1.4"/></symbol>\
    <symbol id="icon-note" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7.2"/>\
    <path class="cut" d="M8 7.2v4.8M8 4v1.6"/></symbol>\
    </defs></svg>

    """
}
