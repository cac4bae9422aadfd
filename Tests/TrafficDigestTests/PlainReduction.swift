import AccessLogs
import TestSupport

@testable import Foundations
@testable import TrafficDigest

/// A reduction written for clarity, not speed, with strings and one dictionary.
///
/// It reads only lines of ``RandomLog``.
struct PlainReduction {
  private(set) var records: Set<TrafficDigest.Record> = []
  private(set) var pageVisits: Set<TrafficDigest.Record> = []

  /// The requests by the names of platform and client, and by the version of iOS.
  private(set) var clients: [String: Int] = [:]

  /// The requests for association files in words, with their fetchers.
  private(set) var fetches: Set<String> = []

  init(_ lines: [String], host defaultHost: String) {
    var counts: [TrafficDigest.Record: Int] = [:]
    var visits: [TrafficDigest.Record: Int] = [:]
    var files: [String: [(time: LogTime?, size: Int?)]] = [:]
    let form =
      #/(?:(\S+) )?192.0.2.1 - - \[(.*?)\] "(\S+) (.+?) HTTP/1.1" (\d+) (\S+) "(.*?)" "(.*)"/#
    for line in lines {
      guard let fields = line.wholeMatch(of: form)?.output else { continue }
      var (host, target) = (defaultHost, Self.unescaped(String(fields.4)))
      if let name = fields.1, name != "-" { host = Self.normalized(name) }
      if target.hasPrefix("http://") {
        let rest = target.dropFirst(7)
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        (host, target) = (Self.normalized(rest[..<end]), String(rest[end...]))
      }
      let (referrer, agent) = (String(fields.7), String(fields.8))
      let (platform, client) = Self.agent(agent)
      let page = Self.referrerPage(referrer, host: host)
      let referral: Referral = referrer == "-" ? .none : page == nil ? .otherHost : .sameHost
      let day = Int(fields.2.prefix(2)).flatMap { Day(year: 2026, month: 6, day: $0) }
      let (isGet, status) = (fields.3 == "GET", UInt16(fields.5) ?? 0)
      let dimensions = Dimensions(
        day: Dimensions.bits(day), platform: platform, referral: referral, isGet: isGet,
        status: status,
        referrer: referral == .otherHost ? Self.kind(of: referrer, host: host) : .unknown,
        systemAge: Self.age(agent), isSubresource: false)
      var record = TrafficDigest.Record(
        host: host, target: Array(target.utf8), dimensions: dimensions)
      counts[record, default: 0] += 1
      clients["\(platform.name) \(client)", default: 0] += 1
      let path = target.prefix { $0 != "?" }
      if ["/.well-known/apple-app-site-association", "/apple-app-site-association"].contains(path) {
        let name = "\(host) \(path) \(client == "AASA-Bot" ? client : "other") \(status)"
        let size = isGet ? Int(fields.6) : nil
        files[name, default: []].append((LogTime(Array(fields.2.utf8).span), size))
      }
      if let page, dimensions.mayBeVisit {
        record.page = Array(page.utf8)
        visits[record, default: 0] += 1
      }
    }
    fetches = Set(
      files.map { name, requests in
        let (times, sizes) = (requests.compactMap(\.time), requests.compactMap(\.size))
        return "\(name): \(requests.count), \(times.min()?.description ?? "-") to "
          + "\(times.max()?.description ?? "-"), \(sizes.min() ?? -1) to \(sizes.max() ?? -1)"
      })
    records = TrafficDigest.Record.counted(counts)
    pageVisits = TrafficDigest.Record.counted(visits)
  }

  /// The kind of a referrer on another host, among the hosts that occur.
  private static func kind(of referrer: String, host: String) -> ReferrerKind {
    let parts = referrer.split(separator: "://", maxSplits: 1)
    guard parts.count == 2 else { return .other }
    let name = parts[1].prefix { !"/?#:".contains($0) }.lowercased()
    switch name {
    case "www.google.com": return .search
    case "t.co": return .social
    case "mail.google.com": return .mail
    case "u1.ct.sendgrid.net": return .tracker
    default:
      func domain(_ name: Substring) -> [Substring] { name.split(separator: ".").suffix(2) }
      return domain(name[...]) == domain(host.split(separator: ":")[0]) ? .ownHost : .other
    }
  }

  private static func age(_ agent: String) -> SystemAge {
    if agent.contains("OS 8_4") || agent.contains("10_14") { return .beforeUniversalLinks }
    if agent.contains("OS 13_3") { return .before13Point5 }
    return agent.contains("OS 13_6") ? .before14 : .current
  }

  private static func unescaped(_ text: String) -> String {
    text.replacing("\\xC3\\xA9", with: "é").replacing("\\\"", with: "\"")
  }

  private static func normalized(_ host: Substring) -> String {
    var name = host.lowercased()
    for port in [":80", ":443"] where name.hasSuffix(port) { name.removeLast(port.count) }
    return name
  }

  private static func agent(_ text: String) -> (Platform, client: String) {
    let agents: [(word: String, platform: Platform, client: String)] = [
      ("AASA", .fetcher, "AASA-Bot"), ("Googlebot", .bot, "Googlebot"), ("curl", .bot, "curl"),
      ("Android", .android, "Android"), ("Instagram", .inApp, "Instagram 16"),
      ("Macintosh", .macos, "Safari"), ("CriOS", .iosBrowser, "Chrome 13"),
      ("iPhone OS 8", .ios12, "Safari 8"), ("iPhone OS 13", .ios, "Safari 13"),
      ("iPhone OS 12", .ios12, "Safari 12"), ("iPhone", .ios, "Safari 17"),
    ]
    let agent = agents.first { text.contains($0.word) }
    return (agent?.platform ?? .other, agent?.client ?? "no user agent")
  }

  /// The template of the referring page if it is on the host, among the pages
  /// that occur.
  private static func referrerPage(_ referrer: String, host: String) -> String? {
    let parts = unescaped(referrer).split(separator: "://", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    let rest = parts[1]
    let end = rest.firstIndex { "/?#*".contains($0) } ?? rest.endIndex
    var name = rest[..<end].lowercased()
    if rest[end...].hasPrefix("*") || rest[end...].hasPrefix("http") { return nil }
    if let colon = name.firstIndex(of: ":") { name = String(name[..<colon]) }
    guard name == host.split(separator: ":")[0] else { return nil }
    let path = rest[end...].prefix { $0 != "?" && $0 != "#" }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      if !segment.isEmpty, segment.allSatisfy(\.isNumber) { return "{n}" }
      return segment == "00ff00ff" ? "{hex}" : String(segment)
    }
    return path.isEmpty ? "/" : segments.joined(separator: "/")
  }
}
