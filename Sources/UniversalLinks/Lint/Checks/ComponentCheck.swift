/// Elements of `components`, and `defaults`, which have the same members.
enum ComponentCheck {
  static let rules = [unconstrained, requiredEntitlement]

  static let unconstrained = DiagnosticKind(
    "unconstrained-rule", .warning, "Rule without a pattern",
    meaning: "A rule without a pattern for path, query or fragment matches every URL.",
    remedy: "Add '/' with a pattern. To match every URL, write {\"/\": \"*\"}.",
    example: .components(#"{"comment": "the shop"}"#),
    fixed: .components(#"{"/": "/buy/*", "comment": "the shop"}"#))

  static let requiredEntitlement = DiagnosticKind(
    "required-entitlement", .warning, "Rule that requires an entitlement",
    meaning: "'requiredEntitlement' is not documented. For ordinary apps, such a rule never "
      + "matches. Rules inherit it from 'defaults'.",
    remedy: "Remove 'requiredEntitlement'. If the rule is not for your app, remove the rule.",
    example: .components(
      #"{"/": "/buy/*", "requiredEntitlement": "com.apple.private"}, {"/": "/help/*"}"#),
    fixed: .components(#"{"/": "/buy/*"}, {"/": "/help/*"}"#))

  /// Checks an element of `components`.
  static func check(
    _ value: JSONValue, _ rule: RuleDefinition, in context: inout LintContext
  ) {
    guard let component = value.object else {
      MemberCheck.reportType(
        value, "This rule", "an object", "the rule has no pattern and matches every URL",
        fix: value.string.map { text in
          let excludes = text.lowercased().hasPrefix("not ")
          let path = LintFix.literal(excludes ? String(text.dropFirst(4)) : text)
          return .replace(
            value.range, with: "{\"/\": \(path)\(excludes ? ", \"exclude\": true" : "")}",
            .suggestion,
            "Write the pattern as the value of '/'")
        }, in: &context)
      return
    }
    MemberCheck.check(component, .component, in: &context)
    let found = checkMembers(
      component, of: value, isPercentEncoded: rule.isPercentEncoded,
      isCaseSensitive: rule.isCaseSensitive, in: &context)
    if let value = component["requiredEntitlement"] {
      report(requiredEntitlement: value, "this rule", in: &context)
      context.markUnmatchable(value.range)
    } else if rule.requiresEntitlement {
      // That has been reported for the defaults.
      context.markUnmatchable(value.range)
    }
    // A member with a pattern that systems ignore has been reported.
    let isTold = component.members.contains {
      MemberCheck.isPatternAsKey($0.name) || MemberCheck.isSynonymOfPattern($0.name)
    }
    guard rule.path == nil, rule.query == nil, rule.fragment == nil, !found, !isTold else { return }
    context.report(
      unconstrained, at: context.firstLine(of: value.range),
      "This rule has no pattern for path, query or fragment, so it "
        + (rule.excludes ? "excludes every URL." : "claims every URL."))
  }

  /// Checks `defaults` of the file or of an entry.
  static func check(defaults value: JSONValue, in context: inout LintContext) {
    guard let defaults = value.object else {
      MemberCheck.reportType(
        value, "'defaults'", "an object", "systems ignore it", in: &context)
      return
    }
    MemberCheck.check(defaults, .defaults, in: &context)
    if let value = defaults["requiredEntitlement"] {
      report(requiredEntitlement: value, "all rules with these defaults", in: &context)
    }
    _ = checkMembers(
      defaults, isPercentEncoded: defaults["percentEncoded"]?.booleanReading ?? true,
      isCaseSensitive: defaults["caseSensitive"]?.booleanReading ?? true, in: &context)
  }

  /// Reports a member that keeps rules from matching.
  private static func report(
    requiredEntitlement value: JSONValue, _ rules: String, in context: inout LintContext
  ) {
    var message = "'requiredEntitlement' prevents \(rules) from matching for ordinary apps."
    if value.string == nil {
      message +=
        " It is \(value.typeName), not a string. linkaudit treats both the same. Systems may not."
    }
    context.report(
      requiredEntitlement, at: context.firstLine(of: value.range), message)
  }

  /// The fix of an array of patterns in place of one, with a rule for each, or `nil` if it isn't clear.
  private static func severalRules(
    _ value: JSONValue, of rule: JSONValue?, in context: LintContext
  ) -> LintFix? {
    guard let rule, let elements = value.array, !elements.isEmpty, elements.count <= 32 else {
      return nil
    }
    let texts = elements.compactMap(\.string)
    guard texts.count == elements.count else { return nil }
    return LintFix(
      .suggestion, "Write \(texts.count == 1 ? "a rule" : "\(texts.count) rules")",
      [context.copies(of: rule.range, with: texts, at: value.range)])
  }

  /// Checks the members of a rule or of defaults.
  ///
  /// - Returns: Whether one of the wrong type was reported.
  private static func checkMembers(
    _ object: JSONObject, of rule: JSONValue? = nil, isPercentEncoded: Bool, isCaseSensitive: Bool,
    in context: inout LintContext
  ) -> Bool {
    for name in ["exclude", "caseSensitive", "percentEncoded"] {
      MemberCheck.checkBoolean(name, of: object, in: &context)
    }
    var hasWrongType = false
    func pattern(_ value: JSONValue) -> PatternText? {
      value.string.map {
        PatternText(
          Array($0.utf8), literal: value.range, isPercentEncoded: isPercentEncoded,
          isCaseSensitive: isCaseSensitive)
      }
    }
    for (name, part) in [("/", "path"), ("#", "fragment")] {
      guard let value = object[name] else { continue }
      guard let pattern = pattern(value) else {
        hasWrongType = true
        MemberCheck.reportType(
          value, "'\(name)'", "a string",
          "systems ignore it, so any \(part) matches",
          fix: severalRules(value, of: rule, in: context), in: &context)
        continue
      }
      if name == "/" {
        PathPatternCheck.check(
          pattern, at: rule.map { .component($0) } ?? .defaults, in: &context)
      } else {
        QueryCheck.check(fragment: pattern, in: &context)
      }
    }
    guard let query = object["?"] else { return hasWrongType }
    if let pattern = pattern(query) {
      QueryCheck.check(query: pattern, in: &context)
    } else if let items = query.object {
      return QueryCheck.check(
        items: items, range: query.range, of: rule?.range, isPercentEncoded: isPercentEncoded,
        isCaseSensitive: isCaseSensitive, in: &context) || hasWrongType
    } else {
      hasWrongType = true
      MemberCheck.reportType(
        query, "'?'", "an object or a string",
        "systems ignore it, so any query matches", in: &context)
    }
    return hasWrongType
  }
}
