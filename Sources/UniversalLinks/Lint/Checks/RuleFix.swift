internal import Foundations

/// Rules as their authors meant them, with the parts that were written in one text.
extension RuleDefinition {
  /// Reads a path with a query or a fragment, or creates `nil` if there is none or it isn't clear.
  init?(written pattern: String) {
    self.init()
    var bytes = Array(pattern.utf8).withoutEntities[...]
    func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
    let hash = Self.hash(in: bytes)
    if let hash {
      fragment = hash + 1 == bytes.count ? nil : text(bytes[(hash + 1)...])
      bytes = bytes[..<hash]
    }
    if let mark = Self.mark(in: Array(bytes)) {
      // Before '&', a star or a parameter stands for the '?' and other items, too.
      let before = text(bytes[..<mark])
      let parameter = before[(before.lastIndex(of: "/") ?? before.endIndex)...]
      guard
        bytes[mark] == UInt8(ascii: "?") || before.last.map("*}]>".contains) == true
          || parameter.hasPrefix("/:") && parameter.count > 2
            && parameter.dropFirst(2).allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
      else { return nil }
      let written = text(bytes[(mark + 1)...])
      query = Self.items(of: written).map(Query.items) ?? .whole(written)
      bytes = bytes[..<mark]
    }
    guard query != nil || hash ?? 0 > 0 else { return nil }
    path = bytes.isEmpty ? "/" : text(bytes)
  }

  /// The place of the '#' before a fragment in a pattern; `#{id}` is a parameter.
  static func hash(in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.indices.first {
      bytes[$0...].first == UInt8(ascii: "#") && bytes[($0 + 1)...].first != UInt8(ascii: "{")
    }
  }

  /// The place of the '?' or '&' before the items of a query in a pattern; one has a value.
  static func mark(in bytes: [UInt8]) -> Int? {
    var (mark, length): (Int?, Int) = (nil, 0)
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "?"), UInt8(ascii: "&"):
        if length == 0 || byte == UInt8(ascii: "?") { mark = index }
        length = 0
        mark = mark ?? index
      case UInt8(ascii: "="):
        if mark != nil, length > 0 { return mark }
        mark = nil
      case _ where byte.isLetterOrDigit || byte == UInt8(ascii: "_"): length += 1
      case _ where length > 0 && "-.[]".utf8.contains(byte): length += 1
      default: (mark, length) = (nil, 0)
      }
    }
    return nil
  }

  /// The items of a query, if each has a name and a value, and no name occurs twice.
  private static func items(of query: String) -> [Item]? {
    var items: [Item] = []
    // A star at the end stands for any other items, which are allowed anyway.
    for item in query.split(separator: "&") where item != "*" {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard parts.count == 2, !name.isEmpty, !name.contains("*"), !name.contains("?"),
        !items.contains(where: { $0.name == name })
      else { return nil }
      let isAny = ["", "*"].contains(parts[1])
      items.append(Item(name: name, pattern: isAny ? "?*" : String(parts[1])))
    }
    return items
  }

  fileprivate static func members(_ items: [Item]) -> String {
    items.map { LintFix.literal($0.name) + ": " + LintFix.literal($0.pattern) }
      .joined(separator: ", ")
  }

  /// The rule in `paths`, which has only a path.
  var pathElement: String { (excludes ? "NOT " : "") + (path ?? "") }

  /// The members of the rule: `"/": "/help", "?": {"topic": "?*"}`.
  var members: String {
    let queryText: String? =
      switch query {
      case .items(let items): "{\(Self.members(items))}"
      case .whole(let pattern): LintFix.literal(pattern)
      case nil: nil
      }
    return "\"/\": \(LintFix.literal(path ?? ""))" + (queryText.map { ", \"?\": \($0)" } ?? "")
      + (fragment.map { ", \"#\": \(LintFix.literal($0))" } ?? "")
      + (excludes ? ", \"exclude\": true" : "")
  }
}

extension LintContext {
  /// The fix that writes a pattern otherwise, or as several rules.
  func rewriting(
    _ pattern: PatternText, as texts: [String], _ applicability: LintFix.Applicability = .suggestion
  ) -> LintFix? {
    if texts.count == 1 {
      return .replace(
        wholeSource(of: pattern), with: LintFix.escaped(texts[0]), "Write '\(texts[0])'",
        applicability)
    }
    // The pattern begins after 'NOT ' if the string does.
    let exclusion = pattern.start > 0 ? "NOT " : ""
    return copies(of: pattern.element, with: texts.map { exclusion + $0 }, at: pattern.literal)
  }

  /// The fix that writes a rule several times, each with another string in one place, or `nil` if
  /// there are too many.
  func copies(of rule: JSONValue?, with texts: [String], at literal: Range<Int>) -> LintFix? {
    guard let rule, (1...32).contains(texts.count) else { return nil }
    let before = spelling(of: rule.range.lowerBound..<literal.lowerBound)
    let after = spelling(of: literal.upperBound..<rule.range.upperBound)
    let rules = texts.map { before + LintFix.literal($0) + after }
    let separator = "," + separator(before: rule.range.lowerBound)
    return .replace(
      rule.range, with: rules.joined(separator: separator),
      "Write \(texts.map { "'\($0)'" }.listed)\(texts.count == 1 ? "" : ", each as a rule")")
  }

  /// The fix that writes a rule as it was meant, or `nil` if other members say something else.
  mutating func writing(_ rule: RuleDefinition, for pattern: PatternText) -> LintFix? {
    if let entry = pattern.entry {
      let text = rule.pathElement
      return rule.query != nil || rule.fragment != nil
        ? componentsFix(entry)
        : .replace(pattern.literal, with: LintFix.literal(text), "Write '\(text)'")
    }
    guard let object = pattern.element?.object,
      let member = object.members.first(where: { $0.name == "/" }),
      member.value.range == pattern.literal, rule.fragment == nil || object["#"] == nil,
      !rule.excludes || object["exclude"] == nil
    else { return nil }
    let title = "Write {\(rule.members)}"
    guard rule.query != nil, let query = object["?"] else {
      let range = member.nameRange.lowerBound..<pattern.literal.upperBound
      return .replace(range, with: rule.members, title)
    }
    guard let own = query.object, let first = own.members.first,
      case .items(let items)? = rule.query, rule.fragment == nil,
      items.allSatisfy({ own[$0.name] == nil })
    else { return nil }
    let start = first.nameRange.lowerBound
    return LintFix(
      .suggestion, "Write the query as the value of '?'",
      [
        LintFix.Edit(pattern.literal, LintFix.literal(rule.path ?? "")),
        LintFix.Edit(start..<start, RuleDefinition.members(items) + ", "),
      ])
  }

  /// The fix that writes rules with queries as `components`, which iOS 13 and later read.
  ///
  /// The others stay in `paths`, which iOS 12 reads.
  private mutating func componentsFix(_ entry: JSONObject) -> LintFix? {
    guard entry["components"] == nil,
      let member = entry.members.first(where: { $0.name == "paths" })
    else { return nil }
    let start = member.value.range.lowerBound
    if let known = componentsFixes[start] { return known }
    let fix = componentsFix(entry, inPlaceOf: member)
    componentsFixes[start] = .some(fix)
    return fix
  }

  private func componentsFix(_ entry: JSONObject, inPlaceOf member: JSONObject.Member) -> LintFix? {
    guard let elements = member.value.array else { return nil }
    var rules: [LintFix.Edit] = []
    // The elements that stay in 'paths'.
    var kept: [Int] = []
    for (index, element) in elements.enumerated() {
      guard let source = element.string else { return nil }
      let excludes = source.hasPrefix("NOT ")
      let path = excludes ? String(source.dropFirst(4)) : source
      let written = RuleDefinition(written: path)
      if written == nil { kept.append(index) }
      var rule = written ?? RuleDefinition(path: path)
      rule.excludes = excludes
      rules.append(LintFix.Edit(element.range, "{\(rule.members)}"))
    }
    let title = "Write 'components', which can test queries (iOS 13)"
    // Without 'appID', iOS 12 reads neither.
    guard let last = kept.last, entry["appID"] != nil else {
      return LintFix(.suggestion, title, [LintFix.Edit(member.nameRange, "\"components\"")] + rules)
    }
    let array = member.value.range
    let components = LintFix.apply(rules, to: Array(text[..<array.upperBound]))[array.lowerBound...]
    // Each element goes with the white space after it, and the last ones with what is before them.
    var removals = elements.indices.filter { $0 < last && !kept.contains($0) }.map {
      elements[$0].range.lowerBound..<elements[$0 + 1].range.lowerBound
    }
    if let end = elements.last?.range.upperBound, last + 1 < elements.count {
      removals.append(elements[last].range.upperBound..<end)
    }
    return LintFix(
      .suggestion, title,
      removals.map { LintFix.Edit($0, "") } + [
        LintFix.Edit(
          array.upperBound..<array.upperBound,
          "," + separator(before: member.nameRange.lowerBound) + "\"components\": "
            + String(decoding: components, as: UTF8.self))
      ])
  }
}
