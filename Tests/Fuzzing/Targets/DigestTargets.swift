import AccessLogs
import LinkAuditing
import TestSupport
import UniversalLinks

@testable import Foundations
@testable import TrafficDigest

extension FuzzTarget {
  static let digests = [digestFile, digestFields]

  private static func digest(lines: Int) throws -> [UInt8] {
    let text = RandomLog.lines(lines, seed: 20, host: true).map { $0 + "\n" }.joined()
    return try bytes(reduce([Array(text.utf8)], .vcombined, jobs: 1, fingerprintsContent: true))
  }

  static func rewritten(_ digest: TrafficDigest) throws -> TrafficDigest {
    let file = try DigestFile(bytes: try bytes(digest), name: "x.digest")
    try file.verify()
    return try TrafficDigest.empty.adding([file], jobs: 1, temporaryDirectory: ScratchFile.folder)
  }

  private static func bytes(_ digest: TrafficDigest) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try digest.write(jobs: 1, temporaryDirectory: ScratchFile.folder) { bytes += $0 }
    return bytes
  }

  private static let digestFile = FuzzTarget(
    "digest-file", words: ["linkaudit digest", "end\n"],
    seeds: { _ in [try digest(lines: 0), try digest(lines: 6)] },
    run: { try use($0.bytes) })

  /// The number of blocks, each with its length, and the summary, in a file with correct checksums,
  /// so that the contents are read.
  private static let digestFields = FuzzTarget(
    "digest-fields", words: ["inputs", "days", "lines", "requests", "tally", "www.example.com"],
    seeds: { _ in
      try [0, 1, 6, 12].map { lines in
        let whole = try digest(lines: lines)
        let file = try DigestFile(bytes: whole, name: "seed")
        var seed = [UInt8(file.index.count)]
        var payload: [UInt8] = []
        for entry in file.index {
          let block = whole.span.extracting(entry.offset..<(entry.offset + entry.length))
          let count = DigestBlock.open(block, .targets, into: &payload) ?? 0
          seed += [UInt8(count & 255), UInt8(count >> 8)] + payload[..<count]
        }
        let summary = Int(whole.span.word(whole.count - 24))
        let block = whole.span.extracting(summary..<Int(whole.span.word(whole.count - 16)))
        let count = DigestBlock.open(block, .summary, into: &payload) ?? 0
        return seed + payload[..<count]
      }
    },
    run: { input in
      var output = DigestBlock.start
      var index: [DigestRun.IndexEntry] = []
      for _ in 0..<(input.byte() % 4) {
        let length = input.halfWord()
        let payload = input.take(length)
        let block = try DigestBlock.block(.targets, payload, isDeflated: false)
        index.append(entry(payload, block, at: output.count))
        output += block
      }
      let summaryOffset = output.count
      output += try DigestBlock.block(.summary, input.bytes, isDeflated: false)
      let indexOffset = output.count
      output += try DigestBlock.block(.index, DigestFile.payload(of: index), isDeflated: false)
      output += DigestBlock.end(summaryOffset: summaryOffset, indexOffset: indexOffset)
      try use(output)
    })

  private static func entry(
    _ payload: [UInt8], _ block: [UInt8], at offset: Int
  ) -> DigestRun.IndexEntry {
    let bytes = payload.span
    var reader = PayloadReader(0..<payload.count)
    for _ in 0..<reader.count(bytes) { _ = reader.number(bytes) }
    for _ in 0..<reader.count(bytes) { _ = reader.range(count: reader.count(bytes)) }
    let targets = reader.count(bytes)
    let hostLength = Int(truncatingIfNeeded: reader.number(bytes) &- 1)
    let host = Array(payload[reader.range(count: max(0, hostLength))])
    _ = reader.number(bytes)
    let target = payload[reader.range(count: reader.count(bytes))]
    var requests = 0
    for number in 0..<targets {
      if number > 0 {
        _ = reader.range(count: max(0, Int(truncatingIfNeeded: reader.number(bytes) &- 1)))
        _ = reader.number(bytes)
        _ = reader.range(count: reader.count(bytes))
      }
      for _ in 0..<reader.count(bytes, ofSize: 2) {
        _ = reader.number(bytes)
        requests &+= Int(truncatingIfNeeded: reader.number(bytes))
      }
      for _ in 0..<(3 * reader.count(bytes, ofSize: 3)) { _ = reader.number(bytes) }
    }
    return DigestRun.IndexEntry(
      offset: offset, length: block.count, checksum: DigestBlock.checksum(block.span),
      targetCount: targets, requests: max(0, requests),
      key: TargetKey(host: host, target: Array(target.prefix(DigestBlock.indexKeyLimit))))
  }

  /// If it is a digest, describes it, judges it, and writes it again.
  private static func use(_ bytes: [UInt8]) throws {
    do {
      let file = try DigestFile(bytes: bytes, name: "x.digest")
      _ = (file.days, file.targetCount, file.hasUndatedRequests, file.times)
      let digest = try TrafficDigest.empty.adding(
        [file], jobs: 1, temporaryDirectory: ScratchFile.folder)
      let records = try digest.records()
      try file.verify()
      _ = try Auditor(sites: [site()]).audit(digest)
      let other = try rewritten(digest)
      try requireEqual(try other.records(), records, "records of the digest that was written")
      try requireEqual(try other.pageVisits(), try digest.pageVisits(), "visits")
    } catch is DigestFileError {
      // It isn't a digest, or it is damaged.
    }
  }

  static func site() throws -> Site {
    let file = try AssociationFile(
      #"""
      {"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.app"], "components": [
        {"/": "/buy/*", "exclude": true}, {"/": "/item/?*", "?": {"q": "*"}},
        {"/": "/$(lang)/*"}, {"#": "x"}, {"/": "/a*"}]}]}}
      """#)
    let routes = RouteTable(parsing: "/buy/:id\n/item/:x\n/a/**")
    return Site(host: "www.example.com", file: file, routes: routes)
  }
}
