/// The mistakes in an association file, and the reach of its rules.
///
///     let result = AssociationFile.lint(bytes, options: LintOptions(host: "www.example.com"))
///     for diagnostic in result.diagnostics {
///       print(diagnostic.start.line, diagnostic.code, diagnostic.message)
///     }
public struct LintResult: Sendable {
  /// The mistakes, in the order of the text.
  public internal(set) var diagnostics: [LintDiagnostic]

  /// The text of all positions: the file or its signed content, in UTF-8 without a byte order mark.
  public var text: [UInt8] { encoded.bytes }

  /// The text with the encoding of the file.
  package internal(set) var encoded: EncodedText

  /// A Boolean value indicating whether the file is a signed message with the text in it.
  public var isSigned: Bool { encoded.isSigned }

  /// The file, if it can be read as it is.
  public internal(set) var file: AssociationFile?

  /// The rules with the URLs that they can decide on current systems; empty if that wasn't
  /// requested.
  public internal(set) var rules: [RuleReachability.Rule] = []

  /// The numbers of mistakes by code, also those that aren't reported one by one.
  var counts: [String: Int] = [:]

  var proofWork = 0

  /// Whether the text was read to its end, so that all mistakes of its syntax are known.
  var isComplete = false
}

extension AssociationFile {
  /// Finds the mistakes in a file, even one that can't be decoded.
  ///
  /// A text that isn't JSON is repaired in memory if the repair is clear, so that its other
  /// mistakes are also found.
  ///
  /// - Parameters:
  ///   - bytes: The file, as devices receive it.
  ///   - options: The checks that depend on more than the file.
  /// - Returns: The mistakes, and the file.
  public static func lint(_ bytes: [UInt8], options: LintOptions = LintOptions()) -> LintResult {
    lint(bytes, options: options, ForeignNotation())
  }

  /// Finds the mistakes in a file; `notation` knows the patterns of similar files.
  static func lint(
    _ bytes: [UInt8], options: LintOptions, _ notation: ForeignNotation
  ) -> LintResult {
    let encoded = EncodedText(bytes)
    var result = LintResult(diagnostics: [], encoded: encoded)
    var context = LintContext(encoded.bytes, options: options, notation)
    context.checkContent(size: bytes.count, isSigned: result.isSigned)
    if let root = context.checkSyntax(encoded), let object = root.object {
      result.isComplete = true
      let file = AssociationFile(object, text: context.text)
      result.file = context.diagnostics.contains(where: \.kind.isFatal) ? nil : file
      let meant = object.correctedFile
      let meantFile = meant == object ? file : AssociationFile(meant, text: context.text)
      context.checkKeyedEntries(object)
      context.checkFile(meant, range: root.range, file: meantFile)
      context.checkReleases()
      if options.provesRules, bytes.count <= AssociationFile.sizeLimit,
        file.patternByteCount <= AssociationFile.patternByteLimit
      {
        let rules = context.checkReachability(meantFile)
        // Systems read other rules, or none.
        if meant == object { result.rules = rules }
      }
    }
    result.proofWork = context.proofWork
    (result.diagnostics, result.counts) = (context.orderedDiagnostics, context.counts)
    if !options.isTrial { result.reviewFixes(options, notation) }
    return result
  }

  /// Finds the first thing in a file that JSON does not allow and Apple's parser accepts.
  package static func departureFromJSON(in bytes: [UInt8]) -> LintDiagnostic? {
    let encoded = EncodedText(bytes)
    var context = LintContext(encoded.bytes, options: LintOptions())
    _ = context.checkSyntax(encoded)
    return context.orderedDiagnostics.first(where: \.kind.isTolerated)
  }
}

/// A mistake in an association file or in entitlements, with its place.
public struct LintDiagnostic: Diagnostic, Hashable, Sendable {
  /// Another place that has to do with it.
  public struct Related: Hashable, Sendable {
    /// The relation of that place to the mistake, in a sentence.
    public var message: String

    /// The bytes, as offsets in the text.
    public var range: Range<Int>

    /// The position of the first of them.
    public var position = TextPosition(line: 1, column: 1)

    init(_ range: Range<Int>, _ message: String) {
      (self.range, self.message) = (range, message)
    }
  }

  /// The lint rule.
  public var kind: DiagnosticKind

  /// The severity of this occurrence.
  public var severity: Severity

  /// The mistake in a sentence or two, with unescaped text from the file.
  public var message: String

  /// The remedy, in a sentence or two.
  public var remedy: String

  /// The bytes with the mistake, as offsets in the text.
  public var range: Range<Int>

  /// The position of the first of them.
  public var start = TextPosition(line: 1, column: 1)

  /// The position after the last of them.
  public var end = TextPosition(line: 1, column: 1)

  /// Other places that have to do with it.
  public var related: [Related]

  /// The cure as edits of the file, or `nil` if a person must decide what to write.
  public var fix: LintFix?

  /// Whether a list of accepted mistakes has it, or `nil` if there is no such list.
  package var isKnown: Bool?

  /// Creates a mistake without positions, by default with the severity and the remedy of its kind.
  ///
  /// A cure is a fix that is also the remedy.
  init(
    _ kind: DiagnosticKind, _ range: Range<Int>, _ message: String, severity: Severity? = nil,
    remedy: String? = nil, related: [Related] = [], fix: LintFix? = nil, cure: LintFix? = nil
  ) {
    (self.kind, self.range, self.message) = (kind, range, message)
    self.severity = severity ?? kind.severity
    self.remedy = remedy ?? cure?.remedy ?? kind.remedy
    (self.related, self.fix) = (related, fix ?? cure)
  }
}

/// The checks of a file that depend on more than its text.
public struct LintOptions: Sendable {
  /// The host that the file belongs to, in lower case, or `nil` if it isn't known.
  public var host: String?

  /// The first release that the app runs on, or `nil` to report no features of later releases.
  public var minimumRelease: SystemRelease?

  /// A Boolean value indicating whether to prove which rules can decide.
  ///
  /// That takes up to a second for hostile files.
  public var provesRules = true

  /// Whether the file is a trial of fixes: its own fixes aren't reviewed, and its proofs get a part
  /// of the budget.
  var isTrial = false

  /// Whether more mistakes of a kind are reported than people want to read.
  var isFixing = false

  /// Creates options, by default for everything that doesn't depend on host and systems.
  public init(host: String? = nil, minimumRelease: SystemRelease? = nil, provesRules: Bool = true) {
    (self.host, self.minimumRelease, self.provesRules) = (host, minimumRelease, provesRules)
  }
}
