extension DiagnosticKind {
  static let unconstrained = DiagnosticKind(
    "unconstrained-rule", .warning, "Rule without a pattern",
    meaning: "A rule without a pattern for path, query or fragment matches every URL.",
    remedy: "Add '/' with a pattern. To match every URL, write {\"/\": \"*\"}.",
    example: components(#"{"comment": "the shop"}"#, #"{"/": "/buy/*", "comment": "the shop"}"#))

  static let requiredEntitlement = DiagnosticKind(
    "required-entitlement", .warning, "Rule that requires an entitlement",
    meaning: "'requiredEntitlement' is not documented. For ordinary apps, such a rule never "
      + "matches. Rules inherit it from 'defaults'.",
    remedy: "Remove 'requiredEntitlement'. If the rule is not for your app, remove the rule.",
    example: components(
      #"{"/": "/buy/*", "requiredEntitlement": "com.apple.private"}, {"/": "/help/*"}"#,
      #"{"/": "/buy/*"}, {"/": "/help/*"}"#))

  static let queryValueType = DiagnosticKind(
    "query-value-type", .error, "Query item whose pattern is not a string",
    meaning: "Systems then ignore the whole object of '?', so the rule matches with any query.",
    remedy: "Write each pattern as a string: \"?*\" matches any value that is not empty.",
    example: components(#"{"/": "/buy", "?": {"id": true}}"#, #"{"/": "/buy", "?": {"id": "?*"}}"#))

  static let queryMark = DiagnosticKind(
    "query-mark", .error, "Query with its question mark",
    meaning: "The query begins after the '?' of the URL. A '?' in the pattern matches any one "
      + "character, so the pattern doesn't match the intended query.",
    remedy: "Remove the first '?'.",
    example: components(#"{"/": "/buy", "?": "?id=*"}"#, #"{"/": "/buy", "?": "id=*"}"#))

  static let fragmentMark = DiagnosticKind(
    "fragment-mark", .error, "Fragment with its number sign",
    meaning: "The fragment begins after the '#', so the pattern doesn't match it.",
    remedy: "Remove the '#'.",
    example: components(##"{"/": "/buy", "#": "#size"}"##, ##"{"/": "/buy", "#": "size"}"##))

  static let itemAlways = DiagnosticKind(
    "item-always-matches", .note, "Query item that is not required",
    meaning: "If the URL lacks an item, its value counts as empty, and '*' matches an empty value. "
      + "So the rule matches with and without the item.",
    remedy: "Write '?*' if the URL must have the item with a value.",
    example: components(#"{"/": "/buy", "?": {"id": "*"}}"#, #"{"/": "/buy", "?": {"id": "?*"}}"#))

  static let itemOneCharacter = DiagnosticKind(
    "item-one-character", .warning, "Query item of one character",
    meaning: "'?' is exactly one character, so the rule doesn't match longer values.",
    remedy: "Write '?*' for any value that is not empty.",
    example: components(#"{"/": "/buy", "?": {"id": "?"}}"#, #"{"/": "/buy", "?": {"id": "?*"}}"#))

  static let itemNameWildcard = DiagnosticKind(
    "item-name-wildcard", .warning, "Wildcard in the name of a query item",
    meaning: "Names of items have no wildcards. Only values are patterns.",
    remedy: "Write the full name, or write '?' as a string: a pattern for the whole query.",
    example: components(#"{"/": "/buy", "?": {"utm_*": "?*"}}"#, #"{"/": "/buy", "?": "*utm_*=*"}"#)
  )
}

/// Elements of `components`, and `defaults`, which have the same members.
extension LintContext {
  mutating func checkComponent(_ value: JSONValue, _ rule: RuleDefinition) {
    guard let component = value.object else {
      reportType(
        value, "This rule", "an object", "the rule has no pattern and matches every URL",
        fix: value.string.map { text in
          let excluded = notation.excludedPath(of: text)
          let rule = RuleDefinition(path: excluded ?? text, excludes: excluded != nil)
          return .replace(
            value.range, with: "{\(rule.members)}", "Write the pattern as the value of '/'")
        })
      return
    }
    checkMembers(component, .component)
    let found = checkMembers(component, of: value, rule)
    if let value = component["requiredEntitlement"] {
      report(requiredEntitlement: value, "this rule")
    }
    // That of the defaults has been reported.
    if rule.requiresEntitlement { markUnmatchable(value.range) }
    // A member with a pattern that systems ignore has been reported.
    let isTold = component.members.contains {
      $0.name.isPatternAsKey || FileLevel.synonyms[$0.name.lowercased()]?.utf8.count == 1
    }
    guard rule.path == nil, rule.query == nil, rule.fragment == nil, !found, !isTold else { return }
    report(
      .unconstrained, at: firstLine(of: value.range),
      "This rule has no pattern for path, query or fragment, so it "
        + (rule.excludes ? "excludes every URL." : "claims every URL."))
  }

  mutating func checkComponent(defaults value: JSONValue) {
    guard let defaults = object(value, "'defaults'", "systems ignore it") else { return }
    checkMembers(defaults, .defaults)
    if let value = defaults["requiredEntitlement"] {
      report(requiredEntitlement: value, "all rules with these defaults")
    }
    let rule = RuleDefinition(
      isCaseSensitive: defaults["caseSensitive"]?.booleanReading ?? true,
      isPercentEncoded: defaults["percentEncoded"]?.booleanReading ?? true)
    _ = checkMembers(defaults, of: nil, rule)
  }

  private mutating func report(requiredEntitlement value: JSONValue, _ rules: String) {
    report(
      .requiredEntitlement, at: firstLine(of: value.range),
      "'requiredEntitlement' prevents \(rules) from matching for ordinary apps."
        + (value.string != nil
          ? ""
          : " It is \(value.typeName), not a string. linkaudit treats both the same. Systems may not.")
    )
  }

  /// Checks the members of a rule or of defaults, and returns whether one has the wrong type.
  private mutating func checkMembers(
    _ object: JSONObject, of element: JSONValue?, _ rule: RuleDefinition
  ) -> Bool {
    for name in ["exclude", "caseSensitive", "percentEncoded"] { checkBoolean(name, of: object) }
    var hasWrongType = false
    for (name, part) in [("/", "path"), ("#", "fragment"), ("?", "query")] {
      guard let value = object[name] else { continue }
      if let text = value.string {
        let pattern = PatternText(text, literal: value.range, of: rule, element)
        if name == "/" {
          checkPath(pattern)
        } else {
          checkPattern(pattern)
          checkMark(name, of: pattern)
        }
      } else if name == "?", let items = value.object {
        let isWrong = checkQuery(items: items, range: value.range, of: element, rule)
        hasWrongType = hasWrongType || isWrong
      } else {
        hasWrongType = true
        // An array of patterns is a rule for each.
        let texts = (value.array ?? []).compactMap(\.string)
        let areTexts = name != "?" && texts.count == value.array?.count
        reportType(
          value, "'\(name)'", name == "?" ? "an object or a string" : "a string",
          "systems ignore it, so any \(part) matches",
          fix: areTexts ? copies(of: element, with: texts, at: value.range) : nil)
      }
    }
    return hasWrongType
  }

  /// Reports the mark of a query or a fragment, `?` or `#`, in its pattern.
  private mutating func checkMark(_ mark: String, of pattern: PatternText) {
    let isFragment = mark == "#"
    // `?*` is any query but none.
    guard pattern.bytes.first == mark.utf8.first,
      isFragment || pattern.bytes.contains(UInt8(ascii: "="))
    else { return }
    report(
      isFragment ? .fragmentMark : .queryMark, in: pattern, at: 0..<1,
      "'\(pattern.text)' begins with '\(mark)', which "
        + (isFragment ? "is not part of the fragment." : "matches any one character here."),
      remedy: "Write '\(pattern.text.dropFirst())'.", writing: "", spoils: isFragment)
  }

  /// The fix of a value that isn't a string: a number in quotes, and any value for `true`.
  private func valueFix(_ value: JSONValue) -> LintFix? {
    switch value.content {
    case .number:
      .replace(
        value.range, with: "\"\(spelling(of: value.range))\"", "Write the number as a string")
    case .boolean(true):
      .replace(value.range, with: "\"?*\"", "Write '?*', which matches any value")
    default: nil
    }
  }

  /// The fix of a name with a wildcard: without the question mark of the query, or as a pattern of the
  /// whole query, if any value is right and there is no other item.
  private func nameFix(
    _ member: JSONObject.Member, _ items: JSONObject, _ range: Range<Int>
  ) -> LintFix? {
    let rest = String(member.name.drop { $0 == "?" })
    if rest != member.name, !rest.isEmpty, !rest.contains("*"), !rest.contains("?"),
      items[rest] == nil
    {
      return .replace(member.nameRange, with: LintFix.literal(rest), "Write '\(rest)'")
    }
    guard items.members.count == 1, let value = member.value.string,
      ["*", "?*", ""].contains(value)
    else { return nil }
    let pattern = "*\(member.name)=\(value.isEmpty ? "" : "*")"
    return .replace(range, with: LintFix.literal(pattern), "Write '\(pattern)' for the whole query")
  }

  /// Checks the patterns of query items, and returns whether one has the wrong type.
  private mutating func checkQuery(
    items: JSONObject, range: Range<Int>, of element: JSONValue?, _ rule: RuleDefinition
  ) -> Bool {
    report(items.duplicateNames, "The name ", " occurs twice in '?'; the last value counts.")
    var hasWrongType = false
    for member in items.members {
      guard let value = member.value.string else {
        hasWrongType = true
        report(
          .queryValueType, at: firstLine(of: member.value.range),
          "The pattern of '\(member.name)' is \(member.value.typeName), not a string. Systems ignore all of '?', so any query matches.",
          fix: valueFix(member.value))
        continue
      }
      let (name, place) = (member.name, member.value.range)
      let fix = LintFix.replace(place, with: "\"?*\"", "Write '?*'")
      if value == "*" {
        report(
          .itemAlways, at: place, "'*' matches any value of '\(name)', and URLs without '\(name)'.",
          remedy: "Write '?*' if the URL must have '\(name)' with a value.", fix: fix)
      }
      if value == "?" {
        report(
          .itemOneCharacter, at: place,
          "'?' matches exactly one character: '\(name)=1', but not '\(name)=12'.",
          remedy: "Write '?*' if any value of '\(name)' is right.", fix: fix)
      }
      if name.contains("*") || name.contains("?") {
        report(
          .itemNameWildcard, at: member.nameRange,
          "'\(name)' is the name of an item, where '*' and '?' are not wildcards.",
          fix: nameFix(member, items, range))
      }
      let pattern = PatternText(value, literal: place, of: rule, element)
      checkPattern(pattern)
      // Names are compared without decoding.
      if rule.isPercentEncoded {
        checkCharacters(PatternText(name, literal: member.nameRange, of: rule))
      }
    }
    return hasWrongType
  }
}
