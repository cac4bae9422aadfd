internal import ArgumentParser
internal import FoundationSubset
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
      try refuse(
        if: baselineOptions.baseline != nil || ![files, sites, entitlements].allSatisfy(\.isEmpty),
        "'--schema' checks no file; leave out files.")
      if let output = formOptions.output, LogRecognition.isAssociationFile(output) {
        throw ValidationError(
          "'--output \(output)' would replace an association file by the schema; choose another name."
        )
      }
      return
    }
    if isFixing {
      // '--output' is the place of the file or the diff.
      try refuse(
        if: diff && formOptions.format != nil, "'--diff' prints a diff; leave out '--format'.")
      try refuse(
        if: baselineOptions.updateBaseline,
        "'--update-baseline' changes no association file; leave out '--fix'.")
      try refuse(
        if: !diff && formOptions.output != nil && files.count + sites.count != 1,
        "'--fix' with '--output' is for one file; name one.")
    } else {
      try formOptions.check()
    }
    try refuse(
      if: host != nil && files.count != 1,
      "'--host' is for one file; for several, use '--site HOST=FILE'.")
    try refuse(
      if: files.count(where: { $0 == "-" }) + sites.count(where: { $0.hasSuffix("=-") }) > 1,
      "only one file can be '-'.")
  }

  private var isFixing: Bool { fix || fixSuggestions || diff }

  /// Writes the files with fixes, or their difference, and returns whether they went to standard
  /// output, so that the report must go elsewhere.
  private func writeFixes(of lint: LintRun) throws -> Bool {
    if diff {
      let text = lint.fixedFiles.flatMap { $0.old.unifiedDiff(to: $0.new, path: $0.path) }
      try formOptions.file.write(foreign: text)
      return true
    }
    var isOnStandardOutput = false
    for file in lint.fixedFiles {
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
      let bytes = try FileLevel.schema()
      return try formOptions.file.write { try $0(bytes) }
    }
    let definitions =
      files.map { SiteOptions.Definition(host: host, path: $0) }
      + (try sites.map { try SiteOptions.definition(ofSite: $0) })
    try refuse(
      if: definitions.isEmpty && entitlements.isEmpty,
      "no association file; pass one, as in 'linkaudit lint apple-app-site-association'.")
    let baseline = try baselineOptions.load()
    var lint = LintRun(
      minimumRelease: minimumRelease, app: app,
      fixes: !isFixing ? [] : fixSuggestions ? [.safe, .suggestion] : [.safe])
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
    let isElsewhere = isFixing ? try writeFixes(of: lint) : false
    let document = lint.files.document(showsRules: rules)
    switch formOptions.format ?? .text {
    // A file that can't be read has its message.
    case .text where lint.files.isEmpty: break
    case _ where diff: break
    case _ where isElsewhere:
      StandardStreams.note(
        document: document.text(style: Style(isTerminal: false, coloring: .never)))
    case .text: try file.write(document.text(style: formOptions.styleOptions.style(for: file)))
    case .json: try file.write(lint.files.writeJSON)
    case .markdown: try file.write(document.markdown())
    case .github: try file.write(lint.files.annotations)
    case .sarif: try file.write(lint.files.writeSARIF)
    }
    try commentOptions.write { lint.files.document().markdown() }
    if lint.isIncomplete { throw ExitStatus.failure }
    if let severity = lint.severity, severity >= failOn { throw ExitStatus.findings }
  }
}

struct LintRun {
  let minimumRelease: SystemRelease?
  let app: String?
  let fixes: Set<LintFix.Applicability>
  var files: [LintedFile] = []
  private(set) var fixedFiles: [(path: String, old: [UInt8], new: [UInt8], count: Int)] = []
  private(set) var isIncomplete = false
  private(set) var sites: [Entitlements.Site] = []

  /// The most severe of all mistakes that no baseline has.
  var severity: Severity? { files.flatMap(\.newDiagnostics).map(\.severity).max() }

  mutating func addFile(_ path: String, hosts: [String]) {
    guard let bytes = read(path, "the association file") else { return }
    let isAssociationFile = (try? AssociationFile(decoding: bytes))?.hasUniversalLinks ?? false
    if !isAssociationFile, let complaint = LogRecognition.complaint(about: bytes, path: path) {
      isIncomplete = true
      warn("\(complaint)")
      return
    }
    // If the host matters, any of them is sufficient.
    let host = hosts.first { !$0.hasPrefix("*") }
    let options = LintOptions(host: host, minimumRelease: minimumRelease)
    let result: LintResult
    if fixes.isEmpty {
      result = AssociationFile.lint(bytes, options: options)
    } else {
      let fixed = AssociationFile.fix(bytes, options: options, fixes)
      result = fixed.result
      if result.isSigned {
        isIncomplete = true
        warn(
          "'\(path)' is signed, and a change would make the signature invalid; fix the JSON from "
            + "which it was made, or serve that without a signature")
      } else {
        fixedFiles.append((path, bytes, fixed.bytes, fixed.applied.count))
      }
    }
    let known = hosts.isEmpty ? [nil] : hosts.map { Optional($0) }
    sites += known.map { Entitlements.Site(host: $0, file: result.file, name: path) }
    files.append(
      LintedFile(
        path: path, hosts: hosts, text: result.text, encoded: result.encoded,
        isSigned: result.isSigned, isReadable: result.file != nil,
        diagnostics: result.diagnostics, rules: result.rules))
  }

  mutating func addEntitlements(_ path: String) {
    guard let bytes = read(path, "the entitlements") else { return }
    // Foundation parses nested values without a limit, and in the binary format, a few bytes can
    // represent a long text many times.
    let isText = !bytes.starts(with: Array("bplist".utf8))
    // Without zero bytes, UTF-16 has the tags of ASCII.
    let levels = String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
      .matches(of: /<(?:array|dict|plist)/)
    // Entitlements need three levels, and in the binary format, some hundred bytes.
    guard levels.count <= 100, isText || bytes.count <= 1 << 16,
      var entitlements = try? PropertyListDecoder().decode(Entitlements.self, from: Data(bytes))
    else {
      isIncomplete = true
      warn(
        "the entitlements '\(path)' are not a valid property list; pass the file of Xcode that ends "
          + "with '.entitlements'")
      return
    }
    entitlements.app = app ?? entitlements.app
    let text = isText ? bytes : []
    files.append(
      LintedFile(
        path: path, text: text, diagnostics: entitlements.lint(against: sites, text: text)))
  }

  private mutating func read(_ path: String, _ what: String) -> [UInt8]? {
    do {
      return try InputFile.read(path, what: what)
    } catch {
      isIncomplete = true
      warn("\(error)")
      return nil
    }
  }
}
