internal import ArgumentParser
internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import SystemPackage
internal import UniversalLinks

struct MatchCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "match",
    abstract: "Show which rule decides whether a URL opens the app, and why.",
    usage: """
      linkaudit match <url> ... --aasa <file> [<options>]
      linkaudit match --expect <file> --aasa <file> [<options>]
      linkaudit match --stream <format> --aasa <file> [<options>]
      """,
    discussion: """
      Pass URLs as arguments, or '-' to read one a line from standard input. A path such as \
      '/buy/42' belongs to '--host'. Without '--aasa', the association files of the \
      configuration decide, each for its hosts.

      EXPECTATIONS
        '--expect' reads a file with the expected verdict of each URL, and shows
        the URLs that differ:

          # pages that the app has screens for
          open     https://www.example.com/buy/42
          browser  https://www.example.com/help/website/cookies

        'open' means that rules claim the URL for an app, 'browser' that they
        don't. 'open:APP' and 'browser:APP' mean that app only. A URL of another
        host stays in the browser.

      STREAMS
        '--stream' answers each row of standard input at once with one row, in
        order: for ClickHouse's executable functions and Spark's pipes. The answer
        to an invalid row is 'ineligible'.

          tsv    values separated by tabs; the first one is the URL
          jsonl  one JSON object a row: 'url' is the URL, 'result' the answer

      EXAMPLES
        linkaudit match --aasa aasa.json https://www.example.com/buy/42
        linkaudit match --aasa aasa.json --explain https://www.example.com/buy/42
        linkaudit match --aasa aasa.json --os ios12 https://www.example.com/buy/42
        linkaudit match --aasa aasa.json --format ndjson - <urls.txt | jq .verdict
        linkaudit match --aasa aasa.json --host www.example.com --expect links.txt
        linkaudit match --aasa aasa.json --stream tsv --columns verdict <rows.tsv

      EXIT STATUS
        0   done; with '--expect', all URLs are as expected
        1   some URLs differ from '--expect'
        2   a file can't be read or is an access log, or a line of '--expect' can't
        64  wrong usage
      """
  )

  @OptionGroup(title: ConfigurationOptions.mainTitle) var siteOptions: SiteOptions

  @Argument(help: .rare("URLs, or '-' for lines of standard input.", "url"))
  var urls: [String] = []

  @Option(
    help: .usual("Check lines 'open URL' and 'browser URL' of this file.", "file"),
    completion: .file())
  var expect: String?

  @Option(help: .usual("Answer rows of standard input: tsv, or jsonl for JSON.", "format"))
  var stream: StreamForm?

  @Option(help: .rare("Answer these columns. (default: verdict,app,detail,rule)", "name,..."))
  var columns: String?

  @Flag(help: "Repeat each row of a stream before its answer.")
  var append = false

  @OptionGroup var jobOptions: JobOptions

  @Flag(help: .usual("Show all rules, also those after the deciding one, and each comparison."))
  var explain = false

  @Option(help: .usual("Judge as iOS 12 and earlier, or 13 and later.", "generation"))
  var os: OperatingSystem = .current

  @OptionGroup var formOptions: FormOptions<MatchOutput.Format>
  @OptionGroup(title: "Configuration") var configurationOptions: ConfigurationOptions

  func arguments(from configuration: Configuration) throws -> [String] {
    guard !siteOptions.hasFile else { return [] }
    guard let host = siteOptions.host else { return configuration.siteOptions }
    return configuration.site(of: host).map { ["--aasa=\($0.associationFile)"] } ?? []
  }

  mutating func check() throws {
    if stream == nil { try formOptions.check() }
    for url in urls where LinkURL(url).ineligibility == .notHTTP {
      try refuse(
        if: LogRecognition.isAssociationFile(url),
        "'\(url)' looks like an association file, not like a URL; pass it with '--aasa \(url.inCommand)'."
      )
      try refuse(
        if: InputFile.type(at: url) == .regular
          && LogRecognition.complaint(aboutFile: url, insteadOf: "a URL") == nil,
        "'\(url)' is a file; to match the URLs in it, use '- <\(url.inCommand)'.")
    }
    let definitions = try siteOptions.definitions(needsHost: false)
    urls = try urls.map { try Self.completed($0, on: definitions.compactMap(\.host)) }
    try refuse(
      if: urls.isEmpty && expect == nil && stream == nil,
      "no URL; pass URLs, '-' for standard input, or '--expect FILE'.")
    if stream == nil {
      try IdleOptions(["--columns", "--append", "--jobs", "-j"])
        .refuse(because: "there is no '--stream'")
    } else {
      try IdleOptions(["--expect", "--explain", "--format", "-f", "--output", "-o"])
        .refuse(because: "'--stream' answers rows of standard input")
      try refuse(
        if: urls.contains(where: { $0 != "-" }),
        "'--stream' reads URLs from standard input; leave out the URLs of the command line.")
      _ = try answerColumns()
    }
    let uses =
      (stream != nil ? ["rows"] : urls.contains("-") ? ["URLs"] : [])
      + (expect == "-" ? ["expectations"] : [])
      + (definitions.contains { $0.path == "-" } ? ["association file"] : [])
    try refuse(if: uses.count > 1, "\(uses[0]) and \(uses[1]) can't both come from standard input.")
  }

  private func answerColumns() throws -> [StreamAnswers.Column] {
    guard let columns else { return StreamAnswers.Column.allCases }
    return try columns.split(separator: ",", omittingEmptySubsequences: false).map { name in
      guard let column = StreamAnswers.Column(rawValue: String(name.drop { $0 == " " })) else {
        throw ValidationError(
          "'\(name)' in '--columns' is not a column; use "
            + "\(StreamAnswers.Column.allCases.map(\.rawValue).joined(separator: ", ")).")
      }
      return column
    }
  }

  /// Returns the URL of a path on the only host that is named, or `nil` if there is none.
  private static func url(ofPath text: [UInt8], on hosts: [String]) -> [UInt8]? {
    guard text.first == UInt8(ascii: "/"), !text.starts(with: "//".utf8), let host = hosts.onlyHost
    else { return nil }
    return "https://\(host)".utf8 + text
  }

  /// The URL that an argument means; texts other than paths stay as they are.
  private static func completed(_ text: String, on hosts: [String]) throws -> String {
    // A log that was named is recognized by its content.
    guard text.hasPrefix("/"), !text.hasPrefix("//"),
      InputFile.type(at: text) != .regular
    else { return text }
    if let url = url(ofPath: Array(text.utf8), on: hosts) {
      return String(decoding: url, as: UTF8.self)
    }
    throw ValidationError(
      "'\(text)' is a path, not a URL; pass '\("https://www.example.com\(text)".inCommand)', or the host of paths "
        + "with '--host HOST'.")
  }

  func run() throws {
    let definitions = try siteOptions.definitions(needsHost: false)
    // Hosts that have the same file share its rules.
    var known: [String: (matcher: LinkMatcher, apps: Set<ApplicationIdentifier>)] = [:]
    let sites = zip(definitions, try definitions.load()).map { definition, loaded in
      let rules =
        known[definition.path]
        ?? (
          LinkMatcher(loaded.file.asRead(by: os)), Set(loaded.file.entries.flatMap(\.namedApps))
        )
      known[definition.path] = rules
      return MatchSite(host: definition.host, matcher: rules.matcher, apps: rules.apps)
    }
    if let stream {
      InputFile.announceWaiting(for: "rows", from: "-")
      return try MatchStream(
        sites: sites, form: stream, columns: try answerColumns(), repeatsRows: append,
        jobs: try jobOptions.plan().jobs
      ).run()
    }
    try OutputFile.check(
      [formOptions.place],
      among: definitions.map(\.path) + (expect.map { [$0] } ?? []) + configurationOptions.paths)
    var status: ExitCode?
    try formOptions.file.write { sink in
      var answers = MatchOutput(
        sites: sites, format: formOptions.format ?? .text, style: formOptions.style,
        explains: explain
      ) { bytes in
        // The status says what differs, even if the reader of the answers has gone.
        if expect == nil { try sink(bytes) } else { try BrokenPipe.isNoError { try sink(bytes) } }
      }
      try answer(&answers, hosts: definitions.compactMap(\.host))
      status = try expect.flatMap { try check($0, sites, definitions.compactMap(\.host), &answers) }
      try answers.flush()
    }
    if let status { throw status }
  }

  private func answer(_ output: inout MatchOutput, hosts: [String]) throws {
    for url in urls {
      if url == "-" {
        var isFirst = true
        InputFile.announceWaiting(for: "URLs", from: url)
        try InputFile.forEachLine { line in
          if isFirst, LinkURL(line).ineligibility == .notHTTP {
            try LogRecognition.complaint(about: line, path: "-", insteadOf: "a list of URLs")?
              .raise()
          }
          isFirst = false
          try output.add(Self.url(ofPath: line, on: hosts) ?? line)
        } afterEachRead: {
          try output.flush()
        }
      } else {
        if LinkURL(url).ineligibility == .notHTTP {
          try LogRecognition.complaint(aboutFile: url, insteadOf: "a URL")?.raise()
        }
        try output.add(Array(url.utf8))
      }
    }
  }

  /// Compares the expectations of a file with the results of the rules, and returns
  /// ``ExitStatus/failure`` if a line can't be read, else ``ExitStatus/findings`` if a result differs.
  private func check(
    _ path: String, _ sites: [MatchSite], _ hosts: [String], _ output: inout MatchOutput
  ) throws -> ExitCode? {
    let name = path == "-" ? "standard input" : path
    let text = try InputFile.read(path, what: "the expectations")
    let apps = sites.reduce(into: Set<ApplicationIdentifier>()) { $0.formUnion($1.apps) }
    let (expectations, mistakes) = MatchExpectation.read(text, apps: apps) {
      Self.url(ofPath: $0, on: hosts)
    }
    if !mistakes.isEmpty {
      try LogRecognition.complaint(about: text, path: path, insteadOf: "expectations")?.raise()
    }
    for mistake in mistakes { warn("\(name):\(mistake.line): \(mistake.reason)") }
    if expectations.isEmpty, mistakes.isEmpty {
      throw Complaint("\(name) has no expectations; write lines 'open URL' or 'browser URL'")
    }
    var differing = 0
    for expectation in expectations where try output.add(expectation.url, (expectation, name)) {
      differing += 1
    }
    if formOptions.format != .ndjson {
      try output.append(
        MatchExpectation.summary(
          of: name, count: expectations.count, differing: differing, mistakes: mistakes.count))
    }
    if !mistakes.isEmpty { return ExitStatus.failure }
    return differing > 0 ? ExitStatus.findings : nil
  }
}

extension MatchOutput.Format: ExpressibleByArgument {}
extension StreamForm: ExpressibleByArgument {}

/// Answers the rows of standard input until it ends.
///
/// This is for programs that send some rows and wait for as many answers, such as ClickHouse's
/// executable functions and Spark's pipes. Each row has exactly one answer, in order. All rows that
/// have arrived are answered before it waits for more.
struct MatchStream {
  private let workers: [Locked<StreamAnswers>]

  init(
    sites: [MatchSite], form: StreamForm, columns: [StreamAnswers.Column], repeatsRows: Bool,
    jobs: Int
  ) {
    workers = (0..<max(1, jobs)).map { _ in
      Locked(StreamAnswers(sites: sites, form: form, columns: columns, repeatsRows: repeatsRows))
    }
  }

  func run() throws {
    var (rows, unread, hasPaths) = (0, 0, false)
    let isShown = StandardStreams.isTerminal(.standardOutput)
    try BrokenPipe.isNoError {
      try InputFile.forEachChunk { bytes, lines in
        for answers in answer(bytes, lines) {
          if unread == 0, let (first, reason) = answers.firstUnread {
            warn(
              "row \((rows + first).grouped) of standard input \(reason); the answer to such rows is "
                + "'ineligible'")
          }
          if !hasPaths, let first = answers.firstPath {
            hasPaths = true
            warn(
              "row \((rows + first).grouped) of standard input is a path without a host; pass '--host HOST', "
                + "else the answer to paths is 'ineligible'")
          }
          rows += answers.rows
          unread += answers.unread
          if isShown {
            try StandardStreams.write(
              SafeText.escapedLines(String(decoding: answers.text, as: UTF8.self)))
          } else {
            try StandardStreams.write(answers.text)
          }
        }
      }
    }
    if unread > 1 { warn("\(unread.grouped) rows are invalid") }
  }

  /// Answers whole lines, each worker some that follow one another.
  func answer(_ bytes: [UInt8], _ lines: Range<Int>) -> [StreamAnswers.Answers] {
    // Fewer rows than of 32 KiB aren't worth a worker of their own.
    let count = min(workers.count, max(1, lines.count >> 15))
    var starts = [lines.lowerBound]
    for number in 1..<max(1, count) {
      let middle = max(starts[number - 1], lines.lowerBound + lines.count / count * number)
      let end = bytes.span.firstIndex(of: 0x0A, from: middle, to: lines.upperBound)
      starts.append(end.map { $0 + 1 } ?? lines.upperBound)
    }
    starts.append(lines.upperBound)
    let (ends, workers) = (starts, workers)
    return inParallel(jobs: count) { worker in
      workers[worker].withLock { $0.answer(bytes, ends[worker]..<ends[worker + 1]) }
    }
  }
}
