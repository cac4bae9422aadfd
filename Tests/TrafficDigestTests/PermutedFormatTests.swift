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
    case doubtful(String)
    case wrong(String)
  }

  /// Reads a log as commands do.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - named: The format that is named, or `nil` to detect it.
  /// - Returns: What becomes of the log.
  /// - Throws: Any error of the reduction.
  static func outcome(of log: PermutedLog, named: LogFormat? = nil) throws -> Outcome {
    let text = log.lines.map(\.text).joined(separator: "\n") + "\n"
    var chunk = LineChunk(capacity: 16)
    chunk.append(Array(text.utf8).span)
    guard let format = named ?? LogFormat.detect(in: chunk).format else { return .unread }
    var parser = LogParser(format)
    var wrong: String?
    var requests = 0
    var phones = (read: 0, rejected: 0)
    for line in log.lines {
      parser.reset()
      let isPhone = line.fields.agent?.contains("iPhone") ?? false
      guard case .request(let record) = parser.parse(Array(line.text.utf8).span) else {
        if isPhone { phones.rejected += 1 }
        continue
      }
      requests += 1
      if isPhone { phones.read += 1 }
      let found = PermutedLog.Fields(record, in: parser.text)
      if found != line.fields, wrong == nil {
        wrong = "\(format.name) \(format.summary)\n\(line.text)\n\(found)\n\(line.fields)"
      }
    }
    if requests == 0 { return .unread }
    if phones.rejected > phones.read, wrong == nil {
      wrong = "\(format.name) \(format.summary)\n\(phones.rejected) lines of iPhones are rejected"
    }
    guard let wrong else { return .right }
    var options = ReductionOptions()
    options.format = named
    let digest = try TrafficDigest.reduce(log: text.utf8, options: options)
    let isTold = digest.inputs.contains {
      $0.isMisread || $0.hasUncertainFormat || $0.tally.rejected * 20 >= $0.tally.lines
    }
    return isTold ? .doubtful(wrong) : .wrong(wrong)
  }

  private static func check(
    _ logs: [PermutedLog], named: Bool = false, leastRight: Int, _ note: String = ""
  ) throws {
    var counts: [String: Int] = [:]
    var shown = 0
    var doubted: [String] = []
    for log in logs {
      let format = named ? try? LogFormat(definition: log.definition) : nil
      // Nothing may separate two variables.
      if named, format == nil { continue }
      switch try outcome(of: log, named: format) {
      case .right: counts["right", default: 0] += 1
      case .unread: counts["unread", default: 0] += 1
      case .doubtful(let what):
        counts["doubtful", default: 0] += 1
        doubted.append("\(log.lines.count) lines of \(log.notation)\n\(what)")
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
      counts["right", default: 0] * 100 >= logs.count * leastRight,
      "\(note): \(counts), such as \(doubted.prefix(3).joined(separator: "\n"))")
  }

  @Test func randomFormatsAreNeverReadWronglyWithoutAWord() throws {
    var maker = PermutedLog.Maker()
    let logs = (0..<TestRun.size(full: 4_000, usual: 400)).map { _ in maker.log() }
    try Self.check(logs, leastRight: 70)
  }

  /// Logs with prefixes, values without a delimiter between them, columns of one value, absent values
  /// and health checks.
  @Test func twistedFormatsAreNeverReadWronglyWithoutAWord() throws {
    var maker = PermutedLog.Maker()
    let logs = (0..<TestRun.size(full: 10_000, usual: 400)).map { _ in maker.twistedLog() }
    try Self.check(logs, leastRight: 40)
    try Self.check(logs, named: true, leastRight: 60, "named")
  }

  @Test func randomObjectsAreNeverReadWronglyWithoutAWord() throws {
    var maker = PermutedLog.Maker()
    let logs = (0..<TestRun.size(full: 10_000, usual: 400)).map { _ in maker.jsonLog() }
    try Self.check(logs, leastRight: 80)
  }

  /// All orders of the fields that matter, in the usual notation.
  @Test(arguments: PermutedLog.Delimiter.allCases)
  func allOrdersAreRead(delimiter: PermutedLog.Delimiter) throws {
    var maker = PermutedLog.Maker()
    let fields: [PermutedLog.Variable] = [.request, .status, .referrer, .agent, .host]
    let logs = fields.permutations.map { order in
      maker.log(of: [.address, .time] + order + [.size], delimiter, count: 30)
    }
    try Self.check(logs, leastRight: 90, "\(delimiter)")
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
