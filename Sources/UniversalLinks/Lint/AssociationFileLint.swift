/// The mistakes in an association file.
///
///     let lint = AssociationFileLint(bytes, options: LintOptions(host: "www.example.com"))
///     for diagnostic in lint.diagnostics {
///       print(diagnostic.start.line, diagnostic.code, diagnostic.message)
///     }
///
/// A text that isn't JSON is mended in memory where it is clear how, so that one look finds
/// its other mistakes, too.
public struct AssociationFileLint: Sendable {
  /// What a rule can decide, with its place in the file.
  public struct RuleReach: Sendable {
    /// The apps whose entry has the rule.
    public var apps: [ApplicationIdentifier]

    /// The entry.
    public var place: AssociationFile.Place

    /// The position of the rule in `components` or `paths`, from 0.
    public var rule: Int

    /// The rule as the file spells it.
    public var source: String

    /// Where it begins.
    public var position: TextPosition?

    /// Whether a URL that it decides does not open the app.
    public var excludes: Bool

    /// What it can decide on current systems.
    public var reach: RuleReachability.Reach
  }

  /// The mistakes, in the order of the text.
  public private(set) var diagnostics: [LintDiagnostic] = []

  /// The text in which positions count: the file, or what is signed in it, in UTF-8 without its
  /// byte order mark.
  public private(set) var text: [UInt8]

  /// A Boolean value indicating whether the file is a signed message with the text in it.
  public private(set) var isSigned = false

  /// The file, if it can be read as it is.
  public private(set) var file: AssociationFile?

  /// What the rules of each entry can decide.
  public private(set) var rules: [RuleReach] = []

  /// Looks for mistakes.
  ///
  /// - Parameters:
  ///   - bytes: The file, as devices get it.
  ///   - options: What is asked of it.
  public init(_ bytes: [UInt8], options: LintOptions = LintOptions()) {
    text = bytes
    if let content = SignedMessage.content(of: bytes) { (text, isSigned) = (content, true) }
    let encoded = EncodedText(text)
    text = encoded.bytes
    var context = LintContext(text, options: options)
    ContentCheck.check(size: bytes.count, isSigned: isSigned, in: &context)
    if let root = SyntaxCheck.check(encoded, in: &context), let object = root.object {
      let file = AssociationFile(object, text: text)
      self.file = context.diagnostics.contains { SyntaxCheck.isFatal($0.kind) } ? nil : file
      LinksCheck.check(object, range: root.range, file: file, in: &context)
      if let links = object["applinks"] { SystemReleaseCheck.check(links, in: &context) }
      if options.provesRules, bytes.count <= AssociationFile.sizeLimit,
        file.patternByteCount <= AssociationFile.patternByteLimit
      {
        rules = ReachabilityCheck.check(file, in: &context)
      }
    }
    diagnostics = context.orderedDiagnostics
  }

  /// Finds the first thing in a file that JSON does not allow and Apple's parser accepts.
  ///
  /// - Parameter bytes: The file, as devices get it.
  /// - Returns: The mistake, or `nil` if there is none.
  package static func departureFromJSON(in bytes: [UInt8]) -> LintDiagnostic? {
    let encoded = EncodedText(SignedMessage.content(of: bytes) ?? bytes)
    var context = LintContext(encoded.bytes, options: LintOptions())
    _ = SyntaxCheck.check(encoded, in: &context)
    return context.orderedDiagnostics.first { SyntaxCheck.isTolerated($0.kind) }
  }

  /// The most severe of the mistakes, or `nil` if there are none.
  public var severity: Severity? { diagnostics.map(\.severity).max() }
}
