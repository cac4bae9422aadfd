internal import Foundations

/// The rows of `match --stream`: where a row has its URL, and how an answer is written.
package enum StreamForm: String, CaseIterable, Sendable {
  /// Values separated by tabs, the first of which is the URL.
  case tsv

  /// Objects of JSON whose member `url` is the URL.
  case jsonl

  /// Finds the URL of a row, if it has one, with its escapes decoded; `url` is empty before.
  func findURL(in row: Span<UInt8>, _ url: inout [UInt8]) -> Bool {
    switch self {
    case .tsv:
      row.appendValue(to: &url)
      return true
    case .jsonl:
      guard row.appendURL(to: &url) else {
        url.removeAll(keepingCapacity: true)
        return false
      }
      return true
    }
  }

  /// Appends an answer, after its row if that is repeated and can be read.
  func append(_ answer: [UInt8], after row: Span<UInt8>?, to output: inout [UInt8]) {
    switch self {
    case .tsv:
      if let row {
        row.append(to: &output)
        output.append(0x09)
      }
      output += answer
    case .jsonl:
      if let row, let end = row.lastIndex(of: UInt8(ascii: "}"), from: 0, to: row.count) {
        row.extracting(0..<end).append(to: &output)
        output += #","result":"#.utf8
      } else {
        output += #"{"result":"#.utf8
      }
      output += answer
      output.append(UInt8(ascii: "}"))
    }
    output.append(0x0A)
  }
}

extension Span<UInt8> {
  private static var backslash: UInt8 { UInt8(ascii: "\\") }

  /// Appends the value up to the first tab, with the escapes of ClickHouse's `TabSeparated`
  /// decoded; `\N` appends nothing.
  fileprivate func appendValue(to output: inout [UInt8]) {
    let end = firstIndex(of: 0x09) ?? count
    let value = extracting(0..<end)
    guard value.firstIndex(of: Self.backslash) != nil else { return value.append(to: &output) }
    if value.count == 2, value[1] == UInt8(ascii: "N") { return }
    var index = 0
    while index < value.count {
      var byte = value[index]
      index += 1
      if byte == Self.backslash, index < value.count {
        switch value[index] {
        case UInt8(ascii: "t"): byte = 0x09
        case UInt8(ascii: "n"): byte = 0x0A
        case UInt8(ascii: "r"): byte = 0x0D
        case UInt8(ascii: "b"): byte = 0x08
        case UInt8(ascii: "f"): byte = 0x0C
        case UInt8(ascii: "0"): byte = 0x00
        default: byte = value[index]
        }
        index += 1
      }
      output.append(byte)
    }
  }

  /// Appends the text of the member `url` of an object, if these bytes are an object with one; `null` is
  /// an empty text.
  fileprivate func appendURL(to output: inout [UInt8]) -> Bool {
    var (position, isFound) = (0, false)
    skipBlanks(&position)
    guard take("{", &position) else { return false }
    skipBlanks(&position)
    if !take("}", &position) {
      repeat {
        skipBlanks(&position)
        guard let key = takeString(&position) else { return false }
        skipBlanks(&position)
        guard take(":", &position) else { return false }
        skipBlanks(&position)
        let start = position
        guard key.count == 3, begins(with: "url", at: key.lowerBound) else {
          guard skipValue(&position) else { return false }
          continue
        }
        output.removeAll(keepingCapacity: true)
        isFound = true
        if let text = takeString(&position) {
          guard extracting(text).appendUnescapedJSON(to: &output) else { return false }
        } else {
          guard begins(with: "null", at: start) else { return false }
          position = start + 4
        }
      } while takeComma(&position)
      guard take("}", &position) else { return false }
    }
    skipBlanks(&position)
    return isFound && position == count
  }

  private func skipBlanks(_ position: inout Int) {
    while position < count, self[position].isBlank || self[position] == 0x0D { position += 1 }
  }

  private func take(_ byte: Unicode.Scalar, _ position: inout Int) -> Bool {
    guard position < count, self[position] == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  private func takeComma(_ position: inout Int) -> Bool {
    skipBlanks(&position)
    return take(",", &position)
  }

  /// Reads a string, and returns the position of its text.
  private func takeString(_ position: inout Int) -> Range<Int>? {
    guard position < count, self[position] == UInt8(ascii: "\"") else { return nil }
    let start = position + 1
    var end = start
    while end < count, self[end] != UInt8(ascii: "\"") {
      end += self[end] == Self.backslash ? 2 : 1
    }
    guard end < count else { return nil }
    position = end + 1
    return start..<end
  }

  /// Passes over a value, of whose objects and arrays only the nesting matters.
  private func skipValue(_ position: inout Int) -> Bool {
    var depth = 0
    repeat {
      guard position < count else { return false }
      switch self[position] {
      case UInt8(ascii: "\""):
        guard takeString(&position) != nil else { return false }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        // The end of what holds the value, which is missing.
        guard depth > 0 else { return false }
        depth -= 1
        position += 1
      default:
        let start = position
        while position < count, !self[position].endsScalar { position += 1 }
        // Within brackets, all that separates values.
        if position == start {
          guard depth > 0 else { return false }
          position += 1
        }
      }
    } while depth > 0
    return true
  }

  /// Appends these bytes, the inside of a string of JSON, with its escapes undone, if all are valid.
  private func appendUnescapedJSON(to output: inout [UInt8]) -> Bool {
    guard firstIndex(of: Self.backslash) != nil else {
      append(to: &output)
      return true
    }
    var index = 0
    while index < count {
      guard self[index] == Self.backslash else {
        output.append(self[index])
        index += 1
        continue
      }
      guard index + 1 < count else { return false }
      let letter = self[index + 1]
      index += 2
      switch letter {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(letter)
      case UInt8(ascii: "b"): output.append(0x08)
      case UInt8(ascii: "f"): output.append(0x0C)
      case UInt8(ascii: "n"): output.append(0x0A)
      case UInt8(ascii: "r"): output.append(0x0D)
      case UInt8(ascii: "t"): output.append(0x09)
      case UInt8(ascii: "u"):
        guard var value = hexadecimal(index, digits: 4) else { return false }
        index += 4
        if (0xD800..<0xDC00).contains(value), begins(with: "\\u", at: index),
          let low = hexadecimal(index + 2, digits: 4), (0xDC00..<0xE000).contains(low)
        {
          value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
          index += 6
        }
        // Half of a surrogate pair is no character.
        output +=
          UTF8.encode(Unicode.Scalar(value) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter
      default: return false
      }
    }
    return true
  }
}

extension UInt8 {
  /// A Boolean value indicating whether a number or a literal ends before this byte.
  fileprivate var endsScalar: Bool {
    switch self {
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "\""),
      UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), 0x20, 0x09, 0x0D:
      true
    default: false
    }
  }
}
