internal import UniversalLinks

/// Decisions in JSON, as `match --format ndjson` prints them.
enum DecisionText {
  /// Returns the decision of a rule for apps, an object and a comma for each.
  static func text(
    of apps: [ApplicationIdentifier], in list: LinkMatcher.RuleList, _ rule: TranslatedRule
  ) -> String {
    let detail =
      switch list.systemEntry {
      case .index(let index): String(index)
      case .key(let key): quoted(key)
      case .apps: "null"
      }
    let verdict = rule.excludes ? Verdict.excluded : .claimed
    return apps.map { app in
      """
      {"app":\(quoted(app.text)),"detail":\(detail),"rule":\(rule.position.map(String.init) ?? "null"),\
      "verdict":"\(verdict.rawValue)"},
      """
    }.joined()
  }

  /// A string in JSON and ASCII.
  private static func quoted(_ text: String) -> String {
    let units = text.utf16.map { unit in
      switch unit {
      case 0x22, 0x5C: "\\" + String(Unicode.Scalar(UInt8(unit)))
      case 0x20..<0x7F: String(Unicode.Scalar(UInt8(unit)))
      default:
        "\\u" + String(repeating: "0", count: 4 - hexadecimal(unit).count) + hexadecimal(unit)
      }
    }
    return "\"" + units.joined() + "\""
  }

  private static func hexadecimal(_ unit: UInt16) -> String { String(unit, radix: 16) }
}
