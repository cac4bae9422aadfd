/// Elements of `paths`.
enum PathsCheck {
  static let rules = [exclusionPrefix]

  static let exclusionPrefix = DiagnosticKind(
    "exclusion-prefix", .error, "Misspelt exclusion",
    meaning: "In 'paths', an exclusion begins with 'NOT' and exactly one space. Systems read "
      + "anything else as a pattern, and this one matches nothing. In 'components', an exclusion "
      + "has the member 'exclude'.",
    remedy: "In 'paths', write 'NOT ' and the path. In 'components', set 'exclude' to true.",
    example: .paths(#""NOT/help/*", "*""#), fixed: .paths(#""NOT /help/*", "*""#))

  /// Checks an element.
  static func check(
    _ value: JSONValue, _ rule: RuleDefinition, in context: inout LintContext
  ) {
    guard let source = value.string else {
      MemberCheck.reportType(
        value, "This rule", "a string", "the rule has no pattern and matches every URL",
        in: &context)
      return
    }
    // That has been reported for the defaults.
    if rule.requiresEntitlement { context.markUnmatchable(value.range) }
    let hasPrefix = rule.path != source && rule.path != nil
    let bytes = Array((rule.path ?? source).utf8)
    PathPatternCheck.check(
      PatternText(
        bytes, literal: value.range, start: hasPrefix ? 4 : 0,
        isPercentEncoded: rule.isPercentEncoded, isCaseSensitive: rule.isCaseSensitive),
      isInComponents: false, in: &context)
  }
}
