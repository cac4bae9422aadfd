/// What the text behind a parameter's name lets it be: a type such as `int`, or a regular
/// expression such as `\d+`.
///
/// Only what is certain is held against a path: digits, numbers, UUIDs, and words to
/// choose from. Any other constraint is taken to let anything pass, so that no route seems
/// to be missing that the app has.
struct RouteConstraint: Equatable {
  var matcher = RouteSegmentMatcher.parameter(.any)
  var repetition = RouteElement.Repetition.once

  /// The constraint of a type by its name, or `nil` if no router known here has it.
  init?(typeName: ArraySlice<UInt8>) {
    // What stands in parentheses or behind another colon narrows the type further.
    let name = typeName.prefix { $0.isOfName || $0 == UInt8(ascii: "*") }
    switch name.text.lowercased() {
    case "int", "integer", "long", "digits", "nat", "int32", "int64", "uint":
      matcher = .parameter(.digits)
    case "float", "double", "decimal", "number": matcher = .parameter(.number)
    case "uuid", "guid": matcher = .parameter(.uuid)
    case "path": repetition = .atLeastOne
    case "*": repetition = .anyNumber
    case "string", "str", "slug", "alpha", "any", "bool", "datetime", "required", "minlength",
      "maxlength", "length", "min", "max", "range":
      break
    default: return nil
    }
  }

  /// The constraint of a regular expression.
  init(expression: ArraySlice<UInt8>) {
    var text = expression.trimmed
    if text.first == UInt8(ascii: "^") { text.removeFirst() }
    if text.last == UInt8(ascii: "$") { text.removeLast() }
    let pattern = Self.withoutDoubleBackslashes(text)
    if Self.isOfDigits(pattern) {
      matcher = .parameter(.digits)
    } else if let words = Self.words(pattern) {
      matcher = .words(words)
    } else if pattern == Array(".*".utf8) {
      repetition = .anyNumber
    } else if !Self.isWithinSegment(pattern) {
      repetition = .atLeastOne
    }
  }

  /// As the sources of JavaScript and Java write a backslash.
  private static func withoutDoubleBackslashes(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    for byte in text {
      if byte == UInt8(ascii: "\\"), output.last == byte { continue }
      output.append(byte)
    }
    return output
  }

  /// Whether an expression takes digits only: `\d` and sets such as `[0-9]`, each with or
  /// without a number of times behind it.
  private static func isOfDigits(_ pattern: [UInt8]) -> Bool {
    var rest = pattern[...]
    var atoms = 0
    while let first = rest.first {
      if rest.hasPrefix("\\d") {
        rest = rest.dropFirst(2)
      } else if first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]")) {
        let members = rest[(rest.startIndex + 1)..<end]
        let isSet = members.allSatisfy { $0.isDecimalDigit || $0 == UInt8(ascii: "-") }
        // A hyphen at an end stands for itself.
        guard isSet, members.first?.isDecimalDigit == true, members.last?.isDecimalDigit == true
        else { return false }
        rest = rest[(end + 1)...]
      } else {
        return false
      }
      atoms += 1
      switch rest.first {
      case UInt8(ascii: "+"), UInt8(ascii: "*"), UInt8(ascii: "?"): rest = rest.dropFirst()
      case UInt8(ascii: "{"):
        guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { return false }
        rest = rest[(end + 1)...]
      default: break
      }
    }
    return atoms > 0
  }

  /// The words of `a|b|c`; a single one may as well be the name of an unknown type.
  private static func words(_ pattern: [UInt8]) -> [[UInt8]]? {
    let words = pattern.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
    let arePlain =
      words.count > 1
      && words.allSatisfy { word in
        !word.isEmpty && word.allSatisfy { $0.isOfName || $0 == UInt8(ascii: "-") }
      }
    return arePlain ? words.map { RouteText.encoded(Array($0)) } : nil
  }

  /// Whether an expression surely takes no slash.
  private static func isWithinSegment(_ pattern: [UInt8]) -> Bool {
    var pattern = pattern[...]
    var kept: [UInt8] = []
    while let first = pattern.first {
      // Sets without a slash, which is what '[^/]' says, and a full stop.
      if pattern.hasPrefix("[^/]") {
        pattern = pattern.dropFirst(4)
      } else if pattern.hasPrefix("[^\\/]") {
        pattern = pattern.dropFirst(5)
      } else if pattern.hasPrefix("\\.") {
        pattern = pattern.dropFirst(2)
      } else {
        kept.append(first)
        pattern = pattern.dropFirst()
      }
    }
    let crossing: [UInt8] = [
      UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "S"),
      UInt8(ascii: "D"), UInt8(ascii: "W"),
    ]
    return !kept.contains(where: crossing.contains)
  }
}
