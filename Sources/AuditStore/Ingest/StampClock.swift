internal import Foundations

/// The clock that the system stamps files with.
enum StampClock {
  /// The present in nanoseconds since 1970, whatever `SOURCE_DATE_EPOCH` says.
  static var now: Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
