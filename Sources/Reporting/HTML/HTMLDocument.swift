internal import Foundations
internal import LinkAuditing
internal import UniversalLinks

extension Document {
  /// The subject of all reports, as titles have it.
  static let topic = "Universal links"

  /// Returns the document as one page, whose sections are folded.
  ///
  /// `top` is the number of rows per table, by default as many as a page can hold.
  package func html(top: Int?) -> String {
    let page = HTMLWriter(limit: top)
    page.write(self)
    return page.markup
  }
}

// MARK: - Blocks

extension HTMLWriter {
  /// Writes blocks; shares that follow one another are a pair, next to each other.
  private func write(_ blocks: [Document.Block]) {
    var shares: [Document.Shares] = []
    func writePair() {
      guard !shares.isEmpty else { return }
      element("div", ["class": shares.count > 1 ? "pair" : nil]) {
        for each in shares { element("div") { write(each) } }
      }
      shares = []
    }
    for block in blocks {
      if case .shares(let next) = block {
        shares.append(next)
      } else {
        writePair()
        write(block)
      }
    }
    writePair()
  }

  private func write(_ block: Document.Block) {
    switch block {
    case .heading(let prose, let key):
      let isNames = prose.runs.contains { if case .code = $0 { true } else { false } }
      heading(level, ["class": isNames ? "apps" : nil]) {
        write(prose)
        if !key.isEmpty {
          text(" ")
          element("small", key)
        }
      }
    case .paragraph(let prose, .alarm):
      self.block("section", ["class": "damage", "aria-label": "Problem"]) {
        element("p") {
          icon("error")
          text(" ")
          write(prose)
        }
      }
    case .paragraph(let prose, let tone):
      let name = tone == .lead ? "lead" : tone == .hint ? "hint" : nil
      self.block("p", ["class": name]) { write(prose) }
    case .list(let items):
      element("ul", ["class": "limits"]) {
        for item in items { self.block("li") { write(item) } }
      }
    case .facts(let facts):
      self.block("dl", ["class": "facts"]) {
        for fact in facts {
          element("div") {
            element("dt", fact.name)
            for value in fact.values { element("dd") { write(value) } }
          }
        }
      }
    case .shares(let shares): write(shares)
    case .table(let table):
      if !table.about.isEmpty { paragraph(table.about, class: "hint") }
      write(table)
    case .findings(let list): write(list)
    case .problems(let problems):
      element("ol", ["class": "findings"]) {
        for problem in problems {
          self.block("li", ["class": problem.diagnostic.severity.rawValue]) { write(problem) }
        }
      }
    case .code(let code): self.block("pre", ["class": "paste"], code.joined(separator: "\n"))
    case .days(let site, let table):
      HTMLDays(site, on: self).write()
      self.block("details") {
        element("summary", "The days as a table")
        write(table)
      }
    case .flow(let pairs): write(flow: pairs)
    case .section(let section): write(section)
    }
  }

  /// Writes a section, to which the contents lead.
  private func write(_ section: Document.Section) {
    let (outer, outerEnd) = (level, captionEnd)
    defer { (level, captionEnd) = (outer, outerEnd) }
    let title = "\(section.id)-title"
    func writeTitle() {
      heading(outer, ["id": title]) { write(section.title) }
      level = outer + 1
      if section.form == .part { captionEnd = ", " + section.title.text }
    }
    if section.form == .open || section.form == .entry {
      block("section", ["id": section.id, "aria-labelledby": title]) {
        writeTitle()
        write(section.blocks())
        if section.form == .entry { paragraph(section.key, class: "hint") }
      }
      return
    }
    // Inside a site's part, whose name would have to be in theirs, sections are no landmarks.
    let name = level > 2 ? nil : title
    block("section", ["id": section.id, "class": "fold", "aria-labelledby": name]) {
      element("details") {
        element("summary") {
          writeTitle()
          if !section.key.isEmpty { element("span", ["class": "key"], section.key) }
        }
        write(section.blocks())
      }
    }
  }

  private func write(_ problem: Document.Problem) {
    heading(level) {
      write(titleOf: problem.diagnostic)
      if !problem.place.isEmpty { element("small", " " + problem.place) }
    }
    let excerpt = problem.excerpt(Style.fileWidth)
    if !excerpt.isEmpty { block("pre", ["class": "paste"], excerpt.joined(separator: "\n")) }
    for sentence in [problem.diagnostic.message] + problem.related { paragraph(sentence) }
    write(remedy: "To do") { text(problem.diagnostic.remedy) }
  }

  private func write(_ prose: Prose) {
    for run in prose.runs {
      switch run {
      case .text(let text): self.text(text)
      case .code(let text): code(ShownText(text))
      case .path(let path): code(ShownText(path: path))
      case .link(let title, let id): element("a", ["href": "#\(id)"], title)
      }
    }
  }
}

// MARK: - Shares

extension HTMLWriter {
  private func write(_ shares: Document.Shares) {
    element("div", ["class": "scroll"]) {
      element("table", ["class": "shares"]) {
        element("caption", shares.title + captionEnd)
        element("thead") {
          element("tr") {
            element("td")
            element("td", ["class": "picture"])
            for title in ["Visits", "Share", "Requests", "Share"] {
              element("th", ["scope": "col", "class": "number"], title)
            }
          }
        }
        element("tbody") {
          for row in shares.rows where !row.isDetail { write(row, of: shares.whole) }
        }
      }
    }
  }

  private func write(_ row: Document.Shares.Row, of whole: Traffic) {
    let (traffic, isByVisits) = (row.traffic, whole.visits > 0)
    let length =
      isByVisits
      ? traffic.visits.length(of: whole.visits) : traffic.requests.length(of: whole.requests)
    trusted("\n")
    element("tr") {
      element("th", ["scope": "row", "title": row.meaning]) {
        if let verdict = row.verdict { swatch(verdict) }
        text((row.isNested ? "– " : "") + row.name)
      }
      element("td", ["class": "picture"]) {
        element("svg", ["class": "bar", "aria-hidden": "true", "width": "100%", "height": "8"]) {
          element("rect", ["class": "track", "width": "100%", "height": "100%"])
          element(
            "rect",
            ["class": row.verdict?.rawValue ?? "part", "width": length, "height": "100%"])
        }
      }
      for (index, figure) in row.figures(of: whole).enumerated() {
        element("td", ["class": index % 2 == 0 ? "number" : "share"], figure)
      }
    }
  }

  /// Writes the color and pattern of a verdict, to precede its name.
  func swatch(_ verdict: Verdict) {
    element("svg", ["class": "swatch", "aria-hidden": "true", "width": "12", "height": "12"]) {
      element("rect", ["class": verdict.rawValue, "width": "100%", "height": "100%"])
    }
  }
}

// MARK: - Tables

extension HTMLWriter {
  private static let firstPage = 25

  /// Writes a table whose first column names a row.
  ///
  /// The first rows are markup. The others are data, which a script shows page by page.
  func write(_ table: DocumentTable) {
    let caption = table.title + captionEnd
    let rows = table.rows(min(limit, table.limit))
    let columns = table.columns(filledBy: rows)
    // The number of other rows, which the page does not hold.
    let rest = table.count - rows.count
    // The column by which the rows are ordered, the greatest first.
    let sorted = columns.firstIndex { $0.kind == .number }.flatMap { column -> String? in
      let weights = rows.map { row in
        if case .number(let number) = columns[column].cell(row) { number } else { 0 }
      }
      return zip(weights, weights.dropFirst()).allSatisfy { $0 >= $1 } ? String(column) : nil
    }
    block(
      "div",
      [
        "class": "table", "data-name": caption, "data-header": "0",
        "data-sorted": sorted, "data-rest": rest > 0 ? String(rest) : nil,
      ]
    ) {
      element("div", ["class": "scroll"]) {
        element("table") {
          element("caption", caption)
          element("thead") {
            element("tr") {
              for column in columns {
                element(
                  "th", ["scope": "col", "data-kind": column.kind.rawValue, "title": column.help],
                  column.title)
              }
            }
          }
          element("tbody") {
            for row in rows.prefix(Self.firstPage) {
              trusted("\n")
              element("tr") {
                for (index, column) in columns.enumerated() {
                  let (cell, kind) = (column.cell(row), column.kind.rawValue)
                  if index == 0 {
                    element("th", ["scope": "row", "class": kind]) { write(cell) }
                  } else {
                    element("td", ["class": kind]) { write(cell) }
                  }
                }
              }
            }
          }
        }
      }
      let later = rows.dropFirst(Self.firstPage)
      if !later.isEmpty {
        element(
          "p", ["class": "more"],
          "The first \(Self.firstPage) of \(table.count.grouped) rows. "
            + "To show the others, enable JavaScript.")
      }
      if rest > 0 {
        element(
          "p", ["class": "hint"],
          "\(rest.counted("more row")) \(rest == 1 ? "is" : "are") not in this page; "
            + "set their number with --top, or see the CSV report for all.")
      }
      guard !later.isEmpty else { return }
      var json = "["
      for (index, row) in later.enumerated() {
        json += index > 0 ? ",\n[" : "["
        json += columns.map { $0.cell(row).json }.joined(separator: ",") + "]"
      }
      data(json + "]")
    }
  }

  private func write(_ cell: TableValue) {
    switch cell {
    case .path, .code, .rule:
      let (shown, remark) = cell.code
      if !shown.text.isEmpty { code(shown) }
      if !remark.isEmpty { element("small", remark) }
    case .texts(let marks):
      for (index, mark) in marks.enumerated() {
        if index > 0 { text(" ") }
        element("span", ["class": "mark"], mark)
      }
    case .link(let text, let target): element("a", ["href": "#\(target)"], text)
    default: text(cell.text)
    }
  }
}

extension TableValue {
  fileprivate var code: (shown: ShownText, remark: String) {
    if case .path(let path, let remark) = self {
      (ShownText(path: path), remark)
    } else {
      (ShownText(text), remark)
    }
  }

  /// The cell as the page's script reads it.
  fileprivate var json: String {
    switch self {
    case .number(let number): return String(number)
    case .path, .code, .rule:
      let (shown, remark) = code
      if let title = shown.title { return Self.json([shown.text, remark, title]) }
      return remark.isEmpty ? HTMLWriter.json(shown.text) : Self.json([shown.text, remark])
    case .texts(let marks): return Self.json(marks)
    case .link(let text, let target): return Self.json([text, target])
    default: return HTMLWriter.json(text)
    }
  }

  private static func json(_ texts: [String]) -> String {
    "[" + texts.map(HTMLWriter.json).joined(separator: ",") + "]"
  }
}

// MARK: - The page

/// The frame of a self-contained page: it needs no network, no build, and no script to be readable.
extension HTMLWriter {
  fileprivate func write(_ document: Document) {
    trusted("<!DOCTYPE html>\n<html lang=\"en\">\n")
    element("head") { writeHead(of: document) }
    trusted("\n")
    element("body") { writeBody(of: document) }
    trusted("\n</html>\n")
  }

  private func writeHead(of document: Document) {
    trusted("\n<meta charset=\"utf-8\">\n")
    // Before all that it governs.
    open("meta", ["http-equiv": "Content-Security-Policy", "content": Self.securityPolicy])
    trusted(
      "\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        + "<meta name=\"color-scheme\" content=\"light dark\">\n"
        + "<meta name=\"robots\" content=\"noindex\">\n"
        + "<meta name=\"referrer\" content=\"no-referrer\">\n")
    let title = "\(Document.topic): \(document.relation)\(document.subject.text)"
    block("title", [:], title + (document.period.map { ", " + $0 } ?? ""))
    trusted("<style>\(Self.style)</style>\n")
  }

  private func writeBody(of document: Document) {
    let sections = document.sections().map { Document.Block.section($0) }
    let sources = document.sources.map { fact in
      (fact.name.isEmpty ? "" : fact.name + ": ") + fact.values.map(\.text).joined(separator: ", ")
    }
    trusted("\n")
    trusted(Self.drawings)
    block("a", ["class": "skip", "href": "#content"], "Skip to the report")
    element("header") {
      trusted("\n")
      let relation = document.relation.trimmingEnd()
      paragraph(Document.topic + (relation.isEmpty ? "" : ": " + relation), class: "kicker")
      block("h1", [:], document.subject.text)
      paragraph(
        ([document.period].compactMap(\.self) + sources).joined(separator: " · "), class: "period")
      if !document.filter.isEmpty { paragraph(document.filter, class: "filter") }
    }
    trusted("\n")
    element("nav", ["aria-label": "Contents"]) {
      paragraph("Contents", class: "kicker")
      element("ul") { for block in document.start + sections { writeEntry(block) } }
    }
    trusted("\n")
    element("main", ["id": "content", "tabindex": "-1"]) {
      trusted("\n")
      write(document.start)
      write(sections)
    }
    trusted("\n")
    element("footer") {
      paragraph("Written by linkaudit from access logs. This page loads nothing and sends nothing.")
    }
    trusted("\n<script>\(Self.script)</script>\n")
  }

  /// Writes the entry of a section in the table of contents; those of parts are below it.
  private func writeEntry(_ block: Document.Block) {
    switch block {
    case .findings(let list) where list.isStart:
      writeEntry(Document.FindingList.startTitle, "start")
    case .section(let section):
      switch section.form {
      case .open, .folded, .entry: writeEntry(section.title.text, section.id)
      case .group: for block in section.blocks() { writeEntry(block) }
      case .part:
        self.block("li") {
          element("a", ["href": "#\(section.id)"], section.title.text)
          element("ul") { for block in section.blocks() { writeEntry(block) } }
        }
      }
    default: break
    }
  }

  private func writeEntry(_ title: String, _ id: String) {
    block("li") { element("a", ["href": "#\(id)"], title) }
  }
}

extension HTMLWriter {
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
