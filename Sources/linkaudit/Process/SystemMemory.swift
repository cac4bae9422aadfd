internal import FoundationSubset

/// The memory that the system and its control groups leave to this process.
struct SystemMemory {
  /// The number of bytes, or `nil` if the system doesn't say.
  let left: Int?

  /// Reads the figures of a system.
  ///
  /// - Parameter root: The directory that contains `proc` and `sys`, with a slash at its end.
  init(root: String = "/") {
    let lefts = [Self.free(root) ?? Self.installed(root)] + Self.groups(root)
    left = lefts.compactMap(\.self).min()
  }

  /// The default of the memory for tables, in bytes: a quarter of what is left, and
  /// ``leastTables`` if that is less or unknown.
  var tables: Int { max(Self.leastTables, (left ?? 0) / 4) }

  /// The least default of the memory for tables, in bytes.
  static let leastTables = 256 << 20

  /// The bytes that processes can get without swapping, as Linux estimates them.
  private static func free(_ root: String) -> Int? {
    figure("MemAvailable:", in: text(root + "proc/meminfo")).map { $0 << 10 }
  }

  /// The bytes of the machine; other systems don't say how many are free.
  private static func installed(_ root: String) -> Int? {
    root == "/" ? Int(clamping: ProcessInfo.processInfo.physicalMemory) : nil
  }

  /// The bytes that the limits of control groups leave.
  ///
  /// Each group is limited by those above it, too. In a container, the names can be those outside
  /// of it, and only the group at the top is visible.
  private static func groups(_ root: String) -> [Int?] {
    let lines = text(root + "proc/self/cgroup")?.split(separator: "\n") ?? []
    return lines.flatMap { line -> [Int?] in
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { return [] }
      let version: ControlGroup.Version
      if fields[0] == "0", fields[1].isEmpty {
        version = .two
      } else if fields[1].split(separator: ",").contains("memory") {
        version = .one
      } else {
        return []
      }
      let names = fields[2].split(separator: "/")
      return (0...names.count).map { count in
        let name = names.prefix(count).map { "/" + $0 }.joined()
        return ControlGroup(version, at: root + version.directory + name).left
      }
    }
  }

  fileprivate static func text(_ path: String) -> String? {
    (try? InputFile.read(path, what: "the memory of this system")).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The number after a name in lines of names and numbers.
  fileprivate static func figure(_ name: String, in text: String?) -> Int? {
    for line in text?.split(separator: "\n") ?? [] {
      let words = line.split(separator: " ")
      if words.count > 1, words[0] == name { return Int(words[1]) }
    }
    return nil
  }
}

/// The memory of a control group of Linux.
private struct ControlGroup {
  /// The interfaces of the kernel, which have other names for the same figures.
  enum Version {
    case one
    case two

    /// The directory of all groups.
    var directory: String { self == .one ? "sys/fs/cgroup/memory" : "sys/fs/cgroup" }

    var limitFile: String { self == .one ? "memory.limit_in_bytes" : "memory.max" }
    var usageFile: String { self == .one ? "memory.usage_in_bytes" : "memory.current" }
    var cacheName: String { self == .one ? "total_inactive_file" : "inactive_file" }
  }

  /// The number of bytes that the limit leaves, or `nil` without a limit.
  let left: Int?

  init(_ version: Version, at directory: String) {
    func number(_ name: String) -> Int? {
      SystemMemory.text(directory + "/" + name)?.split(separator: "\n").first.flatMap { Int($0) }
    }
    guard let limit = number(version.limitFile) else {
      left = nil
      return
    }
    // Files that nobody has used for a while make room for anything else.
    let cache = SystemMemory.figure(
      version.cacheName, in: SystemMemory.text(directory + "/memory.stat"))
    let usage = (number(version.usageFile) ?? 0) - (cache ?? 0)
    left = max(0, limit - max(0, usage))
  }
}
