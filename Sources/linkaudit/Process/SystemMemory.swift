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

  /// The bytes that the limits of control groups leave, by the interfaces of both versions of the
  /// kernel.
  ///
  /// Each group is limited by those above it, too. In a container, the names can be those outside
  /// of it, and only the group at the top is visible.
  private static func groups(_ root: String) -> [Int?] {
    let lines = text(root + "proc/self/cgroup")?.split(separator: "\n") ?? []
    return lines.flatMap { line -> [Int?] in
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      let isSecond = fields.count == 3 && fields[0] == "0" && fields[1].isEmpty
      guard fields.count == 3, isSecond || fields[1].split(separator: ",").contains("memory") else {
        return []
      }
      let directory = root + "sys/fs/cgroup" + (isSecond ? "" : "/memory")
      let names = fields[2].split(separator: "/")
      return (0...names.count).map { count in
        let group = directory + names.prefix(count).map { "/" + $0 }.joined() + "/memory."
        return isSecond
          ? left(group, limit: "max", usage: "current", cache: "inactive_file")
          : left(
            group, limit: "limit_in_bytes", usage: "usage_in_bytes", cache: "total_inactive_file")
      }
    }
  }

  /// The number of bytes that the limit of a group leaves, or `nil` without a limit.
  private static func left(
    _ group: String, limit: String, usage: String, cache: String
  ) -> Int? {
    func number(_ name: String) -> Int? {
      text(group + name)?.split(separator: "\n").first.flatMap { Int($0) }
    }
    guard let limit = number(limit) else { return nil }
    // Files that nobody has used for a while make room for anything else.
    let used = (number(usage) ?? 0) - (figure(cache, in: text(group + "stat")) ?? 0)
    return max(0, limit - max(0, used))
  }

  private static func text(_ path: String) -> String? {
    (try? InputFile.read(path, what: "the memory of this system")).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The number after a name in lines of names and numbers.
  private static func figure(_ name: String, in text: String?) -> Int? {
    let lines = text?.split(separator: "\n").map { $0.split(separator: " ") } ?? []
    return lines.first { $0.count > 1 && $0[0] == name }.flatMap { Int($0[1]) }
  }
}
