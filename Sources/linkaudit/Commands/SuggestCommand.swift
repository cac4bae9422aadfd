internal import AccessLogs
internal import ArgumentParser
internal import LinkAuditing
internal import Reporting
internal import TrafficDigest
internal import UniversalLinks

/// Suggests rules that would claim the paths that an app implements.
struct SuggestCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "suggest",
    abstract: "Suggest the fewest rules that claim the unclaimed routes of the app.",
    usage: """
      linkaudit suggest <log> ... --aasa <file> --host <host> --routes <file>
          [<options>]
      """,
    discussion: """
      LOG is as in 'linkaudit report'. linkaudit makes rules from the routes. It chooses those \
      that claim the most visits with the fewest lines, and no traffic without a route. It \
      counts their visits by matching all traffic against the file with these rules.

      '--candidate FILE' writes the association file with these rules, and changes nothing else \
      in it. Check it with 'linkaudit diff'. '--format components' writes the rules only.

      EXAMPLES
        linkaudit suggest logs --aasa aasa.json --host www.example.com \\
            --routes routes.txt
        linkaudit suggest logs --aasa aasa.json --host www.example.com \\
            --routes routes.txt --candidate new.json
        linkaudit diff aasa.json new.json logs --host www.example.com \\
            --routes routes.txt
        linkaudit suggest --store /var/lib/linkaudit --since 90d --aasa aasa.json \\
            --host www.example.com --routes routes.txt --max-rules 3
      """
  )

  @OptionGroup(title: RequiredOptions.title)
  var siteOptions: SiteOptions

  @OptionGroup(title: RequiredOptions.title)
  var routeOptions: RouteOptions

  @OptionGroup(title: "Rules")
  var ruleOptions: RuleOptions

  @OptionGroup(title: "Result")
  var resultOptions: ResultOptions

  @OptionGroup
  var trafficOptions: TrafficOptions

  @OptionGroup(title: "Configuration")
  var configurationOptions: ConfigurationOptions

  private var output: String? { resultOptions.formOptions.output }
  private var candidate: String? { resultOptions.candidate }

  /// The options that limit suggested rules.
  struct RuleOptions: ParsableArguments {
    @Option(
      help: .usual(
        "Suggest rules for this app. Required if the file has several apps.",
        valueName: "id"))
    var app: String?

    @Option(
      help: .usual(
        "Suggest at most this many rules. (default: all that win enough visits)", valueName: "n"))
    var maxRules: Int?

    @Option(
      help: ArgumentHelp(
        "Require this share of the host's visits for a rule. (default: 0.1%)",
        valueName: "share"))
    var leastShare: ShareOption?

    @Option(
      help: ArgumentHelp(
        "Accept this share of a rule's traffic without a route. (default: 0%)",
        valueName: "share"))
    var tolerance: ShareOption?

    @Flag(help: "Also suggest rules for routes that the file excludes.")
    var includingExcluded = false
  }

  /// The formats of a suggestion.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text
    case json

    /// The rules alone, as an array.
    case components
  }

  /// The output of the result.
  struct ResultOptions: ParsableArguments {
    @OptionGroup
    var formOptions: FormOptions<Format>

    @Option(
      help: .usual(
        "Write the association file with these rules.", valueName: "file"),
      completion: .file())
    var candidate: String?
  }

  mutating func check() throws {
    let configuration = try configurationOptions.load()
    try apply(configuration)
    try resultOptions.formOptions.check()
    if let maxRules = ruleOptions.maxRules, maxRules < 1 {
      throw ValidationError("'--max-rules' must be at least 1, but it is \(maxRules).")
    }
    try trafficOptions.check(configuration, askingStores: "suggest")
    let path = try definition().path
    if routeOptions.routes.isEmpty {
      throw ValidationError(
        "no routes; pass a file with the routes of the app, one a line such as '/buy/:id', with '--routes FILE'."
      )
    }
    if let candidate, candidate == "-" {
      throw ValidationError("'--candidate' must be a file; standard output is for the result.")
    }
    try OutputFile.check(places, among: [])
    try trafficOptions.logs.checkStandardInput(
      besides: [path] + (try loader().routesFiles.map(\.path)),
      "a log, the list of logs, the association file, or the routes")
  }

  /// Completes missing options from a configuration.
  private mutating func apply(_ configuration: Configuration) throws {
    try trafficOptions.apply(configuration)
    let host = siteOptions.host ?? configuration.sites.flatMap(\.hosts).onlyHost
    if let site = host.flatMap({ configuration.site(of: $0.lowercased()) }) {
      // A file on the command line is that of its host, whose app has routes.
      let isItsFile = siteOptions.associationFile != nil || siteOptions.sites.isEmpty
      if isItsFile, routeOptions.routes.isEmpty { routeOptions.routes = site.routes }
      if isItsFile, routeOptions.routeSyntax.isEmpty, let name = site.routeSyntax {
        routeOptions.routeSyntax = [try configuration.value(name, "sites.route-syntax")]
      }
      if ruleOptions.app == nil, site.apps.count == 1 { ruleOptions.app = site.apps.first }
    }
    if !siteOptions.hasFile {
      siteOptions.sites = configuration.siteArguments
      try routeOptions.apply(configuration)
    }
  }

  /// The host, and its file.
  private func definition() throws -> SiteOptions.Definition {
    let definitions = try siteOptions.definitions(needsHost: true)
    let named = definitions.filter { $0.host == siteOptions.host?.lowercased() }
    let chosen = definitions.count > 1 && named.count == 1 ? named : definitions
    guard chosen.count == 1, let definition = chosen.first else {
      throw ValidationError(
        "'suggest' works on one association file; choose it with '--host HOST'.")
    }
    return definition
  }

  private func loader() throws -> SiteLoader {
    SiteLoader(definitions: [try definition()], routeOptions: routeOptions)
  }

  func run() throws {
    let definition = try definition()
    let host = definition.host ?? ""
    let loaded = try definition.load()
    let loader = try loader()
    let routes = try loader.loadRoutes(hosts: [host])
    var site = Site(host: host, file: loaded.file, routes: routes[host])
    (site.filePath, site.fileSize) = (loaded.path, loaded.content.count)
    var options = SuggestionOptions()
    if let leastShare = ruleOptions.leastShare { options.leastShare = leastShare.basisPoints }
    if let tolerance = ruleOptions.tolerance { options.tolerance = tolerance.basisPoints }
    (options.top, options.includesExcluded) = (ruleOptions.maxRules, ruleOptions.includingExcluded)
    let suggester = try Suggester(
      site: site, content: loaded.content, app: ruleOptions.app.map { ApplicationIdentifier($0) },
      options: options, judging: try trafficOptions.auditOptions)
    let outcome = try trafficOptions.judged(
      defaultHost: [host].onlyHost, isNamed: siteOptions.host != nil, places: places,
      files: [definition.path] + loader.routesFiles.map(\.path) + configurationOptions.paths
    ) { digest throws(JudgingError) in
      try suggester.suggest(digest)
    }
    let report = SuggestionReport(
      suggestion: outcome.judged, digest: outcome.digest, filePath: site.filePath,
      candidatePath: candidate)
    let size = outcome.judged.content.count
    if size > AssociationFile.sizeLimit, size > loaded.content.count {
      StandardStreams.complain(
        "with these rules, the association file has \(size.grouped) bytes; systems ignore files of more "
          + "than \(AssociationFile.sizeLimit.grouped)")
    }
    if let candidate {
      if suggester.isSigned {
        StandardStreams.complain(
          "the association file is signed, but '\(candidate)' is not; iOS 9 and later accept it, for "
            + "earlier systems sign it again")
      }
    }
    // Neither gets its name before both are complete.
    let candidateFile = candidate.map { OutputFile($0, option: "--candidate") }
    let candidateDraft = try candidateFile?.draft(foreign: outcome.judged.content)
    do {
      try write(report)
    } catch {
      candidateDraft?.discard()
      throw error
    }
    try candidateFile?.finish(candidateDraft)
    if outcome.isIncomplete { throw ExitStatus.failure }
  }

  private var places: [OutputFile.Place?] {
    [OutputFile.Place("--candidate", candidate), resultOptions.formOptions.place]
  }

  private func write(_ report: SuggestionReport) throws {
    let file = resultOptions.formOptions.file
    switch resultOptions.formOptions.format ?? .text {
    case .text:
      try file.write(report.document.text(style: resultOptions.formOptions.style))
    case .json: try file.write(report.writeJSON)
    case .components: try file.write(report.componentsText)
    }
  }
}
