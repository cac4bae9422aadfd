internal import ArgumentParser
internal import LinkAuditing
internal import UniversalLinks

struct SiteLoader {
  let definitions: [SiteOptions.Definition]

  /// The files of routes, which can have a host in front, and their syntax.
  let routeOptions: RouteOptions

  /// The values of `--app`: apps, which can have a host in front.
  var apps: [String] = []

  func loadSites() throws -> [Site] {
    let files = zip(definitions, try definitions.load()).map { (host: $0.host ?? "", file: $1) }
    let routes = try loadRoutes(hosts: files.map(\.host))
    let chosen = try chosenApps(
      of: files.map { host, loaded in (host, loaded.file.entries.flatMap(\.namedApps)) })
    return files.map { host, loaded in
      var site = Site(host: host, file: loaded.file, routes: routes[host])
      if let apps = chosen[host] ?? chosen[""] { site = site.choosing(apps) }
      (site.fileSize, site.filePath) = (loaded.content.count, loaded.path)
      return site
    }
  }

  /// Returns the apps of `--app` by host; those for all hosts have the empty host.
  func chosenApps(
    of sites: [(host: String, apps: [ApplicationIdentifier])]
  ) throws -> [String: [ApplicationIdentifier]] {
    guard !apps.isEmpty else { return [:] }
    // By host; those of all sites have the empty host.
    var known: [String: Set<ApplicationIdentifier>] = [:]
    for site in sites {
      known[site.host, default: []].formUnion(site.apps)
      known["", default: []].formUnion(site.apps)
    }
    let hosts = Set(sites.map(\.host))
    var chosen: [String: [ApplicationIdentifier]] = [:]
    for option in apps {
      let (host, text) = ofHost(option, hosts)
      let app = ApplicationIdentifier(text)
      let own = known[host] ?? []
      guard own.contains(app) else {
        let names = own.map(\.text).sorted().joined(separator: ", ")
        let (files, they) =
          host.isEmpty
          ? ("no association file names", "they name")
          : ("the association file of \(host) doesn't name", "it names")
        throw Complaint("\(files) the app '\(text)'; \(they) \(names.isEmpty ? "none" : names)")
      }
      chosen[host, default: []].append(app)
    }
    return chosen
  }

  /// Returns the host before an option's value, or an empty host if the value is for all.
  ///
  /// An equals sign can be part of a file's name, so it ends a host only if that host is a site.
  private func ofHost(_ option: String, _ hosts: Set<String>) -> (String, String) {
    let parts = option.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, hosts.contains(parts[0].lowercased()) else { return ("", option) }
    return (parts[0].lowercased(), parts[1])
  }

  /// The files of `--routes`, each with its host, or an empty one if it is for all of them.
  var routesFiles: [(host: String, path: String)] {
    let hosts = Set(definitions.compactMap(\.host))
    return routeOptions.routes.map { ofHost($0, hosts) }
  }
}

extension SiteLoader {
  /// The greatest number of lines that are described because they aren't routes.
  private static let omissionLimit = 3

  /// The greatest number of lines of routes of all sites; each takes about a kilobyte of memory.
  private static let lineLimit = 1_000_000

  /// Reads the routes of hosts; a file without a host is for all hosts without one of their own.
  func loadRoutes(hosts: [String]) throws -> [String: RouteTable] {
    var seen: Set<String> = []
    let hosts = hosts.filter { seen.insert($0).inserted }
    let files = routesFiles
    let named = Set(files.map(\.host))
    let others = hosts.filter { !named.contains($0) }
    func users(of host: String) -> [String] { host.isEmpty ? others : [host] }
    let filesByPath = Dictionary(grouping: files, by: \.path)
    var lineCount = 0
    var tablesByPath: [String: [String: RouteTable]] = [:]
    // A file that many sites have is read once.
    for (_, path) in files where tablesByPath[path] == nil {
      tablesByPath[path] = try tables(
        of: path, for: (filesByPath[path] ?? []).flatMap { users(of: $0.host) }, &lineCount)
    }
    var tables: [String: [RouteTable]] = [:]
    for (host, path) in files {
      for user in users(of: host) {
        if let table = tablesByPath[path]?[user] { tables[user, default: []].append(table) }
      }
    }
    return tables.mapValues { $0.count == 1 ? $0[0] : RouteTable(joining: $0) }
  }

  /// Reads the routes of a file for some hosts, which share a table where no line names a host.
  private func tables(
    of path: String, for users: [String], _ lineCount: inout Int
  ) throws -> [String: RouteTable] {
    let text = try Self.routesText(path)
    let survey = RouteTable.survey(text, hosts: Set(users))
    let syntaxes = Dictionary(
      routeOptions.routeSyntax.map { ($0.host ?? "", $0.syntax) },
      uniquingKeysWith: { _, last in last })
    struct Reading: Hashable {
      var syntax: RouteSyntax?
      var host: String?
    }
    func reading(of user: String) -> Reading {
      Reading(syntax: syntaxes[user] ?? syntaxes[""], host: survey.namesHosts ? user : nil)
    }
    lineCount += survey.lineCount * Set(users.map(reading)).count
    guard lineCount <= Self.lineLimit else {
      throw Complaint(
        "\(InputFile.name(of: path)): with it, there are \(lineCount.grouped) lines of routes, more than the "
          + "limit of \(Self.lineLimit.grouped) for all sites; write paths that differ in an identifier "
          + "as one route, such as '/buy/:id'")
    }
    var (distinct, numbers): ([RouteTable], [Reading: Int]) = ([], [:])
    var tables: [String: RouteTable] = [:]
    for user in users where tables[user] == nil {
      let reading = reading(of: user)
      let number = numbers[reading] ?? distinct.count
      if number == distinct.count {
        distinct.append(RouteTable(parsing: text, syntax: reading.syntax, host: user))
        numbers[reading] = number
      }
      tables[user] = distinct[number]
    }
    complain(about: distinct, in: path)
    return tables
  }

  private static func routesText(_ path: String) throws -> String {
    if path.hasPrefix("/"), path.contains(where: { ":{[<*".contains($0) }),
      InputFile.type(at: path) == nil
    {
      throw ValidationError(
        "'\(path)' is a route; pass a file of routes, one a line, to '--routes'.")
    }
    let bytes = try InputFile.read(path, what: "the routes")
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(3)) : bytes
    try RouteListRecognition.complaint(about: content, path: path)?.raise()
    guard let text = String(validating: content, as: UTF8.self) else {
      throw Complaint("the routes '\(path)' are not UTF-8 text; write one route a line")
    }
    return text
  }

  private func complain(about tables: [RouteTable], in path: String) {
    guard let first = tables.first else { return }
    if tables.allSatisfy(\.routes.isEmpty) {
      warn(
        "there is no route" + (first.omissions.isEmpty ? "" : " of the site")
          + " in \(InputFile.name(of: path)); write one a line")
    }
    let used = tables.map { Set($0.routes.map(\.line)) }
    let omissions = first.omissions.filter { omission in
      !omission.reason.isExpected && !used.contains { $0.contains(omission.line) }
    }
    guard !omissions.isEmpty else { return }
    warn(
      "\(InputFile.name(of: path)): \(omissions.count.counted("line")) skipped, read as '\(first.syntax.name)':"
    )
    for omission in omissions.prefix(Self.omissionLimit) {
      let text = omission.text.count > 60 ? String(omission.text.prefix(59)) + "…" : omission.text
      StandardStreams.note("  line \(omission.line): \(text): \(omission.reason)")
    }
    if omissions.count > Self.omissionLimit {
      StandardStreams.note("  and \(omissions.count - Self.omissionLimit) more")
    }
  }
}
