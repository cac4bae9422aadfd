package import AccessLogs
internal import Foundations
internal import LinkAuditing
internal import TrafficDigest

/// The fields of the first lines of a log, as linkaudit reads them.
package struct FormatTestReport {
  let format: LogFormat

  /// The number of lines that are shown in addition to headings, and of rejected lines after them.
  let shownLines: Int

  /// The number of headings that are shown at most.
  private static let headingLimit = 10

  let style: Style

  /// The lines of the report.
  package private(set) var lines: [String] = []

  package init(format: LogFormat, shownLines: Int, style: Style) {
    self.format = format
    self.shownLines = shownLines
    self.style = style
  }

  /// Reads the first lines of a chunk.
  package mutating func read(_ chunk: LineChunk) {
    var parser = LogParser(format)
    var (number, requests, shown) = (0, 0, 0)
    var rejections: [RejectionReason: Int] = [:]
    // Those after the lines that are shown.
    var shownRejections = 0
    let all = chunk.lines(upTo: LogFormat.detectionLineCount)
    for line in all {
      number += 1
      parser.reset()
      switch parser.parse(line.span) {
      case .request(let record):
        requests += 1
        if shown < shownLines { lines += request(record, parser.text, number) }
        shown += 1
      case .rejected(.heading):
        rejections[.heading, default: 0] += 1
        guard shown < shownLines, rejections[.heading, default: 0] <= Self.headingLimit else {
          continue
        }
        lines += excerpt(
          of: line, title: style.bold("line \(number.grouped)") + ": a directive or heading")
      case .rejected(let reason):
        rejections[reason, default: 0] += 1
        if shown < shownLines || shownRejections < shownLines {
          lines += rejection(reason, line, parser.failurePosition, number)
          if shown >= shownLines { shownRejections += 1 }
        }
        shown += 1
      }
    }
    let headings = rejections.removeValue(forKey: .heading) ?? 0
    lines.append("")
    lines.append(
      "\(number.counted("line")) read: \(requests.counted("request")), "
        + (headings > 0 ? "\(headings.counted("heading")), " : "")
        + "\((number - requests - headings).grouped) rejected")
    for reason in RejectionReason.allCases {
      if let count = rejections[reason] { lines.append("  \(count.grouped) \(reason.sentence)") }
    }
  }

  private func request(_ record: LogRecord, _ text: [UInt8], _ number: Int) -> [String] {
    func field(_ name: String, _ range: Range<Int>?, note: String? = nil) -> String {
      let label = "  " + name + String(repeating: " ", count: max(1, 12 - name.count))
      guard let range else { return label + style.dim("absent") }
      var bytes: [UInt8] = []
      LogEscapes.append(undoing: text.span.extracting(range), to: &bytes)
      let value = SafeText.escaped(String(decoding: bytes, as: UTF8.self))
      return label + (note ?? "") + value.shortened(to: TextTable.width - label.count)
    }
    let time = record.time.map { LogTime(reading: Array(text[$0])) }
    let shownTime = time.map { $0.map { "\($0)" } ?? "" } ?? ""
    return [
      "", style.bold("line \(number.grouped)"),
      field("host", record.host),
      record.time != nil && shownTime.isEmpty
        ? field("time", record.time, note: "invalid: ")
        : "  time        " + (shownTime.isEmpty ? style.dim("absent") : shownTime),
      field("method", record.method), field("target", record.target),
      "  status      \(record.status)", field("referrer", record.referrer),
      field("user agent", record.agent),
    ]
  }

  private func rejection(
    _ reason: RejectionReason, _ line: [UInt8], _ position: Int, _ number: Int
  ) -> [String] {
    let width = TextTable.width - 2
    // The part around the place at which reading stopped.
    let start = position > width * 2 / 3 ? position - width / 2 : 0
    var lines = excerpt(
      of: line, from: start, width: width,
      title: style.bold("line \(number.grouped)") + " rejected: \(reason.sentence)")
    if position > 0 {
      lines.append("  " + String(repeating: " ", count: position - start) + "^ read up to here")
    }
    return lines
  }

  private func excerpt(
    of line: [UInt8], from start: Int = 0, width: Int = TextTable.width - 2, title: String
  ) -> [String] {
    let shown = line.dropFirst(start).prefix(width).map { (0x20..<0x7F).contains($0) ? $0 : 0x3F }
    return ["", title, "  " + String(decoding: shown, as: UTF8.self)]
  }
}

extension LineChunk {
  /// The first lines, without their ends.
  fileprivate func lines(upTo limit: Int) -> [[UInt8]] {
    withBytes { bytes in
      var lines: [[UInt8]] = []
      var position = 0
      while lines.count < limit, let range = bytes.nextLine(&position) {
        var line: [UInt8] = []
        bytes.extracting(range).append(to: &line)
        lines.append(line)
      }
      return lines
    }
  }
}
