internal import AccessLogs
internal import Foundations

/// A classifier that determines the kind of site from the host of a referrer.
struct ReferrerClassifier: Sendable {
  /// The kinds by name, where a name ends with `.*` for any top-level domain.
  private static let kinds = Dictionary(
    ReferrerKind.hosts.map { ($0.name, $0.kind) }, uniquingKeysWith: { first, _ in first })

  private let trackers: [HostScope]
  private let ownHosts: [HostScope]

  /// Creates a classifier with hosts that redirect, in addition to the known ones, and hosts of one
  /// owner.
  init(trackers: [String] = [], ownHosts: [String] = []) {
    self.trackers = trackers.map { HostScope($0) }
    self.ownHosts = ownHosts.map { HostScope($0) }
  }

  /// Returns the kind of site of a referrer on another host, both in lower case and without ports.
  ///
  /// A given or known name takes precedence over a common owner.
  func kind(of referrer: String, for host: String) -> ReferrerKind {
    let bytes = referrer.utf8
    if trackers.contains(where: { $0.contains(bytes) }) { return .tracker }
    if let kind = Self.known(referrer) { return kind }
    if ownHosts.contains(where: { $0.contains(bytes) }) { return .ownHost }
    let domain = Self.registeredDomain(of: referrer)
    return domain != nil && domain == Self.registeredDomain(of: host) ? .ownHost : .other
  }

  /// The kind of a host according to the longest known name that it is under.
  private static func known(_ host: String) -> ReferrerKind? {
    var rest = Substring(host)
    while true {
      if let kind = kinds[String(rest)] { return kind }
      guard let dot = rest.firstIndex(of: ".") else { return nil }
      let domain = rest[rest.index(after: dot)...]
      if isTopLevel(domain), let kind = kinds[rest[..<dot] + ".*"] { return kind }
      rest = domain
    }
  }

  /// Second-level labels for registrations in some countries.
  private static let secondLabels: Set<Substring> = [
    "ac", "co", "com", "edu", "gob", "gov", "gouv", "ltd", "me", "ne", "net", "nom", "or", "org",
    "plc", "sch",
  ]

  /// Domains under which each name has its own owner.
  private static let sharedDomains: Set<Substring> = [
    "amazonaws.com", "appspot.com", "azurestaticapps.net", "azurewebsites.net", "blogspot.com",
    "cloudfront.net", "firebaseapp.com", "fly.dev", "github.io", "gitlab.io", "glitch.me",
    "herokuapp.com", "myshopify.com", "netlify.app", "ngrok.io", "onrender.com", "pages.dev",
    "run.app", "squarespace.com", "surge.sh", "translate.goog", "vercel.app", "web.app",
    "webflow.io", "weebly.com", "wixsite.com", "wordpress.com", "workers.dev",
  ]

  /// Returns a Boolean value indicating whether names are registered directly under a name.
  private static func isTopLevel(_ name: Substring) -> Bool {
    guard let dot = name.firstIndex(of: ".") else { return !name.isEmpty }
    let (second, first) = (name[..<dot], name[name.index(after: dot)...])
    return first.utf8.count == 2 && !first.contains(".") && secondLabels.contains(second)
      || sharedDomains.contains(name)
  }

  /// The part of a host's name that its owner registered, such as `example.co.uk` of
  /// `www.example.co.uk`, or `nil` if there is none.
  ///
  /// The list of all public suffixes has ten thousand entries and changes weekly. This function uses
  /// the usual second labels of countries, and the common hosts of many sites.
  static func registeredDomain(of host: String) -> Substring? {
    var rest = Substring(host)
    while let dot = rest.firstIndex(of: ".") {
      let parent = rest[rest.index(after: dot)...]
      if isTopLevel(parent) { return rest }
      rest = parent
    }
    return nil
  }
}

/// The place of the link to a request, according to the referrer.
public enum Referral: UInt8, CaseIterable, Hashable, Sendable {
  /// On a page of the same host.
  ///
  /// Hosts are compared exactly, without scheme and port (Matching.md, 7.1).
  case sameHost

  /// Elsewhere.
  case otherHost

  /// Unknown: typed, a bookmark, from mail or another app, or stripped.
  case none

  /// The name in reports.
  public var name: String { String(describing: self) }
}
