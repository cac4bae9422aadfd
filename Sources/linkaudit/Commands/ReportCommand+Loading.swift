internal import AccessLogs
internal import ArgumentParser
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

extension ReportCommand {
  /// Reads association files and routes.
  func loadSites() throws -> [Site] {
    let definitions = try siteOptions.definitions(needsHost: true)
    let files = try definitions.map { (host: $0.host ?? "", file: try $0.load()) }
    let paths = definitions.map { $0.path == "-" ? nil : $0.path }
    let routes = try loadRoutes(routesFiles(of: definitions))
    let chosen = try chosenApps(in: files)
    return zip(files, paths).map { file, path in
      let (host, loaded) = file
      var site = Site(
        host: host, file: loaded.file, routes: routes[host] ?? routes[""],
        apps: chosen[host] ?? chosen[""])
      site.fileSize = loaded.size
      site.filePath = path
      return site
    }
  }

  /// The apps of `--app` by host; those for all hosts stand under the empty one.
  private func chosenApps(
    in files: [(host: String, file: SiteOptions.Definition.LoadedFile)]
  ) throws -> [String: [ApplicationIdentifier]] {
    var chosen: [String: [ApplicationIdentifier]] = [:]
    for option in apps {
      let (host, text) = ofHost(option, files.map(\.host))
      let known = files.filter { host.isEmpty || $0.host == host }
        .flatMap(\.file.file.entries).flatMap(\.namedApps)
      let app = ApplicationIdentifier(text)
      guard known.contains(app) else {
        let names = Set(known.map(\.text)).sorted().joined(separator: ", ")
        throw Complaint(
          (host.isEmpty ? "no association file" : "the association file of \(host)")
            + (host.isEmpty ? " names the app '\(text)'; " : " doesn't name the app '\(text)'; ")
            + (names.isEmpty
              ? "\(host.isEmpty ? "they name" : "it names") none"
              : "\(host.isEmpty ? "they name" : "it names") \(names)"))
      }
      chosen[host, default: []].append(app)
    }
    return chosen
  }

  /// The host in front of an option's value, or an empty one if the value is for all.
  ///
  /// An equals sign can be part of a file's name, so it ends a host only where that host
  /// is a site.
  private func ofHost(_ option: String, _ hosts: [String]) -> (host: String, value: String) {
    let parts = option.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, hosts.contains(parts[0].lowercased()) else { return ("", option) }
    return (parts[0].lowercased(), parts[1])
  }

  /// The files of `--routes`, each with the host that it is for, or an empty one
  /// if it is for all of them.
  func routesFiles(
    of definitions: [SiteOptions.Definition]
  ) -> [(host: String, path: String)] {
    let hosts = definitions.compactMap(\.host)
    return routes.map { option in
      let (host, path) = ofHost(option, hosts)
      return (host, path)
    }
  }

  /// The routes by host; those for all hosts stand under the empty one.
  private func loadRoutes(
    _ files: [(host: String, path: String)]
  ) throws -> [String: RouteTable] {
    var tables: [String: RouteTable] = [:]
    for (host, path) in files {
      let bytes = try InputFile.read(path, what: "the routes")
      let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
      let content = bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(3)) : bytes
      guard let text = String(validating: content, as: UTF8.self) else {
        throw Complaint("the routes '\(path)' are not UTF-8 text; a route stands on each line")
      }
      let table = RouteTable(parsing: text)
      if table.routes.isEmpty {
        StandardStreams.complain("the routes '\(path)' name no route; one stands on each line")
      }
      tables[host] = RouteTable((tables[host]?.routes ?? []) + table.routes)
    }
    return tables
  }

  /// The number of logs that no format fits of which more is said than how many they
  /// are.
  private static let unreadLimit = 3

  /// Complains about paths that add nothing to read.
  func report(_ problems: [InputProblem]) {
    for problem in problems {
      switch problem.reason {
      case .emptyDirectory:
        StandardStreams.complain(
          "the directory '\(problem.path)' holds no files, hidden ones apart")
      case .noMatch:
        StandardStreams.complain("no file matches the pattern '\(problem.path)'")
      case .sameFile(let other):
        StandardStreams.complain(
          "'\(problem.path)' has been found already, as '\(other)'; it is read once")
      }
    }
  }

  /// Complains about damaged inputs, and about those without any request.
  ///
  /// - Parameters:
  ///   - digest: What was read.
  ///   - named: The format that was named, if one was.
  /// - Returns: Whether an input could not be read whole.
  /// - Throws: ``Complaint`` if the format that was named fits none of the inputs.
  func report(_ digest: TrafficDigest, named: LogFormat?) throws -> Bool {
    var isDamaged = false
    let unread = digest.inputs.filter { !$0.unreadStart.isEmpty }
    for input in unread.prefix(Self.unreadLimit) {
      UnreadLog(path: input.path, start: input.unreadStart, named: named).complain()
    }
    if unread.count > Self.unreadLimit {
      StandardStreams.complain(
        "\((unread.count - Self.unreadLimit).counted("more log")) cannot be read either")
    }
    if !unread.isEmpty {
      // A stray file among others is no damage, unless its format was named.
      isDamaged = named != nil || digest.tally.requests == 0
      if let named, unread.count == digest.inputs.count, digest.tally.requests == 0 {
        throw Complaint("there is nothing to report: no log is in the format '\(named.name)'")
      }
    }
    for input in digest.inputs {
      if let damage = input.damage {
        isDamaged = true
        let lines = input.tally.lines
        let kept =
          lines > 0
          ? "; \(lines.counted("line")) before that \(lines == 1 ? "counts" : "count")" : ""
        StandardStreams.complain("'\(input.path)': \(damage)\(kept)")
      }
      if input.tally.lines > 0, input.tally.rejected == input.tally.lines,
        input.unreadStart.isEmpty
      {
        StandardStreams.complain(
          "'\(input.path)': \(input.tally.lines.counted("line")) and no request; "
            + "is it an access log? 'linkaudit formats test' shows how its lines are read")
      }
    }
    return isDamaged
  }
}
