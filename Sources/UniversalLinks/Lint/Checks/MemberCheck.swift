extension DiagnosticKind {
  static let duplicateKey = DiagnosticKind(
    "duplicate-key", .warning, "Name that occurs twice in an object",
    meaning: "Only the last value counts. Systems ignore the first one.",
    remedy: "Keep one of them, or merge their values.",
    example: (#""paths": ["/buy/*"], "paths": ["/help/*"]"#, #""paths": ["/buy/*", "/help/*"]"#))

  static let misspeltKey = DiagnosticKind(
    "misspelt-key", .error, "Misspelt name",
    meaning: "Systems silently ignore unknown names, including names in another letter case. If "
      + "'exclude' is ignored, the rule claims the URLs that it should exclude.",
    remedy: "Correct the name.",
    example: components(
      #"{"/": "/help/*", "exlude": true}"#, #"{"/": "/help/*", "exclude": true}, {"/": "/*"}"#))

  static let misplacedKey = DiagnosticKind(
    "misplaced-key", .error, "Member in the wrong object",
    meaning: "Systems read each member in one object only, and ignore it in others.",
    remedy: "Move it to the object that the message names.",
    example: components(
      #"{"/": "/help/*", "appIDs": ["A1B2C3D4E5.com.example.tea"]}"#, #"{"/": "/help/*"}"#))

  static let patternAsKey = DiagnosticKind(
    "pattern-as-key", .error, "Pattern instead of a name",
    meaning: "The pattern of the path is the value of '/'. Systems ignore it under another name, "
      + "so the rule may match every URL.",
    remedy: "Write the pattern as the value of '/': {\"/\": \"/buy/*\"}.",
    example: components(#"{"/buy/*": "/buy/*"}"#, #"{"/": "/buy/*"}"#))

  static let unknownKey = DiagnosticKind(
    "unknown-key", .note, "Unknown name",
    meaning: "Systems ignore it, so a note for people does no harm. Its usual name is 'comment'.",
    remedy: "Remove it, or correct the name if it should have an effect.",
    example: components(
      #"{"/": "/help/*", "owner": "support"}"#, #"{"/": "/help/*", "comment": "owner: support"}"#))

  static let wrongType = DiagnosticKind(
    "wrong-type", .error, "Value of the wrong type",
    meaning: "Systems read the file, but ignore this value. The message names the effect.",
    remedy: "Write a value of the type that the message names.",
    example: components(#"{"/": ["/buy/*", "/help/*"]}"#, #"{"/": "/buy/*"}, {"/": "/help/*"}"#))

  static let booleanAsText = DiagnosticKind(
    "boolean-as-text", .warning,
    except: "`error` for a word that systems probably read otherwise than it is meant",
    "String or number instead of true or false",
    meaning: "Systems convert it: \"1\" and \"yes\" are true, and most other strings are false.",
    remedy: "Write true or false, without quotes.",
    example: components(
      #"{"/": "/help/*", "exclude": "true"}, {"/": "/*"}"#,
      #"{"/": "/help/*", "exclude": true}, {"/": "/*"}"#))
}

extension LintContext {
  mutating func checkMembers(_ object: JSONObject, _ level: FileLevel) {
    let duplicates = object.duplicateNames.filter { spelling(of: $0) != "\"comment\"" }
    report(duplicates, "The name ", " occurs twice in \(level.rawValue); the last value counts.")
    let patterns = object.patternsAsNames
    for member in object.members {
      let isKnown = level.names.contains(member.name)
      if isKnown, options.minimumRelease != nil {
        memberPlaces[member.name, default: []].append(member.nameRange)
      }
      // Several patterns in one object are one mistake.
      guard !isKnown && !FileLevel.isRemark(member.name) || member.misspelling != nil,
        !patterns.dropFirst().contains(member)
      else { continue }
      checkName(unknown: member, of: object, level)
    }
  }

  /// Reports names that occur twice in an object, each with the text around it.
  mutating func report(
    _ duplicates: [Range<Int>], _ before: String, _ after: @autoclosure () -> String
  ) {
    for name in duplicates {
      report(.duplicateKey, at: name, before + spelling(of: name) + after())
    }
  }

  private mutating func checkName(
    unknown member: JSONObject.Member, of object: JSONObject, _ level: FileLevel
  ) {
    let name = member.writtenName
    let nearest = level.nearest(to: name)
    if name == "appID" {
      reportType(
        member.value, "'appID'", "a string", "the entry names no app",
        remedy: "Write 'appIDs', or a string.",
        fix: .replace(member.nameRange, with: "\"appIDs\"", "Write 'appIDs'"))
    } else if let nearest {
      report(
        .misspeltKey, at: member.nameRange,
        "'\(name)' is not a member of \(level.rawValue), so systems ignore it"
          + (level.isOfRules && nearest == "/" && member.misspelling != nil
            ? ": any path matches" : "") + ". The right name is probably '\(nearest)'.",
        remedy: "Write '\(nearest)'.",
        fix: member.misspelling == nil
          ? nil : .replace(member.nameRange, with: LintFix.literal(nearest), "Write '\(nearest)'"))
    } else if level == .file, object["applinks"]?.range == member.nameRange {
      let value = rangeOfValue(after: member.nameRange)
      report(
        .misplacedKey, at: member.nameRange,
        "'\(name)' is a member of 'applinks'. Systems ignore it in the file, so no link opens an app.",
        remedy: "Write it in 'applinks': {\"applinks\": {\"\(name)\": …}}.",
        fix: .surround(
          member.nameRange.lowerBound..<value.upperBound, "\"applinks\": {", "}",
          "Write it in 'applinks'"))
    } else if let home = FileLevel.allCases.first(where: { $0.names.contains(name) }),
      !["apps", "relativeOrder", "requiredEntitlement"].contains(name), level != .service
    {
      report(
        .misplacedKey, at: member.nameRange,
        "'\(name)' is a member of \(home.rawValue). Systems ignore it in \(level.rawValue).")
    } else if level.isOfRules, name.isPatternAsKey {
      report(
        .patternAsKey, at: member.nameRange,
        "'\(name)' is not a member of \(level.rawValue), so systems ignore it: any path matches.",
        remedy: "Write \"/\": \"\(name)\".", fix: patternFix(object))
    } else {
      report(
        .unknownKey, at: member.nameRange,
        "'\(name)' is not a member of \(level.rawValue), so systems ignore it.")
    }
  }

  /// The fix of patterns that are names of members, or `nil` if their values have no clear meaning.
  private func patternFix(_ object: JSONObject) -> LintFix? {
    var rules: [String] = []
    var ranges: [Range<Int>] = []
    for member in object.patternsAsNames {
      let range = rangeOfValue(after: member.nameRange)
      guard let value = try? JSONParser.parse(Array(self.text[range])) else { return nil }
      let name = spelling(of: member.nameRange)
      let rest: String
      switch value.content {
      case .boolean(true), .null: rest = ""
      case .boolean(false): rest = ", \"exclude\": true"
      case .string(let text) where ["", "*", member.writtenName].contains(text): rest = ""
      case .object(let inner)
      where inner.members.allSatisfy({ FileLevel.component.names.contains($0.name) }):
        let content = spelling(of: (range.lowerBound + 1)..<(range.upperBound - 1))
        rest = inner.members.isEmpty ? "" : ", " + content
      default: return nil
      }
      ranges.append(member.nameRange.lowerBound..<range.upperBound)
      rules.append("\"/\": \(name)\(rest)")
    }
    guard let first = ranges.first, let last = ranges.last else { return nil }
    guard rules.count > 1 else {
      return .replace(first, with: rules[0], "Write the pattern as the value of '/'")
    }
    // Other members would belong to each of the rules.
    guard object.members.count == rules.count else { return nil }
    return .replace(
      first.lowerBound..<last.upperBound, with: rules.joined(separator: "}, {"),
      "Write \(rules.count) rules")
  }

  /// Reports a value, in quotes or in words, of the wrong type, with the required one and the effect.
  mutating func reportType(
    _ value: JSONValue, _ name: String, _ expected: String, _ consequence: String,
    severity: Severity? = nil, remedy: String? = nil, fix: LintFix? = nil
  ) {
    var fix = fix
    if fix == nil, value.array?.isEmpty == false, value.range.count > 1 {
      // An array in an array has brackets too many.
      let content = (value.range.lowerBound + 1)..<(value.range.upperBound - 1)
      fix =
        value.isWrapped ? wrapping(value) : .reduce(value.range, to: content, "Remove the brackets")
    }
    report(
      .wrongType, at: firstLine(of: value.range),
      "\(name) is \((value.isWrapped ? value.array?.first ?? value : value).typeName), not \(expected); \(consequence).",
      severity: severity, remedy: remedy ?? "Write \(expected).", fix: fix)
  }

  /// Returns the object that a value is, or reports the value if it is something else.
  mutating func object(
    _ value: JSONValue, _ name: String, _ consequence: String, severity: Severity? = nil
  ) -> JSONObject? {
    if value.object == nil { reportType(value, name, "an object", consequence, severity: severity) }
    return value.object
  }

  /// Returns the strings of an array, and reports other elements, or a value that isn't an array.
  mutating func strings(
    _ value: JSONValue, _ name: String, _ element: String, _ consequence: String,
    severity: Severity? = nil
  ) -> [(text: String, range: Range<Int>)] {
    if value.array == nil || value.isWrapped {
      reportType(value, name, "an array of strings", consequence, severity: severity)
    }
    let elements = value.array ?? []
    for other in elements where other.string == nil && !value.isWrapped {
      reportType(other, element, "a string", "systems ignore it", severity: severity)
    }
    return elements.compactMap { element in element.string.map { ($0, element.range) } }
  }

  func wrapping(_ value: JSONValue) -> LintFix {
    .surround(value.range, "[", "]", "Write it in an array")
  }

  mutating func checkBoolean(_ name: String, of object: JSONObject) {
    guard let value = object[name] else { return }
    switch value.content {
    case .boolean: break
    case .string, .number:
      let (reading, meaning) = (value.booleanReading, value.booleanMeaning)
      let isRight = meaning == reading
      report(
        .booleanAsText, at: value.range,
        "'\(name)' is \(value.string.map { "the string '\($0)'" } ?? value.typeName), which systems "
          + "read as \(reading).", severity: isRight ? nil : .error,
        remedy: meaning.map { "Write \($0), without quotes." } ?? "Write true or false.",
        fix: meaning.map {
          .replace(value.range, with: "\($0)", "Write \($0)", isRight ? .safe : .suggestion)
        })
    default: reportType(value, "'\(name)'", "true or false", "systems read it as false")
    }
  }

  func rangeOfValue(after name: Range<Int>) -> Range<Int> {
    let colon = text[name.upperBound...].firstIndex(of: UInt8(ascii: ":")) ?? name.upperBound
    let start = text[(colon + 1)...].firstIndex { $0 > 0x20 } ?? colon + 1
    let value = JSONParser.prefix(of: text, from: start)
    return start..<(value ?? start)
  }

  func spelling(of range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }

  func firstLine(of range: Range<Int>) -> Range<Int> {
    range.lowerBound..<(text[range].firstIndex(of: UInt8(ascii: "\n")) ?? range.upperBound)
  }
}

extension FileLevel {
  /// Names that people use by mistake, and the names that rules have instead.
  static let synonyms = [
    "path": "/", "paths": "/", "pattern": "/", "url": "/", "uri": "/", "query": "?",
    "queryitems": "?", "parameters": "?", "fragment": "#", "anchor": "#", "not": "exclude",
    "excluded": "exclude", "isexclude": "exclude", "isexcluded": "exclude", "ignore": "exclude",
    "caseinsensitive": "caseSensitive", "ignorecase": "caseSensitive",
  ]

  var isOfRules: Bool { self == .component || self == .defaults }

  /// The right name of a member that systems ignore, if it is clear and the object doesn't have it.
  func correction(of member: JSONObject.Member, in object: JSONObject) -> String? {
    let name = member.name
    guard !names.contains(name), !Self.isRemark(name) else { return nil }
    let isPath = isOfRules && name.isPatternAsKey && ["/", "*"].contains(where: name.hasPrefix)
    // The values of some names mean the opposite of what the right name means.
    guard let right = nearest(to: name) ?? (isPath ? "/" : nil), object[right] == nil,
      !["caseinsensitive", "ignorecase"].contains(name.lowercased())
    else { return nil }
    return right
  }

  /// Returns the name that was probably meant, or `nil` if there is none.
  fileprivate func nearest(to name: String) -> String? {
    let name = name.isPatternAsKey ? name : name.withoutSuperfluous
    return (isOfRules ? Self.synonyms[name.lowercased()] : nil)
      ?? names.first { $0.lowercased() == name.lowercased() }
      ?? names.first { $0.count > 3 && name.isOneEdit(from: $0) }
  }

  fileprivate static func isRemark(_ name: String) -> Bool { remarks.contains(name.lowercased()) }
}

extension JSONObject {
  fileprivate var patternsAsNames: [Member] { members.filter(\.writtenName.isPatternAsKey) }
}

extension JSONObject.Member { fileprivate var writtenName: String { misspelling ?? name } }

extension JSONValue {
  /// The Boolean value that a string or number is meant to be, or `nil` if that isn't clear.
  fileprivate var booleanMeaning: Bool? {
    switch content {
    case .number(1): true
    case .number(0): false
    case .string(let text):
      switch text.lowercased() {
      case "true", "yes", "y", "t", "1", "on": true
      case "false", "no", "n", "f", "0", "off", "": false
      default: nil
      }
    default: nil
    }
  }

  var typeName: String {
    switch content {
    case .null: "null"
    case .boolean: "a Boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension String {
  var isPatternAsKey: Bool { utf8.count > 1 && ["/", "?", "*", "#"].contains { hasPrefix($0) } }

  /// Returns a Boolean value indicating whether one edit turns this text into another, in any
  /// letter case.
  ///
  /// An edit adds, removes or replaces a letter, or exchanges two.
  func isOneEdit(from other: String) -> Bool {
    let (one, two) = (Array(lowercased().utf8), Array(other.lowercased().utf8))
    guard abs(one.count - two.count) <= 1 else { return false }
    let front = zip(one, two).prefix { $0 == $1 }.count
    let same = zip(one.reversed(), two.reversed()).prefix { $0 == $1 }.count
    let back = Swift.min(same, one.count - front, two.count - front)
    let rest = (one.count - front - back, two.count - front - back)
    if Swift.max(rest.0, rest.1) <= 1 { return true }
    return rest == (2, 2) && one[front] == two[front + 1] && one[front + 1] == two[front]
  }
}

// A file as its author meant it, where the correction is clear. Mistakes of names and arrays hide
// what is inside from systems, and so from checks. Lint reports them, and checks the content of the
// corrected file, so that one run finds both. All ranges are those of the file.

extension JSONObject {
  /// This top-level object with the names and arrays that were meant.
  var correctedFile: JSONObject {
    var root = self
    // Their members are in the file itself.
    if root["applinks"] == nil, let details = root.members.first(where: { $0.name == "details" }) {
      var links = JSONObject()
      for member in root.members where FileLevel.links.names.contains(member.name) {
        links.add(member)
      }
      let value = JSONValue(.object(links), range: details.nameRange)
      root.add(Member(name: "applinks", nameRange: details.nameRange, value: value))
    }
    return root.corrected(.file)
  }

  fileprivate func corrected(_ level: FileLevel) -> JSONObject {
    var corrected = JSONObject()
    for member in members {
      var member = member
      if let right = level.correction(of: member, in: self), corrected[right] == nil {
        member.misspelling = member.name
        if right == "/", member.name.isPatternAsKey {
          member.value = JSONValue(.string(member.name), range: member.nameRange)
        }
        member.name = right
      }
      // Apps under the name of a single one.
      if level == .entry, member.name == "appID", self["appIDs"] == nil,
        let apps = member.value.array, !apps.isEmpty, apps.allSatisfy({ $0.string != nil })
      {
        (member.misspelling, member.name) = (member.name, "appIDs")
      }
      if let form = level.members.first(where: { $0.name == member.name })?.value {
        member.value = member.value.corrected(form)
      }
      corrected.add(member)
    }
    corrected.duplicateNames = duplicateNames
    return corrected
  }

  /// Whether it is an entry, not the oldest notation of 'details', whose names are apps.
  fileprivate var isEntry: Bool {
    ["appIDs", "appID", "components", "paths"].contains { self[$0] != nil }
      && !members.contains { $0.value.object != nil && $0.name.contains(".") }
  }

  /// The entries in an object whose names are apps, or `nil` if it isn't such an object.
  var keyedEntries: [JSONValue]? {
    guard !members.isEmpty,
      members.allSatisfy({ $0.name.contains(".") && $0.value.object != nil })
    else { return nil }
    return members.map { member in
      let range = member.nameRange
      var entry = JSONObject()
      let id = JSONValue(.string(member.name), range: range)
      // Another range than that of its element: it isn't a single value in place of an array.
      let ids = JSONValue(.array([id]), range: range.lowerBound..<range.lowerBound)
      let name = member.value.appName
      entry.add(Member(name: name, nameRange: range, value: name == "appIDs" ? ids : id))
      for own in member.value.object?.members ?? [] { entry.add(own) }
      return JSONValue(.object(entry), range: member.value.range)
    }
  }
}

extension JSONValue {
  /// Corrects a value that a member takes: names inside, and a single value in place of an array.
  fileprivate func corrected(_ form: FileLevel.Value) -> JSONValue {
    var corrected = self
    switch (form, content) {
    case (.object(.service), _): break
    case (.object(let level), .object(let object)):
      corrected.content = .object(object.corrected(level))
    case (.array(.object(.entry)), .array(let elements)):
      let entries = elements.flatMap { $0.object?.keyedEntries ?? [$0] }
      corrected.content = .array(entries.map { $0.corrected(.object(.entry)) })
    case (.array(let form), .array(let elements)):
      corrected.content = .array(elements.map { $0.corrected(form) })
    case (.array(.object(let level)), .object):
      corrected.content = .array([self.corrected(.object(level))])
    case (.array(.string), .string): corrected.content = .array([self])
    case (.dictionary(.object(let level)), .object(var object)):
      object.changeValues { $0.corrected(.object(level)) }
      corrected.content = .object(object)
    case (.either(let forms), .array): return self.corrected(forms[0])
    case (.either(let forms), .object(let object)):
      return self.corrected(forms[object.isEntry ? 0 : 1])
    default: break
    }
    return corrected
  }

  /// The name of the member for the app of an entry: that which the systems read that read its rules.
  var appName: String { object?["components"] == nil ? "appID" : "appIDs" }
}
