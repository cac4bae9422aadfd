/// Reads a word of a route: what stands between two slashes.
struct RouteWordReader {
  /// The marks that begin a parameter.
  var marks: RouteSyntax.Marks

  /// Whether `*` stands for one segment at the end of a route, too, because the file
  /// writes `**` for any number of them.
  var starIsOne = false

  /// A part of a word.
  private enum Piece {
    case text([UInt8])
    case element(RouteElement)
  }

  /// What a word stands for.
  enum Word: Equatable {
    case element(RouteElement)

    /// The word stands in no path, as `(tabs)` of a file-based router.
    case nothing

    /// This bracket has no other one.
    case unbalanced(UInt8)
  }

  /// Reads a word.
  ///
  /// - Parameters:
  ///   - word: The word, which isn't empty.
  ///   - isLast: Whether it ends the route.
  /// - Returns: What it stands for.
  func read(_ word: ArraySlice<UInt8>, isLast: Bool) -> Word {
    if let element = starElement(word, isLast: isLast) { return .element(element) }
    var pieces: [Piece] = []
    var text: [UInt8] = []
    var index = word.startIndex
    func flush() {
      if !text.isEmpty { pieces.append(.text(text)) }
      text.removeAll()
    }
    while index < word.endIndex {
      let byte = word[index]
      if byte == UInt8(ascii: ":"), marks.contains(.colon),
        let (element, end) = colonElement(word, at: index)
      {
        flush()
        pieces.append(.element(element))
        index = end
      } else if byte.closer != nil, word.closing(index) == nil {
        // No URL can hold it, so that it is a mistake, whatever the marks are.
        return .unbalanced(byte)
      } else if opens(byte), let end = word.closing(index) {
        let content = word[(index + 1)..<end]
        index = end + 1
        switch byte {
        case UInt8(ascii: "("):
          if content.isGroupName {
            if marks == .colon {
              // It is a router with regular expressions, and a simple one.
              text += content
            } else if content.count + 2 < word.count {
              // Part of a title, such as 'Mercury_(planet)'.
              text += word[(content.startIndex - 1)..<index]
            }
            continue
          }
          flush()
          let constraint = RouteConstraint(expression: content)
          pieces.append(.element(RouteElement(constraint)))
        case UInt8(ascii: "{"):
          guard let element = braceElement(content) else { continue }
          flush()
          pieces.append(.element(element))
        case UInt8(ascii: "["):
          flush()
          pieces.append(.element(bracketElement(content)))
        default:
          flush()
          pieces.append(.element(angleElement(content)))
        }
        // A number of times, as in '(\d+)?' and '{id}*'.
        if index < word.endIndex, let repetition = RouteElement.Repetition(word[index]),
          index + 1 == word.endIndex, case .element(var element)? = pieces.last
        {
          element.repetition = element.repetition.repeated(repetition)
          pieces[pieces.count - 1] = .element(element)
          index += 1
        }
      } else if byte == UInt8(ascii: "*") {
        flush()
        pieces.append(.element(RouteElement(matcher: .parameter(.any))))
        index += 1
      } else {
        if byte == UInt8(ascii: "\\"), index + 1 < word.endIndex { index += 1 }
        text.append(word[index])
        index += 1
      }
    }
    flush()
    return joined(pieces)
  }

  private func opens(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "("): true
    case UInt8(ascii: "{"): marks.contains(.braces)
    case UInt8(ascii: "["): marks.contains(.brackets)
    case UInt8(ascii: "<"): marks.contains(.angles)
    default: false
    }
  }

  private func joined(_ pieces: [Piece]) -> Word {
    var texts: [[UInt8]] = [[]]
    var elements: [RouteElement] = []
    for piece in pieces {
      switch piece {
      case .text(let text): texts[texts.count - 1] += text
      case .element(let element):
        elements.append(element)
        texts.append([])
      }
    }
    guard let first = elements.first else {
      return texts.first?.isEmpty ?? true ? .nothing : .element(.literal(texts[0]))
    }
    if elements.count == 1, texts.allSatisfy(\.isEmpty) { return .element(first) }
    // Text beside what may be of any length or missing says little; anything passes.
    if elements.contains(where: \.repetition.allowsMany) {
      return .element(RouteElement(matcher: .parameter(.any), repetition: .atLeastOne))
    }
    if elements.contains(where: \.repetition.allowsNone) {
      return .element(RouteElement(matcher: .parameter(.any)))
    }
    return .element(RouteElement(matcher: .template(texts.map(RouteText.encoded))))
  }
}

// MARK: - Parameters by their marks

extension RouteWordReader {
  /// `*`, `**`, `*rest`.
  private func starElement(_ word: ArraySlice<UInt8>, isLast: Bool) -> RouteElement? {
    guard word.first == UInt8(ascii: "*") else { return nil }
    var name = word.dropFirst()
    if name.isEmpty {
      return isLast && !starIsOne ? .rest : RouteElement(matcher: .parameter(.any))
    }
    if name.first == UInt8(ascii: "*") { name = name.dropFirst() }
    if name.last == UInt8(ascii: "?") { name = name.dropLast() }
    return name.allSatisfy { $0.isOfName || $0 == UInt8(ascii: "-") } ? .rest : nil
  }

  /// `:id`, `:id?`, `:rest*`, `:rest+`, each with an expression in parentheses behind the
  /// name, if need be.
  ///
  /// In the middle of a word, as in `@:user`, no letter or digit stands in front: a title
  /// such as `Special:Search` is a text.
  private func colonElement(
    _ word: ArraySlice<UInt8>, at colon: Int
  ) -> (element: RouteElement, end: Int)? {
    let isFirst = colon == word.startIndex
    if !isFirst {
      let previous = word[colon - 1]
      if previous.isOfName || previous.isClosingBracket { return nil }
    }
    var end = colon + 1
    while end < word.endIndex, word[end].isOfName { end += 1 }
    if isFirst {
      // A name has a hyphen only where nothing but the name stands in the segment.
      var far = end
      while far < word.endIndex, word[far].isOfName || word[far] == UInt8(ascii: "-") { far += 1 }
      let rest = word[far...]
      if rest.isEmpty || rest.first == UInt8(ascii: "(")
        || (rest.count == 1 && RouteElement.Repetition(rest[far]) != nil)
      {
        end = far
      }
    }
    guard end > colon + 1 else { return nil }
    var element = RouteElement(matcher: .parameter(.any))
    if end < word.endIndex, word[end] == UInt8(ascii: "("), let closing = word.closing(end) {
      element = RouteElement(RouteConstraint(expression: word[(end + 1)..<closing]))
      end = closing + 1
    }
    if end < word.endIndex, let repetition = RouteElement.Repetition(word[end]) {
      element.repetition = element.repetition.repeated(repetition)
      end += 1
    }
    return (element, end)
  }

  /// `{id}`, `{id?}`, `{id:int}`, `{id:[0-9]+}`, `{path...}`, `{*path}`, `{**path}`.
  ///
  /// - Returns: `nil` for what takes nothing of a path: `{$}` of Go, `{?q}` of URI templates.
  private func braceElement(_ content: ArraySlice<UInt8>) -> RouteElement? {
    var content = content.trimmed
    if content.elementsEqual("$".utf8) { return nil }
    if let first = content.first, "?&#".utf8.contains(first) { return nil }
    var repetition = RouteElement.Repetition.once
    if content.first == UInt8(ascii: "*") {
      repetition = .anyNumber
      content = content.drop { $0 == UInt8(ascii: "*") }
    }
    guard let colon = content.firstIndex(of: UInt8(ascii: ":")) else {
      if content.hasSuffix("...") || content.last == UInt8(ascii: "*") {
        repetition = .anyNumber
      } else if content.last == UInt8(ascii: "+") {
        repetition = .atLeastOne
      } else if content.last == UInt8(ascii: "?") || content.contains(UInt8(ascii: "=")) {
        // A default value stands in for what is missing.
        repetition = repetition.repeated(.optional)
      }
      return RouteElement(matcher: .parameter(.any), repetition: repetition)
    }
    var constraint = content[(colon + 1)...]
    if let type = RouteConstraint(typeName: constraint) {
      if constraint.last == UInt8(ascii: "?") || constraint.contains(UInt8(ascii: "=")) {
        repetition = repetition.repeated(.optional)
      }
      var element = RouteElement(type)
      // FastAPI's 'path' may be empty.
      if element.repetition == .atLeastOne { element.repetition = .anyNumber }
      element.repetition = element.repetition.repeated(repetition)
      return element
    }
    if constraint.isEmpty { constraint = Array(".".utf8)[...] }
    var element = RouteElement(RouteConstraint(expression: constraint))
    element.repetition = element.repetition.repeated(repetition)
    return element
  }

  /// `[id]`, `[[id]]`, `[...rest]`, `[[...rest]]`; `content` is what the outer ones hold.
  private func bracketElement(_ content: ArraySlice<UInt8>) -> RouteElement {
    let isOptional = content.first == UInt8(ascii: "[") && content.last == UInt8(ascii: "]")
    let name = isOptional ? content.dropFirst().dropLast() : content
    var element = RouteElement(matcher: .parameter(.any))
    if name.hasPrefix("...") { element.repetition = .atLeastOne }
    if isOptional { element.repetition = element.repetition.repeated(.optional) }
    return element
  }

  /// `<id>`, `<int:id>`, `<path:rest>`, `<id:\d+>`, `<rest..>`, `<id?>`.
  private func angleElement(_ content: ArraySlice<UInt8>) -> RouteElement {
    let content = content.trimmed
    guard let colon = content.firstIndex(of: UInt8(ascii: ":")) else {
      var element = RouteElement(matcher: .parameter(.any))
      if content.hasSuffix("..") { element.repetition = .anyNumber }
      if content.last == UInt8(ascii: "?") { element.repetition = .optional }
      return element
    }
    if let type = RouteConstraint(typeName: content[..<colon]) { return RouteElement(type) }
    let expression = content[(colon + 1)...]
    let isExpression = expression.contains { "\\[(.*+|".utf8.contains($0) }
    return isExpression
      ? RouteElement(RouteConstraint(expression: expression))
      : RouteElement(matcher: .parameter(.any))
  }
}

extension RouteElement {
  fileprivate init(_ constraint: RouteConstraint) {
    self.init(matcher: constraint.matcher, repetition: constraint.repetition)
  }
}

extension RouteElement.Repetition {
  /// The number of times that `?`, `*` or `+` says.
  fileprivate init?(_ mark: UInt8) {
    switch mark {
    case UInt8(ascii: "?"): self = .optional
    case UInt8(ascii: "*"): self = .anyNumber
    case UInt8(ascii: "+"): self = .atLeastOne
    default: return nil
    }
  }

  /// What may stand this number of times, another number of times.
  fileprivate func repeated(_ other: Self) -> Self {
    switch (allowsNone || other.allowsNone, allowsMany || other.allowsMany) {
    case (false, false): .once
    case (true, false): .optional
    case (true, true): .anyNumber
    case (false, true): .atLeastOne
    }
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

extension UInt8 {
  fileprivate var isClosingBracket: Bool {
    self == UInt8(ascii: ")") || self == UInt8(ascii: "]") || self == UInt8(ascii: "}")
      || self == UInt8(ascii: ">")
  }
}
