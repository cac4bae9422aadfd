/// A format that is given as a pattern: text with fields in it.
struct LineTemplate: Hashable, Sendable {
  /// A piece of the pattern.
  enum Element: Hashable, Sendable {
    /// Text that is in every line.
    case text([UInt8])

    /// A field, or an ignored value; it ends where the next text begins.
    case field(LogField?)

    /// A path, after a host that has no end of its own.
    case pathAfterHost

    /// A time such as `10/Oct/2000:13:55:36 -0700`.
    case commonTime

    /// Part of a time.
    case clock(ClockPart)
  }

  var elements: [Element] = []

  /// How fields are escaped.
  var encoding = FieldEncoding.escaped
}

/// A compiler of formats that are given as text.
struct TemplateBuilder {
  private(set) var template = LineTemplate()

  /// The text of the format, for errors.
  let source: [UInt8]

  /// The fields that hold what the client sent, rather than what the server made of it.
  private var sentFields: Set<LogField> = []

  /// The position in ``source`` of the element that was added last.
  private var lastRange = 0..<0

  init(source: [UInt8], encoding: FieldEncoding) {
    self.source = source
    template.encoding = encoding
  }

  /// Adds a byte of text.
  mutating func add(_ byte: UInt8) {
    if case .text(var text) = template.elements.last {
      text.append(byte)
      template.elements[template.elements.count - 1] = .text(text)
    } else {
      template.elements.append(.text([byte]))
    }
  }

  /// Adds a field or an ignored value.
  ///
  /// - Throws: ``FormatStringError`` if nothing separates it from the field before.
  mutating func add(_ field: LogField?, at range: Range<Int>) throws(FormatStringError) {
    defer { lastRange = range }
    switch template.elements.last {
    case .field(let before):
      if before == .target, field == .query { return }
      if before == .host, field == .target {
        template.elements.append(.pathAfterHost)
        break
      }
      // Two ignored values are equivalent to one, and so are those of variables that are rarely
      // used.
      if (before ?? .size) == .size, (field ?? .size) == .size {
        template.elements[template.elements.count - 1] = .field(nil)
        return
      }
      throw FormatStringError(
        "nothing separates '\(text(range))' from '\(text(lastRange))' before it",
        remedy: "configure the server to write a space or another character between them",
        in: source, at: range)
    default: break
    }
    template.elements.append(.field(field))
  }

  /// Adds a field that the server can write as the client sent it, or as it processed it.
  ///
  /// The host that the client asked for is more exact than the name of the server that answered, and
  /// its target is more exact than a rewritten path, whichever comes first.
  ///
  /// - Throws: ``FormatStringError`` if nothing separates it from the field before.
  mutating func add(
    _ field: LogField, asSent isSent: Bool, at range: Range<Int>
  ) throws(FormatStringError) {
    if isSent, sentFields.insert(field).inserted,
      let known = template.elements.firstIndex(of: .field(field))
    {
      template.elements[known] = .field(nil)
    }
    // Of several, a line's first one counts.
    try add(field, at: range)
  }

  /// Adds the header in which a browser says what a response is for.
  ///
  /// The destination is more exact than the mode, whichever comes first.
  ///
  /// - Throws: ``FormatStringError`` if nothing separates it from the field before.
  mutating func add(
    fetchMetadata isDestination: Bool, at range: Range<Int>
  ) throws(FormatStringError) {
    let known = template.elements.firstIndex {
      if case .field(.fetchMetadata) = $0 { true } else { false }
    }
    guard let known else { return try add(.fetchMetadata, at: range) }
    guard isDestination else { return try add(nil, at: range) }
    template.elements[known] = .field(nil)
    try add(.fetchMetadata, at: range)
  }

  /// Adds a part of a time, or a time.
  mutating func add(_ element: LineTemplate.Element, at range: Range<Int>) {
    template.elements.append(element)
    lastRange = range
  }

  /// Upper bound for the number of parts.
  private static let elementLimit = 1_000

  /// The template, if a request can be read from its lines.
  func finish() throws(FormatStringError) -> LineTemplate {
    let fields = template.elements.compactMap { element in
      if case .field(let field) = element { field } else { nil }
    }
    if template.elements.count > Self.elementLimit {
      throw FormatStringError(
        "the format has more than \(Self.elementLimit) parts",
        remedy: "pass only the part that is in every line",
        in: source, at: 0..<max(1, source.count))
    }
    if !fields.contains(.target), !fields.contains(.request) {
      throw missing("the request or its target")
    }
    if !fields.contains(.status), !fields.contains(.resultAndStatus) {
      throw missing("the status")
    }
    return template
  }

  private func missing(_ what: String) -> FormatStringError {
    FormatStringError(
      "the format has no field for \(what)",
      remedy:
        "linkaudit needs the target and the status; pass the whole format of the configuration",
      in: source, at: 0..<max(1, source.count))
  }

  func text(_ range: Range<Int>) -> String { String(decoding: source[range], as: UTF8.self) }
}
