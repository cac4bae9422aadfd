internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// The traffic of a site over time, in as many rows as can be taken in: by day,
/// week, month, or year.
struct TextDays {
  let site: SiteAudit
  let style: Style

  /// Fewer days have no trend.
  private static let fewestDays = 4
  private static let rowLimit = 14

  /// The width of a row without the bar, including the space between columns.
  private static let otherColumns = 71

  func lines() -> [String] {
    let dated = site.days.compactMap { traffic in traffic.day.map { (day: $0, traffic: traffic) } }
    guard dated.count >= Self.fewestDays, let first = dated.first?.day, let last = dated.last?.day
    else { return [] }
    let units = Unit.allCases.lazy.map { unit in
      (unit: unit, spans: dated.grouped { unit.days(around: $0.day) })
    }
    guard let (unit, spans) = units.first(where: { $0.spans.count <= Self.rowLimit }) ?? units.last
    else { return [] }
    let all = first.daysSince1970...last.daysSince1970
    let shown = spans.suffix(Self.rowLimit).map { days, traffic in
      Span(
        name: unit.name(Day(daysSince1970: days.lowerBound)), days: days.clamped(to: all),
        traffic: traffic.map(\.traffic))
    }
    let showsVisits = site.total.visits > 0
    func weight(_ span: Span, _ part: (DayTraffic) -> Traffic?) -> Int {
      let traffic = span.traffic.sum(part)
      return showsVisits ? traffic.visits : traffic.requests
    }
    let most = shown.map { $0.mean(weight($0, \.total)) }.max() ?? 0
    var table = TextTable([.left, .left, .right, .right, .right, .right, .right])
    let word = showsVisits ? "visits" : "requests"
    table.add([
      unit.heading, "", unit == .day ? word : "\(word) a day", "claimed", "excluded", "unclaimed",
      "same host",
    ])
    for span in shown {
      let total = weight(span, \.total)
      let mean = span.mean(total)
      let parts = [Verdict.claimed, .excluded, .unclaimed].map { verdict in
        weight(span) { $0.verdicts[verdict] }
      }
      let columns = min(20, max(0, style.width - Self.otherColumns))
      table.add(
        [
          span.name + (changes(in: span).isEmpty ? "" : " *"),
          style.bar(mean, of: most, columns: columns), mean.grouped,
        ] + parts.map { $0.percent(of: total) }
          + [weight(span, \.sameHost).percent(of: parts[0])])
    }
    return ["", style.bold("\(showsVisits ? "Visits" : "Requests") by \(unit.rawValue)")]
      + table.lines(flexible: 0, width: style.width)
      + (spans.count > shown.count
        ? ["  \(style.ellipsis) after \((spans.count - shown.count).grouped) earlier ones"] : [])
      + style.note("Shares of all \(word); same host: share of claimed \(word).")
      + shown.flatMap(changes).flatMap { version in
        style.note("* The rules changed: " + SafeText.escaped(version.title))
      }
  }

  private func changes(in span: Span) -> [SiteVersion] {
    site.versions.dropFirst().filter { version in
      version.first.map { span.days.contains($0.daysSince1970) } ?? false
    }
  }

  private struct Span {
    let name: String

    /// Those days that lie in the time of the report, by their distance from 1970-01-01.
    let days: ClosedRange<Int>

    /// The days that have traffic.
    let traffic: [DayTraffic]

    /// A number for each day, rounded half up.
    func mean(_ number: Int) -> Int { (number * 2 + days.count) / (days.count * 2) }
  }

  private enum Unit: String, CaseIterable {
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
