/// The frame of a self-contained page: it needs no network, no build, and no script to be readable.
extension HTMLDocument {
  /// Returns the page.
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
    page.line {
      $0.void(
        "meta", ["http-equiv": "Content-Security-Policy", "content": PageAssets.securityPolicy])
    }
    page.trusted(
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        + "<meta name=\"color-scheme\" content=\"light dark\">\n"
        + "<meta name=\"robots\" content=\"noindex\">\n"
        + "<meta name=\"referrer\" content=\"no-referrer\">\n")
    let title = "\(Document.topic): \(document.relation)\(document.subject.text)"
    page.line { $0.element("title", title + (document.period.map { ", " + $0 } ?? "")) }
    page.trusted("<style>\(PageAssets.style)</style>\n")
  }

  private func writeBody(to page: inout HTMLWriter) {
    let sections = document.sections()
    let sources = document.sources.map { fact in
      (fact.name.isEmpty ? "" : fact.name + ": ")
        + fact.values.map(\.text).joined(separator: ", ")
    }
    page.trusted("\n")
    page.trusted(PageAssets.drawings)
    page.line { $0.element("a", ["class": "skip", "href": "#content"], "Skip to the report") }
    page.element("header") { page in
      page.trusted("\n")
      let relation = document.relation.trimmingEnd()
      page.paragraph(
        Document.topic + (relation.isEmpty ? "" : ": " + relation), class: "kicker")
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
    page.trusted("\n<script>\(PageAssets.script)</script>\n")
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
        page.line {
          $0.element("li") { page in
            page.element("a", ["href": "#\(section.id)"], section.title.text)
            page.element("ul") { page in
              for block in section.blocks() { writeEntry(block, to: &page) }
            }
          }
        }
      }
    default: break
    }
  }

  private func writeEntry(_ title: String, _ id: String, to page: inout HTMLWriter) {
    page.line { $0.element("li") { $0.element("a", ["href": "#\(id)"], title) } }
  }
}

/// The parts that are the same in every page.
enum PageAssets {
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

  /// The signs of severities, and the patterns of verdicts.
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
