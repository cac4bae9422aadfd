import TestSupport
import Testing

@testable import AccessLogs
@testable import TrafficDigest

/// Logs in formats that users write for nginx, in any order.
///
/// They are read correctly, or not at all, or are reported as doubtful, but never read wrongly
/// without a message.
@Suite struct PermutedFormatTests {
  /// The outcome of a log.
  enum Outcome: Hashable {
    /// All lines that were read have the written fields.
    case right

    /// No format fits, or no line is a request.
    case unread

    /// The format is reported as doubtful.
    case doubtful
    case wrong(String)
  }

  /// Reads a log as commands do.
  static func outcome(of log: PermutedLog) throws -> Outcome {
    let text = log.lines.map(\.text).joined(separator: "\n") + "\n"
    var chunk = LineChunk(capacity: 16)
    chunk.append(Array(text.utf8).span)
    guard let format = LogFormat.detect(in: chunk).format else { return .unread }
    var parser = LogParser(format)
    var wrong: String?
    var requests = 0
    for line in log.lines {
      parser.reset()
      guard case .request(let record) = parser.parse(Array(line.text.utf8).span) else { continue }
      requests += 1
      let found = PermutedLog.Fields(record, in: parser.text)
      if found != line.fields, wrong == nil {
        wrong = "\(format.name) \(format.summary)\n\(line.text)\n\(found)\n\(line.fields)"
      }
    }
    if requests == 0 { return .unread }
    guard let wrong else { return .right }
    let folder = try TemporaryFolder()
    let path = try folder.write(text.utf8, to: "access.log")
    let digest = try TrafficDigest.reduce([LogInput(path: path)], options: ReductionOptions())
    let isTold = digest.tally.isMisread || digest.inputs.contains(where: \.hasUncertainFormat)
    return isTold ? .doubtful : .wrong(wrong)
  }

  private static func check(_ logs: [PermutedLog], leastRight: Int, _ note: String) throws {
    var counts: [String: Int] = [:]
    var shown = 0
    for log in logs {
      switch try outcome(of: log) {
      case .right: counts["right", default: 0] += 1
      case .unread: counts["unread", default: 0] += 1
      case .doubtful: counts["doubtful", default: 0] += 1
      case .wrong(let what):
        counts["wrong", default: 0] += 1
        shown += 1
        if shown <= 12 {
          Issue.record("\(note): \(log.lines.count) lines of \(log.notation)\n\(what)")
        }
      }
    }
    #expect(counts["wrong"] == nil, "\(note): \(counts)")
    #expect(
      counts["right", default: 0] * 100 >= logs.count * leastRight, "\(note): \(counts)")
  }

  @Test func randomFormatsAreNeverReadWronglyWithoutAWord() throws {
    let seed = TestRun.seed
    var maker = PermutedLog.Maker(seed: seed)
    let logs = (0..<TestRun.size(full: 4_000, usual: 400)).map { _ in maker.log() }
    try Self.check(logs, leastRight: 70, "seed \(seed)")
  }

  /// All orders of the fields that matter, in the usual notation.
  @Test(arguments: PermutedLog.Delimiter.allCases)
  func allOrdersAreRead(delimiter: PermutedLog.Delimiter) throws {
    let seed = TestRun.seed
    var maker = PermutedLog.Maker(seed: seed)
    let fields: [PermutedLog.Variable] = [.request, .status, .referrer, .agent, .host]
    let logs = fields.permutations.map { order in
      maker.log(of: [.address, .time] + order + [.size], delimiter, count: 30)
    }
    try Self.check(logs, leastRight: 90, "seed \(seed), \(delimiter)")
  }
}

extension Array {
  fileprivate var permutations: [[Element]] {
    guard let first else { return [[]] }
    return Array(dropFirst()).permutations.flatMap { rest in
      (0...rest.count).map { index in
        var permutation = rest
        permutation.insert(first, at: index)
        return permutation
      }
    }
  }
}
