internal import ArgumentParser
internal import AuditStore
internal import Foundations
internal import TrafficDigest

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
