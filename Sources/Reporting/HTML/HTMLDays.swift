internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// Visits by day: bars, each stacked by verdict, and a table.
struct HTMLDays {
  let report: Report
  let site: SiteAudit

  /// The end of captions, which differs from those of other sites.
  let name: String

  /// The number of rows of the table.
  let limit: Int

  private var days: [DayTraffic] { site.days }

  /// The versions of the association file, if there are several.
  private var versions: [SiteVersion] { site.versions }

  /// The number of bars that a large screen can show separately.
  private static let barLimit = 800

  /// Where there are fewer, bars don't grow wider.
  private static let widestSlots = 12

  /// Where there are more, gaps between bars would be narrower than a line.
  private static let denseSlots = 120

  private static let height = 160

  func write(to page: inout HTMLWriter) {
    let (dated, isToScale) = (dated, isToScale)
    if let first = dated.first?.day, let last = dated.last?.day {
      page.line {
        $0.element("figure", ["class": "days"]) { page in
          chart(dated, first, last, isToScale: isToScale, to: &page)
          legend(to: &page)
        }
      }
    }
    writeChanges(to: &page)
    let undated = days.filter { $0.day == nil }.reduce(Traffic()) { $0 + $1.total }
    if undated.requests > 0 {
      page.paragraph(
        "Without a time: \(undated.requests.counted("request")), of which \(undated.visits.counted("visit")).",
        class: "hint")
    }
    if dated.count < days.count - (undated.requests > 0 ? 1 : 0) {
      page.paragraph(
        "The picture shows the last \(dated.count.grouped) days; the table has all.", class: "hint")
    }
    if !isToScale {
      page.paragraph("The days are far apart: those without requests are left out.", class: "hint")
    }
    page.line {
      $0.element("details") { page in
        page.element("summary", "The days as a table")
        HTMLTable(Report.days, of: report, site: site, name: name, limit: limit).write(to: &page)
      }
    }
  }

  /// The days of the picture, in ascending order.
  private var dated: [(day: Day, traffic: DayTraffic)] {
    days.compactMap { traffic in traffic.day.map { ($0, traffic) } }.suffix(Self.barLimit)
  }

  /// A Boolean value indicating whether days without traffic leave a gap; they don't if
  /// dates are too far apart to be drawn.
  private var isToScale: Bool {
    let days = dated
    guard let first = days.first?.day, let last = days.last?.day else { return true }
    return last.daysSince1970 - first.daysSince1970 < Self.barLimit
  }

  /// A Boolean value indicating whether bars are as high as visits; where there are none
  /// at all, it is requests.
  private var showsVisits: Bool { days.contains { $0.total.visits > 0 } }

  private func weight(_ traffic: Traffic) -> Int {
    showsVisits ? traffic.visits : traffic.requests
  }

  private func chart(
    _ dated: [(day: Day, traffic: DayTraffic)], _ first: Day, _ last: Day, isToScale: Bool,
    to page: inout HTMLWriter
  ) {
    let slots = isToScale ? last.daysSince1970 - first.daysSince1970 + 1 : dated.count
    let top = Self.scale(dated.map { weight($0.traffic.total) }.max() ?? 0)
    let word = showsVisits ? "visit" : "request"
    let heaviest = dated.max { weight($0.traffic.total) < weight($1.traffic.total) }
    let label =
      "\(showsVisits ? "Visits" : "Requests") by day and verdict, \(first) to \(last); the most on "
      + "\(heaviest?.day.description ?? ""), \(weight(heaviest?.traffic.total ?? Traffic()).counted(word)). "
      + "The table below has the figures."
    page.element("div", ["class": "chart"]) { page in
      page.element("div", ["class": "scale", "aria-hidden": "true"]) { page in
        for value in Self.marks(top) { page.element("span", value.grouped) }
      }
      page.element(
        "div", ["class": "plot", "data-name": showsVisits ? "Visits by day" : "Requests by day"]
      ) { page in
        page.element(
          "svg",
          ["role": "img", "aria-label": label, "width": "100%", "height": String(Self.height + 24)]
        ) { page in
          for line in 0..<Self.marks(top).count {
            let y = line * Self.height / (Self.marks(top).count - 1)
            page.element(
              "line",
              ["class": "grid", "x1": "0", "x2": "100%", "y1": "\(y).5", "y2": "\(y).5"]
            ) { _ in }
          }
          page.element("svg", ["width": "100%", "height": String(Self.height)]) { page in
            for (index, (day, traffic)) in dated.enumerated() {
              let slot = isToScale ? day.daysSince1970 - first.daysSince1970 : index
              bar(day, traffic, slot: slot, of: slots, top: top, to: &page)
            }
          }
          changes(dated.map(\.day), isToScale: isToScale, slots: slots, to: &page)
          labels(dated.map(\.day), isToScale: isToScale, slots: slots, to: &page)
        }
      }
    }
  }

  private func bar(
    _ day: Day, _ traffic: DayTraffic, slot: Int, of slots: Int, top: Int,
    to page: inout HTMLWriter
  ) {
    page.trusted("\n")
    page.element("g") { page in
      page.element("title", title(day, traffic))
      page.element(
        "rect",
        [
          "class": "hit", "x": slot.length(of: slots), "width": 1.length(of: slots),
          "height": "100%",
        ]
      ) { _ in }
      // A bar is three quarters of its slot, or of one of so many; dense ones touch.
      let parts = max(slots, Self.widestSlots) * 8 * slots
      let half = (slots > Self.denseSlots ? 4 : 3) * slots
      let middle = (2 * slot + 1) * parts / (2 * slots)
      let (x, width) = ((middle - half).length(of: parts), (2 * half).length(of: parts))
      var below = 0
      for verdict in Verdict.allCases {
        let value = weight(traffic.verdicts[verdict] ?? Traffic())
        guard value > 0 else { continue }
        page.element(
          "rect",
          [
            "class": verdict.rawValue, "x": x, "y": (top - below - value).length(of: top),
            "width": width, "height": value.length(of: top),
          ]
        ) { _ in }
        below += value
      }
    }
  }

  private func title(_ day: Day, _ traffic: DayTraffic) -> String {
    let parts = Verdict.allCases.compactMap { verdict -> String? in
      let value = weight(traffic.verdicts[verdict] ?? Traffic())
      return value > 0 ? "\(value.grouped) \(verdict.rawValue)" : nil
    }
    let total = weight(traffic.total).counted(showsVisits ? "visit" : "request")
    return "\(day): \(total)" + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
  }

  /// The versions that came into force later than the first one.
  private var changes: [(day: Day, version: SiteVersion)] {
    versions.dropFirst().compactMap { version in version.first.map { ($0, version) } }
  }

  /// Lines between the bars where the rules changed.
  private func changes(
    _ days: [Day], isToScale: Bool, slots: Int, to page: inout HTMLWriter
  ) {
    guard let first = days.first else { return }
    for (day, _) in changes where day > first {
      guard let position = days.firstIndex(where: { $0 >= day }) else { continue }
      let slot = isToScale ? day.daysSince1970 - first.daysSince1970 : position
      let x = slot.length(of: slots)
      page.element(
        "line",
        [
          "x1": x, "x2": x, "y1": "0", "y2": String(Self.height), "stroke": "currentColor",
          "stroke-dasharray": "2 3", "pointer-events": "none",
        ]
      ) { _ in }
    }
  }

  /// Names the versions, of which there can be one a day.
  private func writeChanges(to page: inout HTMLWriter) {
    guard !changes.isEmpty else { return }
    let limit = 20
    let titles = changes.suffix(limit).map { ShownText($0.version.title).text }
    let rest = changes.count > limit ? "the last \(limit) times, " : ""
    page.paragraph(
      "Dotted lines: the rules changed; \(rest)\(titles.joined(separator: "; ")).", class: "hint")
  }

  /// Up to five dates below the bars.
  private func labels(
    _ days: [Day], isToScale: Bool, slots: Int, to page: inout HTMLWriter
  ) {
    guard let first = days.first, let last = days.last else { return }
    let end = slots - 1
    let count = min(5, slots)
    // Far apart, the month needs its year.
    let isLong = last.daysSince1970 - first.daysSince1970 > 150
    for label in 0..<count {
      let slot = count == 1 ? 0 : end * label / (count - 1)
      let day = isToScale ? Day(daysSince1970: first.daysSince1970 + slot) : days[slot]
      let isCentred = slots <= Self.widestSlots || (label > 0 && label < count - 1)
      page.element(
        "text",
        [
          "class": count == 5 && label % 2 == 1 ? "minor" : nil,
          "x": isCentred ? (slot * 2 + 1).length(of: slots * 2) : label == 0 ? "0" : "100%",
          "y": String(Self.height + 18),
          "text-anchor": isCentred ? "middle" : label == 0 ? "start" : "end",
        ], isLong ? day.description : day.short)
    }
  }

  private func legend(to page: inout HTMLWriter) {
    page.element("figcaption") { page in
      for verdict in Verdict.allCases
      where days.contains(where: { weight($0.verdicts[verdict] ?? Traffic()) > 0 }) {
        page.element("span") { page in
          page.swatch(verdict)
          page.text(verdict.title)
        }
      }
    }
  }

  /// A round number that is at least a value, and whose half is whole.
  static func scale(_ value: Int) -> Int {
    if let few = [2, 4, 6, 8].first(where: { $0 >= value }) { return few }
    var power = 1
    while value > power * 80, power < 1_000_000_000_000_000 { power *= 10 }
    return [10, 12, 16, 20, 24, 30, 40, 50, 60, 80].map { $0 * power }.first { $0 >= value }
      ?? value
  }

  /// The values at the lines, the greatest first.
  private static func marks(_ top: Int) -> [Int] { [top, top / 2, 0] }
}

extension Day {
  /// The day without its year, such as `06-01`.
  fileprivate var short: String { String(description.dropFirst(5)) }
}
