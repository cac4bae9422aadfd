internal import AccessLogs
internal import Foundations

/// Advice about files that hold the lines of a log in another form.
enum FormatAdvice {
  /// Returns the advice about a file that no format fits, or `nil` if there is none.
  ///
  /// - Parameters:
  ///   - firstLine: The first line of the file.
  ///   - path: The path of the file.
  /// - Returns: How to write the lines as a log.
  static func advice(onFirstLine firstLine: [UInt8], path: String) -> String? {
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0D]
    let line = firstLine.drop { blanks.contains($0) }
    let text = String(decoding: line, as: UTF8.self)
    let isJSON = line.first == UInt8(ascii: "{")
    if let column = columnOfLines(in: text) {
      return
        "it looks like results of \(column == "@message" ? "CloudWatch Logs Insights" : "a search in logs"); "
        + "write the column '\(column)' alone, one line for each result, and pass that file"
    }
    let names = text.split { ",\":{} \r".contains($0) }
    if names.contains("_raw") || text.hasPrefix("<results") {
      return "it looks like an export of Splunk; export the raw events, or write the field '_raw' "
        + "alone, such as with 'jq -r .result._raw', and pass that file"
    }
    if line.contains(0x1B) {
      return "a terminal's colors are inside the lines; remove them, such as with "
        + "'sed \"s/\\x1b\\[[0-9;]*m//g\" \(path.inCommand)', and pass the result"
    }
    if isJSON, isOpen(line) {
      return
        "a JSON object seems to take several lines; write one a line, with 'jq -c . \(path.inCommand)', "
        + "and pass that file"
    }
    if line.first == UInt8(ascii: "["), line.dropFirst().allSatisfy(blanks.contains) {
      return
        "it looks like a JSON list; write one object a line, with 'jq -c .[] \(path.inCommand)', and pass "
        + "that file"
    }
    if isJSON, isBroken(line) {
      return "the first line is not correct JSON: something in it is not escaped, or its end is "
        + "missing; nginx escapes values with 'log_format NAME escape=json'"
    }
    let keys = isJSON ? keys(of: Array(line)) : []
    guard !keys.isEmpty else { return nil }
    return "it is JSON under other keys than the usual ones: "
      + keys.prefix(shownKeyLimit).joined(separator: ", ")
      + "; name those of target and status with '--json-keys "
      + (option(for: keys) ?? "target=KEY,status=KEY") + "'"
  }

  /// Returns the value of `--json-keys` that names the fields of a log by the ends of its keys, or
  /// `nil` if they don't tell target and status.
  private static func option(for keys: [String]) -> String? {
    let likely = LogFormat.likelyFields(ofKeys: keys).filter { field, _ in
      Configuration.jsonFields.contains(field.name)
    }
    let fields = Set(likely.map(\.field))
    guard fields.contains(.status), fields.contains(.target) || fields.contains(.request) else {
      return nil
    }
    // A target says more than a line with it.
    return likely.filter { $0.field != .request || !fields.contains(.target) }
      .map { "\($0.field.name)=\($0.key)" }.joined(separator: ",")
  }

  /// Returns the column of a heading that holds whole lines, or `nil` if there is none.
  private static func columnOfLines(in heading: String) -> String? {
    let marks: Set<Character> = ["\"", " ", "\r"]
    let names = heading.split { $0 == "," || $0 == "\t" }
      .map { String($0.drop { marks.contains($0) }.prefix { !marks.contains($0) }) }
    if names.first == "@timestamp" { return "@message" }
    guard names.count > 1, names.allSatisfy({ isPlain($0) }) else {
      return heading.contains("@message") ? "@message" : nil
    }
    return names.first {
      ["@message", "message", "line", "textpayload"].contains($0.lowercased())
    }
  }

  /// Upper bounds for the numbers of keys to read and to show.
  private static let keyLimit = 100
  private static let shownKeyLimit = 16

  /// Returns the first keys of an object, with those of the objects that lead to them.
  private static func keys(of line: [UInt8]) -> [String] {
    var keys: [String] = []
    var (path, key): ([String], String) = ([], "")
    var (start, isText, isEscaped) = (0, false, false)
    for (index, byte) in line.enumerated() where keys.count < keyLimit {
      if isText {
        guard byte == UInt8(ascii: "\""), !isEscaped else {
          isEscaped = byte == 0x5C && !isEscaped
          continue
        }
        isText = false
        key = String(decoding: line[start..<index], as: UTF8.self)
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): (start, isText, isEscaped) = (index + 1, true, false)
      case UInt8(ascii: ":"):
        let next = line[(index + 1)...].first { $0 != 0x20 && $0 != 0x09 }
        if next == UInt8(ascii: "{") {
          path.append(key)
        } else if (path + [key]).allSatisfy({ isPlain($0) }) {
          keys.append((path + [key]).joined(separator: "."))
        }
      case UInt8(ascii: "}"): _ = path.popLast()
      default: break
      }
    }
    return keys
  }

  /// Returns a Boolean value indicating whether a key has only letters, digits and a few marks.
  private static func isPlain(_ key: String) -> Bool {
    !key.isEmpty && key.utf8.count <= 64
      && key.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_-.@$".utf8.contains($0) }
  }

  /// Returns a Boolean value indicating whether a line is only the beginning of an object: it ends
  /// after a brace or a comma.
  private static func isOpen(_ line: ArraySlice<UInt8>) -> Bool {
    guard let last = line.last(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else {
      return false
    }
    return "{[,".utf8.contains(last)
  }

  /// Returns a Boolean value indicating whether a line that begins an object doesn't end it, or has
  /// something else than a separator after a string.
  private static func isBroken(_ line: ArraySlice<UInt8>) -> Bool {
    var (depth, isText, isEscaped, wasText) = (0, false, false, false)
    for byte in line {
      if isText {
        (isText, isEscaped) = (byte != UInt8(ascii: "\"") || isEscaped, byte == 0x5C && !isEscaped)
        wasText = !isText
        continue
      }
      switch byte {
      case 0x20, 0x09, 0x0D: continue
      case UInt8(ascii: "\""):
        if wasText { return true }
        isText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ","), UInt8(ascii: ":"): break
      default: if wasText { return true }
      }
      wasText = false
    }
    return isText || depth != 0
  }
}
