internal import Foundations

// Unsafe code: `getrlimit` and `setrlimit` fill and read a structure in place.

/// The maximum number of open files of the process, as `ulimit -n` sets it.
package enum OpenFileLimit {
  /// The number of files.
  package static var count: Int { Int(clamping: limits.rlim_cur) }

  /// The maximum number of workers with open files; each has a log, two runs, and a third one into
  /// which they are merged.
  package static var workers: Int { max(1, (count - 8) / 4) }

  /// Raises the limit on open files to the maximum for this process.
  package static func raise() {
    var limits = limits
    guard limits.rlim_cur < limits.rlim_max else { return }
    limits.rlim_cur = limits.rlim_max
    _ = unsafe setrlimit(resource, &limits)
  }

  #if canImport(Glibc)
  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
  private static let resource = RLIMIT_NOFILE
  #endif

  private static var limits: rlimit {
    var limits = rlimit()
    let status = unsafe getrlimit(resource, &limits)
    return status == 0 ? limits : rlimit(rlim_cur: 256, rlim_max: 256)
  }
}
