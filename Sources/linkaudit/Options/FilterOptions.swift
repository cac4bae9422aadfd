internal import AccessLogs
internal import ArgumentParser
internal import AuditStore
internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import TrafficDigest

struct FilterOptions: ParsableArguments {
  @Option(
    help: .usual("Count this platform only, such as 'ios' or 'inApp'; repeatable.", "name"),
    completion: .list(Platform.allCases.map(\.name)))
  var platform: [String] = []

  @Option(
    help: .rare("Count this status only: '200', '2xx' or '300-399'; repeatable.", "pattern"),
    completion: .list(["200", "2xx", "3xx", "4xx", "5xx"]))
  var status: [String] = []

  @Flag(help: "Count pages that bots open as visits.")
  var includeBots = false

  func validate() throws {
    _ = try filter()
  }

  func filter() throws -> TrafficFilter {
    var filter = TrafficFilter()
    for name in Self.elements(platform) {
      let names = Platform.allCases.map(\.name)
      guard
        let platform = Platform.allCases.first(where: { $0.name.lowercased() == name.lowercased() })
      else {
        let nearest = NearestName.find(name, among: names).map { " Did you mean '\($0)'?" } ?? ""
        throw ValidationError(
          "'\(SafeText.escaped(name))' is not a platform.\(nearest) Platforms are "
            + names.joined(separator: ", ") + ".")
      }
      filter.platforms = (filter.platforms ?? []).union([platform])
    }
    for pattern in Self.elements(status) {
      guard let range = Self.statuses(pattern) else {
        throw ValidationError(
          "'\(SafeText.escaped(pattern))' is not a status; write it as '200', '2xx', or '300-399'."
        )
      }
      filter.add(statuses: range)
    }
    filter.includesBots = includeBots
    return filter
  }

  /// The elements of options that may have several with commas between them.
  private static func elements(_ values: [String]) -> [String] {
    values.flatMap { value in
      value.split(separator: ",", omittingEmptySubsequences: false).map { element in
        String(element.drop { $0 == " " }).trimmingEnd()
      }
    }
  }

  /// Returns the statuses that a pattern matches: `200`, `2xx`, `300-399`.
  private static func statuses(_ pattern: String) -> ClosedRange<UInt16>? {
    if let match = pattern.wholeMatch(of: /([1-9])[xX]{2}/), let digit = UInt16(match.1) {
      return digit * 100...digit * 100 + 99
    }
    guard let match = pattern.wholeMatch(of: /([0-9]{3})(?:-([0-9]{3}))?/),
      let first = UInt16(match.1), let last = UInt16(match.2 ?? match.1), first <= last
    else { return nil }
    return first...last
  }
}

struct TimeOptions: ParsableArguments {
  @Option(
    help: .usual(
      "Count requests from this time on: a date, a time, 'today', 'yesterday', or an age such as 7d or 12h. Days are in the time zone of the log.",
      "time"), completion: .list(["today", "yesterday", "7d", "30d", "90d", "365d"]))
  var since: String?

  @Option(
    help: .usual("Count requests up to this time; a day is included.", "time"),
    completion: .list(["today", "yesterday", "7d", "30d"]))
  var until: String?

  func validate() throws { _ = try span() }

  func span() throws -> TimeSpan {
    let now = LogTime.now.secondsSince1970
    let span = TimeSpan(
      since: try since.map { try Self.bound($0, "--since", now: now, isEnd: false) },
      until: try until.map { try Self.bound($0, "--until", now: now, isEnd: true) })
    if span.isEmpty {
      throw ValidationError("'--since \(since ?? "")' is later than '--until \(until ?? "")'.")
    }
    return span
  }

  private static func bound(
    _ text: String, _ option: String, now: Int, isEnd: Bool
  ) throws -> TimeBound {
    guard let bound = TimeBound(text, now: now, isEnd: isEnd) else {
      throw ValidationError(
        "'\(option) \(text)' is not a time; write it as 2026-11-19, 2026-11-19T13:00, "
          + "2026-11-19T13:00:00+01:00, today, yesterday, 7d, 2w, or 12h.")
    }
    return bound
  }
}
