/// The universal links part of an `apple-app-site-association` file.
///
///     let file = try AssociationFile(decoding: bytes)
///     let matcher = LinkMatcher(file, system: .current)
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

  /// Creates a file with the given entries and variables.
  public init(entries: [Entry], substitutionVariables: [SubstitutionVariable] = []) {
    self.entries = entries
    self.substitutionVariables = substitutionVariables
    hasUniversalLinks = true
  }
}

/// A variable that an association file defines, and its values.
public struct SubstitutionVariable: Hashable, Sendable {
  /// The name, as written between `$(` and `)`.
  public var name: String

  /// The values in the order in which they are tried.
  public var values: [String]

  /// Creates a variable with the given name and values.
  public init(name: String, values: [String]) {
    self.name = name
    self.values = values
  }
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
  public struct Entry: Hashable, Sendable, Identifiable {
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

    /// The elements of `paths` as iOS 13 and later read them, or `nil` if there
    /// is no such array.
    public var paths: [RuleDefinition]?

    /// The elements of `paths` as iOS 12 and earlier read them, or `nil` if
    /// there is no such array.
    public var legacyPaths: [RuleDefinition]?

    /// The undocumented `relativeOrder`, from -100 to 100 (Matching.md, 1.9).
    public var relativeOrder: Int

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - id: The identity of the entry.
    ///   - position: The position in `details`, from 0, in its object form too.
    ///   - appIDs: The apps as iOS 13 and later read them.
    ///   - legacyAppID: The app as iOS 12 and earlier read it.
    ///   - components: The elements of `components`.
    ///   - paths: The elements of `paths` as iOS 13 and later read them.
    ///   - legacyPaths: The elements of `paths` as iOS 12 and earlier read them.
    ///   - relativeOrder: The undocumented `relativeOrder`.
    public init(
      id: EntryID, position: Int, appIDs: [ApplicationIdentifier],
      legacyAppID: ApplicationIdentifier? = nil, components: [RuleDefinition]? = nil,
      paths: [RuleDefinition]? = nil, legacyPaths: [RuleDefinition]? = nil, relativeOrder: Int = 0
    ) {
      (self.id, self.position) = (id, position)
      (self.appIDs, self.legacyAppID) = (appIDs, legacyAppID)
      (self.components, self.paths, self.legacyPaths) = (components, paths, legacyPaths)
      self.relativeOrder = relativeOrder
    }
  }
}

extension AssociationFile.Entry {
  /// The rules that a system uses, or `nil` if the entry has none, so that it
  /// matches every URL (Matching.md, 1.6 and 1.7).
  public func rules(for system: OperatingSystem) -> [RuleDefinition]? {
    switch system {
    case .current: components ?? paths
    // An entry with `components` has rules, but old systems read none of them.
    case .legacy: legacyPaths ?? (components == nil ? nil : [])
    }
  }

  /// The array that holds the rules of a system.
  func ruleList(for system: OperatingSystem) -> RuleID.List {
    system == .current && components != nil ? .components : .paths
  }

  /// The apps that any system finds in the entry; an app can occur twice.
  public var namedApps: [ApplicationIdentifier] {
    appIDs + apps(for: .legacy)
  }

  /// The apps that a system finds in the entry, in file order.
  public func apps(for system: OperatingSystem) -> [ApplicationIdentifier] {
    switch system {
    case .current: appIDs
    case .legacy: legacyAppID.map { [$0] } ?? []
    }
  }
}

/// An app's identifier: a team prefix, a full stop and a bundle identifier.
///
/// Two identifiers are equal if their bundle identifiers are the same and their
/// team prefixes differ in letter case at most (Matching.md, 1.5).
public struct ApplicationIdentifier: Sendable {
  /// The identifier as the file spells it.
  public let text: String

  /// The identifier with its team prefix in upper case.
  private let comparisonKey: LiteralKey

  /// Creates an identifier from its text, which may be anything.
  public init(_ text: String) {
    self.text = text
    let prefixLength = 10
    let bytes = text.utf16
    if let stop = bytes.firstIndex(of: 0x2E),
      bytes.distance(from: bytes.startIndex, to: stop) == prefixLength
    {
      comparisonKey = LiteralKey(text[..<stop].uppercased() + text[stop...])
    } else {
      comparisonKey = LiteralKey(text)
    }
  }
}

extension ApplicationIdentifier: Hashable {
  /// Whether both name the same app.
  public static func == (first: Self, second: Self) -> Bool {
    first.comparisonKey == second.comparisonKey
  }

  /// Feeds the identifier into a hasher, with its team prefix in upper case.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(comparisonKey)
  }
}

extension ApplicationIdentifier: CustomStringConvertible {
  /// The identifier as the file spells it.
  public var description: String { text }
}
