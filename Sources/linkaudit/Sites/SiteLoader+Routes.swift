internal import LinkAuditing

extension SiteLoader {
  /// The number of lines that aren't routes of which more is said than how many they are.
  private static let omissionLimit = 3

  /// Reads the routes of each host that has some.
  ///
  /// - Parameters:
  ///   - files: The files, each with the host that it is for, or an empty one if it is for
  ///     those that have none of their own.
  ///   - hosts: The hosts of all sites.
  /// - Returns: The routes by host.
  /// - Throws: ``Complaint`` if a file can't be read.
  func loadRoutes(
    _ files: [(host: String, path: String)], hosts: [String]
  ) throws -> [String: RouteTable] {
    var tables: [String: [RouteTable]] = [:]
    for (host, path) in files {
      let text = try Self.routesText(path)
      let users =
        host.isEmpty
        ? hosts.filter { name in !files.contains { $0.host == name } } : [host]
      let own = users.map { user in
        RouteTable(parsing: text, syntax: syntax(ofRoutesFor: user), host: user)
      }
      for (user, table) in zip(users, own) { tables[user, default: []].append(table) }
      complain(about: own, in: path)
    }
    return tables.mapValues { $0.count == 1 ? $0[0] : RouteTable(joining: $0) }
  }

  private static func routesText(_ path: String) throws -> String {
    let bytes = try InputFile.read(path, what: "the routes")
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(3)) : bytes
    guard let text = String(validating: content, as: UTF8.self) else {
      throw Complaint("the routes '\(path)' are not UTF-8 text; a route stands on each line")
    }
    return text
  }

  private func syntax(ofRoutesFor host: String) -> RouteSyntax? {
    (routeSyntax.last { $0.host == host } ?? routeSyntax.last { $0.host == nil })?.syntax
  }

  /// Complains about lines that no site of a file can use.
  private func complain(about tables: [RouteTable], in path: String) {
    guard let first = tables.first else { return }
    if tables.allSatisfy(\.routes.isEmpty) {
      StandardStreams.complain(
        "the routes \(path == "-" ? "from standard input" : "'\(path)'") name no route"
          + (first.omissions.isEmpty ? "" : " of the site")
          + "; one stands on each line")
    }
    let used = tables.map { Set($0.routes.map(\.line)) }
    let omissions = first.omissions.filter { omission in
      !omission.reason.isExpected && !used.contains { $0.contains(omission.line) }
    }
    guard !omissions.isEmpty else { return }
    StandardStreams.complain(
      "\(path == "-" ? "standard input" : "'\(path)'"): \(omissions.count.counted("line")) passed over, read as '\(first.syntax.name)':"
    )
    for omission in omissions.prefix(Self.omissionLimit) {
      let text =
        omission.text.count > 60 ? String(omission.text.prefix(59)) + "…" : omission.text
      StandardStreams.note("  line \(omission.line): \(text): \(omission.reason)")
    }
    if omissions.count > Self.omissionLimit {
      StandardStreams.note("  and \(omissions.count - Self.omissionLimit) more")
    }
  }
}
