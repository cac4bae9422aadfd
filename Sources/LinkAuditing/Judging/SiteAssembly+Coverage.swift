internal import TrafficDigest
internal import UniversalLinks

// The tables of paths.
extension SiteAssembly {
  func coverage() -> Coverage {
    var coverage = Coverage()
    if site.hasRoutes, let routes = site.site.routes {
      coverage.claimedNotImplemented = rows(paths) {
        $0.key.verdict == .claimed && $0.key.route == nil
      }
      // An app has routes on the systems that it runs on. So rules that older systems can't read
      // are not a gap.
      func routeRows(_ verdict: Verdict) -> [PathGroupTraffic] {
        rows(paths, name: { routes.routes[$0.key.route ?? 0].source }) {
          $0.key.verdict == verdict && $0.key.route != nil && $0.key.system == .current
        }
      }
      coverage.implementedNotClaimed = routeRows(.unclaimed)
      coverage.implementedButExcluded = routeRows(.excluded)
      let visited = Set(paths.compactMap(\.key.route))
      coverage.unvisitedRoutes = routes.distinctRoutes.filter { !visited.contains($0) }
        .map { routes.routes[$0].source }
    }
    coverage.excludedHeavy = rows(paths) { $0.key.verdict == .excluded }
    coverage.unclaimedHeavy = rows(paths) { $0.key.verdict == .unclaimed && $0.key.rule == nil }
    coverage.olderSystems = rows(paths) { $0.key.verdict == .unclaimed && $0.key.rule != nil }
    coverage.dataPaths = dataPaths()
    // The visits of problems are attempts.
    coverage.claimedBroken = rows(problems) { $0.key.status.isBroken }.map { row in
      var row = row
      swap(&row.attempts, &row.traffic.visits)
      return row
    }
    coverage.claimedRedirected = redirected(rows(problems) { $0.key.status.isRedirect })
    return coverage
  }

  private func dataPaths() -> [PathGroupTraffic] {
    let routes = site.hasRoutes ? site.site.routes?.routes ?? [] : []
    var submissions: [Int: Traffic] = [:]
    for (key, traffic) in tally.submissions.counts {
      submissions[groups.resolve(key.path), default: Traffic()] += traffic
    }
    var visits: [Int: Int] = [:]
    if !submissions.isEmpty {
      for path in paths { visits[path.key.path, default: 0] += path.traffic.visits }
    }
    var known: [Int: Bool] = [:]
    return rows(paths) { path in
      // A path that the app implements is a page, whatever its name.
      if let route = path.key.route, !routes[route].hasEveryPath { return false }
      let number = path.key.path
      if let isData = known[number] { return isData }
      let isData =
        DataPath.ignorePattern(of: path.group, host: site.site.host) != nil
        || submissions[number].map {
          DataPath.isEndpoint(
            path.group, submissions: $0.requests, entries: $0.visits, visits: visits[number] ?? 0)
        } ?? false
      known[number] = isData
      return isData
    }.filter { $0.traffic.visits > 0 }
  }
}

// MARK: - Adding up

extension SiteAssembly {
  private typealias Sum = (
    sampled: SampledTraffic, rules: [ReportedRule: Traffic], statuses: [UInt16: Int]
  )

  /// Adds up some of the paths by names, such as those of their path groups.
  private func rows(
    _ paths: [SiteTally.PathTraffic], name: (SiteTally.PathTraffic) -> String = { $0.group },
    where isIncluded: (SiteTally.PathTraffic) -> Bool
  ) -> [PathGroupTraffic] {
    var sums: [String: Sum] = [:]
    for path in paths where isIncluded(path) {
      add(path, to: &sums[name(path), default: (SampledTraffic(), [:], [:])])
    }
    return sums.map { name, sum in
      let heaviest = sum.rules.heaviestFirst(by: .visits, \.value, name: \.key).first
      return PathGroupTraffic(
        path: name, traffic: sum.sampled.traffic, rule: heaviest?.key, samples: sum.sampled.texts,
        statuses: sum.statuses)
    }.heaviestFirst(by: weight, \.traffic, name: \.path)
  }

  private func add(_ path: SiteTally.PathTraffic, to sum: inout Sum) {
    let key = path.key
    sum.sampled.add(path.traffic, path.samples)
    if key.status > 0 { sum.statuses[key.status, default: 0] += path.traffic.requests }
    guard let number = key.rule,
      let rule = names.rule(number, key.ruleSystem, version: key.version)
    else { return }
    sum.rules[rule, default: Traffic()] += path.traffic
  }
}

// MARK: - Redirects

extension SiteAssembly {
  /// The number of rows, as many as people will read, whose destinations may be groups of routes in
  /// another letter case.
  private static let otherCaseLimit = 1_000

  /// Returns rows of redirects with their destinations.
  private func redirected(_ rows: [PathGroupTraffic]) -> [PathGroupTraffic] {
    guard !rows.isEmpty else { return [] }
    // The visits by path group and verdict that were no redirects of claimed targets.
    var served: [String: [Verdict: Int]] = [:]
    for path in paths where path.traffic.visits > 0 {
      served[path.group, default: [:]][path.key.verdict, default: 0] += path.traffic.visits
    }
    for row in rows { served[row.path]?[.claimed, default: 0] -= row.traffic.visits }
    let folded = (site.hasRoutes ? Array(served.keys) : [])
      .filter { $0.contains(PathTemplate.anything) }.sorted()
      .map { (name: $0, segments: $0.split(separator: "/")) }
    return rows.enumerated().map { index, row in
      var row = row
      row.attempts = row.traffic.visits
      let (path, lowercased) = (row.path, row.path.lowercasedOutsideEscapes)
      let other = path.hasSuffix("/") ? String(path.dropLast()) : path + "/"
      var names = [other, lowercased, other.lowercasedOutsideEscapes].filter { $0 != path }
      if path != lowercased, index < Self.otherCaseLimit {
        let segments = lowercased.split(separator: "/")
        let group = folded.first { group in
          group.segments.count == segments.count
            && zip(group.segments, segments).allSatisfy { $0 == $1 || $0 == PathTemplate.anything }
        }
        names += [group?.name].compactMap(\.self)
      }
      // The path group itself comes last: its paths can be redirected and served.
      row.destination =
        (names + [path]).lazy.compactMap { name -> RedirectDestination? in
          let verdicts = served[name]?.filter { $0.value > 0 } ?? [:]
          return verdicts.mostFrequent.map { verdict in
            RedirectDestination(
              path: name, verdict: verdict, visits: verdicts.values.reduce(0, +))
          }
        }.first
      return row
    }
  }
}

extension UInt16 {
  /// Whether this is the status of a page that doesn't exist or couldn't be made.
  var isBroken: Bool { self == 404 || self == 410 || (500..<600).contains(self) }

  /// Whether this is the status of a page that is elsewhere.
  var isRedirect: Bool { [301, 302, 303, 307, 308].contains(self) }
}

extension [Verdict: Int] {
  /// The verdict with the highest count; of several, the first in the order of verdicts.
  var mostFrequent: Verdict? {
    self.max {
      $0.value == $1.value ? $0.key.number > $1.key.number : $0.value < $1.value
    }?.key
  }
}

extension String {
  /// This path in lower case, its percent-escapes as they are.
  fileprivate var lowercasedOutsideEscapes: String {
    let parts = split(separator: "%", omittingEmptySubsequences: false)
    return parts.enumerated().map { index, part in
      index == 0 ? part.lowercased() : part.prefix(2) + part.dropFirst(2).lowercased()
    }.joined(separator: "%")
  }
}

/// The signs that a path holds data for programs, not a page for people.
///
/// Only names that sites hardly ever give to pages count. `/docs/api/users` can be a page, and so
/// can a form that submits to its own URL.
enum DataPath {
  private static let roots: Set<String> = [
    ".well-known", "_nuxt", "_vercel", "ajax", "api", "cdn-cgi", "gql", "graphql", "jsonrpc",
    "rest", "rpc", "socket.io", "trpc", "xhr",
  ]

  /// The names of segments anywhere in a path, from frameworks that serve data and code there.
  private static let names: Set<String> = [
    "_next", "admin-ajax.php", "wp-cron.php", "wp-json", "xmlrpc.php",
  ]

  /// The names of segments before that of a version, as in `/shop/api/v2`.
  private static let versioned: Set<String> = ["api", "rest", "rpc"]

  /// The extensions of feeds, data and media that are no usual asset's.
  private static let extensions: Set<String> = [
    "aac", "apng", "atom", "flac", "geojson", "heic", "jsonld", "jsonp", "m3u8", "m4a", "m4s",
    "m4v", "mov", "mpd", "ndjson", "opus", "rdf", "rss", "vtt", "webmanifest",
  ]

  /// Returns a pattern of `--ignore` for all paths with the sign that a path group has, or `nil` if they
  /// may be pages.
  static func ignorePattern(of group: String, host: String) -> String? {
    let segments = group.split(separator: "/")
    let isAPIHost = host.prefix { $0 != "." } == "api"
    for (index, segment) in segments.enumerated() {
      let name = segment.lowercased()
      let hasSign =
        index == 0 && (roots.contains(name) || isAPIHost && isVersion(name))
        || names.contains(name)
        || versioned.contains(name) && index + 1 < segments.count
          && isVersion(segments[index + 1].lowercased())
      if hasSign {
        let isEnd = segment.endIndex == group.endIndex
        return pattern(group[..<segment.endIndex]) + (isEnd ? "" : "/*")
      }
    }
    guard let last = segments.last, last.endIndex == group.endIndex,
      let point = last.lastIndex(of: "."), point > last.startIndex
    else { return nil }
    let suffix = last[point...]
    return extensions.contains(suffix.dropFirst().lowercased()) ? "*" + suffix : nil
  }

  /// Returns a Boolean value indicating whether scripts send data to a path, and pages read it.
  ///
  /// A form that submits to its own URL also has visitors from elsewhere, and each submits it about
  /// once. A group with placeholders contains other paths, of which nothing is known. `submissions` are
  /// the requests of Apple devices with other methods than GET, and `entries` the visits that did not
  /// come from a page of the host.
  static func isEndpoint(_ group: String, submissions: Int, entries: Int, visits: Int) -> Bool {
    entries == 0 && submissions >= 2 * visits && !group.contains("{") && group != "/"
  }

  /// Whether a segment is the version of an interface, such as `v1`.
  private static func isVersion(_ segment: String) -> Bool {
    let digits = segment.dropFirst()
    return segment.first == "v" && !digits.isEmpty && digits.count < 4
      && digits.allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// The beginning of a path group, with `*` in place of placeholders.
  private static func pattern(_ group: Substring) -> String {
    let parts = group.split(separator: "{", omittingEmptySubsequences: false)
    return parts[0] + parts.dropFirst().map { "*" + $0.drop { $0 != "}" }.dropFirst() }.joined()
  }
}
