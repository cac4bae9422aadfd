/// Patterns of queries, of their items, and of fragments.
enum QueryCheck {
  static let rules = [
    queryValueType, queryMark, fragmentMark, itemAlways, itemNameWildcard, emptyQuery,
  ]

  static let queryValueType = DiagnosticKind(
    "query-value-type", .error, "A query item whose pattern is no string",
    meaning: "Systems then pass over the whole object, so the rule matches with any query.",
    remedy: "Write each pattern as a string: \"?*\" for any value but none.",
    example: .components(#"{"/": "/buy", "?": {"id": true}}"#),
    fixed: .components(#"{"/": "/buy", "?": {"id": "?*"}}"#))

  static let queryMark = DiagnosticKind(
    "query-mark", .error, "A query with its question mark",
    meaning: "The query begins after the '?', which is any one character here, so the pattern "
      + "doesn't match what is meant.",
    remedy: "Leave the first '?' out.", example: .components(#"{"/": "/buy", "?": "?id=*"}"#),
    fixed: .components(#"{"/": "/buy", "?": "id=*"}"#))

  static let fragmentMark = DiagnosticKind(
    "fragment-mark", .error, "A fragment with its number sign",
    meaning: "The fragment begins after the '#', so the pattern doesn't match what is meant.",
    remedy: "Leave the '#' out.", example: .components(##"{"/": "/buy", "#": "#size"}"##),
    fixed: .components(##"{"/": "/buy", "#": "size"}"##))

  static let itemAlways = DiagnosticKind(
    "item-always-matches", .note, "A query item that needn't be there",
    meaning: "An item that a URL lacks counts as empty, and '*' matches that, too. So the rule "
      + "matches with and without it.",
    remedy: "Write '?*' if the item has to be there with a value.",
    example: .components(#"{"/": "/buy", "?": {"id": "*"}}"#),
    fixed: .components(#"{"/": "/buy", "?": {"id": "?*"}}"#))

  static let itemNameWildcard = DiagnosticKind(
    "item-name-wildcard", .warning, "A wildcard in the name of a query item",
    meaning: "Names are compared as they stand; only values have patterns.",
    remedy: "Name the item, or give '?' a string that is compared with the whole query.",
    example: .components(#"{"/": "/buy", "?": {"utm_*": "?*"}}"#),
    fixed: .components(#"{"/": "/buy", "?": "*utm_*=*"}"#))

  static let emptyQuery = DiagnosticKind(
    "empty-query", .note, "A query object without items",
    meaning: "It constrains nothing: any query will do, none too.",
    remedy: "Take it away; for no query at all, write \"?\": \"\".",
    example: .components(#"{"/": "/buy", "?": {}}"#),
    fixed: .components(#"{"/": "/buy", "?": ""}"#))

  /// Checks the pattern of a whole query.
  static func check(query pattern: PatternText, in context: inout LintContext) {
    PatternCheck.check(pattern, in: &context)
    let bytes = pattern.bytes
    // `?*` is any query but none.
    guard bytes.first == UInt8(ascii: "?"), bytes.contains(UInt8(ascii: "=")) else { return }
    context.report(
      queryMark, at: pattern.place(0..<1, in: context),
      "'\(pattern.text)' begins with '?', which is any one character here.",
      remedy: "Write '\(pattern.text.dropFirst())'.")
  }

  /// Checks the pattern of a fragment.
  static func check(fragment pattern: PatternText, in context: inout LintContext) {
    PatternCheck.check(pattern, in: &context)
    guard pattern.bytes.first == UInt8(ascii: "#") else { return }
    context.report(
      fragmentMark, at: pattern.place(0..<1, in: context),
      "'\(pattern.text)' begins with '#', which isn't a part of the fragment.",
      remedy: "Write '\(pattern.text.dropFirst())'.")
    context.markUnmatchable(pattern.literal)
  }

  /// Checks the patterns of query items.
  ///
  /// - Returns: Whether one of the wrong type was reported.
  static func check(
    items: JSONObject, range: Range<Int>, isPercentEncoded: Bool, isCaseSensitive: Bool,
    in context: inout LintContext
  ) -> Bool {
    for duplicate in items.duplicateNames {
      context.report(
        MemberCheck.duplicateKey, at: duplicate,
        "The name \(context.spelling(of: duplicate)) occurs twice in '?'; the last value counts.")
    }
    if items.members.isEmpty {
      context.report(emptyQuery, at: range, "'?' has no items, so any query will do.")
    }
    var hasWrongType = false
    for member in items.members {
      guard let value = member.value.string else {
        hasWrongType = true
        context.report(
          queryValueType,
          at: member.value.range.prefix(context.lineLength(from: member.value.range)),
          "The pattern of '\(member.name)' is \(member.value.typeName), not a string; all of '?' is ignored, so any query will do."
        )
        continue
      }
      if value == "*" {
        context.report(
          itemAlways, at: member.value.range,
          "'*' matches whatever '\(member.name)' is, and if it isn't there.")
      }
      if member.name.contains("*") || member.name.contains("?") {
        context.report(
          itemNameWildcard, at: member.nameRange,
          "'\(member.name)' is compared with names as it stands.")
      }
      let pattern = PatternText(
        Array(value.utf8), part: .item(member.name), literal: member.value.range,
        isPercentEncoded: isPercentEncoded, isCaseSensitive: isCaseSensitive)
      let hasOtherSyntax = RouterSyntaxCheck.check(pattern, in: &context)
      PatternCheck.check(pattern, hasOtherSyntax: hasOtherSyntax, in: &context)
      PatternCheck.check(
        itemName: PatternText(
          Array(member.name.utf8), part: .item(member.name), literal: member.nameRange,
          isPercentEncoded: isPercentEncoded, isCaseSensitive: isCaseSensitive), in: &context)
    }
    return hasWrongType
  }
}
