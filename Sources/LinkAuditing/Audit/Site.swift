public import Foundations
public import UniversalLinks

/// A host with its association file and, if given, the routes of its app.
public struct Site: Sendable {
  /// The host, in lower case, without a port.
  public var host: String
  public var file: AssociationFile

  /// The routes of the app, or `nil` if they aren't known.
  public var routes: RouteTable?

  /// The path of the association file, for people, or `nil`.
  public var filePath: String?

  /// The size of the association file in bytes, or `nil` if it isn't known.
  public var fileSize: Int?

  /// A Boolean value indicating whether only some apps count.
  private(set) var hasChosenApps = false

  public init(host: String, file: AssociationFile, routes: RouteTable? = nil) {
    (self.host, self.file, self.routes) = (host.lowercased(), file, routes)
  }

  /// This site with some apps of its file only.
  public func choosing(_ apps: [ApplicationIdentifier]) -> Site {
    var site = self
    site.hasChosenApps = true
    let chosen = Set(apps)
    for index in file.entries.indices {
      site.file.entries[index].appIDs.removeAll { !chosen.contains($0) }
      if let app = file.entries[index].legacyAppID, !chosen.contains(app) {
        site.file.entries[index].legacyAppID = nil
      }
    }
    return site
  }

  /// Whether URLs on this host can open an app at all (Matching.md, 5.1).
  var isEligible: Bool { host.utf8.contains(UInt8(ascii: ".")) }
  var exampleHost: String { HostScope(host).example }
}

/// A host and the versions of its association file, each with the first day on which it was in
/// force.
///
///     let history = try SiteHistory([
///       SiteHistory.Version(old, from: nil), SiteHistory.Version(new, from: day),
///     ])
///
/// A request is judged under the version of its own day. The first version also judges all earlier
/// days, and requests without a time.
public struct SiteHistory: Sendable {
  /// A version of the association file.
  public struct Version: Sendable {
    public var site: Site

    /// The first day on which it was in force, or `nil` if it isn't known.
    ///
    /// `nil` is earlier than any day.
    public var first: Day?

    public init(_ site: Site, from first: Day?) { (self.site, self.first) = (site, first) }

    /// The order of versions: greater than 0 for every day.
    var order: Int { first?.number ?? 0 }
  }

  /// The versions in ascending order of their days, at least one.
  ///
  /// All have the same host. All have the routes of the version given last, because routes belong
  /// to the app, not to the file.
  public let versions: [Version]

  /// The answers of the file's servers, each server's in chronological order; empty if none are
  /// recorded.
  public var servedFiles: [ServedFile] = []

  /// The number of versions that a host can have: a new one every day for five years.
  public static let versionLimit = 2_048

  /// Creates the history of a host whose file has always been the same.
  public init(_ site: Site) { versions = [Version(site, from: nil)] }

  /// Creates the history of a host.
  ///
  /// - Parameter versions: The versions in any order; of several with the same day, the last
  ///   one counts.
  /// - Throws: ``SiteHistoryError`` if there is no version, if there are too many, or if
  ///   they are of several hosts.
  public init(_ versions: [Version]) throws(SiteHistoryError) {
    var byDay: [Day?: Version] = [:]
    for version in versions { byDay[version.first] = version }
    let ordered = byDay.values.sorted { $0.order < $1.order }
    guard let newest = ordered.last else { throw .noVersion }
    if let other = ordered.first(where: { $0.site.host != newest.site.host }) {
      throw .severalHosts(other.site.host, newest.site.host)
    }
    if ordered.count > Self.versionLimit { throw .tooManyVersions(newest.site.host) }
    self.versions = ordered.map { version in
      var version = version
      version.site.routes = newest.site.routes
      return version
    }
  }

  public var host: String { versions[0].site.host }
}

/// The reason why versions of a file are not the history of a host.
public enum SiteHistoryError: Error, CustomStringConvertible, Hashable, Sendable {
  case noVersion
  case severalHosts(String, String)
  case tooManyVersions(String)

  public var description: String {
    switch self {
    case .noVersion: "there is no version of the association file"
    case .severalHosts(let one, let other):
      "versions of one file have two hosts, '\(one)' and '\(other)'"
    case .tooManyVersions(let host):
      "\(host) has more than \(SiteHistory.versionLimit.grouped) versions of its association file; remove the oldest ones"
    }
  }
}

/// A version of a site's association file, as reports name it.
public struct SiteVersion: Hashable, Sendable {
  /// Its position among the versions of the report, from 0.
  public var number: Int

  /// The first day on which it was in force, or `nil` if it isn't known.
  ///
  /// The first version also judges earlier days.
  public var first: Day?

  /// The last day on which it was in force, or `nil` if it is the newest there is.
  public var last: Day?

  /// The path of the file, or `nil` if it isn't known.
  public var filePath: String?
}
