/// The frame of a self-contained page: it needs no network, no build, and no script to be readable.
struct HTMLPage {
  /// The title of the window.
  let title: String

  /// The kind of report, and its subject.
  let kicker: String
  let name: String

  /// The period, the logs, or the files, in a line.
  let period: String

  /// The filter in force; empty if all requests count.
  let filter: String

  /// Writes the page.
  ///
  /// - Parameters:
  ///   - contents: A function that writes the entries of the table of contents.
  ///   - main: A function that writes the report.
  /// - Returns: The markup.
  func text(
    contents: (inout HTMLWriter) -> Void, main: (inout HTMLWriter) -> Void
  ) -> String {
    var page = HTMLWriter()
    page.trusted("<!DOCTYPE html>\n<html lang=\"en\">\n")
    page.element("head") { head(&$0) }
    page.trusted("\n")
    page.element("body") { body(&$0, contents, main) }
    page.trusted("\n</html>\n")
    return page.markup
  }

  private func head(_ page: inout HTMLWriter) {
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
    page.line { $0.element("title", title) }
    page.trusted("<style>\(PageAssets.style)</style>\n")
  }

  private func body(
    _ page: inout HTMLWriter, _ contents: (inout HTMLWriter) -> Void,
    _ main: (inout HTMLWriter) -> Void
  ) {
    page.trusted("\n")
    page.trusted(PageAssets.drawings)
    page.line { $0.element("a", ["class": "skip", "href": "#content"], "Skip to the report") }
    page.element("header") { page in
      page.trusted("\n")
      page.paragraph(kicker, class: "kicker")
      page.heading(1, name)
      page.paragraph(period, class: "period")
      if !filter.isEmpty { page.paragraph(filter, class: "filter") }
    }
    page.trusted("\n")
    page.element("nav", ["aria-label": "Contents"]) { page in
      page.paragraph("Contents", class: "kicker")
      page.element("ul") { contents(&$0) }
    }
    page.trusted("\n")
    page.element("main", ["id": "content", "tabindex": "-1"]) { page in
      page.trusted("\n")
      main(&page)
    }
    page.trusted("\n")
    page.element("footer") {
      $0.paragraph(
        "Written by linkaudit from access logs. This page loads nothing and sends nothing.")
    }
    page.trusted("\n<script>\(PageAssets.script)</script>\n")
  }

  /// Writes an entry of the table of contents.
  static func entry(_ page: inout HTMLWriter, _ title: String, _ id: String) {
    page.line { $0.element("li") { $0.element("a", ["href": "#\(id)"], title) } }
  }
}
