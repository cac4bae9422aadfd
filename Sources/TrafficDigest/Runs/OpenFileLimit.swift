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
    #if canImport(Glibc)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    #else
    _ = unsafe setrlimit(RLIMIT_NOFILE, &limits)
    #endif
  }

  private static var limits: rlimit {
    var limits = rlimit()
    #if canImport(Glibc)
    let status = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    #else
    let status = unsafe getrlimit(RLIMIT_NOFILE, &limits)
    #endif
    return status == 0 ? limits : rlimit(rlim_cur: 256, rlim_max: 256)
  }
}
