internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// Visits by day: bars, each stacked by verdict, and a line of the share of links on the same host.
struct HTMLDays {
  let site: SiteAudit

  private var days: [DayTraffic] { site.days }

  /// The number of bars that a large screen can show separately.
  private static let barLimit = 800

  /// The number of slots below which bars don't grow wider.
  private static let widestSlots = 12

  /// The number of slots above which gaps between bars would be narrower than a line.
  private static let denseSlots = 120
  private static let height = 160

  func write(to page: inout HTMLWriter) {
    if let axis = DayAxis(dated.map(\.day), isToScale: isToScale) {
      page.block("figure", ["class": "days"]) { page in
        bars(axis, to: &page)
        legend(to: &page)
      }
      sameHost(axis, to: &page)
    }
    writeChanges(to: &page)
    let undated = days.filter { $0.day == nil }.sum(\.total)
    if undated.requests > 0 {
      page.paragraph(
        "Without a time: \(undated.requests.counted("request")), including \(undated.visits.counted("visit")).",
        class: "hint")
    }
    if dated.count < days.count - (undated.requests > 0 ? 1 : 0) {
      page.paragraph(
        "The chart shows the last \(dated.count.grouped) days; the table has all.", class: "hint")
    }
    if !isToScale {
      page.paragraph(
        "The chart leaves out days without requests, because there are many.", class: "hint")
    }
  }

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

  /// A Boolean value indicating whether the height of bars shows visits; without visits, it shows
  /// requests.
  private var showsVisits: Bool { days.contains { $0.total.visits > 0 } }

  private func weight(_ traffic: Traffic) -> Int { showsVisits ? traffic.visits : traffic.requests }

  private func bars(_ axis: DayAxis, to page: inout HTMLWriter) {
    let dated = dated
    let top = Self.scale(dated.map { weight($0.traffic.total) }.max() ?? 0)
    let word = showsVisits ? "visit" : "request"
    let heaviest = dated.max { weight($0.traffic.total) < weight($1.traffic.total) }
    let name = showsVisits ? "Visits by day" : "Requests by day"
    let label =
      "\(name) and verdict, \(axis.period); the most on "
      + "\(heaviest?.day.description ?? ""), \(weight(heaviest?.traffic.total ?? Traffic()).counted(word)). "
      + "The table below has the figures."
    plot(axis, name, label, marks: [top, top / 2, 0].map(\.grouped), to: &page) { page in
      for (index, (day, traffic)) in dated.enumerated() {
        bar(day, traffic, slot: axis.slot(index), of: axis.slots, top: top, to: &page)
      }
    }
  }

  private func sameHost(_ axis: DayAxis, to page: inout HTMLWriter) {
    let dated = dated
    let shares = dated.map { day -> (part: Int, whole: Int) in
      (weight(day.traffic.sameHost), weight(day.traffic.verdicts[.claimed] ?? Traffic()))
    }
    let name = "Share of claimed visits from the same host"
    let most = shares.compactMap { $0.whole > 0 ? ($0.part * 10 + $0.whole - 1) / $0.whole : nil }
    guard dated.count > 1, let tenths = most.max(), tenths > 0 else { return }
    let top = tenths + tenths % 2
    // A day without claimed visits has no share, so the line is broken there.
    var (line, dots, isOpen) = ("", "", false)
    for (index, share) in shares.enumerated() {
      guard share.whole > 0 else {
        isOpen = false
        continue
      }
      let x = Self.tenths((2 * axis.slot(index) + 1) * 10_000 / (2 * axis.slots))
      let y = Self.tenths((top * share.whole - share.part * 10) * 10_000 / (top * share.whole))
      line += "\(isOpen ? "L" : "M")\(x) \(y)"
      dots += "M\(x) \(y)h0"
      isOpen = true
    }
    page.block("figure", ["class": "days"]) { page in
      page.paragraph(name, class: "title")
      let label = "\(name) by day, \(axis.period). " + "The table below has the figures."
      plot(
        axis, name, label,
        marks: [top * 10, top * 5, 0].map { "\($0)%" }, to: &page
      ) { page in
        page.element(
          "svg",
          [
            "width": "100%", "height": "100%", "viewBox": "0 0 1000 1000",
            "preserveAspectRatio": "none",
          ]
        ) { page in
          page.element("path", ["class": "line", "d": line])
          page.element("path", ["class": "dots", "d": dots])
        }
        for (index, share) in shares.enumerated() {
          page.trusted("\n")
          page.element("g") { page in
            let text = share.whole > 0 ? share.part.percent(of: share.whole) : "none claimed"
            page.element("title", "\(dated[index].day): \(text)")
            hit(slot: axis.slot(index), of: axis.slots, to: &page)
          }
        }
      }
    }
  }

  private static func tenths(_ number: Int) -> String { "\(number / 10).\(number % 10)" }

  /// Writes the frame of a picture over days: scale, grid, dates, and where the rules changed.
  private func plot(
    _ axis: DayAxis, _ name: String, _ label: String, marks: [String],
    to page: inout HTMLWriter, _ content: (inout HTMLWriter) -> Void
  ) {
    page.element("div", ["class": "chart"]) { page in
      page.element("div", ["class": "scale", "aria-hidden": "true"]) { page in
        for mark in marks { page.element("span", mark) }
      }
      page.element("div", ["class": "plot", "data-name": name]) { page in
        page.element(
          "svg",
          ["role": "img", "aria-label": label, "width": "100%", "height": String(Self.height + 24)]
        ) { page in
          for line in marks.indices {
            let y = line * Self.height / (marks.count - 1)
            page.element(
              "line",
              ["class": "grid", "x1": "0", "x2": "100%", "y1": "\(y).5", "y2": "\(y).5"]
            )
          }
          page.element("svg", ["width": "100%", "height": String(Self.height)], content)
          changes(axis, to: &page)
          labels(axis, to: &page)
        }
      }
    }
  }

  /// Writes the invisible place of a day, which a finger or a pointer finds.
  private func hit(slot: Int, of slots: Int, to page: inout HTMLWriter) {
    page.element(
      "rect",
      ["class": "hit", "x": slot.length(of: slots), "width": 1.length(of: slots), "height": "100%"]
    )
  }

  private func bar(
    _ day: Day, _ traffic: DayTraffic, slot: Int, of slots: Int, top: Int,
    to page: inout HTMLWriter
  ) {
    page.trusted("\n")
    page.element("g") { page in
      page.element("title", title(day, traffic))
      hit(slot: slot, of: slots, to: &page)
      // A bar is three quarters of its slot, but at most of the widest slot; dense ones touch.
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
        )
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

  /// The versions after the first one, each with its first day in force.
  private var changes: [(day: Day, version: SiteVersion)] {
    site.versions.dropFirst().compactMap { version in version.first.map { ($0, version) } }
  }

  /// Lines between the days where the rules changed, with the number of the version.
  private func changes(_ axis: DayAxis, to page: inout HTMLWriter) {
    for (day, version) in changes where day > axis.first {
      guard let slot = axis.slot(from: day) else { continue }
      let x = slot.length(of: axis.slots)
      page.element(
        "line",
        [
          "x1": x, "x2": x, "y1": "0", "y2": String(Self.height), "stroke": "currentColor",
          "stroke-dasharray": "2 3", "pointer-events": "none",
        ]
      )
      guard changes.count <= Self.namedChanges else { continue }
      page.element("text", ["x": x, "y": "10", "dx": "4"], "v\(version.number)")
    }
  }

  /// The greatest number of changes with names; more names would overlap.
  private static let namedChanges = 8

  /// Writes the names of the versions; there can be one a day.
  private func writeChanges(to page: inout HTMLWriter) {
    guard !changes.isEmpty else { return }
    let limit = 20
    let titles = changes.suffix(limit).map { ShownText($0.version.title).text }
    let rest = changes.count > limit ? "the last \(limit) times, " : ""
    page.paragraph(
      "Dotted lines: the rules changed; \(rest)\(titles.joined(separator: "; ")).", class: "hint")
  }

  /// Writes dates below the days: each, or every second, third, and so on; with their year where it
  /// begins or changes.
  private func labels(_ axis: DayAxis, to page: inout HTMLWriter) {
    let step = (axis.slots + Self.labelLimit - 1) / Self.labelLimit
    let hasYears = axis.first.components.year != axis.last.components.year
    var year: Int?
    for (index, slot) in stride(from: 0, to: axis.slots, by: step).enumerated() {
      let day = axis.day(slot)
      let isYear = hasYears && day.components.year != year
      year = day.components.year
      let isFirst = index == 0 && axis.slots > Self.widestSlots
      let isLast = axis.slots > Self.widestSlots && slot + step / 2 >= axis.slots
      page.element(
        "text",
        [
          // Narrow screens have room for every second one.
          "class": index % 2 == 1 ? "minor" : nil,
          "x": isFirst ? "0" : isLast ? "100%" : (slot * 2 + 1).length(of: axis.slots * 2),
          "y": String(Self.height + 18),
          "text-anchor": isFirst ? "start" : isLast ? "end" : "middle",
        ], isYear ? day.description : day.short)
    }
  }

  /// The number of dates that fit below a picture.
  private static let labelLimit = 7

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

}

/// The days of a picture, and the slots that they have from left to right.
private struct DayAxis {
  private let days: [Day]
  private let isToScale: Bool
  let first: Day
  let last: Day
  let slots: Int

  init?(_ days: [Day], isToScale: Bool) {
    guard let first = days.first, let last = days.last else { return nil }
    (self.days, self.isToScale, self.first, self.last) = (days, isToScale, first, last)
    slots = isToScale ? last.daysSince1970 - first.daysSince1970 + 1 : days.count
  }

  var period: String { "\(first) to \(last)" }

  func slot(_ index: Int) -> Int {
    isToScale ? days[index].daysSince1970 - first.daysSince1970 : index
  }

  /// The slot at which a day begins that need not have traffic, or `nil` if it is later.
  func slot(from day: Day) -> Int? {
    days.firstIndex { $0 >= day }.map { isToScale ? day.daysSince1970 - first.daysSince1970 : $0 }
  }

  func day(_ slot: Int) -> Day {
    isToScale ? Day(daysSince1970: first.daysSince1970 + slot) : days[slot]
  }
}

extension Day {
  /// The day without its year, such as `06-01`.
  fileprivate var short: String { String(description.dropFirst(5)) }
}
