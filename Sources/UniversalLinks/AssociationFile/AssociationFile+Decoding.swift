internal import Foundations

extension AssociationFile {
  /// Decodes the bytes of an association file, or of one inside a signed message
  /// (Matching.md, 6.2).
  ///
  /// Like Apple's systems, it accepts a byte order mark, UTF-16, UTF-32, and a comma before a
  /// closing bracket. Positions of rules are those in the decoded text.
  ///
  /// - Throws: ``AssociationFileError`` if the bytes aren't a JSON object.
  public init(decoding bytes: [UInt8]) throws(AssociationFileError) {
    let text = EncodedText(SignedMessage.content(of: bytes) ?? bytes).bytes
    do {
      guard let object = try JSONParser.parse(text).object else {
        throw AssociationFileError.notAnObject
      }
      self.init(object, text: text)
    } catch {
      if let content = AssociationFileError.ForeignContent(recognizing: text) {
        throw .looksLike(content)
      }
      throw (error as? JSONSyntaxError).map { .notJSON($0) } ?? .notAnObject
    }
  }

  /// Returns a Boolean value indicating whether the first bytes of a file look like an association
  /// file.
  ///
  /// They do if they are an object that names a service. The object need not be complete.
  package static func isStart(_ start: [UInt8]) -> Bool {
    let text = EncodedText(SignedMessage.content(of: start) ?? start).bytes
    guard text.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { return false }
    let services: [StaticString] = [
      "\"applinks\"", "\"webcredentials\"", "\"appclips\"", "\"activitycontinuation\"",
    ]
    return services.contains { text.span.contains($0) }
  }

  /// Reads the members of a file's top-level object (Matching.md, 1 and 2).
  init(_ root: JSONObject, text: [UInt8]) {
    self.init(entries: [])
    guard let links = root["applinks"]?.object else {
      hasUniversalLinks = false
      return
    }
    substitutionVariables = Self.variables(links["substitutionVariables"])
    let reader = RuleReader(text: text, defaults: links["defaults"]?.object)

    switch links["details"]?.content {
    case nil:
      entries = (links["apps"]?.array ?? []).enumerated().compactMap { position, app in
        app.string.map(ApplicationIdentifier.init).map {
          Entry(id: .apps, position: position, appIDs: [$0], legacyAppID: $0)
        }
      }
    case .array(let elements):
      entries = elements.enumerated().compactMap { index, element in
        element.object.map { Entry($0, id: .index(index), position: index, reader: reader) }
      }
    case .object(let object):
      entries = object.members.enumerated().compactMap { index, member in
        member.value.object.map {
          Entry($0, id: .key(member.name), position: index, reader: reader)
        }
      }
    default: break
    }
  }

  /// Reads the values of variables (Matching.md, 3c.4).
  private static func variables(_ value: JSONValue?) -> [SubstitutionVariable] {
    (value?.object?.members ?? []).compactMap { member in
      member.value.variableValues.map { values in
        SubstitutionVariable(
          name: member.name,
          values: values.compactMap(\.string).filter { !$0.utf8.span.contains("$(") })
      }
    }
  }
}

extension JSONValue {
  /// This value as the values of a variable, even unusable ones, or `nil` if it defines none.
  var variableValues: [JSONValue]? { array ?? (string == nil ? nil : [self]) }
}

extension AssociationFile {
  /// The greatest ``patternByteCount`` of small files that are judged.
  ///
  /// The limit also grows with the size of the file.
  public static let patternByteLimit = 1 << 24

  /// The number of bytes of the patterns of all rules, defaults filled in.
  ///
  /// A file of a hundred thousand bytes can have gigabytes of them, if thousands of rules inherit
  /// a long default.
  public var patternByteCount: Int {
    entries.reduce(0) { sum, entry in
      [entry.components, entry.paths].compactMap { $0 }.joined()
        .reduce(sum) { $0 + $1.patternByteCount }
    }
  }
}

extension RuleDefinition {
  fileprivate var patternByteCount: Int {
    let count = (path?.utf8.count ?? 0) + (fragment?.utf8.count ?? 0)
    return switch query {
    case nil: count
    case .whole(let pattern): count + pattern.utf8.count
    case .items(let items): items.reduce(count) { $0 + $1.name.utf8.count + $1.pattern.utf8.count }
    }
  }
}

extension AssociationFile.Entry {
  /// Reads an element of `details`; in the object form, the key is the `appID`.
  fileprivate init(
    _ object: JSONObject, id: AssociationFile.EntryID, position: Int, reader: RuleReader
  ) {
    let key: String? = if case .key(let key) = id { key } else { nil }
    let singleID = (key ?? object["appID"]?.string).map(ApplicationIdentifier.init)
    let defaults = reader.defaults(over: object["defaults"]?.object)
    self.init(
      id: id, position: position,
      appIDs: object["appIDs"]?.array?.compactMap(\.string).map(ApplicationIdentifier.init)
        ?? singleID.map { [$0] } ?? [], legacyAppID: singleID,
      components: object["components"]?.array?.map {
        reader.rule(component: $0, defaults: defaults)
      },
      paths: object["paths"]?.array?.map { reader.rule(path: $0, defaults: defaults) },
      relativeOrder: object["relativeOrder"]?.clampedOrder ?? 0)
  }
}

extension JSONValue {
  /// This value as a `relativeOrder`, from -100 to 100, or `nil` if it isn't an integer.
  fileprivate var clampedOrder: Int? {
    guard case .number(let number) = content, number == number.rounded() else { return nil }
    return Int(max(-100, min(100, number)))
  }
}

/// Reads rules and fills in defaults (Matching.md, 2).
private struct RuleReader {
  private let lines: LineIndex
  private let fileDefaults: [String: JSONValue]

  init(text: [UInt8], defaults: JSONObject?) {
    (lines, fileDefaults) = (LineIndex(text), defaults?.valuesByName ?? [:])
  }

  func defaults(over entryDefaults: JSONObject?) -> [String: JSONValue] {
    fileDefaults.merging(entryDefaults?.valuesByName ?? [:]) { _, own in own }
  }

  func rule(component: JSONValue, defaults: [String: JSONValue]) -> RuleDefinition {
    let own = component.object?.valuesByName
    return rule(
      component,
      members: own.map { defaults.merging($0) { _, own in own } } ?? withoutPatterns(defaults))
  }

  /// The members of an element of the wrong type, which may only exclude (Matching.md, 2.6).
  private func withoutPatterns(_ defaults: [String: JSONValue]) -> [String: JSONValue] {
    defaults.filter { !["/", "?", "#"].contains($0.key) }
  }

  /// Reads an element of `paths` (Matching.md, 4.1).
  func rule(path: JSONValue, defaults: [String: JSONValue]) -> RuleDefinition {
    guard let source = path.string else { return rule(path, members: withoutPatterns(defaults)) }
    var rule = rule(path, members: defaults, source: source)
    rule.path = source
    if source.utf8.prefix(4).lazy.map(\.asciiLowercased).elementsEqual("not ".utf8) {
      rule.path = String(decoding: source.utf8.dropFirst(4), as: UTF8.self)
      (rule.excludes, rule.isCaseSensitive) = (true, true)
    }
    return rule
  }

  private func rule(
    _ element: JSONValue, members: [String: JSONValue], source: String? = nil
  ) -> RuleDefinition {
    let spelled = source ?? String(decoding: lines.text[element.range], as: UTF8.self)
    var rule = RuleDefinition(source: spelled)
    rule.position = lines.position(of: element.range.lowerBound)
    rule.path = members["/"]?.string
    rule.fragment = members["#"]?.string
    rule.query = members["?"].flatMap(query)
    rule.excludes = members["exclude"]?.booleanReading ?? false
    rule.isCaseSensitive = members["caseSensitive"]?.booleanReading ?? true
    rule.isPercentEncoded = members["percentEncoded"]?.booleanReading ?? true
    rule.requiresEntitlement = members["requiredEntitlement"] != nil
    return rule
  }

  /// Reads `?`; an object with a value that isn't a string constrains nothing (Matching.md, 3b.3).
  private func query(_ value: JSONValue) -> RuleDefinition.Query? {
    if let pattern = value.string { return .whole(pattern) }
    guard let object = value.object else { return nil }
    let items = object.members.compactMap { member in
      member.value.string.map { RuleDefinition.Item(name: member.name, pattern: $0) }
    }
    return items.count == object.members.count ? .items(items) : nil
  }
}

extension JSONObject {
  /// The members that mean something in a rule, by name.
  ///
  /// There may be any number of others, which must not be copied from rule to rule.
  fileprivate var valuesByName: [String: JSONValue] {
    var values: [String: JSONValue] = [:]
    for member in FileLevel.component.members { values[member.name] = self[member.name] }
    return values
  }
}

extension JSONValue {
  /// This value as Apple's systems read a Boolean (Matching.md, 2.4).
  ///
  /// JSON's own Booleans keep their value. A number is `true` if it isn't zero. A string is read as
  /// `NSString.boolValue` reads it: after white space, a sign and zeros, `Y`, `T` or a digit from 1 to
  /// 9 means `true`, whatever follows. Anything else is `false`.
  var booleanReading: Bool {
    switch content {
    case .boolean(let value): return value
    case .number(let value): return value != 0
    case .string(let text):
      var rest = text.unicodeScalars.drop { $0.properties.isWhitespace }
      if rest.first == "+" || rest.first == "-" { rest = rest.dropFirst() }
      return rest.first { $0 != "0" }.map("YyTt123456789".unicodeScalars.contains) ?? false
    case .null, .array, .object: return false
    }
  }
}
