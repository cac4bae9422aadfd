internal import UniversalLinks

/// A possible new rule, before any file has read it.
struct ComponentDraft: Hashable, Sendable {
  struct Item: Hashable, Sendable {
    var name: String
    var pattern: String
  }

  var path: String
  var items: [Item] = []
  var excludes = false

  /// Whether letter case matters, or `nil` to leave that to defaults.
  var isCaseSensitive: Bool?

  /// Whether patterns are compared with the percent-encoded text, or `nil` to leave that
  /// to defaults.
  var isPercentEncoded: Bool?

  /// The notation of rules in a file.
  struct Form: Sendable {
    var list: RuleID.List

    /// The names of what rules would take from defaults.
    var defaults: Set<String>
    var isSpaced = true

    /// Whether defaults have the elements of `paths` exclude, which those can't take back;
    /// systems that know no defaults ignore that.
    var isExcluding = false

    /// Returns a Boolean value indicating whether a system lets all rules of the list exclude.
    func excludes(_ system: OperatingSystem) -> Bool { isExcluding && system == .current }
  }

  /// The rule as an element of the list, in JSON on one line.
  func json(_ form: Form) -> String {
    if form.list == .paths { return Self.quoted((excludes ? "NOT " : "") + path) }
    func object(_ members: [(name: String, json: String)]) -> String {
      let text = members.map { "\(Self.quoted($0.name)): \($0.json)" }.joined(separator: ", ")
      return form.isSpaced && !text.isEmpty ? "{ \(text) }" : "{\(text)}"
    }
    // Repeat the members that defaults set.
    var members = [("/", Self.quoted(path))]
    if !items.isEmpty || form.defaults.contains("?") {
      members.append(("?", object(items.map { ($0.name, Self.quoted($0.pattern)) })))
    }
    if form.defaults.contains("#") { members.append(("#", "\"*\"")) }
    if excludes || form.defaults.contains("exclude") { members.append(("exclude", "\(excludes)")) }
    if let isCaseSensitive { members.append(("caseSensitive", "\(isCaseSensitive)")) }
    if let isPercentEncoded { members.append(("percentEncoded", "\(isPercentEncoded)")) }
    return object(members)
  }

  static func quoted(_ text: String) -> String {
    var output = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output + "\""
  }

  /// Returns the rule with each way of comparing that can differ under the file's defaults.
  func variants(_ form: Form) -> [ComponentDraft] {
    let hasEncoding = form.defaults.contains("percentEncoded")
    var (encoded, decoded) = (self, self.decoded)
    if form.list == .paths {
      // Elements can't say how they are compared, so defaults decide which of the two matches.
      return [encoded, hasEncoding ? decoded : nil].compactMap(\.self)
    }
    if hasEncoding { encoded.isPercentEncoded = true }
    decoded?.isPercentEncoded = false
    return [encoded, decoded].compactMap(\.self).flatMap { draft in
      var caseSensitive = draft
      caseSensitive.isCaseSensitive = true
      return form.defaults.contains("caseSensitive") ? [draft, caseSensitive] : [draft]
    }
  }

  /// The rule with escapes of letters outside ASCII decoded, or `nil` if it holds none, or
  /// others.
  private var decoded: ComponentDraft? {
    var draft = self
    guard let path = Self.decoded(path) else { return nil }
    draft.path = path
    for index in items.indices {
      guard let name = Self.decoded(items[index].name),
        let pattern = Self.decoded(items[index].pattern)
      else { return nil }
      (draft.items[index].name, draft.items[index].pattern) = (name, pattern)
    }
    return draft == self ? nil : draft
  }

  /// Text with its escapes decoded if all of them are of letters outside ASCII.
  private static func decoded(_ text: String) -> String? {
    var bytes: [UInt8] = []
    PercentEncoding.append(decoding: Array(text.utf8).span, to: &bytes)
    guard let output = String(validating: bytes, as: UTF8.self) else { return nil }
    let ascii = text.utf8.count { $0 != UInt8(ascii: "%") }
    let isSafe = output.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII || scalar.properties.isAlphabetic
    }
    // A decoded ASCII character may have a meaning.
    let escapes = text.utf8.count { $0 == UInt8(ascii: "%") }
    let kept = output.utf8.count { $0 < 0x80 }
    return isSafe && kept == ascii - escapes * 2 ? output : nil
  }
}
