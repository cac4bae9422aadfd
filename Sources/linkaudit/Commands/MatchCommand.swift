internal import ArgumentParser
internal import UniversalLinks

/// Says what rules make of URLs.
struct MatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match",
    abstract: "Say what decides whether a URL opens the app, and why.",
    discussion: """
      URLs are arguments; '-' stands for the lines of standard input.

      EXAMPLES
        linkaudit match --aasa aasa.json https://www.example.com/buy/42
        linkaudit match --aasa aasa.json --os ios12 https://www.example.com/buy/42
        linkaudit match --aasa aasa.json --format ndjson - <urls.txt | jq .verdict
      """
  )

  /// The forms of the answer.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text
    case ndjson
  }

  @OptionGroup(title: "Site options")
  var siteOptions: SiteOptions

  @Argument(help: ArgumentHelp("URLs, or '-' for lines of standard input.", valueName: "url"))
  var urls: [String]

  @Option(help: "The systems that are asked about: ios12 (and earlier) or ios13+ (and later).")
  var os: OperatingSystem = .current

  @Option(help: "The form of the answer.")
  var format: Format = .text

  func validate() throws {
    let definitions = try siteOptions.definitions(needsHost: false)
    if urls.contains("-"), definitions.contains(where: { $0.path == "-" }) {
      throw ValidationError("URLs and association file can't both come from standard input.")
    }
  }

  func run() throws {
    let sites = try siteOptions.definitions(needsHost: false).map { definition in
      MatchSite(
        host: definition.host, matcher: LinkMatcher(try definition.load().file, system: os))
    }
    let style = Style(isTerminal: OutputFile(nil).isTerminal)
    var output = MatchOutput(sites: sites, format: format, style: style)
    for url in urls {
      if url == "-" {
        try InputFile.forEachLine {
          try output.add($0)
        } afterEachRead: {
          try output.flush()
        }
      } else {
        try output.add(Array(url.utf8))
      }
    }
    try output.flush()
  }
}

/// An association file with the host that it belongs to, if that matters.
struct MatchSite {
  var host: String?
  var matcher: LinkMatcher
}
