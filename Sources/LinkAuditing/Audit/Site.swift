internal import Foundations
public import UniversalLinks

/// A host with its association file and, if given, the routes of its app.
public struct Site: Sendable {
  /// The host, in lower case, without a port.
  public var host: String

  /// The rules.
  public var file: AssociationFile

  /// The routes of the app, or `nil` if they aren't known.
  public var routes: RouteTable?

  /// The path of the association file, for people, or `nil`.
  public var filePath: String?

  /// The size of the association file in bytes, or `nil` if it isn't known.
  public var fileSize: Int?

  /// A Boolean value indicating whether only some apps count.
  let hasChosenApps: Bool

  /// Creates a site in which only the given apps count, or all apps of the file.
  public init(
    host: String, file: AssociationFile, routes: RouteTable? = nil,
    apps: [ApplicationIdentifier]? = nil
  ) {
    self.host = host.lowercased()
    self.routes = routes
    self.file = file
    hasChosenApps = apps != nil
    guard let apps else { return }
    let chosen = Set(apps)
    for index in self.file.entries.indices {
      self.file.entries[index].appIDs.removeAll { !chosen.contains($0) }
      if let app = self.file.entries[index].legacyAppID, !chosen.contains(app) {
        self.file.entries[index].legacyAppID = nil
      }
    }
  }

  /// Returns the site with only the given apps.
  public func choosing(_ apps: [ApplicationIdentifier]) -> Site {
    var site = Site(host: host, file: file, routes: routes, apps: apps)
    (site.filePath, site.fileSize) = (filePath, fileSize)
    return site
  }

  /// A Boolean value indicating whether URLs on this host can open an app at all
  /// (Matching.md, 5.1).
  var isEligible: Bool { host.utf8.contains(UInt8(ascii: ".")) }

  /// The host of URLs that are examples.
  var exampleHost: String { HostScope(host).example }
}
