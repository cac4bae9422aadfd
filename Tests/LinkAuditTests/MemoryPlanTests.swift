import TestSupport
import Testing

@testable import LinkAuditCommand

@Suite struct SystemMemoryTests {
  private static let megabyte = 1 << 20

  private static let systems: [(files: [String: String], left: Int?)] = [
    ([:], nil),
    (["proc/meminfo": "MemTotal:  9 kB\nMemFree: 1 kB\nMemAvailable:    8388608 kB\n"], 8_192),
    (["proc/meminfo": "MemTotal:  9 kB\nMemAvailable: many kB\n"], nil),
    // Version 2: the least of all groups above, without unused pages of files.
    (
      [
        "proc/meminfo": "MemAvailable: 8388608 kB\n", "proc/self/cgroup": "0::/user.slice/a/b\n",
        "sys/fs/cgroup/user.slice/memory.max": "\(3_000 * megabyte)\n",
        "sys/fs/cgroup/user.slice/memory.current": "\(2_500 * megabyte)\n",
        "sys/fs/cgroup/user.slice/memory.stat":
          "anon 7\ninactive_file \(1_500 * megabyte)\nactive_file 9\n",
        "sys/fs/cgroup/user.slice/a/memory.max": "max\n",
        "sys/fs/cgroup/user.slice/a/memory.current": "5\n",
        "sys/fs/cgroup/user.slice/a/b/memory.max": "\(2_900 * megabyte)\n",
        "sys/fs/cgroup/user.slice/a/b/memory.current": "\(100 * megabyte)\n",
      ], 2_000
    ),
    // The names are those outside of the container.
    (
      [
        "proc/meminfo": "MemAvailable: 8388608 kB\n",
        "proc/self/cgroup": "0::/docker/0123\n",
        "sys/fs/cgroup/memory.max": "\(512 * megabyte)\n",
        "sys/fs/cgroup/memory.current": "\(600 * megabyte)\n",
      ], 0
    ),
    // Version 1, whose groups without a limit have a great one.
    (
      [
        "proc/meminfo": "MemAvailable: 8388608 kB\n",
        "proc/self/cgroup": "12:cpu,cpuacct:/a:b\n4:hugetlb,memory:/a:b\n0::/\n",
        "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
        "sys/fs/cgroup/memory/memory.usage_in_bytes": "5\n",
        "sys/fs/cgroup/memory/a:b/memory.limit_in_bytes": "\(4_000 * megabyte)\n",
        "sys/fs/cgroup/memory/a:b/memory.usage_in_bytes": "\(3_000 * megabyte)\n",
        "sys/fs/cgroup/memory/a:b/memory.stat": "total_inactive_file \(600 * megabyte)\n",
      ], 1_600
    ),
    // The system has less than the group may use.
    (
      [
        "proc/meminfo": "MemAvailable: 1048576 kB\n", "proc/self/cgroup": "0::/\n",
        "sys/fs/cgroup/memory.max": "\(9_000 * megabyte)\n",
      ], 1_024
    ),
  ]

  @Test(arguments: systems) func memoryLeft(files: [String: String], left: Int?) throws {
    let folder = try TemporaryFolder(files)
    let memory = SystemMemory(root: folder.path + "/")
    #expect(memory.left == left.map { $0 * Self.megabyte })
    #expect(memory.tables == max(256, (left ?? 0) / 4) * Self.megabyte)
  }

  @Test func thisSystemLeavesMemory() { #expect(SystemMemory().left ?? 0 > 0) }
}

@Suite struct MemoryPlanTests {
  @Test func withoutALimitAllIsAsAsked() throws {
    let plan = try MemoryPlan(jobs: 8, tables: 1 << 30, left: nil)
    #expect(plan.jobs == 8)
    #expect(plan.tables == 1 << 30)
  }

  @Test(arguments: [150, 250, 400, 1_000, 4_000], [1, 2, 8, 256])
  func tablesAndWorkersFit(megabytes: Int, jobs: Int) throws {
    let left = megabytes << 20
    let plan = try MemoryPlan(jobs: jobs, tables: 1 << 30, left: left)
    #expect((1...jobs).contains(plan.jobs))
    #expect(plan.tables >= MemoryPlan.leastTables)
    #expect(2 * plan.tables + plan.jobs * (80 << 20) + (64 << 20) <= left)
  }

  @Test(arguments: [0, 1, 64, 145])
  func tooLittleMemoryIsReported(megabytes: Int) {
    let complaint = #expect(throws: Complaint.self) {
      try MemoryPlan(jobs: 2, tables: 1 << 30, left: megabytes << 20)
    }
    #expect(complaint?.description.contains("'ulimit -v'") == true)
    #expect(complaint?.description.contains("\(megabytes) MiB") == true)
  }
}
