internal import GRDB
public import LinkAuditing

/// The sites of a store, with all association files that were in force.
public struct StoredSites: Sendable {
  /// The hosts, ascending.
  public let hosts: [String]

  private let deployments: [String: [Deployment]]
  private let databasePath: String

  /// Reads the association files of a store.
  ///
  /// - Throws: ``StoreError`` if it can't be read.
  public init(_ store: AuditStore) throws(StoreError) {
    deployments = try store.read { try Deployment.all(in: $0) }
    hosts = deployments.keys.sorted()
    databasePath = store.databasePath
  }

  /// The newest version of each site, in ascending order of the hosts.
  ///
  /// - Parameter routes: What the apps implement, by host.
  /// - Throws: ``StoreError`` if a file isn't what was taken in.
  public func newest(routes: [String: RouteTable]) throws(StoreError) -> [Site] {
    try StoreError.catching(databasePath) {
      try hosts.compactMap { try deployments[$0]?.last?.site(routes: routes[$0]) }
    }
  }
}
