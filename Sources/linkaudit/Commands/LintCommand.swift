internal import ArgumentParser
internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import UniversalLinks

struct LintCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Find mistakes in association files, with line and column.",
    usage: "linkaudit lint <file> ... [<options>]",
    discussion: """
      Each mistake has a stable code, a reason and a fix. linkaudit also proves which rules can \
      never decide, for all URLs. Without a file, it checks those of the configuration.

      EXAMPLES
        linkaudit lint apple-app-site-association
        linkaudit lint --site www.example.com=aasa.json \\
            --entitlements App.entitlements
        linkaudit lint aasa.json --minimum-os 13 --fail-on warning
        linkaudit lint aasa.json --diff
        linkaudit lint aasa.json --fix
        linkaudit lint aasa.json --format sarif -o lint.sarif
        linkaudit lint aasa.json --baseline known.json --update-baseline
        linkaudit lint --schema -o aasa.schema.json
        linkaudit explain trailing-comma

      EXIT STATUS
        0   no mistake is as severe as --fail-on
        1   a mistake is as severe as --fail-on, or more severe
        2   a file can't be read, or is an access log
        64  wrong usage
      """
  )

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, sarif, markdown, github
  }

  @Argument(help: .rare("Association files; '-' for standard input.", "file"), completion: .file())
  var files: [String] = []

  @Option(help: .usual("Check the file for this host.", "host"), transform: HostArgument.pattern)
  var host: String?

  @Option(
    name: .customLong("site"),
    help: .usual("Check this association file for this host; repeatable.", "host=file"),
    completion: .file())
  var sites: [String] = []

  @Option(
    help: .usual("Check these entitlements of an app; repeatable.", "file"),
    completion: .file(extensions: ["entitlements", "plist"]))
  var entitlements: [String] = []

  @Option(help: .rare("Use this identifier of the app for its entitlements.", "id"))
  var app: String?

  @Option(
    name: .customLong("minimum-os"),
    help: .usual("Report what this version of iOS, your oldest, lacks.", "version"))
  var minimumRelease: SystemRelease?

  @Flag(help: "Print a JSON Schema of association files for editors; check no file.")
  var schema = false

  @Flag(help: .usual("Fix what changes no verdict, in the file or in '--output'."))
  var fix = false

  @Flag(help: "Also apply fixes that change verdicts as the author probably meant.")
  var fixSuggestions = false

  @Flag(help: "Print the fixes as a unified diff; write no file.")
  var diff = false

  @Flag(help: .usual("Show for each rule a URL that it decides, or that there is none."))
  var rules = false

  @OptionGroup var formOptions: FormOptions<Format>

  @Option(help: .usual("Fail from this severity on, with status 1.", "severity"))
  var failOn: Severity = .error

  @OptionGroup var commentOptions: CommentOptions
  @OptionGroup var baselineOptions: BaselineOptions
  @OptionGroup(title: "Configuration") var configurationOptions: ConfigurationOptions

  func arguments(from configuration: Configuration) throws -> [String] {
    guard !schema else { return [] }
    let sites = files.isEmpty && sites.isEmpty ? configuration.siteOptions : []
    return configuration.options(of: [.baseline], for: Self.self) + sites
  }

  mutating func check() throws {
    try formOptions.takeFormat()
    if schema {
      guard files.isEmpty, sites.isEmpty, entitlements.isEmpty, baselineOptions.baseline == nil
      else {
        throw ValidationError("'--schema' checks no file; leave out files.")
      }
      if let output = formOptions.output, LogRecognition.isAssociationFile(output) {
        throw ValidationError(
          "'--output \(output)' would replace an association file by the schema; choose another name."
        )
      }
      return
    }
    if isFixing { try checkFixing() } else { try formOptions.check() }
    if host != nil, files.count != 1 {
      throw ValidationError("'--host' is for one file; for several, use '--site HOST=FILE'.")
    }
    if files.count(where: { $0 == "-" }) + sites.count(where: { $0.hasSuffix("=-") }) > 1 {
      throw ValidationError("only one file can be '-'.")
    }
  }

  private var isFixing: Bool { fix || fixSuggestions || diff }

  /// Checks options for fixes, with which `--output` is the place of the file or the diff.
  private func checkFixing() throws {
    if diff, formOptions.format != nil {
      throw ValidationError("'--diff' prints a diff; leave out '--format'.")
    }
    if baselineOptions.updateBaseline {
      throw ValidationError("'--update-baseline' changes no association file; leave out '--fix'.")
    }
    guard diff || formOptions.output == nil || files.count + sites.count == 1 else {
      throw ValidationError("'--fix' with '--output' is for one file; name one.")
    }
  }

  /// Writes the files with fixes, or their difference.
  ///
  /// - Returns: Whether standard output has what was written, so the report must go elsewhere.
  private func write(_ fixed: [(path: String, old: [UInt8], new: [UInt8], count: Int)]) throws
    -> Bool
  {
    if diff {
      let text = fixed.flatMap { UnifiedDiff.text(from: $0.old, to: $0.new, path: $0.path) }
      try formOptions.file.write(foreign: text)
      return true
    }
    var isOnStandardOutput = false
    for file in fixed {
      let path = formOptions.output ?? file.path
      if path == "-" {
        isOnStandardOutput = true
      } else if file.old == file.new, formOptions.output == nil {
        continue
      }
      try OutputFile(path, option: formOptions.output == nil ? "--fix" : "--output", isSynced: true)
        .write { try $0(file.new) }
      warn("'\(path)': \(file.count.counted("fix", "fixes")) applied")
    }
    return isOnStandardOutput
  }

  func run() throws {
    if schema {
      let bytes = try AssociationFileSchema.encoded()
      return try formOptions.file.write { try $0(bytes) }
    }
    let definitions = try definitions()
    let baseline = try baselineOptions.load()
    var lint = LintRun(minimumRelease: minimumRelease, app: app)
    if isFixing { lint.fixes = fixSuggestions ? [.safe, .suggestion] : [.safe] }
    // Check a file that several hosts serve only once.
    var seen: Set<String> = []
    for path in definitions.map(\.path) where seen.insert(path).inserted {
      lint.addFile(path, hosts: definitions.filter { $0.path == path }.compactMap(\.host))
    }
    for path in entitlements { lint.addEntitlements(path) }
    try OutputFile.check(
      [formOptions.place, commentOptions.place, baselineOptions.place],
      among: definitions.map(\.path) + entitlements + configurationOptions.paths
        + baselineOptions.readPaths)
    try baselineOptions.finish(
      baseline, isIncomplete: lint.isIncomplete,
      Baseline.Check(files: lint.files, place: baselineOptions.place)
    ) { lint.files.mark($0) }
    let file = isFixing ? OutputFile(nil) : formOptions.file
    let isElsewhere = isFixing ? try write(lint.fixedFiles) : false
    let document = lint.files.document(showsRules: rules)
    switch formOptions.format ?? .text {
    // A file that can't be read has its message.
    case .text where lint.files.isEmpty: break
    case _ where diff: break
    case _ where isElsewhere:
      StandardStreams.note(
        document: document.text(style: Style(isTerminal: false, coloring: .never)))
    case .text:
      try file.write(document.text(style: formOptions.styleOptions.style(for: file)))
    case .json: try file.write(lint.files.writeJSON)
    case .markdown: try file.write(document.markdown())
    case .github: try file.write(GitHubAnnotations(files: lint.files).text())
    case .sarif: try file.write(lint.files.writeSARIF)
    }
    try commentOptions.write { lint.files.document().markdown() }
    if lint.isIncomplete { throw ExitStatus.failure }
    if let severity = lint.severity, severity >= failOn { throw ExitStatus.findings }
  }

  /// The files with their hosts.
  private func definitions() throws -> [SiteOptions.Definition] {
    let definitions =
      files.map { SiteOptions.Definition(host: host, path: $0) }
      + (try sites.map { try SiteOptions.definition(ofSite: $0) })
    guard !definitions.isEmpty || !entitlements.isEmpty else {
      throw ValidationError(
        "no association file; pass one, as in 'linkaudit lint apple-app-site-association'.")
    }
    return definitions
  }
}
