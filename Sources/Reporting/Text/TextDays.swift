internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

extension SiteAudit {
  /// Fewer days have no trend.
  private static let fewestDays = 4
  private static let rowLimit = 14

  /// The width of a row without the bar, including the space between columns.
  private static let otherColumns = 71

  /// Returns the traffic over time, in as many rows as can be taken in: by day, week, month, or year.
  func lines(ofDaysIn style: Style) -> [String] {
    let dated = days.compactMap { traffic in traffic.day.map { (day: $0, traffic: traffic) } }
    guard dated.count >= Self.fewestDays, let first = dated.first?.day, let last = dated.last?.day
    else { return [] }
    let units = TimeUnit.allCases.lazy.map { unit in
      (unit: unit, spans: dated.grouped { unit.days(around: $0.day) })
    }
    guard let (unit, spans) = units.first(where: { $0.spans.count <= Self.rowLimit }) ?? units.last
    else { return [] }
    let all = first.daysSince1970...last.daysSince1970
    // The days of a row are those in the time of the report, and its traffic that of some of them.
    let shown = spans.suffix(Self.rowLimit).map { days, dated in
      (
        name: unit.name(Day(daysSince1970: days.lowerBound)), days: days.clamped(to: all),
        traffic: dated.map(\.traffic)
      )
    }
    let showsVisits = total.visits > 0
    func weight(_ days: [DayTraffic], _ part: (DayTraffic) -> Traffic?) -> Int {
      let traffic = days.sum(part)
      return showsVisits ? traffic.visits : traffic.requests
    }
    // For each day, rounded half up.
    let means = shown.map { row in
      (weight(row.traffic, \.total) * 2 + row.days.count) / (row.days.count * 2)
    }
    let most = means.max() ?? 0
    let word = showsVisits ? "visits" : "requests"
    let heads = [
      unit.heading, "", unit == .day ? word : "\(word) a day", "claimed", "excluded", "unclaimed",
      "same host",
    ]
    let rows = zip(shown, means).map { row, mean in
      let (name, days, traffic) = row
      let total = weight(traffic, \.total)
      let parts = [Verdict.claimed, .excluded, .unclaimed].map { verdict in
        weight(traffic) { $0.verdicts[verdict] }
      }
      let columns = min(20, max(0, style.width - Self.otherColumns))
      return [
        name + (changes(in: days).isEmpty ? "" : " *"),
        style.bar(mean, of: most, columns: columns), mean.grouped,
      ] + parts.map { $0.percent(of: total) }
        + [weight(traffic, \.sameHost).percent(of: parts[0])]
    }
    return ["", style.bold("\(showsVisits ? "Visits" : "Requests") by \(unit.rawValue)")]
      + ([heads] + rows).lines(numbers: [2, 3, 4, 5, 6], flexible: 0, width: style.width)
      + (spans.count > shown.count
        ? ["  \(style.ellipsis) after \((spans.count - shown.count).grouped) earlier ones"] : [])
      + style.note("Shares of all \(word); same host: share of claimed \(word).")
      + shown.flatMap { changes(in: $0.days) }.flatMap { version in
        style.note("* The rules changed: " + SafeText.escaped(version.title))
      }
  }

  /// Returns the versions that begin on one of some days, by their distance from 1970-01-01.
  private func changes(in days: ClosedRange<Int>) -> [SiteVersion] {
    versions.dropFirst().filter { version in
      version.first.map { days.contains($0.daysSince1970) } ?? false
    }
  }

  private enum TimeUnit: String, CaseIterable {
    case day
    case week
    case month
    case quarter
    case year

    var heading: String { self == .week ? "week of" : rawValue }

    func days(around day: Day) -> ClosedRange<Int> {
      let number = day.daysSince1970
      let months: Int
      switch self {
      case .day: return number...number
      case .week:
        // 1970-01-01 was a Thursday; weeks begin on Mondays.
        let monday = number - ((number + 3) % 7 + 7) % 7
        return monday...(monday + 6)
      case .month: months = 1
      case .quarter: months = 3
      case .year: months = 12
      }
      let (year, month, _) = day.components
      let first = (month - 1) / months * months + 1
      let start = Day(year: year, month: first, day: 1)?.daysSince1970 ?? number
      let next = first + months
      // The last year there is has no next one.
      let end = Day(year: next > 12 ? year + 1 : year, month: next > 12 ? 1 : next, day: 1)
      return start...max(start, end.map { $0.daysSince1970 - 1 } ?? number)
    }

    func name(_ first: Day) -> String {
      switch self {
      case .day, .week: first.description
      case .month: String(first.description.dropLast(3))
      case .quarter: first.description.dropLast(6) + "-Q\(first.components.month / 3 + 1)"
      case .year: String(first.description.dropLast(6))
      }
    }
  }
}
