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
    example: pattern("/$(language)/buy/*", "/$(lang)/buy/*"))

  static let unclosedVariable = DiagnosticKind(
    "unclosed-variable", .error, "Variable without a closing bracket",
    meaning: "A pattern with '$(' and no ')' after it matches nothing.", remedy: "Add ')'.",
    example: pattern("/$(lang/buy/*", "/$(lang)/buy/*"))

  static let variableSyntax = DiagnosticKind(
    "variable-syntax", .error, "Variable in another syntax",
    meaning: "A variable is written '$(name)'. Any other text matches only itself.",
    remedy: "Write '$(name)'.", example: pattern("/${lang}/buy/*", "/$(lang)/buy/*"))

  static let variableWithoutValues = DiagnosticKind(
    "variable-without-values", .error, "Variable without values",
    meaning: "A pattern that uses it matches nothing.",
    remedy: "Write an array of strings as its value.",
    example: links(
      #""substitutionVariables": {"food": []}, \#(entry("/$(food)/*"))"#,
      #""substitutionVariables": {"food": ["tea"]}, \#(entry("/$(food)/*"))"#))

  static let droppedValue = DiagnosticKind(
    "dropped-value", .warning, "Ignored value of a variable",
    meaning: "Values are strings that contain no variables. Systems ignore other values.",
    remedy: "Write the values as strings without variables.",
    example: links(
      #""substitutionVariables": {"food": ["tea", "$(lang)"]}, \#(entry("/$(food)/*"))"#,
      #""substitutionVariables": {"food": ["tea"]}, \#(entry("/$(food)/*"))"#))

  static let unusedVariable = DiagnosticKind(
    "unused-variable", .note, "Variable that no pattern uses", meaning: "It has no effect.",
    remedy: "Remove it, or check whether a pattern misspells its name.",
    example: links(
      #""substitutionVariables": {"food": ["tea"]}, \#(entry("/buy/*"))"#, entry("/buy/*")))
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
      ownVariables[Array(member.name.utf8)] = (member.nameRange, member.name, values)
      if values == 0 {
        report(
          .variableWithoutValues, at: member.nameRange,
          "'\(member.name)' has no value, so patterns with $(\(member.name)) match nothing.")
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
          .unclosedVariable, in: pattern, at: reference,
          "'\(pattern.text)' has '$(' without ')', so it matches nothing.", spoils: true)
        continue
      }
      let name = pattern.text((reference.lowerBound + 2)..<(reference.upperBound - 1))
      let key = Array(name.utf8)
      usedVariables.insert(key)
      if let own = ownVariables[key] {
        if own.values == 0 { markUnmatchable(pattern.literal) }
        continue
      }
      guard !Variables.builtInNames.contains(name) else { continue }
      markUnmatchable(pattern.literal)
      if countsOnly(.unknownVariable) { continue }
      let (candidates, folded) = (knownVariables, name.lowercased())
      let nearest =
        candidates.first { $0.folded == folded }?.name
        ?? candidates.first { $0.name.count > 2 && name.isOneEdit(from: $0.name) }?.name
        ?? ["language": "lang", "locale": "lang", "country": "region", "number": "digit"][name]
      report(
        .unknownVariable, in: pattern, at: reference,
        "The variable '\(name)' is not defined, so '\(pattern.text)' matches nothing.",
        remedy: nearest.map {
          "Write '$(\($0))' if you mean that, or define '\(name)' in 'substitutionVariables'."
        })
    }
    return checkSyntax(pattern)
  }

  /// Reports `${name}`, and `$name`, `{name}`, `$[name]` and the like with the name of a variable.
  private mutating func checkSyntax(_ pattern: PatternText) -> Bool {
    guard let (place, name) = notation.variable(in: pattern, isVariable) else { return false }
    let (range, isKnown) = (pattern.range(of: place), isVariable(name))
    let title = "Write '$(\(name))'"
    report(
      .variableSyntax, in: pattern, at: range,
      "'\(pattern.text(range))' is not a variable, and matches only itself.",
      remedy: isKnown ? nil : "\(title), and define '\(name)' in 'substitutionVariables'.",
      writing: isKnown ? "$(\(name))" : nil,
      // No URL has brackets other than round ones.
      spoils: pattern.isPercentEncoded
        && pattern.bytes[range].contains { "{}[]<>#".utf8.contains($0) })
    return true
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
    Variables.builtInNames.contains(name) || ownVariables[Array(name.utf8)] != nil
  }
}
