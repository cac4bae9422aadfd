import AccessLogs
import AuditStore
import LinkAuditing
import TestSupport
import Testing
import TrafficDigest

/// A log that exceeds a limit of decompression counts up to there, and further after the limit is
/// raised.
@Suite struct ExpansionTests {
  private func ingest(
    _ fixture: StoreFixture, _ logs: String, ratio: Int = ExpansionLimit.defaultRatio,
    window: Int = ExpansionLimit.defaultWindow
  ) throws -> IngestOutcome {
    var options = IngestOptions(
      reduction: StoreFixture.reduction(), audit: AuditOptions(jobs: 2))
    options.reduction.expansion = ExpansionLimit(ratio: ratio, window: window)
    let store = try AuditStore.changing(fixture.directory, isMade: true, wait: 0)
    var outcome = IngestOutcome()
    try StoreIngest(store, options: options).run(LogInput.discover([logs]).inputs, &outcome)
    return outcome
  }

  private static func damage(_ outcome: IngestOutcome) -> [LogDamage.Kind] {
    outcome.notes.compactMap {
      if case .damaged(let damage, _) = $0.kind { damage.kind } else { nil }
    }
  }

  @Test func linesWithinARaisedLimitCountLater() throws {
    let fixture = try StoreFixture()
    let line =
      "192.0.2.1 - - [01/Jun/2026:10:00:00 +0200] \"GET /buy/1 HTTP/1.1\" 200 5 \"-\" \"x\"\n"
    let text = Array(String(repeating: line, count: 2_000).utf8)
    let compressed = RawDeflate.compress(text.span)
    let member = GzipWriter.member(
      deflated: try #require(compressed),
      checksum: GzipWriter.checksum(text), count: text.count)
    _ = try fixture.folder.write(member, to: "logs/a.log.gz")
    let logs = fixture.folder.path + "/logs"

    let first = try ingest(fixture, logs, ratio: 1)
    #expect(Self.damage(first).count == 1)
    guard case .expansionLimit(ratio: 1, let length) = Self.damage(first).first else {
      Issue.record("\(first.notes)")
      return
    }
    #expect(length == 1 << 16)
    let whole = length / line.utf8.count
    let partly = try fixture.audit().digest
    #expect((whole...(whole + 1)).contains(partly.tally.lines))
    #expect(partly.inputs.first?.damage?.kind == .expansionLimit(ratio: 1, length: length))

    // With the same limit, there is nothing to do.
    #expect(try ingest(fixture, logs, ratio: 1).newFiles == 0)
    let second = try ingest(fixture, logs, ratio: 1_000)
    #expect(Self.damage(second).isEmpty)
    let report = try fixture.audit().digest
    #expect(report.tally.requests == 2_000 && report.inputs.allSatisfy { $0.damage == nil })
    #expect(try fixture.problems().isEmpty)
  }

  #if Zstd
  @Test func framesWithinARaisedWindowCountLater() throws {
    let fixture = try StoreFixture()
    let frames = (1...2).map { number in
      CompressedWriter.zstdFrame(
        "192.0.2.1 - - [01/Jun/2026:10:00:00 +0200] \"GET /buy/\(number) HTTP/1.1\" 200 5\n".utf8,
        blockSize: 7
      ).flatMap(\.self)
    }
    var second = frames[1]
    // The sixth byte holds the window: here, 256 MiB.
    second[5] = 18 << 3
    _ = try fixture.folder.write(frames[0] + second, to: "logs/a.log.zst")
    let logs = fixture.folder.path + "/logs"

    let first = try ingest(fixture, logs)
    #expect(Self.damage(first) == [.windowLimit(needed: 1 << 28, allowed: 1 << 27)])
    #expect(first.tally.requests == 1)
    #expect(try ingest(fixture, logs).newFiles == 0)
    let raised = try ingest(fixture, logs, window: 1 << 28)
    #expect(Self.damage(raised).isEmpty && raised.tally.requests == 1)
    #expect(try fixture.problems().isEmpty)
  }
  #endif
}
