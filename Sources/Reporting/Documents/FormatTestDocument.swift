package import AccessLogs
internal import Foundations
internal import LinkAuditing
internal import TrafficDigest

extension Document.Section {
  private static let headingLimit = 10

  /// Reads the first lines of a log as linkaudit does, for people.
  ///
  /// `shownLines` is the number of lines that are shown in addition to headings, and of rejected lines
  /// after them.
  package init(
    reading chunk: LineChunk, as format: LogFormat, title: String, about: String, shownLines: Int
  ) {
    var parser = LogParser(format)
    var (requests, headings) = (0, 0)
    var rejections: [RejectionReason: Int] = [:]
    // Those after the lines that are shown.
    var shownRejections = 0
    var blocks: [Document.Block] = [.paragraph(Prose(about))]
    let lines = chunk.lines(upTo: LogFormat.detectionLineCount)
    for (index, line) in lines.enumerated() {
      let name = "line \((index + 1).grouped)"
      let isShown = index - headings < shownLines
      parser.reset()
      switch parser.parse(line.span) {
      case .request(let record):
        requests += 1
        if isShown { blocks += [.heading(Prose(name)), .facts(record.facts(parser.text))] }
      case .rejected(.heading):
        headings += 1
        guard isShown, headings <= Self.headingLimit else { continue }
        blocks += [.heading(Prose("\(name): a directive or heading")), .code(line.excerpt(at: 0))]
      case .rejected(let reason):
        rejections[reason, default: 0] += 1
        if isShown || shownRejections < shownLines {
          blocks += [
            .heading(Prose("\(name) rejected: \(reason.sentence)")),
            .code(line.excerpt(at: parser.failurePosition)),
          ]
          if !isShown { shownRejections += 1 }
        }
      }
    }
    let counts =
      "\(lines.count.counted("line")) read: \(requests.counted("request")), "
      + (headings > 0 ? "\(headings.counted("heading")), " : "")
      + "\((lines.count - requests - headings).grouped) rejected"
    let reasons = RejectionReason.allCases.compactMap { reason in
      rejections[reason].map { "\($0.grouped) \(reason.sentence)" as Prose }
    }
    blocks += [.heading(Prose(counts))] + (reasons.isEmpty ? [] : [.list(reasons)])
    self.init(id: "", title: "\(code: title)", form: .entry) { blocks }
  }
}

extension LogRecord {
  /// The fields, which are ranges of a text.
  fileprivate func facts(_ text: [UInt8]) -> [Document.Fact] {
    func field(_ range: Range<Int>?) -> String? {
      range.map { range in
        var bytes: [UInt8] = []
        LogEscapes.append(undoing: text.span.extracting(range), to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
      }
    }
    let shownTime = time.map { range in
      LogTime(reading: Array(text[range])).map { "\($0)" } ?? "invalid: \(field(range) ?? "")"
    }
    let fields = [
      ("host", field(host)), ("time", shownTime), ("method", field(method)),
      ("target", field(target)), ("status", String(status)), ("referrer", field(referrer)),
      ("user agent", field(agent)),
    ]
    return fields.map { name, value in Document.Fact(name, Prose(value ?? "absent")) }
  }
}

extension [UInt8] {
  private static var excerptWidth: Int { 76 }

  /// Returns the part of a line around the position where reading stopped, with a mark below it
  /// unless that is its start.
  fileprivate func excerpt(at position: Int) -> [String] {
    let width = Self.excerptWidth
    let start = position > width * 2 / 3 ? position - width / 2 : 0
    let shown = dropFirst(start).prefix(width).map { (0x20..<0x7F).contains($0) ? $0 : 0x3F }
    let mark = String(repeating: " ", count: position - start) + "^ read up to here"
    return [String(decoding: shown, as: UTF8.self)] + (position > 0 ? [mark] : [])
  }
}

extension LineChunk {
  fileprivate func lines(upTo limit: Int) -> [[UInt8]] {
    withBytes { bytes in
      var lines: [[UInt8]] = []
      var position = 0
      while lines.count < limit, let range = bytes.nextLine(&position) {
        lines.append(bytes.extracting(range).array)
      }
      return lines
    }
  }
}
