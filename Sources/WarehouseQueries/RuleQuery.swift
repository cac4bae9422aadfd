internal import Foundations
package import UniversalLinks

/// The rules of an association file as expressions in SQL.
package struct RuleQuery {
  /// The expressions would be longer than ``sizeLimit``, or one than ``expressionSizeLimit``.
  package struct TooLong: Error {}

  /// The greatest size of all regular expressions, in bytes: a variable with many values has them
  /// in every rule that names it.
  package static let sizeLimit = 4 << 20

  /// The greatest size of the regular expression of a pattern, in bytes.
  package static let expressionSizeLimit = 1 << 20

  /// The rules of an entry that can match, up to one that always does, and its apps.
  private typealias TranslatedList = (
    rules: [TranslatedRule], list: LinkMatcher.RuleList, apps: [ApplicationIdentifier]
  )

  /// A rule as conditions on a link, which must all hold, with its position in the array, or `nil`
  /// for an entry without rules.
  private typealias TranslatedRule = (conditions: [LinkCondition], verdict: Verdict, position: Int?)

  let dialect: WarehouseDialect
  let host: HostScope

  /// The entries in the order in which the system prefers their apps.
  private var lists: [TranslatedList] = []

  /// The rules that SQL cannot express exactly.
  ///
  /// In the expressions, such a rule claims no URL, or excludes all that it might exclude. So SQL
  /// claims no URL that linkaudit doesn't claim.
  package private(set) var inexactRules: [InexactRule] = []

  /// Translates the rules of an association file.
  package init(
    _ file: AssociationFile, host: String, dialect: WarehouseDialect
  ) throws(TooLong) {
    (self.dialect, self.host) = (dialect, HostScope(host))
    let matcher = LinkMatcher(file)
    var sizeLeft = Self.sizeLimit
    let apps = Dictionary(grouping: matcher.apps, by: \.ruleList)
    for index in matcher.preferredLists {
      let list = matcher.ruleLists[index]
      let rules = try translate(list, of: matcher, &sizeLeft)
      lists.append((rules, list, (apps[index] ?? []).map(\.identifier)))
    }
  }

  private mutating func translate(
    _ list: LinkMatcher.RuleList, of matcher: LinkMatcher, _ sizeLeft: inout Int
  ) throws(TooLong) -> [TranslatedRule] {
    var (rules, known): ([TranslatedRule], Set<[LinkCondition]>) = ([], [])
    for number in list.rules {
      let rule = matcher.rules[number]
      var undecided: [String] = []
      guard let conditions = try rule.conditions(dialect, undecided: &undecided) else {
        continue
      }
      sizeLeft -= conditions.reduce(0) { $0 + $1.size }
      guard sizeLeft >= 0 else { throw TooLong() }
      let (id, excludes) = (list.id(ofRule: number), rule.definition.excludes)
      inexactRules += undecided.map { (id, excludes, $0) }
      guard undecided.isEmpty || excludes, known.insert(conditions).inserted else { continue }
      rules.append((conditions, excludes ? .excluded : .claimed, id.position))
      if conditions.isEmpty { break }
    }
    return rules
  }
}

// MARK: - Statements

extension RuleQuery {
  /// Returns statements that create the functions `linkaudit_verdict(url)` and
  /// `linkaudit_decision(url)`.
  package func functions() -> String {
    [
      dialect.function("linkaudit_verdict", of: "url", as: verdict(of: "url").indented),
      dialect.function("linkaudit_decision", of: "url", as: decision(of: "url").indented),
    ].joined(separator: ";\n\n") + ";"
  }

  // MARK: - Expressions

  /// Returns an expression for the verdict on a URL: `claimed`, `excluded`, `unclaimed` or
  /// `ineligible`.
  package func verdict(of column: String) -> String {
    func outcomes(_ none: Verdict?) -> [String] {
      var known: Set<String> = []
      return lists.map { list in
        cases(list.rules, otherwise: none?.rawValue ?? "") { $0.verdict.rawValue }
      }.filter { known.insert($0).inserted }
    }
    // Entries often have the same rules, as those of an app and of its beta version.
    let alone = outcomes(.unclaimed)
    let body =
      alone.count > 1
      ? dialect.bind("link_found", to: joined(outcomes(nil)), in: siteVerdict(inQuotes: false))
      : alone.first ?? dialect.string(Verdict.unclaimed.rawValue)
    return evaluate(column, ineligible: Verdict.ineligible.rawValue, otherwise: body)
  }

  /// Returns an expression for the decision on a URL.
  ///
  /// The decision is the JSON that `match --format ndjson` prints, without the URL.
  package func decision(of column: String) -> String {
    let outcomes = lists.map { list in
      cases(list.rules, otherwise: "") { Self.decisions(of: $0, in: list) }
    }
    let apps = dialect.replace("link_found", ",\(dialect.endOfText)", with: "")
    let body = dialect.bind(
      "link_found", to: joined(outcomes),
      in: """
        concat(\(dialect.string(#"{"apps":["#)), \(apps), \(dialect.string(#"],"verdict":""#)), \
        \(siteVerdict(inQuotes: true).continued), \(dialect.string("\"}")))
        """)
    return evaluate(
      column, ineligible: #"{"apps":[],"verdict":"ineligible"}"#, otherwise: body)
  }

  /// The names of the texts that conditions compare.
  var comparedTexts: Set<String> {
    Set(lists.flatMap { $0.rules.flatMap { $0.conditions.map(\.text) } })
  }

  /// Joins outcomes of several entries.
  private func joined(_ outcomes: [String]) -> String {
    outcomes.isEmpty
      ? "''" : "concat(" + (outcomes + ["''"]).map(\.continued).joined(separator: ", ") + ")"
  }

  /// Returns an expression for the verdict of a site by the outcomes of all entries.
  private func siteVerdict(inQuotes: Bool) -> String {
    let branches = [Verdict.claimed, .excluded].map { verdict in
      let mark = inQuotes ? #""verdict":"\#(verdict.rawValue)""# : verdict.rawValue
      let expression = PatternExpression.text(ofLiteral: mark, dialect)
      return (dialect.matches("link_found", expression), dialect.string(verdict.rawValue))
    }
    return dialect.cases(branches, otherwise: dialect.string(Verdict.unclaimed.rawValue))
  }

  /// Returns an expression for the outcome of rules, the first that matches.
  private func cases(
    _ rules: [TranslatedRule], otherwise: String, _ outcome: (TranslatedRule) -> String
  ) -> String {
    // Neighboring rules with the same outcome are joined.
    var branches: [(any: [[LinkCondition]], outcome: String)] = []
    for rule in rules {
      let outcome = outcome(rule)
      if branches.last?.outcome == outcome {
        branches[branches.count - 1].any.append(rule.conditions)
      } else {
        branches.append(([rule.conditions], outcome))
      }
    }
    var otherwise = otherwise
    // Only the last rule can always match.
    if let last = branches.last, last.any.contains(where: \.isEmpty) {
      otherwise = last.outcome
      branches.removeLast()
    }
    return dialect.cases(
      branches.map { (condition(any: $0.any), dialect.string($0.outcome)) },
      otherwise: dialect.string(otherwise))
  }

  /// The size above which regular expressions are not joined.
  private static let joinedSize = 1 << 14

  /// Returns a condition: all conditions hold of one of some rules.
  private func condition(any rules: [[LinkCondition]]) -> String {
    var (parts, joined): ([String], [String: [String]]) = ([], [:])
    func flush(_ text: String) {
      guard let expressions = joined.removeValue(forKey: text) else { return }
      let any = expressions.joined(separator: "|")
      let expression = expressions.count == 1 ? any : "(?:\(any))"
      parts.append(dialect.matchesAll(text, expression))
    }
    for conditions in rules {
      if conditions.count == 1, case .text(let text, let expression) = conditions[0] {
        let size = joined[text, default: []].reduce(expression.utf8.count) { $0 + $1.utf8.count }
        if size > Self.joinedSize { flush(text) }
        joined[text, default: []].append(expression)
      } else {
        parts.append(conditions.map(sql).joined(separator: " AND "))
      }
    }
    for text in Self.texts { flush(text) }
    return parts.joined(separator: "\n    OR ")
  }

  private func sql(_ condition: LinkCondition) -> String {
    switch condition {
    case .text(let text, let expression): return dialect.matchesAll(text, expression)
    case .items(let name, let value, let isDecoded, let matchesEmptyText):
      let (isThere, isNamed, isValid): (String, String, String)
      if isDecoded {
        let text = decoded(dialect.extract("link_item", "^([^=]*)"))
        isNamed = dialect.matchesAll(text.continued, name)
        isValid = dialect.matchesAll(
          decoded(dialect.extract("link_item", "^[^=]*=(.*)")).continued, value)
        let isAbsent = dialect.allItems(
          of: condition.text, as: "link_item", satisfy: "NOT (\(isNamed))")
        isThere = "NOT (\(isAbsent))"
      } else {
        isThere = dialect.matchesAll(condition.text, "(?:.*&)?\(name)(?:[=&].*)?")
        isNamed = dialect.matchesAll("link_item", "\(name)(?:=.*)?")
        isValid = dialect.matchesAll(
          "link_item", matchesEmptyText ? "\(name)(?:=\(value))?" : "\(name)=\(value)")
      }
      let allMatch = dialect.allItems(
        of: condition.text, as: "link_item", satisfy: "NOT (\(isNamed)) OR \(isValid)")
      return matchesEmptyText ? "(NOT (\(isThere)) OR \(allMatch))" : "(\(isThere) AND \(allMatch))"
    }
  }

  // MARK: - Decisions

  /// Returns the decision of a rule for the apps of its entry, in JSON as `match --format ndjson`
  /// prints it: an object and a comma for each.
  private static func decisions(of rule: TranslatedRule, in entry: TranslatedList) -> String {
    let detail =
      switch entry.list.systemEntry {
      case .index(let index): String(index)
      case .key(let key): quoted(key)
      case .apps: "null"
      }
    return entry.apps.map { app in
      """
      {"app":\(quoted(app.text)),"detail":\(detail),"rule":\(rule.position.map(String.init) ?? "null"),\
      "verdict":"\(rule.verdict.rawValue)"},
      """
    }.joined()
  }

  /// Returns a string in JSON and ASCII.
  private static func quoted(_ text: String) -> String {
    let units = text.utf16.map { unit in
      switch unit {
      case 0x22, 0x5C: return "\\" + String(Unicode.Scalar(UInt8(unit)))
      case 0x20..<0x7F: return String(Unicode.Scalar(UInt8(unit)))
      default:
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return "\"" + units.joined() + "\""
  }
}

/// A condition on a link that a rule has.
enum LinkCondition: Hashable {
  /// All of a text, by its name, matches a regular expression.
  case text(String, matches: String)

  /// Each query item with a name matches, and one is there unless the empty text matches
  /// (Matching.md, 3b.2); name and value are regular expressions.
  case items(name: String, value: String, isDecoded: Bool, matchesEmptyText: Bool)

  /// The name of the text that it needs.
  var text: String {
    switch self {
    case .text(let text, _): text
    // Items are split before they are decoded.
    case .items: "link_query"
    }
  }

  var size: Int {
    switch self {
    case .text(_, let expression): expression.utf8.count
    case .items(let name, let value, _, _): name.utf8.count + value.utf8.count
    }
  }
}

/// A rule that SQL cannot say exactly, whether it excludes, and the pattern for which the text decides
/// whether there are too many stars and variables.
package typealias InexactRule = (id: RuleID, excludes: Bool, pattern: String)

extension CompiledRule {
  /// Returns the conditions of the rule, or `nil` if it matches no URL.
  func conditions(
    _ dialect: WarehouseDialect, undecided: inout [String]
  ) throws(RuleQuery.TooLong) -> [LinkCondition]? {
    guard !definition.requiresEntitlement else { return nil }
    let isDecoded = !definition.isPercentEncoded
    let spelled = Array(zip(comparisons, definition.patterns.map(\.pattern)))
    // The fragment is tested before the query.
    func isFirst(_ part: RuleDefinition.Part) -> Bool { part == .path || part == .fragment }
    let ordered = spelled.filter { isFirst($0.0.part) } + spelled.filter { !isFirst($0.0.part) }
    var conditions: [LinkCondition] = []
    for (comparison, spelling) in ordered {
      let pattern = comparison.pattern
      if pattern.isAnything { continue }
      if pattern.hasUndecidedLevels { undecided.append(spelling) }
      let expression = try PatternExpression.text(
        of: pattern, dialect, for: comparison.part, definition.form)
      guard let expression else { return nil }
      guard comparison.part == .queryItem else {
        let name = "link_\(comparison.part.rawValue)" + (isDecoded ? "_decoded" : "")
        conditions.append(.text(name, matches: expression))
        continue
      }
      // No item has such a name while it is encoded.
      if !isDecoded, comparison.name.contains(where: { "&=".utf8.contains($0) }) {
        guard pattern.matchesEmptyText else { return nil }
        continue
      }
      conditions.append(
        .items(
          name: PatternExpression.text(
            ofLiteral: String(decoding: comparison.name, as: UTF8.self), dialect),
          value: expression, isDecoded: isDecoded, matchesEmptyText: pattern.matchesEmptyText))
    }
    return conditions
  }
}
