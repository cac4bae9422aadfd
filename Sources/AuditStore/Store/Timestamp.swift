internal import Foundations
internal import TrafficDigest

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A time in UTC, such as that of a change of a store.
public struct Timestamp: CustomStringConvertible, Sendable {
  /// The number of seconds since 1970-01-01 00:00:00 UTC.
  public var secondsSince1970: Int

  /// The current time, or the value of `SOURCE_DATE_EPOCH`.
  ///
  /// That makes runs repeatable (reproducible-builds.org). A time outside the range of years is
  /// clamped to it.
  public static var now: Timestamp {
    Timestamp(
      secondsSince1970: ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap {
        Int($0)
      }.flatMap { range.contains($0) ? $0 : nil }
        ?? Int(
          min(Double(range.upperBound), max(0, Date().timeIntervalSince1970.rounded(.down)))))
  }

  /// The years 0 to 9999, because RFC 3339 has no others.
  private static let range = -62_167_219_200...253_402_300_799

  /// The day, in UTC.
  var day: Day { LogTime(secondsSince1970: secondsSince1970, offsetInMinutes: 0).day }

  /// The time as in RFC 3339, such as `2026-11-21T02:00:00+00:00`.
  public var description: String {
    LogTime(secondsSince1970: secondsSince1970, offsetInMinutes: 0).description
  }
}
