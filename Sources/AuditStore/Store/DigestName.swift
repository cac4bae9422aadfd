internal import TrafficDigest

/// The name of a digest of a day in a store, such as `2026-11-19.42.digest`; the number is that of
/// its run.
struct DigestName: CustomStringConvertible {
  var day: StoredDay
  var run: Int64

  init(day: StoredDay, run: Int64) { (self.day, self.run) = (day, run) }

  /// Reads a name, or returns `nil` if no run would use it.
  init?(_ name: String) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2] == "digest", let run = Int64(parts[1]),
      let day = StoredDay(name: String(parts[0]))
    else { return nil }
    (self.day, self.run) = (day, run)
    // Numbers have other spellings, such as `+42`.
    guard description == name else { return nil }
  }

  var description: String { "\(day.name).\(run).digest" }
}
