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
      guard let (conditions, size) = try conditions(of: rule, undecided: &undecided) else {
        continue
      }
      sizeLeft -= size
      guard sizeLeft >= 0 else { throw TooLong() }
      let (id, excludes) = (list.id(ofRule: number), rule.definition.excludes)
      inexactRules += undecided.map { (id, excludes, $0) }
      guard undecided.isEmpty || excludes, known.insert(conditions).inserted else { continue }
      rules.append((conditions, excludes ? .excluded : .claimed, id.position))
      if conditions.isEmpty { break }
    }
    return rules
  }

  /// Returns the conditions of a rule, and the size of their regular expressions, or `nil` if it
  /// matches no URL.
  private func conditions(
    of rule: CompiledRule, undecided: inout [String]
  ) throws(TooLong) -> (conditions: [LinkCondition], size: Int)? {
    let definition = rule.definition
    guard !definition.requiresEntitlement else { return nil }
    let isDecoded = !definition.isPercentEncoded
    let spelled = Array(zip(rule.comparisons, definition.patterns.map(\.pattern)))
    // The fragment is tested before the query.
    func isFirst(_ part: RuleDefinition.Part) -> Bool { part == .path || part == .fragment }
    let ordered = spelled.filter { isFirst($0.0.part) } + spelled.filter { !isFirst($0.0.part) }
    var (conditions, size): ([LinkCondition], Int) = ([], 0)
    for (comparison, spelling) in ordered {
      let pattern = comparison.pattern
      if pattern.isAnything { continue }
      if pattern.hasUndecidedLevels { undecided.append(spelling) }
      let expression = try PatternExpression.text(
        of: pattern, dialect, for: comparison.part, definition.form)
      guard let expression else { return nil }
      guard comparison.part == .queryItem else {
        let text = "link_\(comparison.part.rawValue)" + (isDecoded ? "_decoded" : "")
        size += expression.utf8.count
        conditions.append(
          LinkCondition(
            text: text, expression: expression, sql: dialect.matchesAll(text, expression)))
        continue
      }
      // No item has such a name while it is encoded.
      if !isDecoded, comparison.name.contains(where: { "&=".utf8.contains($0) }) {
        guard pattern.matchesEmptyText else { return nil }
        continue
      }
      let name = PatternExpression.text(
        ofLiteral: String(decoding: comparison.name, as: UTF8.self), dialect)
      size += name.utf8.count + expression.utf8.count
      // Items are split before they are decoded.
      conditions.append(
        LinkCondition(
          text: "link_query",
          sql: items(
            name, expression, isDecoded: isDecoded, matchesEmptyText: pattern.matchesEmptyText)))
    }
    return (conditions, size)
  }

  /// Returns a condition: each query item with a name matches, and one is there unless the empty text
  /// matches (Matching.md, 3b.2); name and value are regular expressions.
  private func items(
    _ name: String, _ value: String, isDecoded: Bool, matchesEmptyText: Bool
  ) -> String {
    func all(_ condition: String) -> String {
      dialect.allItems(of: "link_query", as: "link_item", satisfy: condition)
    }
    let (isThere, isNamed, isValid): (String, String, String)
    if isDecoded {
      let part = { dialect.decoded(dialect.extract("link_item", $0)).continued }
      isNamed = dialect.matchesAll(part("^([^=]*)"), name)
      isValid = dialect.matchesAll(part("^[^=]*=(.*)"), value)
      isThere = "NOT (\(all("NOT (\(isNamed))")))"
    } else {
      isThere = dialect.matchesAll("link_query", "(?:.*&)?\(name)(?:[=&].*)?")
      isNamed = dialect.matchesAll("link_item", "\(name)(?:=.*)?")
      isValid = dialect.matchesAll(
        "link_item", matchesEmptyText ? "\(name)(?:=\(value))?" : "\(name)=\(value)")
    }
    let allMatch = all("NOT (\(isNamed)) OR \(isValid)")
    return matchesEmptyText ? "(NOT (\(isThere)) OR \(allMatch))" : "(\(isThere) AND \(allMatch))"
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
  private var comparedTexts: Set<String> {
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
      if conditions.count == 1, let expression = conditions[0].expression {
        let text = conditions[0].text
        let size = joined[text, default: []].reduce(expression.utf8.count) { $0 + $1.utf8.count }
        if size > Self.joinedSize { flush(text) }
        joined[text, default: []].append(expression)
      } else {
        parts.append(conditions.map(\.sql).joined(separator: " AND "))
      }
    }
    for text in Self.texts { flush(text) }
    return parts.joined(separator: "\n    OR ")
  }

  // MARK: - Links

  /// The names of the texts of a link that rules are compared with, in the order of their tests.
  private static let texts = [
    "link_path", "link_path_decoded", "link_query", "link_fragment", "link_query_decoded",
    "link_fragment_decoded",
  ]

  /// Returns an expression for the verdict on the URL of a column: `ineligible` if no rule decides,
  /// else `body`, which uses some texts.
  private func evaluate(_ column: String, ineligible: String, otherwise body: String) -> String {
    let ineligible = dialect.string(ineligible)
    // Other names are no domains, so no app can be associated with them.
    guard host.isWildcard || host.name.contains(".") else { return ineligible }
    let judged = dialect.cases(
      [(dialect.matches("link", eligible), bindTexts(in: body).continued)], otherwise: ineligible)
    let url = dialect.bind(
      "link_url", to: "coalesce(\(column), '')", in: dialect.encoded("link_url"))
    return dialect.bind("link", to: url, in: judged)
  }

  /// The expression for the beginning of a URL that rules decide (Matching.md, 5).
  private var eligible: String {
    let origins = [("[hH][tT][tT][pP]", "80"), ("[hH][tT][tT][pP][sS]", "443")].map {
      "\($0)://(?:[^/?#]*@)?\(hostAndPort(defaultPort: $1))"
    }
    return "^(?:\(origins.joined(separator: "|")))(?:[/?#]|\(dialect.endOfText))"
  }

  private func hostAndPort(defaultPort port: String) -> String {
    let name = host.name.unicodeScalars.map { scalar in
      let upper = scalar.properties.uppercaseMapping.unicodeScalars.first ?? scalar
      return PatternExpression.text(
        ofAnyOf: scalar == upper ? [scalar] : [upper, scalar], dialect)
    }.joined()
    let port = ":(?:0*\(port))?"
    guard host.isWildcard else { return "\(name)(?:\(port))?" }
    // The last colon begins a port, unless a bracket follows. Browsers take a backslash for a slash.
    let own = #"[^/?#@:\\]"#
    let any = #"[^/?#@\\]"#
    return #"(?:(?:\#(own)+|\#(any)*:\#(own)*\]\#(own)*)\.\#(name)|\#(any)+\.\#(name)\#(port))"#
  }

  /// Returns an expression with names for texts of a URL that it uses.
  private func bindTexts(in body: String) -> String {
    let compared = comparedTexts
    let query = dialect.extract("link", "^[^?#]*[?]([^#]*)")
    let fragment = dialect.extract("link", "^[^#]*#(.*)")
    let decodedPath = dialect.bind(
      "link_decoded", to: dialect.decoded("link_text"), in: dialect.normalized("link_decoded"))
    let values = [
      dialect.normalized("link_text"), decodedPath, query, fragment, dialect.decoded(query),
      dialect.decoded(fragment),
    ]
    var body = body
    for (name, value) in zip(Self.texts, values) where compared.contains(name) {
      body = dialect.bind(name, to: value, in: body)
    }
    guard compared.contains(where: { $0.hasPrefix("link_path") }) else { return body }
    // The slash is there to save the regular expression from going back.
    let path = "concat('/', \(dialect.extract("link", "^[^/]*//[^/?#]*/([^?#]*)")))"
    return dialect.bind("link_text", to: path, in: body)
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
private struct LinkCondition: Hashable {
  /// The name of the text that it needs.
  var text: String

  /// The regular expression that all of the text matches, or `nil` for a condition on query items.
  var expression: String?
  var sql: String
}

/// A rule that SQL cannot say exactly, whether it excludes, and the pattern for which the text decides
/// whether there are too many stars and variables.
package typealias InexactRule = (id: RuleID, excludes: Bool, pattern: String)
