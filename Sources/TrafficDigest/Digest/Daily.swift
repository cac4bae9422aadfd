public import Foundations

extension TrafficDigest {
  /// The counts of one day.
  public struct Daily<Count: Hashable & Sendable>: Hashable, Sendable {
    /// The day on the log's own clock, or `nil` for requests without a time.
    public var day: Day?

    /// The counts, none of them 0, in the same order as without days.
    public var counts: [Count]
  }
}

extension TrafficDigest.Daily {
  /// Adds up counts day by day, requests without a time first.
  ///
  /// - Parameters:
  ///   - counts: The counts with their days; equal days can occur several times.
  ///   - sums: A function that adds up the counts of one day.
  /// - Returns: Each day once, in ascending order.
  static func sums(_ counts: [Self], _ sums: ([Count]) -> [Count]) -> [Self] {
    Dictionary(grouping: counts) { $0.day?.number ?? 0 }.sorted { $0.key < $1.key }.map {
      number, days in
      Self(day: Day.numbered(number), counts: sums(days.flatMap(\.counts)))
    }
  }
}
