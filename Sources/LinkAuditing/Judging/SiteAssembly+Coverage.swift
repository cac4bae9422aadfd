internal import TrafficDigest
internal import UniversalLinks

// The tables of paths.
extension SiteAssembly {
  func coverage() -> Coverage {
    var coverage = Coverage()
    if site.hasRoutes, let routes = site.site.routes {
      coverage.claimedNotImplemented = groups {
        $0.key.verdict == .claimed && $0.key.route == nil
      }
      // An app has routes on the systems that it runs on. So rules that older systems can't read
      // are not a gap.
      coverage.implementedNotClaimed = self.routes(routes, .unclaimed)
      coverage.implementedButExcluded = self.routes(routes, .excluded)
      let visited = Set(paths.compactMap(\.key.route))
      coverage.unvisitedRoutes = routes.distinctRoutes.filter { !visited.contains($0) }
        .map { routes.routes[$0].source }
    }
    coverage.excludedHeavy = groups { $0.key.verdict == .excluded }
    coverage.unclaimedHeavy = groups { $0.key.verdict == .unclaimed && $0.key.rule == nil }
    coverage.olderSystems = groups { $0.key.verdict == .unclaimed && $0.key.rule != nil }
    coverage.dataPaths = dataPaths()
    let problems = tally.traffic(of: tally.problems)
    coverage.claimedBroken = broken(problems.filter { $0.key.status.isBroken })
    coverage.claimedRedirected = redirected(problems.filter { $0.key.status.isRedirect })
    return coverage
  }

  private func groups(where isIncluded: (SiteTally.PathTraffic) -> Bool) -> [PathGroupTraffic] {
    rows(paths.filter(isIncluded), name: \.group)
  }

  private func dataPaths() -> [PathGroupTraffic] {
    let routes = site.hasRoutes ? site.site.routes?.routes ?? [] : []
    let submissions = tally.submissionsByGroup.filter { $0.value.requests > 0 }
    var visits: [Int: Int] = [:]
    if !submissions.isEmpty {
      for path in paths { visits[path.key.path, default: 0] += path.traffic.visits }
    }
    var known: [Int: Bool] = [:]
    return groups { path in
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

  private func routes(_ routes: RouteTable, _ verdict: Verdict) -> [PathGroupTraffic] {
    rows(
      paths.filter {
        $0.key.verdict == verdict && $0.key.route != nil && $0.key.system == .current
      }, name: { routes.routes[$0.key.route ?? 0].source })
  }

  /// The greatest number of path groups whose route in another letter case is sought, those that
  /// people will read.
  private static let foldedRouteLimit = 1_000
}

// MARK: - Adding up

extension SiteAssembly {
  private struct Sum {
    var sampled = SampledTraffic()
    var rules: [ReportedRule: Traffic] = [:]
    var statuses: [UInt16: Int] = [:]

    mutating func add(_ path: SiteTally.PathTraffic, _ names: RuleNames) {
      sampled.add(path.traffic, path.samples)
      if path.key.status > 0 { statuses[path.key.status, default: 0] += path.traffic.requests }
      guard let number = path.key.rule,
        let rule = names.rule(number, path.key.ruleSystem, version: path.key.version)
      else { return }
      rules[rule, default: Traffic()] += path.traffic
    }

    var rule: ReportedRule? { rules.heaviestFirst(by: .visits, \.value, name: \.key).first?.key }
  }

  /// Adds up paths by names, such as those of their path groups.
  private func rows(
    _ paths: [SiteTally.PathTraffic], name: (SiteTally.PathTraffic) -> String
  ) -> [PathGroupTraffic] {
    var sums: [String: Sum] = [:]
    for path in paths { sums[name(path), default: Sum()].add(path, names) }
    return sums.map { name, sum in
      PathGroupTraffic(
        path: name, traffic: sum.sampled.traffic, rule: sum.rule, samples: sum.sampled.texts,
        statuses: sum.statuses)
    }.heaviestFirst(by: weight, \.traffic, name: \.path)
  }
}

// MARK: - Answers

extension SiteAssembly {
  /// Returns rows of problems, whose visits are attempts.
  private func broken(_ problems: [SiteTally.PathTraffic]) -> [PathGroupTraffic] {
    rows(problems, name: \.group).map { row in
      var row = row
      swap(&row.attempts, &row.traffic.visits)
      return row
    }
  }

  private func redirected(_ problems: [SiteTally.PathTraffic]) -> [PathGroupTraffic] {
    var rows = rows(problems, name: \.group)
    guard !rows.isEmpty else { return [] }
    let served = servedGroups(rows)
    for index in rows.indices {
      rows[index].attempts = rows[index].traffic.visits
      rows[index].destination = Self.destination(among: Self.twins(of: rows[index].path), served)
    }
    if site.hasRoutes { findRoutesInOtherCase(of: &rows, served) }
    return rows
  }

  /// Finds destinations for path groups without a route, among those with a route in another letter
  /// case.
  private func findRoutesInOtherCase(
    of rows: inout [PathGroupTraffic], _ served: [String: [Verdict: Int]]
  ) {
    let folded = served.keys.filter { $0.contains(PathTemplate.anything) }.sorted()
      .map { (name: $0, segments: $0.split(separator: "/")) }
    for index in rows.indices.prefix(Self.foldedRouteLimit) {
      let (path, lowercased) = (rows[index].path, rows[index].path.lowercasedOutsideEscapes)
      guard path != lowercased, rows[index].destination.map({ $0.path == path }) ?? true else {
        continue
      }
      let segments = lowercased.split(separator: "/")
      let groups = folded.lazy.filter { group in
        group.segments.count == segments.count
          && zip(group.segments, segments).allSatisfy { $0 == $1 || $0 == PathTemplate.anything }
      }
      if let group = groups.first,
        let destination = Self.destination(among: [group.name], served)
      {
        rows[index].destination = destination
      }
    }
  }

  /// The visits by path group and verdict that were no redirects of claimed targets.
  private func servedGroups(_ redirected: [PathGroupTraffic]) -> [String: [Verdict: Int]] {
    var served: [String: [Verdict: Int]] = [:]
    for path in paths where path.traffic.visits > 0 {
      served[path.group, default: [:]][path.key.verdict, default: 0] += path.traffic.visits
    }
    for row in redirected { served[row.path]?[.claimed, default: 0] -= row.traffic.visits }
    return served
  }

  /// The path groups whose paths differ from those of one in letter case or the slash at the end,
  /// and the group itself.
  private static func twins(of name: String) -> [String] {
    let other = name.hasSuffix("/") ? String(name.dropLast()) : name + "/"
    // The path group itself comes last: its paths can be redirected and served.
    return [other, name.lowercasedOutsideEscapes, other.lowercasedOutsideEscapes].filter {
      $0 != name
    } + [name]
  }

  private static func destination(
    among names: [String], _ served: [String: [Verdict: Int]]
  ) -> RedirectDestination? {
    for candidate in names where !candidate.isEmpty {
      guard let verdicts = served[candidate]?.filter({ $0.value > 0 }),
        let verdict = verdicts.mostFrequent
      else { continue }
      return RedirectDestination(
        path: candidate, verdict: verdict, visits: verdicts.values.reduce(0, +))
    }
    return nil
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
