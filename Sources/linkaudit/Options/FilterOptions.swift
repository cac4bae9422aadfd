internal import AccessLogs
internal import ArgumentParser
internal import AuditStore
internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import TrafficDigest

/// The options that select requests.
struct FilterOptions: ParsableArguments {
  @Option(
    help: .usual(
      "Count requests from this platform only, such as 'ios' or 'inApp'; repeatable, or separated by commas.",
      valueName: "name"),
    completion: .list(Platform.allCases.map(\.name)))
  var platform: [String] = []

  @Option(
    help: ArgumentHelp(
      "Count requests with this status only: '200', '2xx' or '300-399'; repeatable, or separated by commas.",
      valueName: "pattern"),
    completion: .list(["200", "2xx", "3xx", "4xx", "5xx"]))
  var status: [String] = []

  @Flag(help: "Count pages that bots open as visits.")
  var includeBots = false

  func validate() throws {
    _ = try filter()
  }

  /// The filter that the options ask for.
  ///
  /// - Throws: `ValidationError` for a platform that is unknown, or a status that is
  ///   none.
  func filter() throws -> TrafficFilter {
    var filter = TrafficFilter()
    for name in Self.elements(platform) {
      guard
        let platform = Platform.allCases.first(where: { $0.name.lowercased() == name.lowercased() })
      else {
        throw ValidationError(Self.unknownPlatform(name))
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

  private static func unknownPlatform(_ name: String) -> String {
    let names = Platform.allCases.map(\.name)
    let nearest = NearestName.find(name, among: names).map { " Did you mean '\($0)'?" } ?? ""
    return "'\(SafeText.escaped(name))' is not a platform.\(nearest) Platforms are "
      + names.joined(separator: ", ") + "."
  }

  /// Returns the statuses that a pattern matches: `200`, `2xx`, `300-399`.
  static func statuses(_ pattern: String) -> ClosedRange<UInt16>? {
    let parts = pattern.split(separator: "-", omittingEmptySubsequences: false)
    if parts.count == 2, let first = status(parts[0]), let last = status(parts[1]), first <= last {
      return first...last
    }
    if let status = status(pattern[...]) { return status...status }
    guard pattern.utf8.count == 3, let first = pattern.utf8.first, (0x31...0x39).contains(first),
      pattern.lowercased().hasSuffix("xx")
    else { return nil }
    let hundred = UInt16(first - 0x30) * 100
    return hundred...(hundred + 99)
  }

  private static func status(_ text: Substring) -> UInt16? {
    guard text.utf8.count == 3, text.utf8.allSatisfy(\.isDigit) else {
      return nil
    }
    return UInt16(text)
  }
}

/// The period that counts.
struct TimeOptions: ParsableArguments {
  @Option(
    help: .usual(
      "Count requests from this time on: a date, a time, 'today', 'yesterday', or an age such as 7d or 12h. Days are in the time zone of the log.",
      valueName: "time"),
    completion: .list(["today", "yesterday", "7d", "30d", "90d", "365d"]))
  var since: String?

  @Option(
    help: .usual(
      "Count requests up to this time, written as in --since; a day is included.",
      valueName: "time"),
    completion: .list(["today", "yesterday", "7d", "30d"]))
  var until: String?

  func validate() throws { _ = try span() }

  /// The span of time.
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
