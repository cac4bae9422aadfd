internal import Foundations
internal import TrafficDigest
internal import UniversalLinks

extension Finding {
  /// The kinds of findings about the traffic of a site, in the order in which equals are shown.
  static let trafficKinds: [FindingKind<AuditedSite>] = [
    DiagnosticKind(
      "same-host-links", note: 0, warning: 1_000, of: "claimed visits", "Links on the same host",
      condition: "claimed visits came from a page of the same host",
      meaning: """
        A link to the host of its own page never opens the app, even if the app is installed. \
        iOS assumes that the person wants to stay on the website.
        """,
      remedy: Cause.sameHost.entry.remedy
    ).finding { context in
      let (audit, claimed) = (context.audit, context.claimed)
      let sameHost = audit.referrals[.sameHost]
      guard sameHost.visits > 0 else { return nil }
      let heaviest =
        audit.sameHostReferrals.first.map { " Heaviest: \($0.from) to \($0.to)." } ?? ""
      return context.measured(
        sameHost, of: claimed,
        "\(sameHost.visits.grouped) of \(claimed.visits.counted("claimed visit")) came from pages of the same host, where links never open the app.\(heaviest)",
        Finding.Evidence(
          pairs: Array(audit.sameHostReferrals.prefix(Finding.Evidence.limit))),
        visitsToWin: sameHost.visits)
    },
    DiagnosticKind(
      "no-referrers", .warning, "Claimed visits without referrers",
      condition: """
        no claimed visit has a referrer, and there are \(AuditedSite.leastWithoutReferrers) or \
        more, or the formats of all logs have no referrers
        """,
      meaning: """
        linkaudit finds links on the same host by their referrers. Without them, it can't tell \
        which claimed visits could never open the app.
        """,
      remedy: """
        Add the referrer to the format of the server's logs, such as '$http_referer' or \
        '%{Referer}i'. If the logs have it, check how linkaudit reads them with 'linkaudit formats \
        test LOG'.
        """
    ).finding { context in
      let claimed = context.claimed
      let without = context.audit.referrals[.none]
      guard claimed.visits > 0, without.visits == claimed.visits,
        !context.hasReferrers || claimed.visits >= AuditedSite.leastWithoutReferrers
      else { return nil }
      return context.finding(
        .warning,
        (claimed.visits == 1
          ? "The claimed visit has no referrer"
          : "None of \(claimed.visits.counted("claimed visit")) has a referrer")
          + (context.hasReferrers ? "" : ", because the logs' format has no field for it")
          + ". Links on the same host can't be seen.",
        without, share: context.share(without, of: claimed))
    },
    DiagnosticKind(
      "claimed-not-implemented", note: 0, warning: 100, error: 1_000, of: "visits",
      "Claimed, but not implemented",
      condition: "rules claim paths that no route of `--routes` has",
      meaning: "The app opens, but can't show the page. The web could have shown it.",
      remedy: """
        Add an 'exclude' rule for these paths before the rule that claims them, narrow that \
        rule, or implement them.
        """
    ).finding { context in
      // Paths that nobody opened as a page count only where there are no visits at all.
      let hasVisits = context.audit.total.visits > 0
      let rows = context.audit.coverage.claimedNotImplemented.filter {
        !hasVisits || $0.traffic.visits > 0
      }
      guard let first = rows.first else { return nil }
      let groups = rows.count.counted("path group")
      return context.measured(
        rows.total, of: context.audit.total,
        "Rules claim \(groups) for which the app has no route (\(rows.total.weightText)). Heaviest: \(first.path)\(context.rule(first.rule, "claimed by")).",
        context.evidence(rows),
        remedy: context.subject.usesNoRoute
          ? "No request matches any of the routes. Check that they are for this host, and that '--route-syntax' names their syntax (Documentation/Routes.md)."
          : nil)
    },
    DiagnosticKind(
      "claimed-broken", note: 0, warning: 100, error: 1_000, of: "claimed visits and attempts",
      "Claimed, but broken on the web",
      condition: """
        the web answers claimed pages with 404, 410 or 5xx; measured by the requests for pages \
        from Apple devices
        """,
      meaning: """
        People follow links to pages that the web can't show. The app may not have them either.
        """,
      remedy: """
        Fix or redirect the pages. If they are gone permanently, exclude them, so that the app \
        does not open for them.
        """
    ).finding { context in
      // Requests of scanners and crawlers alone are no broken link of a person; without user
      // agents, the client is unknown.
      let hasVisits = context.audit.total.visits > 0 || context.hasAgents
      let rows = context.audit.coverage.claimedBroken.filter { !hasVisits || $0.attempts > 0 }
      let requests = rows.total.requests
      let part = hasVisits ? rows.reduce(0) { $0 + $1.attempts } : requests
      let claimed = context.claimed
      let whole = hasVisits ? claimed.visits + part : claimed.requests
      guard let first = rows.first else { return nil }
      let statuses = Set(rows.flatMap(\.statuses.keys)).sorted().map(String.init)
        .joined(separator: ", ")
      let what =
        hasVisits
        ? "\(part.counted("attempt")) by people on Apple devices to open claimed pages"
        : "\(part.counted("request")) for claimed paths"
      return context.measured(
        Traffic(requests: part), of: Traffic(requests: whole),
        "The web answered \(what) with an error (status \(statuses)). Heaviest: \(first.path)\(context.rule(first.rule, "claimed by")).",
        context.evidence(rows), traffic: Traffic(requests: requests),
        visitsToWin: hasVisits ? part : 0)
    },
    DiagnosticKind(
      "claimed-redirected", note: 0, warning: 1_000, of: "claimed visits",
      "Claimed, but moved on the web",
      condition: "the web redirects claimed visits (301, 302, 303, 307, 308)",
      meaning: """
        The app gets the old URL, before the redirect, and may not know it. In the browser, a \
        redirect to the same host never opens the app.
        """,
      remedy: "Link to the new URLs, and check that the rules and the app know both."
    ).finding { context in
      let claimed = context.claimed
      let hasVisits = claimed.visits > 0 || context.hasAgents
      let rows = context.audit.coverage.claimedRedirected.filter {
        !hasVisits || $0.traffic.visits > 0
      }
      let traffic = rows.total
      let part = hasVisits ? traffic.visits : traffic.requests
      let whole = hasVisits ? claimed.visits : claimed.requests
      guard let first = rows.first else { return nil }
      let destination = first.destination.map { destination in
        destination.path == first.path
          ? ", a path group whose other pages are still served"
          : ", probably to \(destination.path) (\(destination.verdict.rawValue))"
      }
      // Rules take a path with and without a slash at its end for the same.
      let isSlash = first.destination.map {
        $0.path == first.path + "/" || first.path == $0.path + "/"
      }
      return context.measured(
        Traffic(requests: part), of: Traffic(requests: whole),
        "The web redirects \(part.grouped) of \(whole.counted(hasVisits ? "claimed visit" : "claimed request")). Heaviest: \(first.path)\(context.rule(first.rule, "claimed by"))\(destination ?? "").",
        context.evidence(rows), traffic: traffic,
        remedy: isSlash == true
          ? "Link to the URLs that the web serves. The rules treat both alike; check that the app does, too."
          : nil)
    },
    DiagnosticKind(
      "implemented-not-claimed", note: 0, warning: 500, of: "visits",
      "Implemented, but not claimed",
      condition: "a route has requests that no rule matches, except those of iOS 12 and earlier",
      meaning: "The app could open for these links, but the file does not claim them.",
      remedy: """
        Add rules for these paths: 'linkaudit suggest' proposes some, and shows what else each \
        would claim.
        """
    ).finding { context in
      let rows = context.audit.coverage.implementedNotClaimed
      guard let first = rows.first else { return nil }
      return context.measured(
        rows.total, of: context.audit.total,
        "The app has \(rows.count.counted("route")) with \(rows.total.weightText) that no rule claims. Heaviest: \(first.path).",
        context.evidence(rows), visitsToWin: rows.total.visits)
    },
    DiagnosticKind(
      "implemented-but-excluded", note: 0, warning: 500, of: "visits",
      "Implemented, but excluded",
      condition: "a route has requests that a rule excludes, except those of iOS 12 and earlier",
      meaning: """
        The app could open for these links, but the file excludes them. This may be intended, or \
        an exclusion may be too wide.
        """,
      remedy: """
        Narrow the exclusion, or put a rule for the route before it. If it is intended, do nothing.
        """
    ).finding { context in
      let rows = context.audit.coverage.implementedButExcluded
      guard let first = rows.first else { return nil }
      return context.measured(
        rows.total, of: context.audit.total,
        "The app has \(rows.count.counted("route")) with \(rows.total.weightText) that rules exclude. Heaviest: \(first.path)\(context.rule(first.rule, "excluded by")).",
        context.evidence(rows), visitsToWin: rows.total.visits)
    },
    DiagnosticKind(
      "excluded-heavy", note: 1_000, warning: 5_000, of: "visits", "Many excluded visits",
      condition: "rules exclude a large share of the visits",
      meaning: "An exclusion may be too wide.",
      remedy: """
        Check the heaviest path groups. If the app can show them, narrow the rule that excludes \
        them.
        """
    ).finding { context in
      let excluded = context.audit.verdicts[.excluded]
      let total = context.audit.total
      guard let first = context.audit.coverage.excludedHeavy.first else { return nil }
      let whole =
        total.visits > 0
        ? "\(excluded.visits.grouped) of \(total.visits.counted("visit"))"
        : "\(excluded.requests.grouped) of \(total.requests.counted("request"))"
      return context.measured(
        excluded, of: total,
        "Rules exclude \(whole). Heaviest: \(first.path)\(context.rule(first.rule, "excluded by")).",
        context.evidence(context.audit.coverage.excludedHeavy))
    },
    DiagnosticKind(
      "unclaimed-heavy", note: 1_000, of: "visits", "Heavy pages that no rule matches",
      condition: "no rule matches a path group that has a large share of the visits",
      meaning: "Many people visit these pages, and links to them never open the app.",
      remedy: """
        If the app can show them, add a rule that claims them. If not, add an 'exclude' rule with \
        a comment that says why.
        """
    ).finding { context in
      let total = context.audit.total
      // Requests alone don't distinguish pages from their parts.
      guard total.visits > 0 else { return nil }
      let rows = context.audit.coverage.unclaimedHeavy.filter {
        context.severity($0.traffic, of: total) != nil
      }
      guard let first = rows.first,
        let severity = rows.compactMap({ context.severity($0.traffic, of: total) }).max()
      else { return nil }
      let groups = rows.count.counted("path group")
      return context.finding(
        severity,
        "No rule matches \(groups) with a large share of the traffic\(rows.count == 1 ? "" : " each") (\(rows.total.weightText)). Heaviest: \(first.path).",
        rows.total, context.evidence(rows),
        share: context.share(rows.total, of: context.audit.total))
    },
    DiagnosticKind(
      "visits-not-pages", note: 100, of: "visits", "Visits that may not be pages",
      condition: """
        visits are for paths without a route that look like data: `api`, `rest`, `rpc`, `ajax`, `graphql`, \
        `.well-known` and the like at the start of a path, or before a version (`/shop/api/v2`); \
        `/v1` on the host `api`; `_next`, `wp-json`, `admin-ajax.php` and `xmlrpc.php` anywhere; \
        and extensions of feeds, data and streams, such as `.rss` and `.m3u8`; or for single paths \
        to which Apple devices send at least twice as many requests with other methods than GET, \
        and whose visits all come from pages of the same host
        """,
      meaning: """
        Most logs don't record whether a person opened a page or a script fetched data: both are \
        GET requests of the same user agent. Requests of scripts then count as visits, and the \
        shares of all rules are wrong. If a log records `Sec-Fetch-Dest` or `Sec-Fetch-Mode`, \
        linkaudit doesn't count them. Other paths can be data, too; only their owner knows.
        """,
      remedy: """
        Ignore the paths with `--ignore`, or `ignore:` in linkaudit.yml; the report then shows how \
        many visits it ignores. If they are pages, do nothing.
        """
    ).finding { context in
      let rows = context.audit.coverage.dataPaths
      let total = context.audit.total
      guard total.visits > 0 else { return nil }
      let named = 3
      let rest = rows.count - named
      let paths = rows.prefix(named).map(\.path).joined(separator: ", ")
      let others = rest > 0 ? " and \(rest.counted("more path group"))" : ""
      return context.measured(
        rows.total, of: total,
        "\(rows.total.visits.grouped) of \(total.visits.counted("visit")) are for paths that look like data: \(paths)\(others).",
        context.evidence(rows),
        remedy:
          "If these are not pages, ignore them with these options, or under 'ignore:' in linkaudit.yml: \(ignoreOptions(rows, host: context.audit.host))"
      )
    },
  ]
}

/// The options that leave out path groups, as a shell reads them.
private func ignoreOptions(_ rows: [PathGroupTraffic], host: String) -> String {
  // A path without a sign in its name is one to which scripts send data.
  rows.grouped { DataPath.ignorePattern(of: $0.path, host: host) ?? $0.path }.prefix(20)
    .map { "--ignore '\($0.key.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
}

extension AuditedSite {
  /// The number of claimed visits from which on it is no chance that none has a referrer.
  fileprivate static let leastWithoutReferrers = 100

  /// A Boolean value indicating whether no request at all has a route, as where the syntax of the
  /// routes was not understood.
  fileprivate var usesNoRoute: Bool {
    guard let routes = site.routes?.routes, !routes.isEmpty else { return false }
    return Set(audit.coverage.unvisitedRoutes).count == Set(routes.map(\.source)).count
  }
}

extension Finding {
  /// The kinds of findings about the causes for which claimed visits stay on the web.
  ///
  /// They are in the order of the causes. Links on the same host have a kind of their own.
  static let causeKinds: [FindingKind<AuditedSite>] = Cause.allCases.compactMap { cause in
    let entry = cause.entry
    guard let levels = entry.levels else { return nil }
    return DiagnosticKind(
      "cause-\(entry.name)", note: levels.note, warning: levels.warning, of: "claimed visits",
      entry.title, condition: "claimed visits \(entry.predicate)", meaning: entry.meaning,
      remedy: entry.remedy
    ).finding { context in
      let claimed = context.claimed
      guard let row = context.audit.causes.first(where: { $0.cause == cause }),
        row.traffic.visits > 0
      else { return nil }
      let paths = row.paths.filter { $0.traffic.visits > 0 }
      let heaviest = paths.first.map { " Heaviest: \($0.path)." } ?? ""
      let known = entry.names(context.subject).filter { !$0.hasPrefix("other ") }.prefix(3)
      let names =
        known.isEmpty
        ? "" : " In these logs, most requests of this kind are from \(Array(known).listed)."
      // Where the cause is unknown, the app may not even be installed.
      let canWin = entry.canBeFixed && entry.certainty != .unknown
      return context.measured(
        row.traffic, of: claimed,
        "\(row.traffic.visits.grouped) of \(claimed.visits.counted("claimed visit")) \(entry.predicate).\(heaviest)\(names)",
        context.evidence(paths), visitsToWin: canWin ? row.traffic.visits : nil)
    }
  }
}

extension Finding {
  /// The greatest number of findings of a kind for the rules of a site: no file that systems
  /// read has more rules.
  static let ruleLimit = 10_000

  /// The kinds of findings about single rules, in the order in which equals are shown.
  static let ruleKinds: [FindingKind<AuditedSite>] = [
    DiagnosticKind(
      "rule-shadowed", .warning,
      except: "`note` if all earlier rules do the same as this one",
      "Rule that others shadow",
      condition: "a rule decided nothing, because earlier rules decided all that it matches",
      meaning: """
        The first rule that matches decides. This rule has no effect in these logs. If an earlier \
        rule does the opposite, links may not behave as the author of the file intended.
        """,
      remedy: "Move the rule before the rules that match its URLs. If they do the same, remove it."
    ).findings { context in
      context.singleRules { list, rule in
        guard rule.traffic.requests == 0, rule.shadowed > 0 else { return nil }
        let excludes = rule.rule.excludes
        let deciders = rule.shadowedBy.compactMap { list.rule(with: $0.rule) }
        let opposite = deciders.first { $0.excludes != excludes }
        let by = (opposite ?? deciders.first).map { context.name($0) } ?? "an earlier rule"
        let name = context.name(rule.rule, of: list)
        let taken =
          deciders.count > 1
          ? "\(deciders.count) earlier rules decided all \(rule.shadowed.counted("request")) that it matches, among them \(by)"
          : rule.shadowed == 1
            ? "\(by) decided the only request that it matches"
            : "\(by) decided all \(rule.shadowed.counted("request")) that it matches"
        let effect =
          opposite == nil
          ? deciders.count > 1
            ? " They all \(excludes ? "exclude" : "claim") them, as this rule would."
            : " That rule \(excludes ? "excludes" : "claims") them, too."
          : excludes ? " That rule claims them." : " That rule excludes them."
        let shadow = rule.shadowTraffic
        return context.finding(
          opposite == nil ? .note : .warning, about: rule.rule.subject,
          "\(name.capitalizedFirst) decided nothing: \(taken).\(effect)", shadow,
          Finding.Evidence(rules: [rule.rule] + deciders.prefix(Finding.Evidence.limit)),
          share: context.share(shadow, of: context.audit.total),
          remedy: opposite == nil
            ? "You can remove the rule: no link would change."
            : opposite.flatMap { cause in
              cause.optionalItems.first.map {
                "'*' also matches URLs without the query item '\($0)': write '?*' in \(context.name(cause))."
              }
            } ?? "If the rule should have an effect, move it before the rules that match its URLs.")
      }
    },
    DiagnosticKind(
      "fragment-dependent", .note, "Rule that depends on the fragment",
      condition: "a rule depends on the fragment, which never reaches a server",
      meaning: """
        linkaudit judges URLs without a fragment, so logs can't show what the rule decides on \
        devices.
        """,
      remedy: "If this is intended, do nothing, but don't rely on the figures of this rule."
    ).findings { context in
      context.singleRules { list, rule in
        let isShadowed = rule.traffic.requests == 0 && rule.shadowed > 0
        guard rule.rule.dependsOnFragment, !isShadowed else { return nil }
        return context.finding(
          .note, about: rule.rule.subject,
          "\(context.name(rule.rule, of: list).capitalizedFirst) depends on the fragment, which logs don't record. linkaudit judges it without one."
            + (rule.withFragment.visits > 0
              ? " It would decide \(rule.withFragment.visits.counted("visit")) if their links had such a fragment."
              : ""),
          rule.withFragment, Finding.Evidence(rules: [rule.rule]),
          share: context.share(rule.withFragment, of: context.audit.total))
      }
    },
    DiagnosticKind(
      "rule-unused", .note, "Rule that matches no request",
      condition: "a rule matched no request, and does not depend on the fragment",
      meaning: "The logs have no request for such a URL, or the rule is misspelt.",
      remedy: """
        Test the rule with 'linkaudit match' and a URL that it should match. If it is right, keep \
        it: other days may have such requests.
        """
    ).findings { context in
      context.singleRules { list, rule in
        guard rule.traffic.requests == 0, rule.shadowed == 0, !rule.rule.dependsOnFragment
        else { return nil }
        return context.finding(
          .note, about: rule.rule.subject,
          context.name(rule.rule, of: list).capitalizedFirst
            + " matched no\(context.isPartial ? "ne" : "") \(context.scope).",
          Traffic(), Finding.Evidence(rules: [rule.rule]))
      }
    },
  ]
}

extension RuleListTraffic {
  fileprivate func rule(with id: RuleID) -> ReportedRule? {
    // Rules are in file order; those of old systems follow.
    if let position = id.position, rules.indices.contains(position),
      rules[position].rule.id == id
    {
      return rules[position].rule
    }
    return rules.first { $0.rule.id == id }?.rule
  }
}

extension FindingContext<AuditedSite> {
  /// Finds something for each rule of the file once, whichever apps share it.
  ///
  /// The last finding represents all beyond the limit.
  fileprivate func singleRules(_ find: (RuleListTraffic, RuleTraffic) -> Finding?) -> [Finding] {
    guard self.audit.total.requests > 0, !self.audit.apps.isEmpty else { return [] }
    var findings: [Finding] = []
    var (others, severity, traffic) = (0, Severity.note, Traffic())
    // Apps of one entry share its rules and their problems.
    var seen: Set<RuleID> = []
    for list in subject.newestRuleLists {
      for rule in list.rules where rule.rule.id.position != nil {
        guard seen.insert(rule.rule.id).inserted else { continue }
        guard let finding = find(list, rule) else { continue }
        if findings.count < Finding.ruleLimit {
          findings.append(finding)
        } else {
          others += 1
          severity = max(severity, finding.severity)
          traffic += finding.traffic
        }
      }
    }
    guard others > 0 else { return findings }
    return findings + [
      finding(
        severity, about: "(other rules)",
        "The same is true of \(others.counted("more rule")), which are not listed.", traffic)
    ]
  }
}
