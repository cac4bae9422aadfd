internal import Foundations

extension RouteReader {
  /// Reads a word of a route: the text between two slashes.
  ///
  /// It returns `nil` for one that is in no path, such as `(tabs)` of a file-based router.
  ///
  /// It throws if a bracket is never closed. No URL can hold a bracket, so this is a mistake, whatever
  /// the marks are.
  func element(_ word: ArraySlice<UInt8>, isLast: Bool) throws(Reason) -> RouteElement? {
    if let element = starElement(word, isLast: isLast) { return element }
    var (texts, elements): ([[UInt8]], [RouteElement]) = ([[]], [])
    var index = word.startIndex
    while index < word.endIndex {
      let byte = word[index]
      var found: RouteElement?
      if let (element, end) = colonElement(word, at: index) {
        (found, index) = (element, end)
      } else if byte.closer != nil {
        guard let end = word.closing(index) else {
          throw .unbalanced(String(UnicodeScalar(byte)))
        }
        if byte == UInt8(ascii: "(") || marks.contains(byte) {
          let (start, content) = (index, word[(index + 1)..<end])
          index = end + 1
          if byte == UInt8(ascii: "("), content.isGroupName {
            if marks == [UInt8(ascii: ":")] {
              // It is a router with regular expressions, and a simple one.
              texts[texts.count - 1] += content
            } else if content.count + 2 < word.count {
              // Part of a title, such as 'Mercury_(planet)'.
              texts[texts.count - 1] += word[start..<index]
            }
            continue
          }
          let isExpression = byte == UInt8(ascii: "(")
          guard
            var element = isExpression
              ? RouteElement(expression: content) : parameter(content.trimmed, byte)
          else { continue }
          // A repetition, as in '(\d+)?' and '{id}*'.
          if index + 1 == word.endIndex, element.repeats(word[index]) { index += 1 }
          found = element
        }
      } else if byte == UInt8(ascii: "*") {
        (found, index) = (RouteElement(), index + 1)
      }
      if let found {
        elements.append(found)
        texts.append([])
      } else {
        if byte == UInt8(ascii: "\\"), index + 1 < word.endIndex { index += 1 }
        texts[texts.count - 1].append(word[index])
        index += 1
      }
    }
    return Self.joined(elements, texts)
  }

  /// The element of a word with parameters, and with texts before, between and after them.
  private static func joined(_ elements: [RouteElement], _ texts: [[UInt8]]) -> RouteElement? {
    guard let first = elements.first else { return texts[0].isEmpty ? nil : .literal(texts[0]) }
    if elements.count == 1, texts.allSatisfy(\.isEmpty) { return first }
    // Text next to an optional or repeated part says little; anything matches.
    if elements.contains(where: \.allowsMany) { return RouteElement(allowsMany: true) }
    if elements.contains(where: \.allowsNone) { return RouteElement() }
    let bytes = Array(texts.map(\.urlEncoded).joined(separator: [Glob.gap]))
    return RouteElement(matcher: .glob(Glob(bytes: bytes, leastGap: 1)))
  }

  /// `*`, `**`, `*rest`.
  private func starElement(_ word: ArraySlice<UInt8>, isLast: Bool) -> RouteElement? {
    guard word.first == UInt8(ascii: "*") else { return nil }
    var name = word.dropFirst()
    if name.isEmpty { return isLast && !starIsOne ? .rest : RouteElement() }
    if name.first == UInt8(ascii: "*") { name = name.dropFirst() }
    if name.last == UInt8(ascii: "?") { name = name.dropLast() }
    return name.allSatisfy { $0.isOfName || $0 == UInt8(ascii: "-") } ? .rest : nil
  }

  /// Reads `:id`, `:id?`, `:rest*` or `:rest+`, with an optional expression in parentheses after
  /// the name.
  ///
  /// In the middle of a word, as in `@:user`, no letter or digit precedes it: a title such as
  /// `Special:Search` is a text.
  private func colonElement(
    _ word: ArraySlice<UInt8>, at colon: Int
  ) -> (element: RouteElement, end: Int)? {
    guard word[colon] == UInt8(ascii: ":"), marks.contains(word[colon]) else { return nil }
    let isFirst = colon == word.startIndex
    if !isFirst, word[colon - 1].isOfName || ")]}>".utf8.contains(word[colon - 1]) { return nil }
    var end = colon + 1
    while end < word.endIndex, word[end].isOfName { end += 1 }
    if isFirst {
      // A name has a hyphen only if the name is all that the segment holds.
      let far = end + word[end...].prefix { $0.isOfName || $0 == UInt8(ascii: "-") }.count
      let rest = word[far...]
      let isRepetition = rest.count == 1 && "?*+".utf8.contains(rest[far])
      if rest.isEmpty || rest.first == UInt8(ascii: "(") || isRepetition { end = far }
    }
    guard end > colon + 1 else { return nil }
    var element = RouteElement()
    if end < word.endIndex, word[end] == UInt8(ascii: "("), let closing = word.closing(end) {
      element = RouteElement(expression: word[(end + 1)..<closing])
      end = closing + 1
    }
    if end < word.endIndex, element.repeats(word[end]) { end += 1 }
    return (element, end)
  }

  /// A parameter in brackets: `{id}`, `[[id]]`, `<id?>`, `{id=5}`; `{path...}`, `{*path}`,
  /// `{path+}`, `[...rest]`, `<rest..>`; `{id:int}`, `<int:id>`, `{id:[0-9]+}`.
  ///
  /// - Returns: The element, or `nil` for text that is not part of a path: `{$}` of Go, `{?q}` of
  ///   URI templates.
  private func parameter(_ content: ArraySlice<UInt8>, _ open: UInt8) -> RouteElement? {
    let isBrace = open == UInt8(ascii: "{")
    if isBrace, content.elementsEqual("$".utf8) || "?&#".utf8.contains(content.first ?? 0) {
      return nil
    }
    var (name, element) = (content, RouteElement())
    if open == UInt8(ascii: "["), name.first == open, name.last == open.closer {
      (name, element.allowsNone) = (name.dropFirst().dropLast(), true)
    }
    // A default value replaces a missing one.
    let hasDefault = name.last == UInt8(ascii: "?") || name.contains(UInt8(ascii: "="))
    if let colon = name.firstIndex(of: UInt8(ascii: ":")), open != UInt8(ascii: "[") {
      let constraint = name[(colon + 1)...]
      if let type = RouteElement(typeName: isBrace ? constraint : name[..<colon]) {
        element = type
        // FastAPI's 'path' may be empty.
        if isBrace, type.allowsMany || hasDefault { element.allowsNone = true }
      } else {
        element = RouteElement(expression: constraint)
      }
      if isBrace, name.first == UInt8(ascii: "*") { element.repeats(UInt8(ascii: "*")) }
    } else if name.first == UInt8(ascii: "*") || name.last == UInt8(ascii: "*")
      || name.hasSuffix("..")
    {
      element.repeats(UInt8(ascii: "*"))
    } else if name.hasPrefix("...") || name.last == UInt8(ascii: "+") {
      element.allowsMany = true
    } else if hasDefault {
      element.allowsNone = true
    }
    return element
  }
}

// MARK: - Constraints

/// The constraint after a parameter's name: a type such as `int`, or a regular expression such as
/// `\d+`.
///
/// Only some constraints are checked: digits, numbers, UUIDs, and lists of words. Any other
/// constraint matches everything, so that no route of the app seems to be missing.
extension RouteElement {
  /// A parameter of a type, or `nil` if no router known here has the type.
  fileprivate init?(typeName: ArraySlice<UInt8>) {
    self.init()
    // Parentheses or another colon narrow the type further.
    let name = typeName.prefix { $0.isOfName || $0 == UInt8(ascii: "*") }
    switch name.text.lowercased() {
    case "int", "integer", "long", "digits", "nat", "int32", "int64", "uint": matcher = .digits
    case "float", "double", "decimal", "number": matcher = .number
    case "uuid", "guid": matcher = .uuid
    case "path": allowsMany = true
    case "*": repeats(UInt8(ascii: "*"))
    case "string", "str", "slug", "alpha", "any", "bool", "datetime", "required", "minlength",
      "maxlength", "length", "min", "max", "range":
      break
    default: return nil
    }
  }

  /// A parameter with a regular expression.
  fileprivate init(expression: ArraySlice<UInt8>) {
    self.init()
    var text = expression.trimmed
    if text.first == UInt8(ascii: "^") { text.removeFirst() }
    if text.last == UInt8(ascii: "$") { text.removeLast() }
    // JavaScript and Java sources write two backslashes for one.
    let backslash = UInt8(ascii: "\\")
    let pattern = Array(text).enumerated().filter { index, byte in
      byte != backslash || index == 0 || text[text.startIndex + index - 1] != backslash
    }.map(\.element)[...]
    let words = pattern.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
    let areWords = words.allSatisfy { word in
      !word.isEmpty && word.allSatisfy { $0.isOfName || $0 == UInt8(ascii: "-") }
    }
    if Self.isOfDigits(pattern) {
      matcher = .digits
    } else if words.count > 1, areWords {
      // A single word may as well be the name of an unknown type.
      matcher = .words(words.map { Array($0).urlEncoded })
    } else if pattern.elementsEqual(".*".utf8) {
      repeats(UInt8(ascii: "*"))
    } else {
      allowsMany = Self.mayTakeSlash(pattern)
    }
  }

  /// Whether an expression matches digits only: `\d` and sets such as `[0-9]`, each with an
  /// optional repetition.
  private static func isOfDigits(_ pattern: ArraySlice<UInt8>) -> Bool {
    var rest = pattern
    while let first = rest.first {
      if rest.hasPrefix("\\d") {
        rest = rest.dropFirst(2)
      } else if first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]")) {
        let members = rest[(rest.startIndex + 1)..<end]
        // A hyphen at an end is no range.
        guard members.first?.isDigit == true, members.last?.isDigit == true,
          members.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: "-") })
        else { return false }
        rest = rest[(end + 1)...]
      } else {
        return false
      }
      if rest.first == UInt8(ascii: "{"), let end = rest.firstIndex(of: UInt8(ascii: "}")) {
        rest = rest[(end + 1)...]
      } else if let mark = rest.first, "+*?".utf8.contains(mark) {
        rest = rest.dropFirst()
      }
    }
    return !pattern.isEmpty
  }

  /// Whether an expression can match a slash.
  private static func mayTakeSlash(_ pattern: ArraySlice<UInt8>) -> Bool {
    var rest = pattern
    // Sets without a slash, and a full stop.
    let others: [StaticString] = ["[^/]", "[^\\/]", "\\."]
    while let first = rest.first {
      let other = others.first { rest.hasPrefix($0) }
      if other == nil, "/.^SDW".utf8.contains(first) { return true }
      rest = rest.dropFirst(other?.utf8CodeUnitCount ?? 1)
    }
    return false
  }

  /// Repeats the element if a byte is `?`, `*` or `+`, and returns whether it is.
  @discardableResult
  fileprivate mutating func repeats(_ mark: UInt8) -> Bool {
    guard "?*+".utf8.contains(mark) else { return false }
    if mark != UInt8(ascii: "+") { allowsNone = true }
    if mark != UInt8(ascii: "?") { allowsMany = true }
    return true
  }
}

extension ArraySlice<UInt8> {
  /// A Boolean value indicating whether this is the name of a group of files, or several
  /// of them, rather than a regular expression.
  fileprivate var isGroupName: Bool {
    !isEmpty
      && allSatisfy { $0.isOfName || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ",") }
  }
}
