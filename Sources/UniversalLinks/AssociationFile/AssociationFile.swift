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

/// An error in an association file that makes judging impossible.
public enum AssociationFileError: Error, Hashable {
  /// The text is not JSON.
  case notJSON(JSONSyntaxError)

  /// The text is JSON, but its value is not an object.
  case notAnObject

  /// The bytes are something else that is recognized.
  case looksLike(ForeignContent)

  /// The probable kind of content that isn't JSON.
  public struct ForeignContent: Hashable, Sendable {
    /// The kind of content, as a sentence without its full stop.
    let sentence: String

    /// The remedy, or `nil` if it is the usual one: a look at what the server sends.
    let remedy: String?

    /// A Boolean value indicating whether people can read it.
    let isText: Bool

    private init(_ sentence: String, isText: Bool = true, remedy: String? = nil) {
      (self.sentence, self.isText, self.remedy) = (sentence, isText, remedy)
    }
  }
}

extension AssociationFileError: CustomStringConvertible {
  /// The mistake, as a sentence of a message.
  public var description: String {
    switch self {
    case .notJSON(let error): "not JSON: \(error)"
    case .notAnObject: "the JSON value is not an object"
    case .looksLike(.markup):
      "this looks like an HTML or XML page, perhaps an error page; no system will read it"
    case .looksLike(.gzip): "the file is compressed; decompress it first"
    case .looksLike(let content):
      content.sentence.prefix(1).lowercased() + content.sentence.dropFirst()
        + "; no system will read it"
    }
  }
}

extension AssociationFileError.ForeignContent {
  /// A signed message without readable content.
  public static let signedMessage = Self(
    "This looks like an unreadable signed message (CMS)", isText: false)

  /// Data that gzip has compressed.
  public static let gzip = Self(
    "This is compressed with gzip; systems decompress it only if 'Content-Encoding' says so",
    isText: false, remedy: "Decompress it: 'gzip -d'.")

  /// A page in HTML or XML.
  public static let markup = Self("This is an HTML or XML page, perhaps an error page")

  static let httpAnswer = Self(
    "This is an HTTP answer with its header fields, as 'curl -i' prints it",
    remedy: "Remove the lines before the first '{', or save the file with 'curl -o FILE'.")

  static let wideText = Self(
    "This looks like text in UTF-16 or UTF-32, but it can't be decoded", isText: false)

  static let template = Self("This is a template with placeholders that the server fills in")

  init?(recognizing bytes: [UInt8]) {
    let start = bytes.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    func begins(_ texts: String...) -> Bool {
      texts.contains { $0.utf8.elementsEqual(start.prefix($0.utf8.count).map(\.asciiLowercased)) }
    }
    func has(_ text: String, _ length: Int) -> Bool {
      start.prefix(length).contains(Array(text.utf8))
    }
    if SignedMessage.isRecognized(bytes) {
      self = .signedMessage
    } else if bytes.starts(with: [0x1F, 0x8B]) {
      self = .gzip
    } else if bytes.starts(with: [0x50, 0x4B, 3, 4]) {
      self = Self("This is a ZIP archive", isText: false)
    } else if [[0xFE, 0xFF], [0xFF, 0xFE]].contains(where: { bytes.starts(with: $0) })
      || bytes.prefix(2).contains(0) && bytes.count > 1
    {
      self = .wideText
    } else if begins("-----begin", "mime-version:") {
      self = Self(
        "This is a signed message as text, but systems read only DER or plain JSON",
        remedy: "Serve the JSON itself, without a signature.")
    } else if bytes.starts(with: "bplist".utf8) || begins("<!doctype plist", "<plist")
      || begins("<?xml") && has("<plist", 400)
    {
      self = Self(
        "This is a property list, such as an app's entitlements",
        remedy: "Pass it as '--entitlements FILE' if it is an app's entitlements.")
    } else if begins("{\\rtf") {
      self = Self(
        "This is a document in RTF, with the formatting of a word processor",
        remedy: "Save it as plain text: in TextEdit, Format > Make Plain Text.")
    } else if begins("http/") {
      self = .httpAnswer
    } else if start.count < 200, !start.contains(UInt8(ascii: "{")),
      begins("not found", "file not found") || Self.isErrorStatus(start)
    {
      self = Self("This is the answer of a server that has no such file")
    } else if begins("["), has("\"relation\"", 4_096),
      has("\"target\"", 4_096) || has("\"include\"", 4_096)
    {
      // The members of the statements that such a file has.
      self = Self(
        "This is an 'assetlinks.json', the file for Android apps",
        remedy:
          "Pass 'apple-app-site-association', and serve it in the same folder, '/.well-known/'.")
    } else if begins("<?php", "<%", "{%", "{{") {
      self = .template
    } else if begins("<"), !begins("<<<<<<<") {
      self = .markup
    } else if !begins("{"), start.prefix(64).contains(where: { $0 < 0x09 }) {
      self = Self("This is not text", isText: false)
    } else {
      return nil
    }
  }

  /// Returns a Boolean value indicating whether a text begins with the status code of an error.
  private static func isErrorStatus(_ text: ArraySlice<UInt8>) -> Bool {
    let digits = text.prefix(while: \.isDigit)
    return digits.count == 3 && "45".utf8.contains(digits.first ?? 0)
      && text.dropFirst(3).contains { $0.isLetterOrDigit }
  }
}
