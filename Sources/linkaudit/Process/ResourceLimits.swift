// Unsafe code: `getrlimit` fills a structure in place.

internal import Foundations
internal import SystemPackage
internal import TrafficDigest

/// The limits that the system sets for this process, as `ulimit` shows them.
enum ResourceLimits {
  /// Prepares for the limits of the process.
  ///
  /// Writing a file that grows too large returns an error instead of ending the process. The limit
  /// of open files is raised as far as the system allows.
  static func prepare() {
    _ = signal(SIGXFSZ, SIG_IGN)
    OpenFileLimit.raise()
  }

  /// The bytes of memory that the process could allocate when this was first used, or `nil` if there
  /// is no limit.
  static let memoryLeft: Int? = {
    guard let used = memoryUsed() else { return nil }
    let lefts = [
      limit(RLIMIT_AS).map { $0 - used.space }, limit(RLIMIT_DATA).map { $0 - used.data },
    ]
    return lefts.compactMap(\.self).min().map { max(0, $0) }
  }()

  /// The bytes that any command needs; those that read logs need ``MemoryPlan/least``.
  private static let leastMemory = 64 << 20

  static func check(needing least: Int? = nil) throws(Complaint) {
    guard let memoryLeft, memoryLeft < least ?? leastMemory else { return }
    throw shortage(of: least ?? MemoryPlan.least, left: memoryLeft)
  }

  static func shortage(of least: Int, left: Int) -> Complaint {
    Complaint(
      "the memory limit leaves \(left >> 20) MiB to this process, and it needs \(least >> 20) MiB; "
        + "raise it ('ulimit -v') by \((least - left) >> 20 + 1) MiB or more")
  }

  #if canImport(Glibc)
  private typealias Resource = __rlimit_resource
  #else
  private typealias Resource = Int32
  #endif

  private static func limit(_ resource: Resource) -> Int? {
    var limit = rlimit()
    #if canImport(Glibc)
    let status = unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    #else
    let status = unsafe getrlimit(resource, &limit)
    #endif
    return status == 0 && limit.rlim_cur < rlim_t(Int.max) ? Int(clamping: limit.rlim_cur) : nil
  }

  /// The address space and the data of the process, in bytes, or `nil` if the system hides them.
  private static func memoryUsed() -> (space: Int, data: Int)? {
    guard let text = try? InputFile.read("/proc/self/statm", what: "the size of this process")
    else { return nil }
    let pages = String(decoding: text, as: UTF8.self).split { !$0.isNumber }.compactMap { Int($0) }
    guard pages.count > 5 else { return nil }
    let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
    return (pages[0] * pageSize, pages[5] * pageSize)
  }
}
