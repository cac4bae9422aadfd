import AccessLogs
import TestSupport

@testable import Foundations
@testable import TrafficDigest

/// A reduction written for clarity, not speed, with strings and one dictionary.
///
/// It reads only lines of ``RandomLog``.
struct PlainReduction {
  private(set) var records: [TrafficDigest.Record] = []
  private(set) var pageVisits: [TrafficDigest.Record] = []

  /// The requests by the names of platform and client, and by the version of iOS.
  private(set) var clients: [String: Int] = [:]

  /// The requests for association files in words, with their fetchers.
  private(set) var fetches: Set<String> = []

  init(_ lines: [String], namesHost: Bool, host defaultHost: String) {
    var counts: [TrafficDigest.Record: Int] = [:]
    var visits: [TrafficDigest.Record: Int] = [:]
    var files: [String: [(time: LogTime?, size: Int?)]] = [:]
    for line in lines {
      guard let (record, page, client) = Self.record(line, namesHost: namesHost, host: defaultHost)
      else { continue }
      clients["\(record.dimensions.platform.name) \(client)", default: 0] += 1
      counts[record, default: 0] += 1
      let path = String(decoding: record.target.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
      if path == "/.well-known/apple-app-site-association" || path == "/apple-app-site-association"
      {
        let fetcher = client == "AASA-Bot" ? client : "other"
        let name = "\(record.host) \(path) \(fetcher) \(record.dimensions.status)"
        files[name, default: []].append(Self.timeAndSize(line, isGet: record.dimensions.isGet))
      }
      if let page, record.dimensions.mayBeVisit {
        let visit = TrafficDigest.Record(
          host: record.host, target: record.target, page: Array(page.utf8),
          dimensions: record.dimensions)
        visits[visit, default: 0] += 1
      }
    }
    fetches = Set(
      files.map { name, requests in
        let (times, sizes) = (requests.compactMap(\.time), requests.compactMap(\.size))
        return "\(name): \(requests.count), \(times.min()?.description ?? "-") to "
          + "\(times.max()?.description ?? "-"), \(sizes.min() ?? -1) to \(sizes.max() ?? -1)"
      })
    records = TrafficDigest.Record.ordered(counts)
    pageVisits = TrafficDigest.Record.ordered(visits)
  }

  private static func record(
    _ line: String, namesHost: Bool, host defaultHost: String
  ) -> (TrafficDigest.Record, page: String?, client: String)? {
    // Escaped quotes are replaced, so that the line can be split at the others.
    let fields = line.replacing("\\\"", with: "\u{1}")
      .split(separator: "\"", omittingEmptySubsequences: false)
      .map { String($0.replacing("\u{1}", with: "\\\"")) }
    guard fields.count >= 6, fields[1] != "-" else { return nil }
    let words = fields[1].split(separator: " ")
    var target = unescaped(words[1..<(words.count - 1)].joined(separator: " "))
    var host = defaultHost
    if namesHost {
      let name = fields[0].split(separator: " ")[0]
      if name != "-" { host = normalized(String(name)) }
    }
    if target.hasPrefix("http://") {
      let rest = target.dropFirst(7)
      let end = rest.firstIndex(of: "/") ?? rest.endIndex
      host = normalized(String(rest[..<end]))
      target = String(rest[end...])
    }
    let (platform, client) = agent(fields[5])
    let status = UInt16(fields[2].split(separator: " ")[0]) ?? 0
    let isGet = words[0] == "GET"
    let page = referrerPage(fields[3], host: host)
    let referral: Referral = fields[3] == "-" ? .none : page == nil ? .otherHost : .sameHost
    var day: Day?
    if let start = fields[0].firstIndex(of: "["), !fields[0].hasSuffix("[-] ") {
      let text = fields[0][fields[0].index(after: start)...].prefix(2)
      day = Day(year: 2026, month: 6, day: Int(text) ?? 0)
    }
    let dimensions = Dimensions(
      day: Dimensions.bits(day), platform: platform, referral: referral, isGet: isGet,
      status: status,
      referrer: referral == .otherHost ? kind(of: fields[3], host: host) : .unknown,
      systemAge: age(fields[5]), isSubresource: false)
    let record = TrafficDigest.Record(
      host: host, target: Array(target.utf8), dimensions: dimensions)
    return (record, page, client)
  }

  /// The time of a line and, for a GET request, the size of the response.
  private static func timeAndSize(_ line: String, isGet: Bool) -> (LogTime?, Int?) {
    let parts = line.split(separator: "[", maxSplits: 1)[1].split(separator: "]", maxSplits: 1)
    let (time, rest) = (Array(parts[0].utf8), parts[1])
    let protocolEnd = rest.split(separator: "HTTP/1.1\" ", maxSplits: 1)
    let size = protocolEnd.last.flatMap { Int($0.split(separator: " ")[1]) }
    return (LogTime(time.span), isGet ? size : nil)
  }

  /// The kind of a referrer on another host, among the hosts that occur.
  private static func kind(of referrer: String, host: String) -> ReferrerKind {
    guard let scheme = ["https://", "http://"].first(where: { referrer.hasPrefix($0) }) else {
      return .other
    }
    let name = referrer.dropFirst(scheme.count).prefix { !"/?#:".contains($0) }.lowercased()
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

  private static func normalized(_ host: String) -> String {
    var name = host.lowercased()
    for port in [":80", ":443"] where name.hasSuffix(port) { name.removeLast(port.count) }
    // These logs have only IPv4 addresses.
    let parts = name.split(separator: ":")[0].split(separator: ".")
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil } ? "(IP ADDRESSES)" : name
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
    let text = unescaped(referrer)
    guard let scheme = ["https://", "http://"].first(where: { text.hasPrefix($0) }) else {
      return nil
    }
    let rest = text.dropFirst(scheme.count)
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
