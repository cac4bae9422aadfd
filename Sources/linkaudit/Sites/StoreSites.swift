internal import AuditStore
internal import LinkAuditing

/// The sites of a store, with what their apps implement as the command line says.
struct StoreSites {
  private let stored: StoredSites
  private let loader: SiteLoader

  /// Reads the association files of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - options: What the apps implement.
  /// - Throws: `StoreError` if the store can't be read.
  init(_ store: AuditStore, _ options: RouteOptions) throws {
    stored = try StoredSites(store)
    loader = SiteLoader(
      definitions: stored.hosts.map { SiteOptions.Definition(host: $0, path: "") },
      routes: options.routes, routeSyntax: options.routeSyntax, apps: [])
  }

  /// What the apps implement, by host.
  func routes() throws -> [String: RouteTable] {
    try loader.loadRoutes(loader.routesFiles, hosts: stored.hosts)
  }

  /// The sites with all versions of their association files.
  func load() throws -> [SiteHistory] { try stored.histories(routes: try routes()) }
}
