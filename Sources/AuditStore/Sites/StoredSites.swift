public import LinkAuditing

/// The sites of a store, with all association files that were ever in force.
public struct StoredSites: Sendable {
  /// The hosts, ascending.
  public let hosts: [String]

  /// The association files of each of them, the earliest first.
  private let deployments: [[Deployment]]

  /// The servers' answers, by host.
  private let served: [String: [ServedFile]]
  private let databasePath: String

  /// Reads the association files of a store.
  ///
  /// - Throws: ``StoreError`` if it can't be read.
  public init(_ store: AuditStore) throws(StoreError) {
    (deployments, served) = try store.read { database in
      let deployments = try Deployment.all(in: database)
      return (deployments, try ServedAnswer.all(in: database, deployments: deployments))
    }
    hosts = deployments.compactMap(\.first?.host)
    databasePath = store.databasePath
  }

  /// The sites with all versions of their files, in ascending order of the hosts.
  ///
  /// - Parameter routes: The routes of the apps, by host.
  /// - Returns: The sites.
  /// - Throws: ``StoreError`` if a file is damaged.
  public func histories(routes: [String: RouteTable]) throws(StoreError) -> [SiteHistory] {
    try StoreError.catching(databasePath) {
      try deployments.map { versions -> SiteHistory in
        var history = try SiteHistory(
          versions.map { deployment in
            SiteHistory.Version(
              try deployment.site(routes: routes[deployment.host]), from: deployment.day)
          })
        history.servedFiles = served[history.host] ?? []
        return history
      }
    }
  }
}
