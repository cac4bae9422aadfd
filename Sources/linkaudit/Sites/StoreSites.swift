internal import AuditStore
internal import LinkAuditing
internal import UniversalLinks

/// The sites of a store, with what their apps implement as the command line says.
struct StoreSites {
  private let stored: StoredSites
  private let loader: SiteLoader

  /// Reads the association files of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - options: The routes of the apps.
  ///   - apps: The values of `--app`.
  /// - Throws: `StoreError` if the store can't be read.
  init(_ store: AuditStore, _ options: RouteOptions, apps: [String] = []) throws {
    stored = try StoredSites(store)
    loader = SiteLoader(
      definitions: stored.hosts.map { SiteOptions.Definition(host: $0, path: "") },
      routes: options.routes, routeSyntax: options.routeSyntax, apps: apps)
  }

  /// Returns the routes of the apps, by host.
  func routes() throws -> [String: RouteTable] {
    try loader.loadRoutes(loader.routesFiles, hosts: stored.hosts)
  }

  /// Returns the sites with all versions of their association files, and the apps that count.
  ///
  /// - Throws: `StoreError` if a file has changed since it was added, and ``Complaint`` if none of
  ///   a host's files names a chosen app.
  func load() throws -> [SiteHistory] {
    let histories = try stored.histories(routes: try routes())
    let chosen = try loader.chosenApps(
      of: histories.map { history in
        (history.host, history.versions.flatMap(\.site.file.entries).flatMap(\.namedApps))
      })
    return try histories.map { history -> SiteHistory in
      guard let apps = chosen[history.host] ?? chosen[""] else { return history }
      var chosen = try SiteHistory(
        history.versions.map { SiteHistory.Version($0.site.choosing(apps), from: $0.first) })
      chosen.servedFiles = history.servedFiles.map { served in
        var served = served
        served.content = served.content.map { content in
          var content = content
          content.file = Site(host: history.host, file: content.file).choosing(apps).file
          return content
        }
        return served
      }
      return chosen
    }
  }
}
