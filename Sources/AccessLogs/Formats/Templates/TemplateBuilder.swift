internal import Foundations

/// A format that is given as a pattern: text with fields in it.
struct LineTemplate: Hashable, Sendable {
  /// A piece of the pattern.
  enum Element: Hashable, Sendable {
    /// Text that is in every line, by its position in ``texts``.
    case text(Range<Int>)

    /// A field, or an ignored value; it ends where the next text begins.
    case field(LogField?)

    /// A path, after a host that has no end of its own.
    case pathAfterHost

    /// A time such as `10/Oct/2000:13:55:36 -0700`.
    case commonTime

    /// Part of a time; see ``Span/read(_:at:into:)``.
    case clock(Unicode.Scalar)
  }

  var elements: [Element] = []
  private(set) var texts: [UInt8] = []
  var encoding = FieldEncoding.escaped

  /// Whether a target without a query ends in a dash: nginx writes `$uri$is_args$args` so.
  var hasDashForQuery = false

  /// Adds text, which continues the text before if there is one.
  mutating func add(_ text: some Sequence<UInt8>) {
    var start = texts.count
    texts += text
    if case .text(let before) = elements.last {
      start = before.lowerBound
      elements.removeLast()
    }
    if start < texts.count { elements.append(.text(start..<texts.count)) }
  }

  /// Returns the text at a place among the elements, or `nil` if none is there.
  func text(_ place: Int) -> ArraySlice<UInt8>? {
    guard elements.indices.contains(place), case .text(let range) = elements[place] else {
      return nil
    }
    return texts[range]
  }
}

/// A compiler of formats that are given as text, in the notation of a server's configuration.
struct TemplateBuilder {
  var template = LineTemplate()

  /// The text that was given.
  private let source: [UInt8]

  /// The format in the directive, without the text around it, and the positions of its bytes in
  /// ``source``.
  private(set) var bytes: [UInt8] = []
  private var positions: [Int] = []

  /// The words of the directive before the format.
  private(set) var words: [String] = []

  /// The fields that have their best value, such as what the client sent rather than what the
  /// server made of it.
  private var bestFields: Set<LogField> = []

  /// The positions in ``source`` of the part that is being read, and of the element that was added
  /// last.
  private var part = 0..<0
  private var lastPart = 0..<0

  /// Whether a question mark follows the target if it has a query.
  var hasQueryMark = false

  /// Whether the notation is Apache's, in which `\n` represents a line feed.
  private let isApache: Bool

  /// Reads `log_format name escape=json '…' '…';`, `LogFormat "…" name`, or only the format.
  init(_ text: String, isApache: Bool) {
    (source, self.isApache) = (Array(text.utf8), isApache)
    var position = 0
    skipBlanks(&position)
    let start = position
    let word = self.word(&position)
    if word.lowercased() == (isApache ? "logformat" : "log_format") {
      words.append(word)
      readDirective(position)
    } else if start < source.count, Self.isQuote(source[start]), !isBareFormat(from: start) {
      readDirective(start)
    } else {
      var end = source.count
      while end > start, source[end - 1] <= 0x20 { end -= 1 }
      setFormat(start..<end)
    }
  }

  // MARK: - The directive

  private static func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"")
  }

  /// Returns whether the quotation mark at a position belongs to the format, not to the directive.
  ///
  /// Such a format has further quotation marks, or fields outside of them, on the same line.
  private func isBareFormat(from start: Int) -> Bool {
    let quote = UInt8(ascii: "\"")
    guard source[start] == quote else { return false }
    var position = start + 1
    while position < source.count, source[position] != quote {
      position += source[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    let rest = source.dropFirst(position + 1).prefix { $0 != UInt8(ascii: "\n") }
    return rest.contains { $0 == quote || $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "%") }
  }

  private func skipBlanks(_ position: inout Int) {
    while position < source.count, source[position] <= 0x20 { position += 1 }
  }

  private func word(_ position: inout Int) -> String {
    let start = position
    while position < source.count, source[position] > 0x20,
      source[position] != UInt8(ascii: ";")
    { position += 1 }
    return String(decoding: source[start..<position], as: UTF8.self)
  }

  private mutating func setFormat(_ range: Range<Int>) {
    (bytes, positions) = (Array(source[range]), Array(range))
  }

  /// Reads words and quoted strings; the strings together are the format.
  private mutating func readDirective(_ start: Int) {
    var position = start
    while true {
      skipBlanks(&position)
      guard position < source.count else { return }
      let byte = source[position]
      if byte == UInt8(ascii: ";") || byte == UInt8(ascii: "#") { return }
      if Self.isQuote(byte) {
        readString(&position)
      } else {
        let wordStart = position
        let word = self.word(&position)
        if bytes.isEmpty, word.contains("$") || word.contains("%") {
          setFormat(wordStart..<position)
        } else {
          words.append(word)
        }
        if position == wordStart { position += 1 }
      }
    }
  }

  private mutating func readString(_ position: inout Int) {
    let quote = source[position]
    position += 1
    while position < source.count, source[position] != quote {
      positions.append(position)
      var byte = source[position]
      if byte == UInt8(ascii: "\\"), position + 1 < source.count {
        let next = source[position + 1]
        position += 1
        switch next {
        case quote, UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): byte = next
        case UInt8(ascii: "t"): byte = 0x09
        case UInt8(ascii: "n") where isApache: byte = 0x0A
        default: position -= 1
        }
      }
      bytes.append(byte)
      position += 1
    }
    position += 1
  }

  // MARK: - Elements

  /// Makes errors refer to a part of the format, which the next element is.
  mutating func begin(_ range: Range<Int>) {
    part = positions[range.lowerBound]..<(positions[range.upperBound - 1] + 1)
  }

  /// Makes errors refer to the first place of a word.
  mutating func begin(_ word: String) {
    let start = source.indices.first { source[$0...].starts(with: word.utf8) } ?? 0
    part = start..<(start + word.utf8.count)
  }

  var partText: String { text(part) }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: source[range], as: UTF8.self)
  }

  func mistake(_ message: String, remedy: String) -> FormatStringError {
    FormatStringError(message, remedy: remedy, in: source, at: part)
  }

  mutating func addText(_ byte: UInt8) { template.add([byte]) }

  /// Adds a field or an ignored value, if something separates it from the field before.
  ///
  /// Of several for one field, a line's first one counts, unless one is the best, whichever comes
  /// first: the host that the client asked for is more exact than the name of the server that
  /// answered, its target than a rewritten path, and the destination of a response than the mode
  /// in which it was fetched.
  mutating func addField(_ field: LogField?, isBest: Bool = false) throws(FormatStringError) {
    var field = field
    let known = template.elements.firstIndex(of: .field(field))
    if isBest, let field, bestFields.insert(field).inserted {
      if let known { template.elements[known] = .field(nil) }
      if field == .target { template.hasDashForQuery = false }
    } else if field == .fetchMetadata, known != nil {
      field = nil
    }
    defer { lastPart = part }
    if case .field(let before) = template.elements.last {
      if before == .target, field == .query {
        let first = template.elements.firstIndex(of: .field(.target))
        template.hasDashForQuery =
          template.hasDashForQuery
          || hasQueryMark && template.encoding == .escaped && first == template.elements.count - 1
        return
      }
      // Two ignored values are equivalent to one, and so are those of variables that are rarely
      // used.
      if (before ?? .size) == .size, (field ?? .size) == .size {
        template.elements[template.elements.count - 1] = .field(nil)
        return
      }
      guard before == .host, field == .target else {
        throw mistake(
          "nothing separates '\(partText)' from '\(text(lastPart))' before it",
          remedy: "configure the server to write a space or another character between them")
      }
      template.elements.append(.pathAfterHost)
    }
    template.elements.append(.field(field))
  }

  /// Adds a part of a time, or a time.
  mutating func addTime(_ element: LineTemplate.Element) {
    template.elements.append(element)
    lastPart = part
  }

  private static let elementLimit = 1_000

  /// Returns the template, if a request can be read from its lines.
  mutating func finish() throws(FormatStringError) -> LineTemplate {
    part = 0..<max(1, source.count)
    if template.elements.count > Self.elementLimit {
      throw mistake(
        "the format has more than \(Self.elementLimit) parts",
        remedy: "pass only the part that is in every line")
    }
    let needed: KeyValuePairs<String, [LogField]> = [
      "the request or its target": [.target, .request], "the status": [.status, .resultAndStatus],
    ]
    for (name, fields) in needed
    where !fields.contains(where: { template.elements.contains(.field($0)) }) {
      throw mistake(
        "the format has no field for \(name)",
        remedy:
          "linkaudit needs the target and the status; pass the whole format of the configuration")
    }
    return template
  }
}

/// A mistake in a format that was given as text, and its place.
public struct FormatStringError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The mistake, in a sentence without a full stop.
  public var message: String

  /// The remedy, in a sentence without a full stop.
  public var remedy: String

  /// The text of the format.
  public var text: String

  /// The part of the text that is wrong, in bytes of UTF-8.
  public var range: Range<Int>

  init(_ message: String, remedy: String, in text: [UInt8], at range: Range<Int>) {
    self.message = message
    self.remedy = remedy
    self.text = String(decoding: text, as: UTF8.self)
    // An empty text has no bytes to name.
    self.range = range.clamped(to: 0..<text.count)
  }

  /// Returns the line of the text in which the wrong part begins, and carets under that part.
  ///
  /// Of a line with more columns than `width`, it is the part around the carets.
  package func excerpt(width: Int = .max) -> (line: String, carets: String) {
    let bytes = Array(text.utf8)
    let before = bytes[..<min(range.lowerBound, bytes.count)]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let lineEnd = bytes[lineStart...].firstIndex(of: 0x0A) ?? bytes.count
    func plain(_ range: Range<Int>) -> String {
      // A tab would put the carets elsewhere.
      String(decoding: bytes[range].map { $0 == 0x09 ? 0x20 : $0 }, as: UTF8.self)
    }
    let end = max(range.lowerBound, min(range.upperBound, lineEnd))
    let line = plain(lineStart..<lineEnd)
    let carets =
      String(repeating: " ", count: plain(lineStart..<range.lowerBound).count)
      + String(repeating: "^", count: max(1, plain(range.lowerBound..<end).count))
    guard line.count > width else { return (line, carets) }
    let start = max(0, min(carets.count - width * 2 / 3, line.count - width))
    return (
      String(line.dropFirst(start).prefix(width)), String(carets.dropFirst(start).prefix(width))
    )
  }

  public var description: String { message }
}
