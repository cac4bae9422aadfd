internal import Foundations

/// The query that programs log as an object of JSON, as Express and Kong do.
///
///     {"id":"7","tag":["a","b"],"flag":null}    id=7&tag=a&tag=b&flag
///
/// Programs decode a query before they log it, so bytes that would end an item are encoded again.
struct QueryMembers {
  private var marks = ByteMarks.ofStrings
  private var position = 0

  /// Appends the query that an object stands for, with the escapes of ``LogEscapes``.
  static func append(_ object: Span<UInt8>, to output: inout [UInt8]) {
    var members = QueryMembers()
    var query: [UInt8] = []
    members.appendItems(of: object, name: [], to: &query)
    output += query.dropFirst()
  }

  /// Appends the items of the object or array at the position, each after an ampersand, and moves
  /// the position past it.
  ///
  /// The scanner has checked the brackets, and limits their depth.
  private mutating func appendItems(
    of text: Span<UInt8>, name: [UInt8], to query: inout [UInt8]
  ) {
    let isObject = text[position] == UInt8(ascii: "{")
    position += 1
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        position += 1
        return
      case UInt8(ascii: "\"") where isObject:
        var key: [UInt8] = []
        appendString(text, to: &key)
        while position < text.count, text[position].isBlank || text[position] == UInt8(ascii: ":") {
          position += 1
        }
        guard position < text.count else { return }
        // Programs read `a[b]=1` as an object in an object.
        appendValue(text, name.isEmpty ? key : name + "[".utf8 + key + "]".utf8, to: &query)
      case UInt8(ascii: ","), 0x20, 0x09: position += 1
      default: appendValue(text, name, to: &query)
      }
    }
  }

  /// Appends the value at the position, or the items in it.
  private mutating func appendValue(
    _ text: Span<UInt8>, _ name: [UInt8], to query: inout [UInt8]
  ) {
    switch text[position] {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      return appendItems(of: text, name: name, to: &query)
    case UInt8(ascii: "\""):
      query += "&".utf8 + name + "=".utf8
      appendString(text, to: &query)
    default:
      let start = position
      text.skipScalar(&position)
      // Brackets are checked, but not the values between them.
      if position == start { position += 1 }
      query += "&".utf8 + name
      guard !text.isNull(start..<position) else { return }
      query.append(UInt8(ascii: "="))
      text.extracting(start..<position).append(to: &query)
    }
  }

  /// Appends the string at the position with the encoding of a query, and moves the position past
  /// it.
  private mutating func appendString(_ text: Span<UInt8>, to query: inout [UInt8]) {
    let start = position + 1
    guard let end = marks.stringEnd(start, in: text) else {
      position = text.count
      return
    }
    position = end.position + 1
    var (escaped, plain): ([UInt8], [UInt8]) = ([], [])
    let encoding = end.hasEscapes ? FieldEncoding.json : .plain
    encoding.append(text.extracting(start..<end.position), to: &escaped)
    LogEscapes.append(undoing: escaped.span, to: &plain)
    for index in plain.indices {
      let byte = plain[index]
      let isEncoded =
        byte == UInt8(ascii: "%") && plain.span.hexadecimal(index + 1, digits: 2) != nil
      if isEncoded || byte > 0x20 && byte < 0x7F && !"%&+=#\"\\<>".utf8.contains(byte) {
        query.append(byte)
      } else {
        query.append(UInt8(ascii: "%"))
        query.append(UInt8.hexadecimalDigit(byte >> 4))
        query.append(UInt8.hexadecimalDigit(byte))
      }
    }
  }
}
