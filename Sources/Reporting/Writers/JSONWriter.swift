internal import Foundations

/// JSON, written value by value, with names in the order in which they come.
///
///     json.object { json in
///       json.member("host", "www.example.com")
///       json.member("samples", strings: ["/buy/1"])
///     }
///
/// A report can have a hundred thousand rows. A general encoder would take longer for them than
/// judging does.
struct JSONWriter {
  /// Whether each value is on a line of its own.
  enum Layout {
    case lines
    case compact
  }

  private let layout: Layout
  private var output: OutputBuffer
  private var depth = 0
  private var isEmpty = true

  init(_ layout: Layout, to sink: @escaping OutputSink) {
    self.layout = layout
    output = OutputBuffer(sink)
  }

  /// Writes a document: an object whose first member names its schema.
  static func document<Row>(
    _ schema: String, of row: Row, _ columns: [TableColumn<Row>], to sink: @escaping OutputSink
  ) throws {
    try document(schema, to: sink) { $0.members(of: row, columns) }
  }

  static func document(
    _ schema: String, to sink: @escaping OutputSink, _ members: (inout JSONWriter) -> Void
  ) throws {
    var json = JSONWriter(.lines, to: sink)
    json.object { json in
      json.member("schema", schema)
      members(&json)
    }
    try json.finish()
  }

  // MARK: - Values

  /// An object as a value of its own, in an array, or as the whole text, with a line
  /// feed after it.
  mutating func object(_ members: (inout JSONWriter) -> Void) {
    if depth > 0 { beginElement() }
    enclosed("{", "}", members)
    if depth == 0 {
      output.append("\n")
      output.passOn()
    }
  }

  mutating func member(_ name: String, _ value: String?) {
    begin(name)
    if let value { quote(value) } else { output.append("null") }
  }

  mutating func member(_ name: String, _ value: Int?) {
    begin(name)
    output.append(value.map { String($0) } ?? "null")
  }

  mutating func member(_ name: String, _ value: Bool) {
    begin(name)
    output.append(value ? "true" : "false")
  }

  mutating func member(_ name: String, object members: (inout JSONWriter) -> Void) {
    begin(name)
    enclosed("{", "}", members)
  }

  /// Writes a member whose value is an array of an object for each row.
  mutating func member<Row>(
    _ name: String, objects rows: some Sequence<Row>,
    _ members: (inout JSONWriter, Row) -> Void
  ) {
    array(name) { json in
      for row in rows {
        json.object { members(&$0, row) }
        json.output.passOn()
      }
    }
  }

  mutating func array(_ name: String, _ elements: (inout JSONWriter) -> Void) {
    begin(name)
    enclosed("[", "]", elements)
  }

  mutating func passOn() { output.passOn() }

  mutating func member(_ name: String, strings: some Sequence<String>) {
    array(name) { json in
      for string in strings {
        json.beginElement()
        json.quote(string)
      }
    }
  }

  /// Writes a member whose value is an array of JSON texts.
  mutating func member(_ name: String, elements: some Sequence<String>) {
    array(name) { json in
      for element in elements {
        json.beginElement()
        json.output.append(element)
      }
    }
  }

  /// Throws the failure of an earlier write, after which more output is useless.
  func check() throws { try output.check() }
  mutating func finish() throws { try output.finish() }

  // MARK: - Layout

  private mutating func enclosed(
    _ start: String, _ end: String, _ content: (inout JSONWriter) -> Void
  ) {
    output.append(start)
    depth += 1
    isEmpty = true
    content(&self)
    depth -= 1
    if !isEmpty { beginLine() }
    isEmpty = false
    output.append(end)
  }

  private mutating func begin(_ name: String) {
    beginElement()
    quote(name)
    output.append(layout == .lines ? " : " : ":")
  }

  private mutating func beginElement() {
    if !isEmpty { output.append(UInt8(ascii: ",")) }
    isEmpty = false
    beginLine()
  }

  private mutating func beginLine() {
    guard layout == .lines else { return }
    output.append(UInt8(ascii: "\n"))
    output.append(spaces: 2 * depth)
  }

  // MARK: - Text

  /// Writes text in quotes, with escapes for whatever a terminal would obey.
  private mutating func quote(_ text: String) {
    output.append(UInt8(ascii: "\""))
    if text.utf8.span.standsForItselfInJSON {
      output.append(text)
    } else {
      var reader = SafeText.Reader()
      for scalar in text.unicodeScalars { append(scalar, isUnsafe: reader.isUnsafe(scalar)) }
    }
    output.append(UInt8(ascii: "\""))
  }

  private mutating func append(_ scalar: Unicode.Scalar, isUnsafe: Bool) {
    switch scalar {
    case "\"": output.append("\\\"")
    case "\\": output.append("\\\\")
    case "\n": output.append("\\n")
    case "\t": output.append("\\t")
    case _ where isUnsafe: output.append(SafeText.escapeInJSON(scalar))
    default: output.append(String(scalar))
    }
  }
}

extension Span<UInt8> {
  /// A Boolean value indicating whether JSON and terminals take these bytes as they are.
  fileprivate var standsForItselfInJSON: Bool {
    var index = 0
    while index + 8 <= count {
      let word = word(index)
      // The highest bit of a byte, if there is a control character, a quote or a backslash, or one
      // from DEL on; a wrong one only makes the loop below look.
      let marks =
        (word | (word &+ 0x0101_0101_0101_0101) | (word &- 0x2020_2020_2020_2020))
        & 0x8080_8080_8080_8080
        | (word ^ 0x2222_2222_2222_2222).zeroBytes | (word ^ 0x5C5C_5C5C_5C5C_5C5C).zeroBytes
      if marks != 0 { break }
      index += 8
    }
    for index in index..<count {
      let byte = byte(index)
      guard byte &- 0x20 < 0x5F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else {
        return false
      }
    }
    return true
  }
}
