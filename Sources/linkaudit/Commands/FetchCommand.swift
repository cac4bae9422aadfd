internal import ArgumentParser
internal import AuditStore
internal import BuildVersion
internal import FileDelivery
internal import FoundationSubset
internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import UniversalLinks

struct FetchCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Download the deployed association files as devices do, and check their delivery.",
    usage: """
      linkaudit fetch <host> ... [<options>]
      linkaudit fetch --store <directory> [<host> ...] [<options>]
      """,
    discussion: """
      Requests the file from each host, and Apple's copy of it from Apple's CDN, which devices \
      use. Follows no redirects, and contacts no other server. No other command uses the \
      network. With '--store', saves the answers in the store of 'linkaudit ingest', so that \
      its reports show which file was served when.

      EXAMPLES
        linkaudit fetch www.example.com
        linkaudit fetch www.example.com shop.example.com \\
            --format json -o delivery.json
        linkaudit fetch --store /var/lib/linkaudit
        linkaudit fetch www.example.com --from cdn --save - |
            linkaudit report access.log.gz --aasa - --host www.example.com
        linkaudit fetch www.example.com --from origin \\
            --base-url https://127.0.0.1:8443 --ca-certificate ca.pem

      EXIT STATUS
        0   nothing is wrong
        1   there are problems at or above --fail-on
        2   a host could not be contacted at all
        64  wrong usage
      """
  )

  @Argument(
    help: .rare("Hosts. (default: the sites of the store)", "host"),
    transform: { try Self.validated($0) })
  var hosts: [String] = []

  @Option(help: .usual("Ask the site (origin) or Apple's CDN (cdn) only.", "source"))
  var from: DeliverySource?

  @Option(
    name: .customLong("base-url"),
    help: .rare(
      "Send requests to this server instead, with the real host names; 'origin=URL' or 'cdn=URL' replaces one of them.",
      "url"))
  var baseURLs: [String] = []

  @Option(
    name: .customLong("ca-certificate"),
    help: .rare("Also trust these certificate authorities (PEM).", "file"), completion: .file())
  var authorityFiles: [String] = []

  @Option(
    help: .usual("Wait this long for an answer. (default: 10)", "seconds"),
    transform: number(0.1...3_600, "must be from 0.1 to 3600 seconds"))
  var timeout: Double = 10

  @Option(help: .rare("Send this user agent. (default: linkaudit/VERSION)", "text"))
  var userAgent: String?

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  @OptionGroup var formOptions: FormOptions<Format>

  @Option(
    help: .usual("Save the file of one host and source; '-' for standard output.", "file"),
    completion: .file())
  var save: String?

  @OptionGroup var storeOptions: StoreOptions

  @Option(help: .usual("Fail from this severity on, with status 1.", "severity"))
  var failOn: Severity = .error

  mutating func check() throws {
    if storeOptions.store != nil {
      try storeOptions.check()
    } else if storeOptions.wait != nil {
      throw ValidationError("'--wait' needs '--store'.")
    } else if hosts.isEmpty {
      throw ValidationError(
        "no host; pass hosts, as in 'linkaudit fetch www.example.com', or the sites of a store with "
          + "'--store DIR'.")
    }
    try formOptions.check()
    if let output = formOptions.output, LogRecognition.isAssociationFile(output) {
      throw ValidationError(
        "'--output \(output)' would replace an association file by a report; to save the downloaded "
          + "file, use '--from cdn --save \(output.inCommand)'.")
    }
    if let twice = hosts.first(where: { name in hosts.count { $0 == name } > 1 }) {
      throw ValidationError("the host '\(twice)' is there twice; leave one out.")
    }
    let servers = try servers()
    if let from, let other = servers.keys.first(where: { $0 != from }),
      baseURLs.contains(where: { $0.hasPrefix(other.rawValue + "=") })
    {
      throw ValidationError(
        "'--base-url' replaces '\(other.rawValue)', but '--from \(from.rawValue)' sends no request "
          + "there; leave one of them out.")
    }
    if let userAgent, !userAgent.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
      throw ValidationError("'--user-agent' must be in printable ASCII.")
    }
    guard let save else { return }
    try refuse(
      if: hosts.count != 1, "'--save' needs exactly one host; run the command once for each.")
    try refuse(
      if: from == nil, "'--save' saves one copy; choose it with '--from origin' or '--from cdn'.")
    try refuse(
      if: save == "-" && formOptions.output == "-", "'--save' and '--output' can't both be '-'.")
    try OutputFile.check(
      [OutputFile.Place("--save", save), formOptions.place], among: authorityFiles)
  }

  func run() throws {
    // A thread for each host that is fetched at the same time.
    try ResourceLimits.check(needing: (64 + 16 * DeliveryClient.width) << 20)
    let now = HTTPDate(seconds: Int(Date().timeIntervalSince1970))
    let client = try client(settings())
    let hosts = try askedHosts()
    for host in hosts { HostArgument.complainIfLocal(host) }
    let sources = from.map { [$0] } ?? DeliverySource.allCases
    let answers = client.answers(of: hosts.map { HostScope($0).name }, from: sources, now: now)
    let deliveries = zip(hosts, answers).map { host, answers in
      HostDelivery(host: host, copies: answers.copies, root: answers.root, now: now)
    }
    if let save, let copy = deliveries.first?.copies.first {
      if let content = copy.content, content.isWhole, content.isDecoded {
        try OutputFile(save, option: "--save").write(foreign: content.bytes)
      } else {
        warn("nothing is saved: no complete file was downloaded")
      }
    }
    try write(deliveries)
    try record(deliveries)
    if deliveries.contains(where: \.isUnasked) { throw ExitStatus.failure }
    if deliveries.contains(where: { $0.hasProblems(from: failOn) }) { throw ExitStatus.findings }
  }

  /// The hosts in lower case, as they were given, or as the store names its sites.
  private func askedHosts() throws -> [String] {
    guard hosts.isEmpty else { return hosts }
    let directory = storeOptions.directory
    let hosts = try AuditStore.reading(directory).siteHosts()
    guard hosts.isEmpty else { return hosts }
    throw Complaint(
      "the store '\(directory)' has no site yet; pass the hosts, as in 'linkaudit fetch "
        + "www.example.com --store \(directory.inCommand)'")
  }

  private static func validated(_ text: String) throws -> String {
    let host = try HostArgument.validated(text, allowsWildcard: true)
    try refuse(
      if: !BaseURL.isHostName(HostScope(host).name),
      "'\(text)' is not a host name; leave out scheme and path, as in 'www.example.com'.")
    return host
  }

  private func record(_ deliveries: [HostDelivery]) throws {
    guard storeOptions.store != nil else { return }
    let store = try storeOptions.changing()
    try store.record(
      deliveries.flatMap { delivery in
        delivery.copies.map { ServedAnswer($0, host: delivery.host) }
      })
    let sites = try store.siteHosts()
    for host in deliveries.map(\.host) where !sites.contains(host) {
      warn(
        "the store '\(storeOptions.directory)' has no site '\(host)', so reports don't show its "
          + "answers; add the site with 'linkaudit ingest --site \(host.inCommand)=FILE'")
    }
  }

  private func servers() throws -> [DeliverySource: BaseURL] {
    var servers: [DeliverySource: BaseURL] = [:]
    for text in baseURLs {
      var (sources, url) = (DeliverySource.allCases, text)
      for source in DeliverySource.allCases where text.hasPrefix(source.rawValue + "=") {
        (sources, url) = ([source], String(text.dropFirst(source.rawValue.count + 1)))
      }
      guard let server = BaseURL(url) else {
        throw ValidationError(
          "'\(url)' in '--base-url' is not a URL of a server; write it as 'https://127.0.0.1:8443', "
            + "without user, query and fragment.")
      }
      for source in sources {
        guard servers.updateValue(server, forKey: source) == nil else {
          throw ValidationError(
            "'--base-url' names two servers for '\(source.rawValue)'; leave one out.")
        }
      }
    }
    return servers
  }

  private func client(_ settings: DeliverySettings) throws -> DeliveryClient {
    do throws(MissingCurl) {
      return try DeliveryClient(settings)
    } catch .notBuiltIn {
      throw Complaint(
        "this linkaudit was built without libcurl, which 'fetch' needs; install its headers "
          + "('libcurl4-openssl-dev' on Debian and Ubuntu, 'libcurl-devel' on Fedora) and build "
          + "again with 'make'")
    } catch .notLoaded(let reason) {
      throw Complaint(
        "'fetch' needs libcurl, which cannot be loaded (\(reason)); install it: 'libcurl4' on "
          + "Debian, 'libcurl4t64' on Ubuntu, 'libcurl' on Fedora")
    }
  }

  private func settings() throws -> DeliverySettings {
    var files = authorityFiles
    if let file = ProcessInfo.processInfo.environment["SSL_CERT_FILE"], !file.isEmpty {
      files.append(file)
    }
    let servers = try servers()
    do throws(UnreadableAuthorities) {
      return try DeliverySettings(
        timeout: timeout, userAgent: userAgent ?? "linkaudit/" + Version.number,
        baseURLs: servers, authorityFiles: files)
    } catch {
      let option = authorityFiles.contains(error.path) ? "--ca-certificate" : "$SSL_CERT_FILE"
      throw Complaint(
        "cannot read certificates from '\(error.path)' (\(option)); it must be a PEM file, with "
          + "'-----BEGIN CERTIFICATE-----'")
    }
  }

  private func write(_ deliveries: [HostDelivery]) throws {
    let file = formOptions.file
    switch formOptions.format ?? .text {
    case .text where save == "-" && formOptions.output == nil:
      let style = formOptions.styleOptions.style(isTerminal: false)
      StandardStreams.note(document: deliveries.document.text(style: style))
    case .text: try file.write(deliveries.document.text(style: formOptions.style))
    case .json: try file.write(deliveries.writeJSON)
    }
  }
}

extension ServedAnswer {
  /// The fields of heads that describe a file and what caches do with it.
  private static let keptFields: Set = [
    "age", "apple-origin-format", "cache-control", "content-encoding", "content-length",
    "content-type", "date", "etag", "expires", "last-modified", "location", "server", "via",
  ]

  fileprivate init(_ copy: CopyJudgment, host: String) {
    let content = copy.content.flatMap { $0.isWhole && $0.isDecoded ? $0 : nil }
    let fields = (copy.copy.response?.fields ?? []).map { ($0.name.lowercased(), $0.value) }
    self.init(
      host: host, source: copy.copy.target.source, url: copy.copy.target.url,
      status: copy.copy.response?.status,
      problem: copy.problems.max { $0.severity < $1.severity }?.code,
      size: content?.bytes.count, file: copy.file == nil ? nil : content?.bytes,
      fields: Dictionary(
        fields.filter { Self.keptFields.contains($0.0) }.map { name, value in
          (name, String(value.prefix(500)))
        }, uniquingKeysWith: { first, _ in first }),
      certificateEnd: copy.copy.certificateEnd.map {
        LogTime(secondsSince1970: $0.seconds, offsetInMinutes: 0)
      })
  }
}
