internal import ArgumentParser
internal import LinkAuditing
internal import Reporting
internal import UniversalLinks

/// Says what rules make of URLs.
struct MatchCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "match",
    abstract: "Show which rule decides whether a URL opens the app, and why.",
    usage: "linkaudit match [<options>] [<url> ...]",
    discussion: """
      URLs are arguments; '-' stands for the lines of standard input. Without an \
      association file, those of the configuration are asked, each for its hosts.

      EXPECTATIONS
        '--expect' reads what each URL should do, a line each, and shows those
        that do something else:

          # what the app has screens for
          open     https://www.example.com/buy/42
          browser  https://www.example.com/help/website/cookies

        'open' means that rules claim the URL for some app, 'browser' that they
        don't; 'open:APP' and 'browser:APP' ask the rules of that app alone. A URL
        of another host stays in the browser.

      EXAMPLES
        linkaudit match --aasa aasa.json https://www.example.com/buy/42
        linkaudit match --aasa aasa.json --explain https://www.example.com/buy/42
        linkaudit match --aasa aasa.json --os ios12 https://www.example.com/buy/42
        linkaudit match --aasa aasa.json --format ndjson - <urls.txt | jq .verdict
        linkaudit match --aasa aasa.json --host www.example.com --expect links.txt

      EXIT STATUS
        0   every URL has its answer, whatever it is, or does what is expected;
            a text without 'https://' is no URL, and its answer is 'ineligible'
        1   some URLs do something else than '--expect' says
        2   a file or a line of '--expect' could not be read, or is an access log
        64  wrong usage
      """
  )

  /// The forms of the answer.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text
    case ndjson
  }

  @OptionGroup(title: "Site options")
  var siteOptions: SiteOptions

  @OptionGroup
  var configurationOptions: ConfigurationOptions

  @Argument(help: ArgumentHelp("URLs, or '-' for lines of standard input.", valueName: "url"))
  var urls: [String] = []

  @Option(
    help: ArgumentHelp(
      "Check the lines 'open URL' and 'browser URL' of this file; '-' for standard input.",
      valueName: "file"),
    completion: .file())
  var expect: String?

  @Flag(
    help:
      "Show all rules, including those after the deciding one, and everything that they compare.")
  var explain = false

  @Option(help: "The generation of systems: ios12 (and earlier) or ios13+ (and later).")
  var os: OperatingSystem = .current

  @Option(help: "The output format.")
  var format: Format = .text

  mutating func check() throws {
    if !siteOptions.hasFile { siteOptions.takeSites(of: try configurationOptions.load()) }
    let definitions = try siteOptions.definitions(needsHost: false)
    if urls.isEmpty, expect == nil {
      throw ValidationError("no URL: give some, '-' for standard input, or '--expect FILE'.")
    }
    let uses =
      (urls.contains("-") ? ["URLs"] : []) + (expect == "-" ? ["expectations"] : [])
      + (definitions.contains { $0.path == "-" } ? ["association file"] : [])
    if uses.count > 1 {
      throw ValidationError("\(uses[0]) and \(uses[1]) can't both come from standard input.")
    }
  }

  func run() throws {
    let definitions = try siteOptions.definitions(needsHost: false)
    // Hosts that have the same file share its rules.
    var known: [String: (matcher: LinkMatcher, apps: Set<ApplicationIdentifier>)] = [:]
    let sites = zip(definitions, try definitions.load()).map { definition, loaded in
      let rules =
        known[definition.path]
        ?? (
          LinkMatcher(loaded.file, system: os), Set(loaded.file.entries.flatMap(\.namedApps))
        )
      known[definition.path] = rules
      return MatchSite(host: definition.host, matcher: rules.matcher, apps: rules.apps)
    }
    let style = Style(isTerminal: OutputFile(nil).isTerminal)
    var output = MatchOutput(sites: sites, format: format, style: style, explains: explain)
    for url in urls {
      if url == "-" {
        var isFirst = true
        try InputFile.forEachLine { line in
          if isFirst { try Self.checkIsNotLog(line) }
          isFirst = false
          try output.add(line)
        } afterEachRead: {
          try output.flush()
        }
      } else {
        if LinkURL(url).ineligibility == .notHTTP,
          let complaint = LogRecognition.complaint(aboutFile: url, insteadOf: "a URL")
        {
          throw complaint
        }
        try output.add(Array(url.utf8))
      }
    }
    if let expect { try check(expect, sites, &output) }
    try output.flush()
  }

  /// Checks that the first line of standard input is not a line of a log.
  ///
  /// - Throws: ``Complaint`` if it is.
  private static func checkIsNotLog(_ line: [UInt8]) throws(Complaint) {
    guard LinkURL(line).ineligibility == .notHTTP,
      let complaint = LogRecognition.complaint(about: line, path: "-", insteadOf: "a list of URLs")
    else { return }
    throw complaint
  }

  /// Compares what a file expects with what rules say.
  ///
  /// - Throws: ``ExitStatus/failure`` if a line can't be read or there is none, else
  ///   ``ExitStatus/findings`` if a URL does something else.
  private func check(
    _ path: String, _ sites: [MatchSite], _ output: inout MatchOutput
  ) throws {
    let name = path == "-" ? "standard input" : path
    output.countsUnread = true
    let text = try InputFile.read(path, what: "the expectations")
    let apps = sites.reduce(into: Set<ApplicationIdentifier>()) { $0.formUnion($1.apps) }
    let (expectations, mistakes) = MatchExpectation.read(text, apps: apps)
    for mistake in mistakes {
      StandardStreams.complain("\(name):\(mistake.line): \(mistake.reason)")
    }
    if expectations.isEmpty, mistakes.isEmpty {
      throw Complaint("\(name) expects nothing; write lines 'open URL' or 'browser URL'")
    }
    var differing = 0
    for expectation in expectations where try output.add(expectation, of: name) { differing += 1 }
    if format == .text {
      try output.addSummary(
        "\((expectations.count - differing).grouped) as expected, \(differing.grouped) "
          + (differing == 1 ? "differs" : "differ")
          + (mistakes.isEmpty ? "" : ", \(mistakes.count.grouped) not read"))
    }
    try output.flush()
    if !mistakes.isEmpty { throw ExitStatus.failure }
    if differing > 0 { throw ExitStatus.findings }
  }
}

/// An association file with the host that it belongs to, if that matters.
struct MatchSite {
  /// The host, or `*.` and a domain for all hosts below.
  var host: String?
  var matcher: LinkMatcher

  /// The apps that the file names, for whatever systems.
  var apps: Set<ApplicationIdentifier>
}
