import TestSupport
import Testing

@testable import AccessLogs
@testable import TrafficDigest

/// Logs in formats that users write for nginx, in any order, are read correctly, or not at all, or are
/// reported as doubtful.
@Suite struct PermutedFormatTests {
  /// A log is right if all lines that were read have the written fields, and unread if none were.
  enum Outcome { case right, unread, doubtful(String), wrong(String) }

  /// Reads a log as commands do, in a named format or in the one that is detected.
  static func outcome(of log: PermutedLog, named: LogFormat? = nil) throws -> Outcome {
    let text = log.lines.map(\.text).joined(separator: "\n") + "\n"
    let chunk = LineChunk(text.utf8)
    guard let format = named ?? LogFormat.detect(in: chunk).format else { return .unread }
    var parser = LogParser(format)
    var wrong: String?
    var requests = 0
    var phones = (read: 0, rejected: 0)
    for line in log.lines {
      parser.reset()
      let phone = line.fields.agent?.contains("iPhone") == true ? 1 : 0
      guard case .request(let record) = parser.parse(Array(line.text.utf8).span) else {
        phones.rejected += phone
        continue
      }
      requests += 1
      phones.read += phone
      let found = PermutedLog.Fields(record, in: parser.text)
      if found != line.fields, wrong == nil {
        wrong = "\(format.name) \(format.summary)\n\(line.text)\n\(found)\n\(line.fields)"
      }
    }
    guard requests > 0 else { return .unread }
    if phones.rejected > phones.read, wrong == nil {
      wrong = "\(format.name) \(format.summary)\n\(phones.rejected) lines of iPhones are rejected"
    }
    guard let wrong else { return .right }
    let digest = try TrafficDigest.reduce(log: text.utf8, options: ReductionOptions(format: named))
    let isTold = digest.inputs.contains {
      $0.isMisread || $0.hasUncertainFormat || $0.tally.rejected * 20 >= $0.tally.lines
    }
    return isTold ? .doubtful(wrong) : .wrong(wrong)
  }

  private static func check(
    _ logs: [PermutedLog], named: Bool = false, leastRight: Int, _ note: String = ""
  ) throws {
    var (right, doubted, wrong) = (0, [String](), [String]())
    for log in logs {
      let format = named ? try? LogFormat(definition: log.definition) : nil
      // Nothing may separate two variables.
      if named, format == nil { continue }
      let name = "\(log.lines.count) lines of \(log.notation)\n"
      switch try outcome(of: log, named: format) {
      case .right: right += 1
      case .unread: break
      case .doubtful(let what): doubted.append(name + what)
      case .wrong(let what): wrong.append(name + what)
      }
    }
    #expect(wrong.isEmpty, "\(note): \(wrong.prefix(12).joined(separator: "\n"))")
    #expect(
      right * 100 >= logs.count * leastRight,
      "\(note): \(right), \(doubted.count) such as \(doubted.prefix(3).joined(separator: "\n"))")
  }

  @Test func randomFormatsAreNeverReadWronglyWithoutAWord() throws {
    var generator = SeededGenerator()
    let logs = (0..<TestRun.size(full: 4_000, usual: 400)).map { _ in generator.log() }
    try Self.check(logs, leastRight: 70)
  }

  /// Logs with prefixes, no delimiter between values, constants, absent values and health checks.
  @Test func twistedFormatsAreNeverReadWronglyWithoutAWord() throws {
    var generator = SeededGenerator()
    let logs = (0..<TestRun.size(full: 10_000, usual: 400)).map { _ in generator.twistedLog() }
    try Self.check(logs, leastRight: 40)
    try Self.check(logs, named: true, leastRight: 60, "named")
  }

  @Test func randomObjectsAreNeverReadWronglyWithoutAWord() throws {
    var generator = SeededGenerator()
    let logs = (0..<TestRun.size(full: 10_000, usual: 400)).map { _ in generator.jsonLog() }
    try Self.check(logs, leastRight: 80)
  }

  /// All orders of the fields that matter, in the usual notation.
  @Test(arguments: PermutedLog.delimiters) func allOrdersAreRead(delimiter: String) throws {
    var generator = SeededGenerator()
    let fields: [PermutedLog.Variable] = [.request, .status, .referrer, .agent, .host]
    let logs = fields.permutations.map { order in
      generator.log(of: [.address, .time] + order + [.size], delimiter, count: 30)
    }
    try Self.check(logs, leastRight: 90, "'\(delimiter)'")
  }
}

extension Array {
  fileprivate var permutations: [[Element]] {
    guard let first else { return [[]] }
    return Array(dropFirst()).permutations.flatMap { rest in
      (0...rest.count).map { Array(rest[..<$0] + [first] + rest[$0...]) }
    }
  }
}
