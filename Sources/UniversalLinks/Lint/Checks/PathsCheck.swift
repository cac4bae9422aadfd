/// Elements of `paths`.
enum PathsCheck {
  static let rules = [exclusionPrefix]

  static let exclusionPrefix = DiagnosticKind(
    "exclusion-prefix", .error, "An exclusion that isn't spelled as one",
    meaning: "In 'paths', an exclusion has 'NOT' and exactly one space in front. Anything else is "
      + "a pattern, which here matches nothing. In 'components' it is a member, 'exclude'.",
    remedy: "Write 'NOT ' and the path; in 'components', set 'exclude' to true.",
    example: .paths(#""NOT/help/*", "*""#), fixed: .paths(#""NOT /help/*", "*""#))

  /// Checks an element.
  static func check(
    _ value: JSONValue, _ rule: RuleDefinition, in context: inout LintContext
  ) {
    guard let source = value.string else {
      MemberCheck.reportType(
        value, "This rule", "a string", "it constrains nothing, so it matches every URL",
        in: &context)
      return
    }
    // That has been reported for the defaults.
    if rule.requiresEntitlement { context.markUnmatchable(value.range) }
    let hasPrefix = rule.path != source && rule.path != nil
    let bytes = Array((rule.path ?? source).utf8)
    PathPatternCheck.check(
      PatternText(
        bytes, part: .path, literal: value.range, start: hasPrefix ? 4 : 0,
        isPercentEncoded: rule.isPercentEncoded, isCaseSensitive: rule.isCaseSensitive),
      isInComponents: false, in: &context)
  }
}
