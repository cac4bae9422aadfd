internal import Foundations

extension DiagnosticKind {
  private static func entry(_ path: String) -> String {
    #""details": [{\#(app), "paths": ["\#(path)"]}]"#
  }

  static let unknownVariable = DiagnosticKind(
    "unknown-variable", .error, "Undefined variable",
    meaning: "A pattern with an undefined variable matches nothing.",
    remedy: "Define it in 'substitutionVariables', or use a predefined one: "
      + Variables.builtInNames.joined(separator: ", ") + ".",
    example: .components(#"{"/": "/$(language)/buy/*"}"#), fixed: #"{"/": "/$(lang)/buy/*"}"#)

  static let unclosedVariable = DiagnosticKind(
    "unclosed-variable", .error, "Variable without a closing bracket",
    meaning: "A pattern with '$(' and no ')' after it matches nothing.", remedy: "Add ')'.",
    example: .components(#"{"/": "/$(lang/buy/*"}"#), fixed: #"{"/": "/$(lang)/buy/*"}"#)

  static let variableSyntax = DiagnosticKind(
    "variable-syntax", .error, "Variable in another syntax",
    meaning: "A variable is written '$(name)'. Any other text matches only itself.",
    remedy: "Write '$(name)'.", example: .components(#"{"/": "/${lang}/buy/*"}"#),
    fixed: #"{"/": "/$(lang)/buy/*"}"#)

  static let variableWithoutValues = DiagnosticKind(
    "variable-without-values", .error, "Variable without values",
    meaning: "A pattern that uses it matches nothing.",
    remedy: "Write an array of strings as its value.",
    example: .links(#""substitutionVariables": {"food": []}, \#(entry("/$(food)/*"))"#),
    fixed: #""substitutionVariables": {"food": ["tea"]}, \#(entry("/$(food)/*"))"#)

  static let droppedValue = DiagnosticKind(
    "dropped-value", .warning, "Ignored value of a variable",
    meaning: "Values are strings that contain no variables. Systems ignore other values.",
    remedy: "Write the values as strings without variables.",
    example: .links(
      #""substitutionVariables": {"food": ["tea", "$(lang)"]}, \#(entry("/$(food)/*"))"#),
    fixed: #""substitutionVariables": {"food": ["tea"]}, \#(entry("/$(food)/*"))"#)

  static let shadowedVariable = DiagnosticKind(
    "shadowed-variable", .note, "Variable with a predefined name",
    meaning: "The definition in the file replaces the predefined variable in all its patterns.",
    remedy: "Rename it if you mean the predefined variable.",
    example: .links(#""substitutionVariables": {"lang": ["en"]}, \#(entry("/$(lang)/*"))"#),
    fixed: #""substitutionVariables": {"language": ["en"]}, \#(entry("/$(language)/*"))"#)

  static let unusedVariable = DiagnosticKind(
    "unused-variable", .note, "Variable that no pattern uses", meaning: "It has no effect.",
    remedy: "Remove it, or check whether a pattern misspells its name.",
    example: .links(#""substitutionVariables": {"food": ["tea"]}, \#(entry("/buy/*"))"#),
    fixed: entry("/buy/*"))
}

extension LintContext {
  mutating func collectVariables(_ value: JSONValue?) {
    guard let value,
      let variables = object(value, "'substitutionVariables'", "no variable is defined")
    else { return }
    report(variables.duplicateNames, "The variable ", " is defined twice; the last one counts.")
    for member in variables.members {
      guard let candidates = member.value.variableValues else {
        reportType(
          member.value, "The value of '\(member.name)'", "an array of strings",
          "the variable is not defined")
        continue
      }
      let dropped = candidates.filter { $0.string.map { $0.utf8.span.contains("$(") } ?? true }
      for value in dropped {
        report(
          .droppedValue, at: firstLine(of: value.range),
          "A value of '\(member.name)' "
            + (value.string == nil
              ? "is \(value.typeName), not a string; systems ignore it."
              : "contains a variable; systems ignore it."))
      }
      let values = candidates.count - dropped.count
      ownVariables[LiteralKey(member.name)] = (member.nameRange, member.name, values)
      if values == 0 {
        report(
          .variableWithoutValues, at: member.nameRange,
          "'\(member.name)' has no value, so patterns with $(\(member.name)) match nothing.")
      } else if Variables.builtInNames.contains(member.name) {
        report(
          .shadowedVariable, at: member.nameRange,
          "'\(member.name)' is a predefined variable. The definition in this file replaces it.")
      }
    }
  }

  /// Checks the variables of a pattern, and returns whether one is in another syntax.
  mutating func checkVariables(_ pattern: PatternText) -> Bool {
    if let first = pattern.references.first, firstReference == nil {
      firstReference = source(first, of: pattern)
    }
    for reference in pattern.references {
      guard pattern.bytes[reference].last == UInt8(ascii: ")") else {
        report(
          .unclosedVariable, at: source(reference, of: pattern),
          "'\(pattern.text)' has '$(' without ')', so it matches nothing.",
          spoiling: pattern.literal)
        continue
      }
      let name = pattern.text((reference.lowerBound + 2)..<(reference.upperBound - 1))
      let key = LiteralKey(name)
      usedVariables.insert(key)
      if let own = ownVariables[key] {
        if own.values == 0 { markUnmatchable(pattern.literal) }
        continue
      }
      guard !Variables.builtInNames.contains(name) else { continue }
      markUnmatchable(pattern.literal)
      if countsOnly(.unknownVariable) { continue }
      let candidates = knownVariables
      let folded = name.lowercased()
      let nearest =
        candidates.first { $0.folded == folded }?.name
        ?? candidates.first { $0.name.count > 2 && name.isOneEdit(from: $0.name) }?.name
        ?? ["language": "lang", "locale": "lang", "country": "region", "number": "digit"][name]
      report(
        .unknownVariable, at: source(reference, of: pattern),
        "The variable '\(name)' is not defined, so '\(pattern.text)' matches nothing.",
        remedy: nearest.map {
          "Write '$(\($0))' if you mean that, or define '\(name)' in 'substitutionVariables'."
        })
    }
    return checkSyntax(pattern)
  }

  /// Reports `${name}`, and `$name`, `{name}`, `$[name]` and the like with the name of a variable.
  private mutating func checkSyntax(_ pattern: PatternText) -> Bool {
    guard let (range, name) = otherSyntax(in: pattern) else { return false }
    let (place, isKnown) = (source(range, of: pattern), isVariable(name))
    // No URL has brackets other than round ones.
    let matchesNothing =
      pattern.isPercentEncoded && pattern.bytes[range].contains { "{}[]<>#".utf8.contains($0) }
    let title = "Write '$(\(name))'"
    report(
      .variableSyntax, at: place,
      "'\(pattern.text(range))' is not a variable, and matches only itself.",
      remedy: title + (isKnown ? "." : ", and define '\(name)' in 'substitutionVariables'."),
      fix: isKnown ? .replace(place, with: LintFix.escaped("$(\(name))"), title) : nil,
      spoiling: matchesNothing ? pattern.literal : nil)
    return true
  }

  private func otherSyntax(in pattern: PatternText) -> (Range<Int>, String)? {
    let bytes = pattern.bytes
    func isKnown(_ name: Range<Int>) -> Bool { isVariable(pattern.text(name)) }
    for plain in pattern.plain {
      for index in plain {
        // '${', '#{' and the like, or brackets alone.
        var open = index
        while open < plain.upperBound, "$#%@".utf8.contains(bytes[open]), open - index < 2 {
          open += 1
        }
        guard open < plain.upperBound else { continue }
        if open > index, bytes[index] == UInt8(ascii: "$") {
          let name = bytes[open..<plain.upperBound].prefix { $0.isLetterOrDigit || $0 == 0x5F }
          if isKnown(name.indices) { return (index..<name.endIndex, pattern.text(name.indices)) }
        }
        guard let range = bracketed(bytes[open..<plain.upperBound]) else { continue }
        let isMarked =
          bytes[index..<open].elementsEqual("$".utf8) && bytes[open] == UInt8(ascii: "{")
        if isMarked || isKnown(range.name) {
          return (index..<range.whole.upperBound, pattern.text(range.name))
        }
      }
    }
    return nil
  }

  /// The text in simple or double brackets with which a text begins, and its name.
  private func bracketed(_ text: ArraySlice<UInt8>) -> (whole: Range<Int>, name: Range<Int>)? {
    guard let open = text.first, "{([<".utf8.contains(open) else { return nil }
    // In ASCII, a closing bracket comes two after its opening one, and a round one comes next.
    let close = open + (open == UInt8(ascii: "(") ? 1 : 2)
    let depth = text.prefix { $0 == open }.count
    let start = text.startIndex + depth
    guard depth <= 2, let end = text[start...].firstIndex(of: close), end > start,
      text[end...].prefix(depth).allSatisfy({ $0 == close }), end + depth <= text.endIndex
    else { return nil }
    return (text.startIndex..<(end + depth), start..<end)
  }

  mutating func reportUnusedVariables() {
    // Of many, only the first are reported.
    let own = ownVariables.sorted { $0.value.range.lowerBound < $1.value.range.lowerBound }
    for (key, variable) in own where !usedVariables.contains(key) {
      report(
        .unusedVariable, at: variable.range, "No pattern uses the variable '\(variable.name)'.")
    }
  }

  /// Whether a name is that of a predefined variable or of one of the file's own.
  func isVariable(_ name: String) -> Bool {
    Variables.builtInNames.contains(name) || ownVariables[LiteralKey(name)] != nil
  }
}
