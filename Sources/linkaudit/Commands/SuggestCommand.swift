internal import AccessLogs
internal import ArgumentParser
internal import LinkAuditing
internal import Reporting
internal import TrafficDigest
internal import UniversalLinks

struct SuggestCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "suggest",
    abstract: "Suggest rules that claim the unclaimed routes of the app.",
    usage: """
      linkaudit suggest <log> ... --aasa <file> --host <host> --routes <file>
          [<options>]
      """,
    discussion: """
      LOG is as in 'linkaudit report'. linkaudit makes rules from the routes. It repeatedly \
      adds the rule that claims the most further visits for each line, and by default none \
      without a route. It counts their visits by matching all traffic against the file with \
      these rules.

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

  @OptionGroup(title: ConfigurationOptions.mainTitle) var siteOptions: SiteOptions
  @OptionGroup(title: ConfigurationOptions.mainTitle) var routeOptions: RouteOptions

  @Option(help: .usual("Suggest rules for this app, if the file has several.", "id"))
  var app: String?

  @Option(
    help: .usual("Suggest at most this many rules. (default: all)", "n"),
    transform: number(1..., "must be at least 1"))
  var maxRules: Int?

  @Option(help: .rare("Require this share of visits. (default: 0.1%)", "share"))
  var leastShare: ShareOption?

  @Option(help: .rare("Accept this share without a route. (default: 0%)", "share"))
  var tolerance: ShareOption?

  @Flag(help: "Also suggest rules for routes that the file excludes.")
  var includingExcluded = false

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, components
  }

  @OptionGroup var formOptions: FormOptions<Format>

  @Option(help: .usual("Write the association file with these rules.", "file"), completion: .file())
  var candidate: String?

  @OptionGroup var trafficOptions: TrafficOptions
  @OptionGroup(title: "Configuration") var configurationOptions: ConfigurationOptions

  func arguments(from configuration: Configuration) throws -> [String] {
    let traffic = try trafficOptions.arguments(from: configuration, [], for: Self.self)
    var routes: [String] = []
    let host = siteOptions.host ?? configuration.onlyHost
    if let site = host.flatMap({ configuration.site(of: $0) }) {
      // A file on the command line is that of its host, whose app has routes.
      if siteOptions.associationFile != nil || siteOptions.sites.isEmpty {
        routes += site.routeOptions(routeOptions)
      }
      if app == nil, site.apps.count == 1 { routes += site.apps.map { "--app=\($0)" } }
    } else if !siteOptions.hasFile {
      routes = configuration.routeOptions(routeOptions)
    }
    return traffic.options + (siteOptions.hasFile ? [] : configuration.siteOptions) + routes
      + traffic.logs
  }

  mutating func check() throws {
    try formOptions.check()
    try trafficOptions.check("suggest")
    let path = try definition().path
    try refuse(
      if: routeOptions.routes.isEmpty,
      "no routes; pass a file with the routes of the app, one a line such as '/buy/:id', with '--routes FILE'."
    )
    try refuse(
      if: candidate == "-", "'--candidate' must be a file; standard output is for the result.")
    try OutputFile.check(places, among: [])
    try trafficOptions.logs.checkStandardInput(
      besides: [path] + (try loader().routesFiles.map(\.path)))
  }

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
    let loaded = try [definition].load()[0]
    let loader = try loader()
    let routes = try loader.loadRoutes(hosts: [host])
    var site = Site(host: host, file: loaded.file, routes: routes[host])
    (site.filePath, site.fileSize) = (loaded.path, loaded.content.count)
    var options = SuggestionOptions()
    if let leastShare { options.leastShare = leastShare.basisPoints }
    if let tolerance { options.tolerance = tolerance.basisPoints }
    (options.top, options.includesExcluded) = (maxRules, includingExcluded)
    let suggester = try Suggester(
      site: site, content: loaded.content, app: app.map { ApplicationIdentifier($0) },
      options: options, judging: try trafficOptions.auditOptions)
    let outcome = try trafficOptions.judged(
      defaultHost: [host].onlyHost, places: places,
      files: [definition.path] + loader.routesFiles.map(\.path) + configurationOptions.paths,
      judge: suggester.suggest)
    let report = SuggestionReport(
      suggestion: outcome.judged, digest: outcome.digest, filePath: site.filePath,
      candidatePath: candidate)
    let size = outcome.judged.content.count
    if size > AssociationFile.sizeLimit, size > loaded.content.count {
      warn(
        "with these rules, the association file has \(size.grouped) bytes; systems ignore files of more "
          + "than \(AssociationFile.sizeLimit.grouped)")
    }
    if let candidate, suggester.isSigned {
      warn(
        "the association file is signed, but '\(candidate)' is not; iOS 9 and later accept it, for "
          + "earlier systems sign it again")
    }
    // Neither gets its name before both are complete.
    let candidateFile = candidate.map { OutputFile($0, option: "--candidate") }
    let candidateDraft = try candidateFile?.draft(foreign: outcome.judged.content)
    do {
      let file = formOptions.file
      switch formOptions.format ?? .text {
      case .text: try file.write(report.document.text(style: formOptions.style))
      case .json: try file.write(report.writeJSON)
      case .components: try file.write(report.componentsText)
      }
    } catch {
      candidateDraft?.discard()
      throw error
    }
    try candidateFile?.finish(candidateDraft)
    if outcome.isIncomplete { throw ExitStatus.failure }
  }

  private var places: [OutputFile.Place?] {
    [OutputFile.Place("--candidate", candidate), formOptions.place]
  }
}
