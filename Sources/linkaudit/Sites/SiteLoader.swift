internal import LinkAuditing
internal import UniversalLinks

/// Reads the association files of sites, and what their apps implement.
struct SiteLoader {
  /// The hosts, and the paths of their association files.
  let definitions: [SiteOptions.Definition]

  /// The values of `--routes`: files, which can have the host that they are for in
  /// front.
  let routes: [String]

  /// The syntax of the routes, where it was named.
  let routeSyntax: [RouteSyntaxOption]

  /// The values of `--app`: apps, which can have a host in front.
  let apps: [String]

  /// Reads association files and routes.
  func loadSites() throws -> [Site] {
    let files = zip(definitions, try definitions.load()).map { (host: $0.host ?? "", file: $1) }
    let routes = try loadRoutes(routesFiles, hosts: files.map(\.host))
    let chosen = try chosenApps(
      of: files.map { host, loaded in (host, loaded.file.entries.flatMap(\.namedApps)) })
    return files.map { host, loaded in
      var site = Site(
        host: host, file: loaded.file, routes: routes[host],
        apps: chosen[host] ?? chosen[""])
      site.fileSize = loaded.content.count
      site.filePath = loaded.path
      return site
    }
  }

  /// Returns the apps of `--app` by host; those for all hosts have the empty host.
  ///
  /// - Parameter sites: The apps in the association files of each host.
  /// - Returns: The apps.
  /// - Throws: ``Complaint`` if an app isn't among them.
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

  /// Returns the host before an option's value, or an empty host if the value is for all.
  ///
  /// An equals sign can be part of a file's name, so it ends a host only if that host is a site.
  private func ofHost(_ option: String, _ hosts: Set<String>) -> (host: String, value: String) {
    let parts = option.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, hosts.contains(parts[0].lowercased()) else { return ("", option) }
    return (parts[0].lowercased(), parts[1])
  }

  /// The files of `--routes`, each with the host that it is for, or an empty one
  /// if it is for all of them.
  var routesFiles: [(host: String, path: String)] {
    let hosts = Set(definitions.compactMap(\.host))
    return routes.map { option in
      let (host, path) = ofHost(option, hosts)
      return (host, path)
    }
  }
}
