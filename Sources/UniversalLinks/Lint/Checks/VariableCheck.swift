internal import Foundations

/// Variables of patterns, and the file's own ones.
enum VariableCheck {
  static let rules = [
    unknownVariable, unclosedVariable, variableSyntax, variableWithoutValues, droppedValue,
    shadowedVariable, unusedVariable,
  ]

  static let unknownVariable = DiagnosticKind(
    "unknown-variable", .error, "Undefined variable",
    meaning: "A pattern with an undefined variable matches nothing.",
    remedy: "Define it in 'substitutionVariables', or use a predefined one: "
      + Variables.builtInNames.joined(separator: ", ") + ".",
    example: .components(#"{"/": "/$(language)/buy/*"}"#),
    fixed: .components(#"{"/": "/$(lang)/buy/*"}"#))

  static let unclosedVariable = DiagnosticKind(
    "unclosed-variable", .error, "Variable without a closing bracket",
    meaning: "A pattern with '$(' and no ')' after it matches nothing.",
    remedy: "Add ')'.", example: .components(#"{"/": "/$(lang/buy/*"}"#),
    fixed: .components(#"{"/": "/$(lang)/buy/*"}"#))

  static let variableSyntax = DiagnosticKind(
    "variable-syntax", .error, "Variable in another syntax",
    meaning: "A variable is written '$(name)'. Any other text matches only itself.",
    remedy: "Write '$(name)'.", example: .components(#"{"/": "/${lang}/buy/*"}"#),
    fixed: .components(#"{"/": "/$(lang)/buy/*"}"#))

  static let variableWithoutValues = DiagnosticKind(
    "variable-without-values", .error, "Variable without values",
    meaning: "A pattern that uses it matches nothing.",
    remedy: "Write an array of strings as its value.",
    example: .links(
      #""substitutionVariables": {"food": []}, "details": [{"appID": "A1B2C3D4E5.com.example.tea", "paths": ["/$(food)/*"]}]"#
    ),
    fixed: .links(
      #""substitutionVariables": {"food": ["tea"]}, "details": [{"appID": "A1B2C3D4E5.com.example.tea", "paths": ["/$(food)/*"]}]"#
    ))

  static let droppedValue = DiagnosticKind(
    "dropped-value", .warning, "Ignored value of a variable",
    meaning: "Values are strings that contain no variables. Systems ignore other values.",
    remedy: "Write the values as strings without variables.",
    example: .links(
      #""substitutionVariables": {"food": ["tea", "$(lang)"]}, "details": [{"appID": "A1B2C3D4E5.com.example.tea", "paths": ["/$(food)/*"]}]"#
    ),
    fixed: .links(
      #""substitutionVariables": {"food": ["tea"]}, "details": [{"appID": "A1B2C3D4E5.com.example.tea", "paths": ["/$(food)/*"]}]"#
    ))

  static let shadowedVariable = DiagnosticKind(
    "shadowed-variable", .note, "Variable with a predefined name",
    meaning: "The definition in the file replaces the predefined variable in all its patterns.",
    remedy: "Rename it if you mean the predefined variable.",
    example: .links(
      #""substitutionVariables": {"lang": ["en"]}, "details": [{"appID": "A1B2C3D4E5.com.example.tea", "paths": ["/$(lang)/*"]}]"#
    ),
    fixed: .links(
      #""substitutionVariables": {"language": ["en"]}, "details": [{"appID": "A1B2C3D4E5.com.example.tea", "paths": ["/$(language)/*"]}]"#
    ))

  static let unusedVariable = DiagnosticKind(
    "unused-variable", .note, "Variable that no pattern uses",
    meaning: "It has no effect.",
    remedy: "Remove it, or check whether a pattern misspells its name.",
    example: .links(
      #""substitutionVariables": {"food": ["tea"]}, "details": [{"appID": "A1B2C3D4E5.com.example.tea", "paths": ["/buy/*"]}]"#
    ),
    fixed: .links(
      #""details": [{"appID": "A1B2C3D4E5.com.example.tea", "paths": ["/buy/*"]}]"#))

  /// The variables of a file, and the ones that have been used.
  struct Known {
    /// The names with their places, and the number of usable values.
    var own: [LiteralKey: (range: Range<Int>, name: String, values: Int)] = [:]
    var used: Set<LiteralKey> = []

    /// The first reference of any variable.
    var firstReference: Range<Int>?

    /// Whether systems pass the variables over.
    var isOtherType = false

    /// Returns a Boolean value indicating whether a name is that of a predefined variable or of one
    /// of the file's own.
    func contains(_ name: String) -> Bool {
      Variables.builtInNames.contains(name) || own[LiteralKey(name)] != nil
    }

    /// The known names that an unknown name could mean, in order.
    lazy var candidates: [(name: String, folded: String)] =
      (own.values.map(\.name).sorted() + Variables.builtInNames).map { ($0, $0.lowercased()) }
  }

  /// Reads the file's own variables.
  static func collect(_ value: JSONValue?, in context: inout LintContext) {
    guard let value else { return }
    guard let variables = value.object else {
      MemberCheck.reportType(
        value, "'substitutionVariables'", "an object", "no variable is defined", in: &context)
      context.variables.isOtherType = true
      return
    }
    for duplicate in variables.duplicateNames {
      context.report(
        MemberCheck.duplicateKey, at: duplicate,
        "The variable \(context.spelling(of: duplicate)) is defined twice; the last one counts.")
    }
    for member in variables.members {
      let candidates: [JSONValue]
      switch member.value.content {
      case .array(let elements): candidates = elements
      case .string: candidates = [member.value]
      default:
        MemberCheck.reportType(
          member.value, "The value of '\(member.name)'", "an array of strings",
          "the variable is not defined", in: &context)
        continue
      }
      var values = 0
      for candidate in candidates {
        if let text = candidate.string, !text.utf8.span.contains("$(") {
          values += 1
        } else {
          context.report(
            droppedValue, at: context.firstLine(of: candidate.range),
            candidate.string == nil
              ? "A value of '\(member.name)' is \(candidate.typeName), not a string; systems ignore it."
              : "A value of '\(member.name)' contains a variable; systems ignore it.")
        }
      }
      context.variables.own[LiteralKey(member.name)] = (member.nameRange, member.name, values)
      if values == 0 {
        context.report(
          variableWithoutValues, at: member.nameRange,
          "'\(member.name)' has no value, so patterns with $(\(member.name)) match nothing.")
      } else if Variables.builtInNames.contains(member.name) {
        context.report(
          shadowedVariable, at: member.nameRange,
          "'\(member.name)' is a predefined variable. The definition in this file replaces it.")
      }
    }
  }

  /// Checks the variables of a pattern.
  ///
  /// - Returns: Whether there is one in another syntax.
  static func check(_ pattern: PatternText, in context: inout LintContext) -> Bool {
    if context.variables.firstReference == nil, let first = pattern.references.first {
      context.variables.firstReference = pattern.place(first, in: context)
    }
    for reference in pattern.references {
      guard pattern.bytes[reference].last == UInt8(ascii: ")") else {
        context.report(
          unclosedVariable, at: pattern.place(reference, in: context),
          "'\(pattern.text)' has '$(' without ')', so it matches nothing.")
        context.markUnmatchable(pattern.literal)
        continue
      }
      let name = pattern.text((reference.lowerBound + 2)..<(reference.upperBound - 1))
      let key = LiteralKey(name)
      context.variables.used.insert(key)
      if let own = context.variables.own[key] {
        if own.values == 0 { context.markUnmatchable(pattern.literal) }
        continue
      }
      guard !Variables.builtInNames.contains(name) else { continue }
      context.markUnmatchable(pattern.literal)
      if context.countsOnly(unknownVariable) { continue }
      let candidates = context.variables.candidates
      let folded = name.lowercased()
      let nearest =
        candidates.first { $0.folded == folded }?.name
        ?? candidates.first { $0.name.count > 2 && name.isOneEdit(from: $0.name) }?.name
        ?? ["language": "lang", "locale": "lang", "country": "region", "number": "digit"][name]
      context.report(
        unknownVariable, at: pattern.place(reference, in: context),
        "The variable '\(name)' is not defined, so '\(pattern.text)' matches nothing.",
        remedy: nearest.map {
          "Write '$(\($0))' if you mean that, or define '\(name)' in 'substitutionVariables'."
        })
    }
    return checkSyntax(pattern, in: &context)
  }

  /// Reports `${name}`, and `$name`, `{name}`, `$[name]` and the like with the name of a variable.
  private static func checkSyntax(
    _ pattern: PatternText, in context: inout LintContext
  ) -> Bool {
    guard let (range, name) = otherSyntax(in: pattern, context) else { return false }
    let isKnown = context.variables.contains(name)
    // No URL has brackets other than round ones.
    if pattern.isPercentEncoded,
      pattern.bytes[range].contains(where: { "{}[]<>#".utf8.contains($0) })
    {
      context.markUnmatchable(pattern.literal)
    }
    context.report(
      variableSyntax, at: pattern.place(range, in: context),
      "'\(pattern.text(range))' is not a variable, and matches only itself.",
      remedy: "Write '$(\(name))'"
        + (isKnown ? "." : ", and define '\(name)' in 'substitutionVariables'."),
      fix: isKnown
        ? .replace(
          pattern.place(range, in: context),
          with: LintFix.escaped("$(\(name))"), .suggestion,
          "Write '$(\(name))'") : nil)
    return true
  }

  /// Returns the first text that was probably meant as a variable, and the name.
  private static func otherSyntax(
    in pattern: PatternText, _ context: LintContext
  ) -> (Range<Int>, String)? {
    let bytes = pattern.bytes
    func isKnown(_ name: Range<Int>) -> Bool { context.variables.contains(pattern.text(name)) }
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

  /// The text in brackets, simple or double ones, with which a text begins, and all of it; or `nil`
  /// if it begins otherwise.
  private static func bracketed(_ text: ArraySlice<UInt8>) -> (whole: Range<Int>, name: Range<Int>)?
  {
    let pairs: [(UInt8, UInt8)] = [
      (UInt8(ascii: "{"), UInt8(ascii: "}")), (UInt8(ascii: "("), UInt8(ascii: ")")),
      (UInt8(ascii: "["), UInt8(ascii: "]")), (UInt8(ascii: "<"), UInt8(ascii: ">")),
    ]
    guard let pair = pairs.first(where: { $0.0 == text.first }) else { return nil }
    let depth = text.prefix { $0 == pair.0 }.count
    let start = text.startIndex + depth
    guard depth <= 2, let end = text[start...].firstIndex(of: pair.1), end > start,
      text[end...].prefix(depth).allSatisfy({ $0 == pair.1 }), end + depth <= text.endIndex
    else { return nil }
    return (text.startIndex..<(end + depth), start..<end)
  }

  /// Reports variables that no pattern uses.
  static func reportUnused(in context: inout LintContext) {
    // Of many, only the first are reported.
    let unused = context.variables.own.filter { !context.variables.used.contains($0.key) }
      .map(\.value).sorted { $0.range.lowerBound < $1.range.lowerBound }
    for variable in unused {
      context.report(
        unusedVariable, at: variable.range, "No pattern uses the variable '\(variable.name)'.")
    }
  }
}
