internal import AccessLogs
internal import LinkAuditing
internal import TrafficDigest

/// How the first lines of a log are read.
struct FormatTestReport {
  let format: LogFormat

  /// The number of lines that are shown, and of rejected ones behind them.
  let shownLines: Int

  let style: Style

  /// The lines of the report.
  private(set) var lines: [String] = []

  init(format: LogFormat, shownLines: Int, style: Style) {
    self.format = format
    self.shownLines = shownLines
    self.style = style
  }

  /// Reads the first lines of a chunk.
  mutating func read(_ chunk: LineChunk) {
    var parser = LogParser(format)
    var (number, requests) = (0, 0)
    var rejections: [RejectionReason: Int] = [:]
    var shownRejections = 0
    let all = chunk.lines(upTo: LogFormat.detectionLineCount)
    for line in all {
      number += 1
      parser.reset()
      switch parser.parse(line.span) {
      case .request(let record):
        requests += 1
        if number <= shownLines { lines += request(record, parser.text, number) }
      case .rejected(let reason):
        rejections[reason, default: 0] += 1
        if number > shownLines, reason == .heading || shownRejections == shownLines { continue }
        if number > shownLines { shownRejections += 1 }
        lines += rejection(reason, line, parser.failurePosition, number)
      }
    }
    lines.append("")
    lines.append(
      "\(number.counted("line")) read: \(requests.counted("request")), "
        + "\((number - requests).grouped) rejected")
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
        ? field("time", record.time, note: "not understood: ")
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
    let shown = line.dropFirst(start).prefix(width).map { (0x20..<0x7F).contains($0) ? $0 : 0x3F }
    var lines = [
      "", style.bold("line \(number.grouped)") + " rejected: \(reason.sentence)",
      "  " + String(decoding: shown, as: UTF8.self),
    ]
    if position > 0 {
      lines.append("  " + String(repeating: " ", count: position - start) + "^ read up to here")
    }
    return lines
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
