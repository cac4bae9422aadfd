internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// Visits by day: bars, each stacked by verdict, and a line of the share of links on the same host.
struct HTMLDays {
  private let site: SiteAudit
  private let page: HTMLWriter

  /// The last days, each with its slot, from left to right.
  private let days: [(day: Day, slot: Int, traffic: DayTraffic)]
  private let first: Day
  private let last: Day

  /// Whether days without traffic leave a gap; they don't if dates are too far apart to be drawn.
  private let isToScale: Bool
  private let slots: Int

  /// Whether the height of bars shows visits; without visits, it shows requests.
  private let showsVisits: Bool

  /// The number of bars that a large screen can show separately.
  private static let barLimit = 800

  /// The number of slots below which bars don't grow wider.
  private static let widestSlots = 12

  /// The number of slots above which gaps between bars would be narrower than a line.
  private static let denseSlots = 120
  private static let height = 160

  init(_ site: SiteAudit, on page: HTMLWriter) {
    (self.site, self.page) = (site, page)
    showsVisits = site.days.contains { $0.total.visits > 0 }
    let dated: [(day: Day, traffic: DayTraffic)] =
      site.days.compactMap { traffic in traffic.day.map { ($0, traffic) } }.suffix(Self.barLimit)
    let first = dated.first?.day ?? Day(daysSince1970: 0)
    last = dated.last?.day ?? first
    let distance = last.daysSince1970 - first.daysSince1970
    let isToScale = distance < Self.barLimit
    days = dated.enumerated().map { index, dated in
      let slot = isToScale ? dated.day.daysSince1970 - first.daysSince1970 : index
      return (dated.day, slot, dated.traffic)
    }
    slots = isToScale ? distance + 1 : dated.count
    (self.first, self.isToScale) = (first, isToScale)
  }

  func write() {
    if !days.isEmpty {
      page.block("figure", ["class": "days"]) {
        writeBars()
        writeLegend()
      }
      writeSameHost()
    }
    writeChanges()
    let undated = site.days.filter { $0.day == nil }.sum(\.total)
    if undated.requests > 0 {
      page.paragraph(
        "Without a time: \(undated.requests.counted("request")), including \(undated.visits.counted("visit")).",
        class: "hint")
    }
    if days.count < site.days.count - (undated.requests > 0 ? 1 : 0) {
      page.paragraph(
        "The chart shows the last \(days.count.grouped) days; the table has all.", class: "hint")
    }
    if !isToScale {
      page.paragraph(
        "The chart leaves out days without requests, because there are many.", class: "hint")
    }
  }

  private func weight(_ traffic: Traffic?) -> Int {
    (showsVisits ? traffic?.visits : traffic?.requests) ?? 0
  }

  private func writeBars() {
    let top = Self.scale(days.map { weight($0.traffic.total) }.max() ?? 0)
    let word = showsVisits ? "visit" : "request"
    let heaviest = days.max { weight($0.traffic.total) < weight($1.traffic.total) }
    let name = showsVisits ? "Visits by day" : "Requests by day"
    let label =
      "\(name) and verdict, \(first) to \(last); the most on "
      + "\(heaviest?.day.description ?? ""), \(weight(heaviest?.traffic.total).counted(word)). "
      + "The table below has the figures."
    plot(name, label, marks: [top, top / 2, 0].map(\.grouped)) {
      for (day, slot, traffic) in days {
        let parts = Verdict.allCases.map { (verdict: $0, value: weight(traffic.verdicts[$0])) }
          .filter { $0.value > 0 }
        let words = parts.map { "\($0.value.grouped) \($0.verdict.rawValue)" }
        writeDay(
          slot,
          "\(day): \(weight(traffic.total).counted(word))"
            + (words.isEmpty ? "" : ": " + words.joined(separator: ", "))
        ) { writeBar(slot, parts, top: top) }
      }
    }
  }

  private func writeSameHost() {
    let shares = days.map { day -> (part: Int, whole: Int) in
      (weight(day.traffic.sameHost), weight(day.traffic.verdicts[.claimed]))
    }
    let name = "Share of claimed visits from the same host"
    let most = shares.compactMap { $0.whole > 0 ? ($0.part * 10 + $0.whole - 1) / $0.whole : nil }
    guard days.count > 1, let tenths = most.max(), tenths > 0 else { return }
    let top = tenths + tenths % 2
    // A day without claimed visits has no share, so the line is broken there.
    var (line, dots, isOpen) = ("", "", false)
    for (day, share) in zip(days, shares) {
      guard share.whole > 0 else {
        isOpen = false
        continue
      }
      let x = ((2 * day.slot + 1) * 10_000 / (2 * slots)).tenths
      let y = ((top * share.whole - share.part * 10) * 10_000 / (top * share.whole)).tenths
      line += "\(isOpen ? "L" : "M")\(x) \(y)"
      dots += "M\(x) \(y)h0"
      isOpen = true
    }
    page.block("figure", ["class": "days"]) {
      page.paragraph(name, class: "title")
      let label = "\(name) by day, \(first) to \(last). The table below has the figures."
      plot(name, label, marks: [top * 10, top * 5, 0].map { "\($0)%" }) {
        page.element(
          "svg",
          [
            "width": "100%", "height": "100%", "viewBox": "0 0 1000 1000",
            "preserveAspectRatio": "none",
          ]
        ) {
          page.element("path", ["class": "line", "d": line])
          page.element("path", ["class": "dots", "d": dots])
        }
        for (day, share) in zip(days, shares) {
          let text = share.whole > 0 ? share.part.percent(of: share.whole) : "none claimed"
          writeDay(day.slot, "\(day.day): \(text)")
        }
      }
    }
  }

  /// Writes the frame of a picture over days: scale, grid, dates, and where the rules changed.
  private func plot(_ name: String, _ label: String, marks: [String], _ content: () -> Void) {
    page.element("div", ["class": "chart"]) {
      page.element("div", ["class": "scale", "aria-hidden": "true"]) {
        for mark in marks { page.element("span", mark) }
      }
      page.element("div", ["class": "plot", "data-name": name]) {
        page.element(
          "svg",
          ["role": "img", "aria-label": label, "width": "100%", "height": String(Self.height + 24)]
        ) {
          for line in marks.indices {
            let y = line * Self.height / (marks.count - 1)
            page.element(
              "line", ["class": "grid", "x1": "0", "x2": "100%", "y1": "\(y).5", "y2": "\(y).5"])
          }
          page.element("svg", ["width": "100%", "height": String(Self.height)], content)
          writeLinesOfChanges()
          writeDates()
        }
      }
    }
  }

  /// Writes the invisible place of a day, which a finger or a pointer finds, then what it shows.
  private func writeDay(_ slot: Int, _ title: String, _ content: () -> Void = {}) {
    page.trusted("\n")
    page.element("g") {
      page.element("title", title)
      page.element(
        "rect",
        [
          "class": "hit", "x": slot.length(of: slots), "width": 1.length(of: slots),
          "height": "100%",
        ])
      content()
    }
  }

  private func writeBar(_ slot: Int, _ parts: [(verdict: Verdict, value: Int)], top: Int) {
    // A bar is three quarters of its slot, but at most of the widest slot; dense ones touch.
    let units = max(slots, Self.widestSlots) * 8 * slots
    let half = (slots > Self.denseSlots ? 4 : 3) * slots
    let middle = (2 * slot + 1) * units / (2 * slots)
    let (x, width) = ((middle - half).length(of: units), (2 * half).length(of: units))
    var below = 0
    for (verdict, value) in parts {
      page.element(
        "rect",
        [
          "class": verdict.rawValue, "x": x, "y": (top - below - value).length(of: top),
          "width": width, "height": value.length(of: top),
        ])
      below += value
    }
  }

  /// The versions after the first one, each with its first day in force.
  private var changes: [(day: Day, version: SiteVersion)] {
    site.versions.dropFirst().compactMap { version in version.first.map { ($0, version) } }
  }

  /// The greatest number of changes with names in a picture; more names would overlap.
  private static let namedChanges = 8

  /// Writes lines between the days where the rules changed, with the number of the version.
  private func writeLinesOfChanges() {
    let changes = changes
    for (day, version) in changes where day > first {
      // The version need not begin on a day with traffic.
      guard let next = days.first(where: { $0.day >= day }) else { continue }
      let slot = isToScale ? day.daysSince1970 - first.daysSince1970 : next.slot
      let x = slot.length(of: slots)
      page.element(
        "line",
        [
          "x1": x, "x2": x, "y1": "0", "y2": String(Self.height), "stroke": "currentColor",
          "stroke-dasharray": "2 3", "pointer-events": "none",
        ])
      guard changes.count <= Self.namedChanges else { continue }
      page.element("text", ["x": x, "y": "10", "dx": "4"], "v\(version.number)")
    }
  }

  /// Writes the names of the versions; there can be one a day.
  private func writeChanges() {
    guard !changes.isEmpty else { return }
    let limit = 20
    let titles = changes.suffix(limit).map { ShownText($0.version.title).text }
    let rest = changes.count > limit ? "the last \(limit) times, " : ""
    page.paragraph(
      "Dotted lines: the rules changed; \(rest)\(titles.joined(separator: "; ")).", class: "hint")
  }

  /// The number of dates that fit below a picture.
  private static let dateLimit = 7

  /// Writes dates below the days: each, or every second, third, and so on; with their year where it
  /// begins or changes.
  private func writeDates() {
    let step = (slots + Self.dateLimit - 1) / Self.dateLimit
    let hasYears = first.components.year != last.components.year
    var year: Int?
    for (index, slot) in stride(from: 0, to: slots, by: step).enumerated() {
      let day = isToScale ? Day(daysSince1970: first.daysSince1970 + slot) : days[slot].day
      let isYear = hasYears && day.components.year != year
      year = day.components.year
      let isFirst = index == 0 && slots > Self.widestSlots
      let isLast = slots > Self.widestSlots && slot + step / 2 >= slots
      page.element(
        "text",
        [
          // Narrow screens have room for every second one.
          "class": index % 2 == 1 ? "minor" : nil,
          "x": isFirst ? "0" : isLast ? "100%" : (slot * 2 + 1).length(of: slots * 2),
          "y": String(Self.height + 18),
          "text-anchor": isFirst ? "start" : isLast ? "end" : "middle",
        ], isYear ? day.description : String(day.description.dropFirst(5)))
    }
  }

  private func writeLegend() {
    page.element("figcaption") {
      for verdict in Verdict.allCases
      where site.days.contains(where: { weight($0.verdicts[verdict]) > 0 }) {
        page.element("span") {
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

// MARK: - Ways between pages

extension HTMLWriter {
  /// The number of pairs that readers can distinguish.
  private static let pairLimit = 10

  /// The height of all bands together, in pixels.
  private static let flowHeight = 200

  /// The height of a label, and the gap below it.
  private static let (labelHeight, gap) = (22, 6)

  /// A page, with its place and the start of the next band in tenths of a pixel.
  private struct Node {
    let path: String
    let top: Int
    let height: Int
    var next: Int
  }

  /// Writes the heaviest ways from page to page of the same host, as bands whose width is their
  /// visits.
  func write(flow pairs: [PagePair]) {
    let shown = Array(pairs.prefix(Self.pairLimit))
    let total = shown.reduce(0) { $0 + $1.visits }
    guard let first = shown.first, total > 0 else { return }
    var from = Self.nodes(shown, \.from, of: total)
    var to = Self.nodes(shown, \.to, of: total)
    let height = [from, to].compactMap(\.last).map { ($0.top + $0.height + 9) / 10 }.max() ?? 0
    let label =
      "The \(shown.count.counted("heaviest link")) between pages of the same host; the heaviest has "
      + "\(first.visits.counted("visit")). The table below has the figures."
    block("figure") {
      element(
        "svg",
        [
          "class": "flow", "role": "img", "aria-label": label, "width": "100%",
          "height": String(height),
        ]
      ) {
        element(
          "svg",
          [
            "x": "36%", "width": "28%", "height": String(height),
            "viewBox": "0 0 100 \(height)", "preserveAspectRatio": "none",
          ]
        ) {
          for pair in shown {
            guard let start = from.firstIndex(where: { $0.path == pair.from }),
              let end = to.firstIndex(where: { $0.path == pair.to })
            else { continue }
            let width = Self.tenths(pair.visits, of: total)
            band(pair, from: from[start].next, to: to[end].next, width: width)
            from[start].next += width
            to[end].next += width
          }
        }
        for node in from { writeLabel(node, isStart: true) }
        for node in to { writeLabel(node, isStart: false) }
      }
    }
  }

  /// The pages of one side below each other, the heaviest first.
  private static func nodes(
    _ pairs: [PagePair], _ path: KeyPath<PagePair, String>, of total: Int
  ) -> [Node] {
    let pages = pairs.grouped { $0[keyPath: path] }.map { path, pairs in
      (path: path, visits: pairs.reduce(0) { $0 + $1.visits })
    }
    var top = 0
    return pages.sorted {
      $0.visits != $1.visits ? $0.visits > $1.visits : $0.path < $1.path
    }.map { path, visits in
      let bands = tenths(visits, of: total)
      let height = max(labelHeight * 10, bands)
      defer { top += height + gap * 10 }
      return Node(path: path, top: top, height: height, next: top + (height - bands) / 2)
    }
  }

  /// The height of some visits, in tenths of a pixel; at least one pixel.
  private static func tenths(_ visits: Int, of total: Int) -> Int {
    let (high, low) = visits.multipliedFullWidth(by: flowHeight * 10)
    return max(10, total.dividingFullWidth((high, low)).quotient)
  }

  private func band(_ pair: PagePair, from start: Int, to end: Int, width: Int) {
    let (top, bottom) = (start.tenths, (start + width).tenths)
    let (endTop, endBottom) = (end.tenths, (end + width).tenths)
    let shape =
      "M0 \(top)C50 \(top) 50 \(endTop) 100 \(endTop)V\(endBottom)"
      + "C50 \(endBottom) 50 \(bottom) 0 \(bottom)Z"
    trusted("\n")
    element("path", ["d": shape]) {
      element(
        "title",
        "\(ShownText(path: pair.from).text) to \(ShownText(path: pair.to).text): \(pair.visits.counted("visit"))"
      )
    }
  }

  private func writeLabel(_ node: Node, isStart: Bool) {
    let y = (node.top + (node.height - Self.labelHeight * 10) / 2) / 10
    element(
      "foreignObject",
      [
        "x": isStart ? "0" : "65%", "y": String(y), "width": "35%",
        "height": String(Self.labelHeight),
      ]
    ) {
      let shown = ShownText(path: node.path)
      element("div", ["class": isStart ? "from" : "to", "title": shown.text], shown.text)
    }
  }
}
