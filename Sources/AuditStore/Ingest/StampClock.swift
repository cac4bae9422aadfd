internal import Foundations

/// The system's clock for the timestamps of files.
enum StampClock {
  /// The current time in nanoseconds since 1970, regardless of `SOURCE_DATE_EPOCH`.
  static var now: Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
