import Testing

@testable import LinkAuditCommand

/// The memory of a run on a small machine.
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
