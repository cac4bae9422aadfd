internal import LinkAuditing
internal import UniversalLinks

/// Parts of some traffic, as pictures and as a table.
struct HTMLShares {
  let whole: Traffic

  struct Row {
    var name: String
    var remark = ""
    var traffic: Traffic

    /// The verdict whose color and pattern the row has.
    var verdict: Verdict?
  }

  /// Writes a table with a bar in each row.
  func table(_ caption: String, _ rows: [Row], to page: inout HTMLWriter) {
    page.element("div", ["class": "scroll"]) { page in
      page.element("table", ["class": "shares"]) { page in
        page.element("caption", caption)
        page.element("thead") { page in
          page.element("tr") { page in
            page.element("td") { _ in }
            page.element("td", ["class": "picture"]) { _ in }
            page.element("th", ["scope": "col", "class": "number"], "Visits")
            page.element("th", ["scope": "col", "class": "number"], "Share")
            page.element("th", ["scope": "col", "class": "number"], "Requests")
            page.element("th", ["scope": "col", "class": "number"], "Share")
          }
        }
        page.element("tbody") { page in
          for row in rows { write(row, to: &page) }
        }
      }
    }
  }

  private func write(_ row: Row, to page: inout HTMLWriter) {
    page.trusted("\n")
    page.element("tr") { page in
      page.element("th", ["scope": "row", "title": row.remark.isEmpty ? nil : row.remark]) { page in
        if let verdict = row.verdict { page.swatch(verdict) }
        page.text(row.name)
      }
      page.element("td", ["class": "picture"]) { page in
        page.element(
          "svg", ["class": "bar", "aria-hidden": "true", "width": "100%", "height": "8"]
        ) { page in
          page.element("rect", ["class": "track", "width": "100%", "height": "100%"]) { _ in }
          let width = weight(row.traffic).length(of: weight(whole))
          page.element(
            "rect",
            ["class": row.verdict?.rawValue ?? "part", "width": width, "height": "100%"]
          ) { _ in }
        }
      }
      page.element("td", ["class": "number"], row.traffic.visits.grouped)
      page.element("td", ["class": "share"], row.traffic.visits.percent(of: whole.visits))
      page.element("td", ["class": "number"], row.traffic.requests.grouped)
      page.element("td", ["class": "share"], row.traffic.requests.percent(of: whole.requests))
    }
  }

  /// Visits, or requests where there are no visits at all.
  private func weight(_ traffic: Traffic) -> Int {
    whole.visits > 0 ? traffic.visits : traffic.requests
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
