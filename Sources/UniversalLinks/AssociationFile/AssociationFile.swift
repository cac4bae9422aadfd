internal import Foundations

/// The universal links part of an `apple-app-site-association` file.
///
///     let file = try AssociationFile(decoding: bytes)
///     let matcher = LinkMatcher(file)
///
/// Decoding is as lenient as Apple's systems are. It treats a member of the wrong type as they do,
/// and throws an error only if the text isn't a JSON object. The linter reports the mistakes that
/// decoding accepts.
public struct AssociationFile: Hashable, Sendable {
  /// The entries of `details` that name or could name an app, in file order.
  public var entries: [Entry]

  /// The variables that the file defines (Matching.md, 3c.4).
  public var substitutionVariables: [SubstitutionVariable]

  /// A Boolean value indicating whether the file has an `applinks` object.
  public var hasUniversalLinks: Bool

  /// The generation of systems that reads the file in this way.
  public private(set) var system = OperatingSystem.current

  /// Creates a file with the given entries and variables.
  public init(entries: [Entry], substitutionVariables: [SubstitutionVariable] = []) {
    (self.entries, self.substitutionVariables) = (entries, substitutionVariables)
    hasUniversalLinks = true
  }
}

/// A variable that an association file defines, and its values.
public struct SubstitutionVariable: Hashable, Sendable {
  /// The name, as written between `$(` and `)`.
  public var name: String

  /// The values in the order in which they are tried.
  public var values: [String]
}

extension AssociationFile {
  /// The greatest size of a file that systems read, in bytes after
  /// decompression (Matching.md, 6.1).
  public static let sizeLimit = 131_072

  /// The remedy for a file beyond the limit.
  package static let sizeRemedy =
    "Remove comments and white space. If that is not enough, merge rules that differ in one "
    + "segment, or put values into substitution variables."

  /// One entry of `details`: some apps and the rules that they share.
  public struct Entry: Hashable, Sendable {
    /// The identity of the entry, by its position or its key.
    public var id: EntryID

    /// The position of the entry in `details`, from 0, in its object form too.
    public var position: Int

    /// The apps as iOS 13 and later read them, in file order.
    public var appIDs: [ApplicationIdentifier]

    /// The app as iOS 12 and earlier read it: they know `appID` only.
    public var legacyAppID: ApplicationIdentifier?

    /// The elements of `components`, or `nil` if there is no such array.
    public var components: [RuleDefinition]?

    /// The elements of `paths`, or `nil` if there is no such array.
    public var paths: [RuleDefinition]?

    /// The undocumented `relativeOrder`, from -100 to 100 (Matching.md, 1.9).
    public var relativeOrder = 0
  }
}

extension AssociationFile.Entry {
  /// The rules, or `nil` if the entry has none, so that it matches every URL (Matching.md, 1.6 and
  /// 1.7).
  public var rules: [RuleDefinition]? { components ?? paths }

  /// The array that holds the rules.
  package var list: RuleID.List { components == nil ? .paths : .components }

  /// The apps that any system finds in the entry; an app can occur twice.
  public var namedApps: [ApplicationIdentifier] { appIDs + (legacyAppID.map { [$0] } ?? []) }
}

extension AssociationFile {
  /// Returns a view of the file: what a generation of systems reads in it.
  ///
  /// Decoding gives the view of current systems. iOS 12 and earlier know only `appID` and `paths`,
  /// without variables and defaults (Matching.md, 4.2).
  public func asRead(by system: OperatingSystem) -> AssociationFile {
    guard system == .legacy, self.system == .current else { return self }
    var file = self
    file.system = .legacy
    file.entries = entries.map { entry in
      Entry(
        id: entry.id, position: entry.position, appIDs: entry.legacyAppID.map { [$0] } ?? [],
        legacyAppID: entry.legacyAppID,
        // An entry with `components` has rules, but old systems read none of them.
        paths: entry.paths?.map(\.withoutDefaults) ?? (entry.components == nil ? nil : []))
    }
    return file
  }
}

extension RuleDefinition {
  /// An element of `paths` as it is without the defaults of entry and file.
  fileprivate var withoutDefaults: RuleDefinition {
    // Only 'NOT ' can precede the pattern.
    var rule = RuleDefinition(path: path, excludes: path != nil && path != source, source: source)
    rule.position = position
    return rule
  }
}

/// An app's identifier: a team prefix, a full stop and a bundle identifier.
///
/// Two identifiers are equal if their bundle identifiers are the same and their
/// team prefixes differ in letter case at most (Matching.md, 1.5).
public struct ApplicationIdentifier: Sendable {
  /// The identifier as the file spells it.
  public let text: String

  /// The bytes of the identifier with its team prefix in upper case.
  private let comparisonKey: [UInt8]

  /// Creates an identifier from its text, which may be anything.
  public init(_ text: String) {
    self.text = text
    let prefix = text.utf16.prefix { $0 != 0x2E }
    let stop = prefix.endIndex
    let hasPrefix = prefix.count == 10 && stop < text.endIndex
    comparisonKey = Array((hasPrefix ? text[..<stop].uppercased() + text[stop...] : text).utf8)
  }
}

extension ApplicationIdentifier: Hashable {
  /// Whether both name the same app.
  public static func == (first: Self, second: Self) -> Bool {
    first.comparisonKey == second.comparisonKey
  }

  /// Feeds the identifier into a hasher, with its team prefix in upper case.
  public func hash(into hasher: inout Hasher) { hasher.combine(comparisonKey) }
}

extension ApplicationIdentifier: CustomStringConvertible {
  /// The identifier as the file spells it.
  public var description: String { text }
}

// MARK: - Decoding

extension AssociationFile {
  /// Decodes the bytes of an association file, or of one inside a signed message
  /// (Matching.md, 6.2).
  ///
  /// Like Apple's systems, it accepts a byte order mark, UTF-16, UTF-32, and a comma before a
  /// closing bracket. Positions of rules are those in the decoded text.
  ///
  /// - Throws: ``AssociationFileError`` if the bytes aren't a JSON object.
  public init(decoding bytes: [UInt8]) throws(AssociationFileError) {
    let text = EncodedText(bytes).bytes
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
    let text = EncodedText(start).bytes
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
    let elements: [(id: EntryID, value: JSONValue)]
    switch links["details"]?.content {
    case nil:
      entries = (links["apps"]?.array ?? []).enumerated().compactMap { position, app in
        app.string.map(ApplicationIdentifier.init).map {
          Entry(id: .apps, position: position, appIDs: [$0], legacyAppID: $0)
        }
      }
      return
    case .array(let array): elements = array.enumerated().map { (.index($0), $1) }
    case .object(let object): elements = object.members.map { (.key($0.name), $0.value) }
    default: return
    }
    let lines = LineIndex(text)
    entries = elements.enumerated().compactMap { position, element in
      element.value.object.map {
        Entry($0, id: element.id, position: position, links["defaults"]?.object, lines)
      }
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
      [entry.components, entry.paths].compactMap { $0 }.joined().lazy.flatMap(\.patterns)
        .reduce(sum) { $0 + $1.name.utf8.count + $1.pattern.utf8.count }
    }
  }
}

extension AssociationFile.Entry {
  /// Reads an element of `details`; in the object form, the key is the `appID`.
  fileprivate init(
    _ object: JSONObject, id: AssociationFile.EntryID, position: Int, _ fileDefaults: JSONObject?,
    _ lines: LineIndex
  ) {
    let key: String? = if case .key(let key) = id { key } else { nil }
    let singleID = (key ?? object["appID"]?.string).map(ApplicationIdentifier.init)
    // The members of nearer objects come first (Matching.md, 2.1).
    let defaults = [object["defaults"]?.object, fileDefaults].compactMap { $0 }
    func rules(_ list: RuleID.List) -> [RuleDefinition]? {
      object[list.rawValue]?.array?.map { RuleDefinition($0, of: list, defaults, lines) }
    }
    self.init(
      id: id, position: position,
      appIDs: object["appIDs"]?.array?.compactMap(\.string).map(ApplicationIdentifier.init)
        ?? singleID.map { [$0] } ?? [], legacyAppID: singleID,
      components: rules(.components), paths: rules(.paths),
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

extension RuleDefinition {
  /// Reads an element of an array, and fills in defaults (Matching.md, 2 and 4.1).
  fileprivate init(
    _ element: JSONValue, of list: RuleID.List, _ defaults: [JSONObject], _ lines: LineIndex
  ) {
    let (text, own) = list == .paths ? (element.string, nil) : (nil, element.object)
    let objects = (own.map { [$0] } ?? []) + defaults
    func member(_ name: String) -> JSONValue? {
      for object in objects { if let value = object[name] { return value } }
      return nil
    }
    self.init(source: text ?? String(decoding: lines.text[element.range], as: UTF8.self))
    position = lines.position(of: element.range.lowerBound)
    excludes = member("exclude")?.booleanReading ?? false
    isCaseSensitive = member("caseSensitive")?.booleanReading ?? true
    isPercentEncoded = member("percentEncoded")?.booleanReading ?? true
    requiresEntitlement = member("requiredEntitlement") != nil
    // An element of the wrong type may only exclude (Matching.md, 2.6).
    guard text != nil || own != nil else { return }
    path = text ?? member("/")?.string
    query = member("?").flatMap(Query.init)
    fragment = member("#")?.string
    if let text, text.utf8.prefix(4).lazy.map(\.asciiLowercased).elementsEqual("not ".utf8) {
      path = String(decoding: text.utf8.dropFirst(4), as: UTF8.self)
      (excludes, isCaseSensitive) = (true, true)
    }
  }
}

extension RuleDefinition.Query {
  /// Reads `?`; an object with a value that isn't a string constrains nothing (Matching.md, 3b.3).
  fileprivate init?(_ value: JSONValue) {
    switch value.content {
    case .string(let pattern): self = .whole(pattern)
    case .object(let object) where object.members.allSatisfy({ $0.value.string != nil }):
      self = .items(
        object.members.map { RuleDefinition.Item(name: $0.name, pattern: $0.value.string ?? "") })
    default: return nil
    }
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
