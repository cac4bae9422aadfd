internal import Foundations
internal import TrafficDigest
internal import UniversalLinks

extension Finding {
  /// The kinds of findings about an association file whatever its traffic, in the order in which
  /// equals are shown.
  static let fileKinds: [FindingKind<AuditedSite>] = [
    DiagnosticKind(
      "file-too-large", .error, "Association file too large",
      condition: "the association file has more than 131,072 bytes",
      meaning: "No system reads it, so devices get no rules from it.",
      remedy: AssociationFile.sizeRemedy
    ).finding { context in
      guard let size = context.site.fileSize, size > AssociationFile.sizeLimit else { return nil }
      return context.finding(
        .error,
        "The association file has \(size.grouped) bytes. Systems read at most \(AssociationFile.sizeLimit.grouped), so devices get no rules from it."
      )
    },
    DiagnosticKind(
      "no-usable-rules", .error,
      except: "`note` if the file names none of the apps chosen with `--app`",
      "Association file that claims nothing",
      condition: "no rule of the association file can claim a URL",
      meaning: "No link to this host opens an app.",
      remedy: """
        Check that 'applinks.details' names the app, and that its entry has a rule without \
        'exclude'.
        """
    ).finding { context in
      if context.site.hasChosenApps,
        context.site.file.entries.allSatisfy(\.namedApps.isEmpty)
      {
        return context.finding(
          .note, "The association file names none of the chosen apps.",
          remedy: "Pass another app with '--app', or remove the site.")
      }
      let hasUsableRules = OperatingSystem.allCases.contains { system in
        context.site.file.asRead(by: system).entries.contains { entry in
          let rules = entry.rules ?? [RuleDefinition()]
          return !entry.appIDs.isEmpty
            && rules.contains { !$0.excludes && !$0.requiresEntitlement }
        }
      }
      if hasUsableRules { return nil }
      return context.finding(
        .error, "The association file has no rule that can claim a URL.",
        context.audit.total)
    },
  ]

  /// The kinds of findings about the entries of an association file, its routes, and its delivery,
  /// in the order in which equals are shown.
  static let deliveryKinds: [FindingKind<AuditedSite>] = [
    DiagnosticKind(
      "no-routes", .warning, "Routes that could not be read",
      condition: "no line of the file of `--routes` is a route of the site",
      meaning: """
        linkaudit doesn't know what the app implements, so it can't find paths that the app \
        claims but doesn't implement.
        """,
      remedy: """
        Read on standard error which lines were skipped, and pass their syntax with \
        '--route-syntax'. Documentation/Routes.md lists all syntaxes.
        """
    ).finding { context in
      guard let routes = context.site.routes, routes.routes.isEmpty else { return nil }
      return context.finding(
        .warning,
        "No route of this site could be read, so the report can't say what the app implements.")
    },
    DiagnosticKind(
      "matches-everything", .warning, "Entry that claims everything",
      condition: "an entry has neither `components` nor `paths`",
      meaning: """
        Such an entry claims every URL of the host, including pages that the app can't show.
        """,
      remedy: """
        Add 'components' with the paths that the app implements. To claim everything, write \
        '{"/": "*"}'.
        """
    ).findings { context in
      context.newestRuleLists.flatMap { list in
        list.rules.filter { $0.rule.id.position == nil }.map { rule in
          context.finding(
            .warning, about: list.apps.first?.text ?? "",
            "The entry of \(list.name) has neither 'components' nor 'paths', so it claims every URL.",
            rule.traffic, Finding.Evidence(rules: [rule.rule]),
            share: context.share(rule.traffic, of: context.audit.total))
        }
      }
    },
    DiagnosticKind(
      "old-systems", note: 0, of: "visits", "Visits from iOS 12 and earlier",
      condition: """
        there are visits from iOS 12 and earlier, and these systems read other rules in the file
        """,
      meaning: """
        These systems read only 'appID' and 'paths'. They don't know 'appIDs' and 'components'.
        """,
      remedy: """
        If these visits are important, add 'appID' and 'paths' to the entry. If not, do nothing.
        """
    ).finding { context in
      let traffic = context.audit.platforms[.ios12]
      let isReadAlike = context.site.file.entries.allSatisfy { entry in
        entry.components == nil && entry.appIDs.allSatisfy { $0 == entry.legacyAppID }
      }
      guard traffic.visits > 0, !isReadAlike else { return nil }
      let rows = context.audit.coverage.olderSystems
      let difference =
        rows.first.map {
          " Newer systems have a rule for \(rows.total.weightText) of them. Heaviest: \($0.path)."
        } ?? ""
      return context.measured(
        traffic, of: context.audit.total,
        "\(traffic.visits.counted("visit")) came from iOS 12 and earlier, which read only 'appID' and 'paths', so linkaudit judges them by these alone.\(difference)",
        context.evidence(rows))
    },
    DiagnosticKind(
      "file-not-served", .warning,
      except: "`error` if the last fetch failed",
      "Apple failed to fetch the association file",
      condition: """
        a fetch of `/.well-known/apple-app-site-association` by Apple failed: it got neither \
        status 200 or 304 nor a redirect
        """,
      meaning: """
        Devices get the rules from Apple's copy, and Apple makes the copy with these fetches. \
        While they fail, devices don't get a changed file.
        """,
      remedy: """
        Serve the file with status 200 at '/.well-known/apple-app-site-association', without a \
        redirect, a login or a block on Apple's fetchers.
        """
    ).finding { context in
      context.finding(again: "the last one failed, too; ") {
        !$0.isGood && !$0.isRedirected
      } predicate: {
        "failed, with status \($0)"
      }
    },
    DiagnosticKind(
      "file-redirected", .warning,
      except: "`error` if the last fetch was redirected",
      "Redirected fetches of the association file by Apple",
      condition: "a fetch of `/.well-known/apple-app-site-association` by Apple got a redirect",
      meaning: """
        Apple's fetchers follow no redirects, so they get no file. Often, a redirect of all \
        requests to another host, to a language or to a final slash includes the file by mistake.
        """,
      remedy: """
        Exclude '/.well-known/apple-app-site-association' from redirects, and serve the file with \
        status 200 on this host.
        """
    ).finding { context in
      context.finding(again: "the last one got it, too; ") {
        $0.isRedirected
      } predicate: {
        "got a redirect, status \($0), which Apple doesn't follow"
      }
    },
    DiagnosticKind(
      "file-served-too-large", .error,
      except: "`warning` if it was smaller on the last day with a good fetch",
      "Oversized association file served to Apple",
      condition: """
        the log records more than 131,072 bytes for a good fetch of the association file by Apple
        """,
      meaning: """
        No system reads a larger file, so devices get no rules from it. Logs record the size that \
        was sent. If the file was compressed, it is even larger. Some servers include the headers, \
        a few hundred bytes.
        """,
      remedy: """
        Check what the server sends for '/.well-known/apple-app-site-association': it may be \
        another file, or an error page with status 200. If it is the file, shorten it.
        """
    ).finding { context in
      let large = context.appleFetches.filter { fetch in
        fetch.isGood && (fetch.sizes?.upperBound ?? 0) > AssociationFile.sizeLimit
      }
      guard let size = large.compactMap(\.sizes?.upperBound).max() else { return nil }
      let isOver = context.audit.fetchers.filter(\.fetcher.isApple).allSatisfy {
        ($0.lastSize ?? 0) <= AssociationFile.sizeLimit
      }
      let paths = Set(large.map(\.path)).sorted().map { "'\($0)'" }.listed
      return context.finding(
        isOver ? .warning : .error,
        "The server sent Apple up to \(size.grouped) bytes for \(paths). Systems read at most \(AssociationFile.sizeLimit.grouped).\(isOver ? " On the last day with a good fetch, the file was smaller." : "")"
      )
    },
    DiagnosticKind(
      "file-not-fetched", .note,
      except: """
        `warning` if the logs span more than two days, and this host has requests on more than \
        two
        """,
      "No fetch of the association file by Apple",
      condition: """
        there is no fetch of the association file by Apple's network (`AASA-Bot`) in the logs
        """,
      meaning: """
        If devices have the app, Apple's network fetches the file about once a day. If few or no \
        devices have it, Apple may not fetch the file, and nothing is wrong. Logs of some of the \
        servers, or of a few hours, may not show the fetch.
        """,
      remedy: """
        If people have the app, fetch the file from outside your network, without following \
        redirects. Check that no firewall blocks Apple's fetchers, and that these logs include \
        their requests.
        """
    ).finding { context in
      // Without user agents, the client is unknown.
      guard context.appleNetwork == nil, context.audit.total.requests > 0, context.hasAgents else {
        return nil
      }
      let days = context.audit.days.count { $0.day != nil }
      let device =
        context.appleFetches.isEmpty
        ? "" : " Devices have fetched it directly; \(context.lastGoodText)."
      return context.finding(
        context.spansPatience && days > 2 ? .warning : .note,
        "In these logs, Apple's network (AASA-Bot) does not fetch the association file from this host.\(device)"
      )
    },
    DiagnosticKind(
      "file-fetches-ended", .warning, "Apple stopped fetching the association file",
      condition: """
        the last good fetch by Apple's network (`AASA-Bot`) is more than two days before the end \
        of the logs, and no later fetch failed
        """,
      meaning: """
        If devices have the app, Apple's network fetches the file about once a day. If the \
        fetches have stopped, something may block them. If few devices have the app, the next \
        fetch may only be late.
        """,
      remedy: """
        Find out what changed at that time: a firewall, a protection against bots, a name \
        server, a certificate, or the servers whose logs you read.
        """
    ).finding { context in
      guard let network = context.appleNetwork, let lastGood = network.lastGood,
        // Other kinds report failures since then.
        network.last == lastGood, let end = context.subject.endOfSilence(since: lastGood)
      else { return nil }
      return context.finding(
        .warning,
        "Apple's network (AASA-Bot) last fetched the association file on \(lastGood). These logs end on \(end)."
      )
    },
    DiagnosticKind(
      "file-fetches-far-apart", .note, "Apple rarely fetches the association file",
      condition: """
        there are more than two days of the logs between two good fetches by Apple's network \
        (`AASA-Bot`)
        """,
      meaning: """
        If devices have the app, Apple's network fetches the file about once a day. Until it \
        does, devices use the old file. If few devices have the app, Apple may fetch it less \
        often, and nothing is wrong.
        """,
      remedy: """
        Check the status of the fetches in between, which shows why they failed. If there are \
        none, check that you read the logs of all servers. Then look for a firewall that blocks \
        them.
        """
    ).finding { context in
      guard let network = context.appleNetwork, let gap = network.greatestGap,
        gap > 2
      else { return nil }
      return context.finding(
        .note,
        "Apple's network (AASA-Bot) got the association file on \(network.goodDays.counted("day")) of these logs. The longest time between two fetches was \(gap.counted("day")) of the logs."
      )
    },
    DiagnosticKind(
      "file-asked-at-root-only", .note, "Fetches by Apple at the root path only",
      condition: """
        Apple fetched `/apple-app-site-association`, but never \
        `/.well-known/apple-app-site-association`
        """,
      meaning: """
        Apple's network, and iOS 14 and later, use only '/.well-known'. Older devices also try \
        the root path. So either only old devices have the app, or another server answers \
        requests for '/.well-known', and these logs don't include them.
        """,
      remedy: """
        Fetch 'https://HOST/.well-known/apple-app-site-association' from outside your network, \
        and check whether these logs record the request.
        """
    ).finding { context in
      guard !context.appleFetches.isEmpty, context.wellKnownFetches.isEmpty else { return nil }
      let count = context.appleFetches.requestSum
      return context.finding(
        .note,
        "Apple fetched the association file only at '\(TrafficDigest.Fetch.rootPath)', \(count == 1 ? "once" : "\(count.grouped) times"); \(context.lastGoodText).",
        Traffic(requests: count))
    },
  ]
}

extension FindingContext<AuditedSite> {
  /// The finding about fetches where systems look first that got no file, or `nil` if there are none.
  ///
  /// `again` says that the last fetch was such a one, and `predicate` says it of a status.
  fileprivate func finding(
    again: String, _ isAffected: (TrafficDigest.Fetch) -> Bool, predicate: (String) -> String
  ) -> Finding? {
    let failed = self.wellKnownFetches.filter(isAffected)
    guard let last = self.lastFetch, !failed.isEmpty else { return nil }
    let (count, all) = (failed.requestSum, self.wellKnownFetches.requestSum)
    let isOver = !isAffected(last)
    let end =
      last.isGood
      ? "the last one succeeded" : "\(isOver ? "" : again)\(self.lastGoodTextThere)"
    return finding(
      isOver ? .warning : .error,
      "\(count.grouped) of \(all.grouped) fetches of '\(TrafficDigest.Fetch.wellKnownPath)' by Apple \(predicate(failed.statusText)); \(end).",
      Traffic(requests: count), share: Finding.share(count, of: all),
      remedy: failed.remedyOfFailures)
  }

  /// The difference between two versions of the file in words, or `nil` if all verdicts are the same.
  fileprivate func difference(from old: AssociationFile, to new: AssociationFile) -> String? {
    let host = self.audit.host
    let comparison = PatternComparison(
      old: Site(host: host, file: old), new: Site(host: host, file: new))
    return comparison.hasSameVerdicts == true ? nil : comparison.summary
  }
}

extension [TrafficDigest.Fetch] {
  /// The remedy for fetches that failed, or `nil` if they did so in several ways.
  fileprivate var remedyOfFailures: String? {
    let path = TrafficDigest.Fetch.wellKnownPath
    if allSatisfy({ [401, 403, 407, 429].contains($0.status) }) {
      return
        "Let AASA-Bot and swcd pass the login, firewall, rate limit or bot filter that refuses them. The file must be public."
    }
    if allSatisfy({ [404, 410].contains($0.status) }) {
      return "Serve the file at '\(path)' on this host."
    }
    if allSatisfy({ $0.status >= 500 }) {
      return
        "Check the server's error log for these times, and serve '\(path)' as a static file."
    }
    return nil
  }
}

extension Finding {
  /// The kinds of findings about the recorded answers of the file's servers, in the order in which
  /// findings of equal severity are shown.
  ///
  /// They describe the last check, not the present, so a report is the same whenever it is made.
  static let servedFileKinds: [FindingKind<AuditedSite>] = [
    DiagnosticKind(
      "served-file-missing", .error, "Server without a readable association file",
      condition: """
        at the last check of the site or of Apple's CDN, `linkaudit fetch --store` got no file \
        that systems can read
        """,
      meaning: """
        If the site doesn't serve the file, Apple's CDN can't make a new copy. If the CDN has no \
        copy, new installations of the app get no rules.
        """,
      remedy: """
        Run 'linkaudit fetch HOST', which names the cause and its remedy. If it reaches no server, \
        check the network of the machine that runs linkaudit.
        """
    ).findings { context in
      DeliverySource.allCases.compactMap { source in
        guard let current = context.audit.servedFiles.current(of: source), current.content == nil
        else { return nil }
        let earlier = context.audit.servedFiles.last { $0.source == source && $0.content != nil }
        let end =
          earlier.map { "the last good answer was on \($0.last)" }
          ?? "no earlier answer was good"
        return context.finding(
          .error, about: source.rawValue,
          "At the check on \(current.last), \(source.name) answered with \(current.answer), as since \(current.first); \(end)."
        )
      }
    },
    DiagnosticKind(
      "cdn-behind", .warning,
      except: "`error` if the file is older than two days",
      "Old association file on Apple's CDN",
      condition: """
        a day or more after the site began to serve its current file, `linkaudit fetch --store` \
        got another file from Apple's CDN, with other verdicts
        """,
      meaning: """
        Devices get the CDN's copy, which usually is at most a day old. Until the CDN fetches the \
        new file, links open by the rules of the old one.
        """,
      remedy: """
        Check that the site answers AASA-Bot with status 200, from any country and address. \
        Firewalls, rate limits and bot filters often block it. Then wait for a day. Nobody can \
        make the CDN fetch the file sooner.
        """
    ).finding { context in
      let served = context.audit.servedFiles
      guard let site = served.current(of: .origin), let file = site.content,
        let cdn = served.current(of: .cdn), let copy = cdn.content,
        file.identity != copy.identity, let since = served.contentSince(.origin)
      else { return nil }
      let seconds = cdn.last.secondsSince1970 - since.secondsSince1970
      guard seconds >= 86_400,
        let difference = context.difference(from: copy.file, to: file.file)
      else { return nil }
      return context.finding(
        seconds > 2 * 86_400 ? .error : .warning,
        "The site has served its current file since the check on \(since). At the check on \(cdn.last), Apple's CDN still had another one. The difference: \(difference)"
      )
    },
    DiagnosticKind(
      "served-file-differs", .warning, "Served file that differs from the store's file",
      condition: """
        at the last check by `linkaudit fetch --store`, the site's file had other verdicts than \
        the file for the newest days of the store
        """,
      meaning: "The report is about another file than the one that devices get.",
      remedy: """
        Save the served file with 'linkaudit fetch HOST --from origin --save FILE', and pass it \
        to 'linkaudit ingest --aasa'. Or deploy the file of the store.
        """
    ).finding { context in
      guard let site = context.audit.servedFiles.current(of: .origin), let file = site.content,
        !file.isInForce,
        let difference = context.difference(from: context.site.file, to: file.file)
      else { return nil }
      let age =
        file.inForceSince.map {
          ", which was in force here from \($0) until another file replaced it"
        }
        ?? ""
      return context.finding(
        .warning,
        "At the check on \(site.last), the site served another file than the one that judges these requests\(age). The difference: \(difference)"
      )
    },
    DiagnosticKind(
      "certificate-expires", .warning,
      except: "`error` if it expires within a week",
      "Certificate that expires soon",
      condition: """
        at the last check by `linkaudit fetch --store`, the site's certificate was valid for less \
        than three weeks
        """,
      meaning: """
        When it has expired, Apple's CDN and browsers reject the site, and devices get no new \
        rules.
        """,
      remedy: "Renew the certificate, and find out why it is not renewed automatically."
    ).finding { context in
      guard let site = context.audit.servedFiles.current(of: .origin),
        let end = site.certificateEnd
      else { return nil }
      let left = end.secondsSince1970 - site.last.secondsSince1970
      guard left >= 0, left < 21 * 86_400 else { return nil }
      return context.finding(
        left < 7 * 86_400 ? .error : .warning,
        "At the check on \(site.last), the certificate of \(context.audit.host) was valid for another \((left / 86_400).counted("day")), until \(end)."
      )
    },
  ]
}
