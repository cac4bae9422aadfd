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
    if text.hasPrefix("@timestamp") || text.contains("@message") {
      return
        "it looks like results of CloudWatch Logs Insights; write the column '@message' alone, "
        + "one line for each result, and pass that file"
    }
    if text.contains("\"_raw\"") || text.hasPrefix("_raw") {
      return "it looks like an export of Splunk; export the raw events, or write the field '_raw' "
        + "alone, such as with 'jq -r .result._raw', and pass that file"
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
    return nil
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
