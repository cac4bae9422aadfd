public import AccessLogs
internal import Foundations

extension TrafficDigest {
  /// The fields of a line that was probably read wrongly.
  ///
  /// Reports show it, so it has no control bytes, no client address, and only the first word of a
  /// user agent.
  public struct DoubtfulLine: Hashable, Sendable {
    /// The fields in a fixed order, each with its value or `nil` if the line has none.
    public var fields: [Field] = []

    /// A field and its value.
    public struct Field: Hashable, Sendable {
      /// The name of the field.
      public var name: String

      /// The value, or `nil` if it is absent.
      public var value: String?
    }
  }
}

extension TrafficDigest {
  /// An oddity of many of a log's first lines; see ``FormatReview``.
  public struct FormatDoubt: Hashable, Sendable {
    /// The odd property.
    public var oddity: FormatReview.Oddity

    /// The number of odd lines.
    public var count: Int

    /// The number of lines that could be odd.
    public var total: Int

    /// The value of the first odd line in a form that can be shown, or empty if it can't.
    public var example: String

    /// Creates a doubt from all its values.
    public init(oddity: FormatReview.Oddity, count: Int, total: Int, example: String) {
      (self.oddity, self.count, self.total, self.example) = (oddity, count, total, example)
    }

    /// Creates what a digest records of a doubt.
    init(_ doubt: FormatReview.Doubt) {
      let end: UInt8? =
        switch doubt.oddity {
        case .agent, .cutAgent, .shortAgent: UInt8(ascii: " ")
        case .target, .referrer: UInt8(ascii: "?")
        default: nil
        }
      // A rejected line names its client.
      let isShown = doubt.oddity != .rejectedAgent
      self.init(
        oddity: doubt.oddity, count: doubt.count, total: doubt.total,
        example: isShown ? doubt.example.span.shown(upTo: end) : "")
    }
  }
}

extension TrafficDigest.DoubtfulLine {
  /// Creates the reading of a line.
  ///
  /// - Parameters:
  ///   - record: The fields.
  ///   - line: The bytes that contain them.
  init(_ record: LogRecord, in line: Span<UInt8>) {
    func field(_ name: String, _ range: Range<Int>?, upTo end: UInt8? = nil) -> Field {
      Field(name: name, value: range.map { line.extracting($0).shown(upTo: end) })
    }
    fields = [
      field("target", record.target, upTo: UInt8(ascii: "?")),
      Field(name: "status", value: String(record.status)),
      field("host", record.host),
      field("user agent", record.agent, upTo: UInt8(ascii: " ")),
      field("referrer", record.referrer, upTo: UInt8(ascii: "?")),
      field("time", record.time),
    ]
  }
}

/// The first doubtful line of each input.
struct DoubtfulLines: Sendable {
  private(set) var lines: [Int: (place: RejectionTally.Place, line: TrafficDigest.DoubtfulLine)] =
    [:]

  /// Records a line unless an earlier one is known.
  mutating func add(
    _ record: LogRecord, in line: Span<UInt8>, at place: RejectionTally.Place
  ) {
    if let known = lines[place.input], known.place < place { return }
    lines[place.input] = (place, TrafficDigest.DoubtfulLine(record, in: line))
  }

  mutating func merge(_ other: DoubtfulLines) {
    lines.merge(other.lines) { $0.place < $1.place ? $0 : $1 }
  }
}

extension Span<UInt8> {
  /// The maximum number of bytes of a value to show.
  private static var shownLength: Int { 48 }

  /// These bytes in a form that can be shown, up to a given byte; the rest is omitted.
  fileprivate func shown(upTo end: UInt8?) -> String {
    // A user agent can be in any field.
    let end = contains("Mozilla/") ? UInt8(ascii: " ") : end
    let whole = end.flatMap { firstIndex(of: $0) } ?? count
    let shown = Swift.min(whole, Self.shownLength)
    if extracting(0..<whole).beginsWithAddress { return "(an address)" }
    var text = ""
    for index in 0..<shown {
      if (0x20..<0x7F).contains(self[index]) {
        text.unicodeScalars.append(Unicode.Scalar(self[index]))
      } else {
        let digits = String(self[index], radix: 16, uppercase: true)
        text += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
      }
    }
    return shown < count ? text + "…" : text
  }
}
