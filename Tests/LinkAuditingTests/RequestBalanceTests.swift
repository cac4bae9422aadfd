import AccessLogs
import LinkAuditing
import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

/// Each request of the input is in a report exactly once.
@Suite struct RequestBalanceTests {
  /// A way to judge traffic.
  enum Use: CaseIterable {
    case report
    case diff
    case suggest
  }

  private static func judge(
    _ digest: TrafficDigest, _ use: Use, _ options: AuditOptions = AuditOptions()
  ) throws {
    let site = try AuditTests.site(routes: "/buy/:id\n/help/:topic\n/news/:id")
    switch use {
    case .report: _ = try Auditor(sites: [site], options: options).audit(digest)
    case .diff: _ = try Comparer(old: site, new: site, options: options).compare(digest)
    case .suggest:
      let content = Array(AuditTests.file.utf8)
      let app = ApplicationIdentifier("A1B2C3D4E5.com.example.all")
      _ = try Suggester(site: site, content: content, app: app, judging: options).suggest(digest)
    }
  }

  /// The sums are right, whatever is excluded, and whatever goes to temporary files.
  @Test(arguments: Use.allCases, [0, ReductionOptions.defaultMemoryLimit])
  func requestsAddUp(use: Use, memoryLimit: Int) throws {
    let lines = AuditTests.lines(2_000, seed: TestRun.seed, host: true)
    let digest = try AuditTests.digest(
      lines, format: .vcombined, jobs: 3, memoryLimit: memoryLimit)
    var options = AuditOptions(jobs: 3)
    try Self.judge(digest, use, options)
    options.ignoredPaths = PathPatterns(["/buy/*", "*/1"])
    try Self.judge(digest, use, options)
    options.filter.platforms = [.ios, .macos]
    options.filter.add(statuses: 200...299)
    try Self.judge(digest, use, options)
  }

  /// One request too many or too few is an error, without a report.
  @Test(arguments: Use.allCases, [-1, 1])
  func aDifferenceIsAnError(use: Use, difference: Int) throws {
    let digest = try AuditTests.digest(AuditTests.lines(200, seed: TestRun.seed))
    var inputs = digest.inputs
    inputs[0].tally.requests += difference
    let other = digest.replacingInputs(inputs, rejections: [:], rejectedLines: [])
    let error = #expect(throws: JudgingError.self) { try Self.judge(other, use) }
    guard case .unbalanced(let balance) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(balance.input == balance.judged + balance.otherHosts + balance.leftOut + difference)
  }
}
