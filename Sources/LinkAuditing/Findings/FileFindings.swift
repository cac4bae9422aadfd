internal import TrafficDigest
internal import UniversalLinks

extension Finding {
  /// The kinds of findings about an association file whatever its traffic, in the order in which
  /// equals are shown.
  static let fileKinds: [FindingKind<AuditedSite>] = [
    FindingKind(
      DiagnosticKind(
        "file-too-large", .error, "The association file is too large",
        condition: "the association file has more than 131,072 bytes",
        meaning: "No system reads it, so on devices it does not exist.",
        remedy: """
          Shorten it: drop comments and white space first, then join rules that differ in one \
          segment, or put values into substitution variables.
          """)
    ) { context in
      guard let size = context.site.fileSize, size > AssociationFile.sizeLimit else { return [] }
      return [
        context.finding(
          .error,
          "The association file has \(size.grouped) bytes; systems read none of more than \(AssociationFile.sizeLimit.grouped), so on devices it does not exist."
        )
      ]
    },
    FindingKind(
      DiagnosticKind(
        "no-usable-rules", .error,
        except: "`note` if the file names none of the apps chosen with `--app`",
        "The association file claims nothing",
        condition: "no rule of the association file could claim a URL",
        meaning: "No link to this host opens an app.",
        remedy: """
          Check that 'applinks.details' names the app, and that an entry has a rule that does not \
          exclude.
          """)
    ) { context in
      if context.site.hasChosenApps,
        context.site.file.entries.allSatisfy(\.namedApps.isEmpty)
      {
        return [
          context.finding(
            .note, "The association file names none of the chosen apps.",
            remedy: "Name another app with '--app', or leave the site out.")
        ]
      }
      let hasUsableRules = context.site.file.entries.contains { entry in
        OperatingSystem.allCases.contains { system in
          guard !entry.apps(for: system).isEmpty else { return false }
          return entry.rules(for: system)?.contains { !$0.excludes && !$0.requiresEntitlement }
            ?? true
        }
      }
      if hasUsableRules { return [] }
      return [
        context.finding(
          .error, "The association file has no rule that could claim a URL.",
          context.audit.total)
      ]
    },
  ]

  /// The kinds of findings about the entries of an association file, its routes, and its delivery,
  /// in the order in which equals are shown.
  static let deliveryKinds: [FindingKind<AuditedSite>] = [
    FindingKind(
      DiagnosticKind(
        "no-routes", .warning, "No route could be read",
        condition: "`--routes` was given, and no line of it names a route of the site",
        meaning: """
          What the app implements isn't known, so the report can't say what it claims without \
          need.
          """,
        remedy: """
          See on standard error which lines were skipped, and name how they are written with \
          '--route-syntax'; Documentation/Routes.md lists what is read.
          """)
    ) { context in
      guard let routes = context.site.routes, routes.routes.isEmpty else { return [] }
      return [
        context.finding(
          .warning,
          "No route of this site could be read, so nothing is said about what the app implements.")
      ]
    },
    FindingKind(
      DiagnosticKind(
        "matches-everything", .warning, "An entry claims everything",
        condition: "an entry has neither `components` nor `paths`",
        meaning: """
          Such an entry claims every URL of the host, those that the app cannot show among them.
          """,
        remedy: """
          Give the entry 'components' that name what the app implements, or '{"/": "*"}' if it is \
          meant to claim everything.
          """)
    ) { context in
      context.newestRuleLists.flatMap { list in
        list.rules.filter { $0.rule.id.position == nil }.map { rule in
          let evidence = Finding.Evidence(rules: [rule.rule])
          return context.finding(
            .warning, about: list.apps.first?.text ?? "",
            "The entry of \(list.name) has neither 'components' nor 'paths', so it claims every URL.",
            rule.traffic, evidence, share: context.share(rule.traffic, of: context.audit.total))
        }
      }
    },
    FindingKind(
      DiagnosticKind(
        "old-systems", note: 0, of: "visits", "Visits from iOS 12 and earlier",
        condition: """
          there are visits from iOS 12 and earlier, and the file says something else to those
          """,
        meaning: """
          These systems read 'appID' and 'paths' only; they don't know 'appIDs' and 'components'.
          """,
        remedy: """
          If these visits matter, give the entry 'appID' and 'paths' as well; else leave it.
          """)
    ) { context in
      let traffic = context.audit.platforms[.ios12] ?? Traffic()
      let isReadAlike = context.site.file.entries.allSatisfy { entry in
        entry.components == nil && entry.appIDs.allSatisfy { $0 == entry.legacyAppID }
      }
      guard traffic.visits > 0, !isReadAlike,
        let severity = context.severity(traffic, of: context.audit.total)
      else { return [] }
      let rows = context.audit.coverage.olderSystems
      let difference =
        rows.first.map {
          " Only newer systems read the rules for \(rows.total.weightText) of them. Heaviest: \($0.path)."
        } ?? ""
      return [
        context.finding(
          severity,
          "\(traffic.visits.counted("visit")) came from iOS 12 and earlier, which read 'appID' and 'paths' only; they are judged by those.\(difference)",
          traffic, context.evidence(rows), share: context.share(traffic, of: context.audit.total))
      ]
    },
    FindingKind(
      DiagnosticKind(
        "file-not-served", .warning,
        except: "`error` if the last fetch failed",
        "Apple did not get the association file",
        condition: """
          a fetch of `/.well-known/apple-app-site-association` by Apple failed: it got neither \
          status 200 or 304 nor a redirect
          """,
        meaning: """
          Devices learn the rules from Apple's copy, which is made from these fetches. While they \
          fail, a changed file doesn't reach the devices that ask for the copy.
          """,
        remedy: """
          Serve the file with status 200 at '/.well-known/apple-app-site-association', without a \
          redirect, a login or a block on Apple's fetchers.
          """)
    ) { context in
      let facts = DeliveryFacts(context.subject)
      let failed = facts.wellKnown.filter { !$0.isGood && !$0.isRedirected }
      guard let last = facts.last, !failed.isEmpty else { return [] }
      let (failures, all) = (failed.requestSum, facts.wellKnown.requestSum)
      let isOver = last.isGood || last.isRedirected
      let end =
        last.isGood
        ? "the last one was good."
        : "\(isOver ? "" : "the last one is among them; ")\(facts.lastGoodTextThere)."
      return [
        context.finding(
          isOver ? .warning : .error,
          "\(failures.grouped) of \(all.grouped) fetches of '\(TrafficDigest.Fetch.wellKnownPath)' by Apple failed, with status \(failed.statusText); \(end)",
          Traffic(requests: failures), share: Finding.share(failures, of: all),
          remedy: failed.remedyOfFailures)
      ]
    },
    FindingKind(
      DiagnosticKind(
        "file-redirected", .warning,
        except: "`error` if the last fetch was redirected",
        "Apple is redirected for the association file",
        condition: "a fetch of `/.well-known/apple-app-site-association` by Apple got a redirect",
        meaning: """
          Apple's fetchers follow no redirects: such a fetch is as good as none. Often a rule that \
          sends all requests to another host, a language or a slash at the end catches the file, \
          too.
          """,
        remedy: """
          Except '/.well-known/apple-app-site-association' from redirects, and serve the file with \
          status 200 on this very host.
          """)
    ) { context in
      let facts = DeliveryFacts(context.subject)
      let redirected = facts.wellKnown.filter(\.isRedirected)
      guard let last = facts.last, !redirected.isEmpty else { return [] }
      let (count, all) = (redirected.requestSum, facts.wellKnown.requestSum)
      let end =
        last.isGood
        ? "the last one was good."
        : "\(last.isRedirected ? "the last one is among them; " : "")\(facts.lastGoodTextThere)."
      return [
        context.finding(
          last.isRedirected ? .error : .warning,
          "\(count.grouped) of \(all.grouped) fetches of '\(TrafficDigest.Fetch.wellKnownPath)' by Apple got a redirect, status \(redirected.statusText), which Apple doesn't follow; \(end)",
          Traffic(requests: count), share: Finding.share(count, of: all))
      ]
    },
    FindingKind(
      DiagnosticKind(
        "file-served-too-large", .error,
        except: "`warning` if it was smaller on the last day with a good fetch",
        "Apple was served a file that is too large",
        condition: """
          the log has more than 131,072 bytes for a good fetch of the association file by Apple
          """,
        meaning: """
          No system reads a larger file, so on devices it does not exist. Logs have the size as it \
          was sent: where that is compressed, the file is larger still; some count headers, a few \
          hundred bytes, too.
          """,
        remedy: """
          Look at what is really served at '/.well-known/apple-app-site-association', which may be \
          another file or an error page with status 200, and shorten it.
          """)
    ) { context in
      let large = DeliveryFacts(context.subject).apple.filter { fetch in
        fetch.isGood && (fetch.sizes?.upperBound ?? 0) > AssociationFile.sizeLimit
      }
      guard let size = large.compactMap(\.sizes?.upperBound).max() else { return [] }
      let isOver = context.audit.fetchers.filter(\.fetcher.isApple).allSatisfy {
        ($0.lastSize ?? 0) <= AssociationFile.sizeLimit
      }
      let paths = Set(large.map(\.path)).sorted().map { "'\($0)'" }.joined(separator: " and ")
      return [
        context.finding(
          isOver ? .warning : .error,
          "Apple was served up to \(size.grouped) bytes at \(paths); systems read no file of more than \(AssociationFile.sizeLimit.grouped).\(isOver ? " On the last day with a good fetch it was smaller." : "")"
        )
      ]
    },
    FindingKind(
      DiagnosticKind(
        "file-not-fetched", .note,
        except: """
          `warning` if the logs span more than two days, and this host has requests on more than \
          two
          """,
        "Apple has not asked for the association file",
        condition: """
          there is no fetch of the association file by Apple's network (`AASA-Bot`) in the logs
          """,
        meaning: """
          Where devices have the app, Apple's network asks for the file about once a day. It need \
          not come where few have it, or none does yet: then this says only that. Logs of a part \
          of the servers, or of a few hours, can miss it.
          """,
        remedy: """
          If people have the app: ask for the file from outside, without a redirect, and check \
          that a firewall lets Apple's fetchers pass and that their requests are in these logs.
          """)
    ) { context in
      let facts = DeliveryFacts(context.subject)
      // Without user agents, the client is unknown.
      guard facts.network == nil, context.audit.total.requests > 0, context.hasAgents else {
        return []
      }
      let days = context.audit.days.count { $0.day != nil }
      let device =
        facts.apple.isEmpty ? "" : " Devices have asked themselves; \(facts.lastGoodText)."
      return [
        context.finding(
          facts.spansPatience && days > 2 ? .warning : .note,
          "Apple's network (AASA-Bot) has not fetched the association file from this host in the time of these logs.\(device)"
        )
      ]
    },
    FindingKind(
      DiagnosticKind(
        "file-fetches-ended", .warning, "Apple has stopped asking for the association file",
        condition: """
          the last good fetch by Apple's network (`AASA-Bot`) is more than two days older than the \
          logs, and none after it failed
          """,
        meaning: """
          Apple's network asks again within a day where devices have the app. If it has stopped, \
          its requests may not come through any more. Where few have the app, it may only be late.
          """,
        remedy: """
          Find out what changed since that time: a firewall, a protection against bots, a name \
          server, a certificate, or which servers' logs are here.
          """)
    ) { context in
      let facts = DeliveryFacts(context.subject)
      guard let network = facts.network, let lastGood = network.lastGood,
        // Other kinds report failures since then.
        network.last == lastGood, let silence = facts.silence(since: lastGood)
      else { return [] }
      return [
        context.finding(
          .warning,
          "The last good fetch of the association file by Apple's network (AASA-Bot) is of \(lastGood); these logs go on until \(silence.end)."
        )
      ]
    },
    FindingKind(
      DiagnosticKind(
        "file-fetches-far-apart", .note, "Apple gets the association file seldom",
        condition: """
          from one good fetch by Apple's network (`AASA-Bot`) to the next it took more than two \
          days of the logs
          """,
        meaning: """
          Apple's network asks again within a day where devices have the app. Until then, devices \
          go on with the old file. Where few have the app, it may come less often, and nothing is \
          wrong.
          """,
        remedy: """
          Look at the fetches in between, if there are any: their status says why they weren't \
          good. If there are none, check that all servers' logs are here, before you blame a \
          firewall.
          """)
    ) { context in
      guard let network = DeliveryFacts(context.subject).network, let gap = network.greatestGap,
        gap > 2
      else { return [] }
      return [
        context.finding(
          .note,
          "Apple's network (AASA-Bot) got the association file on \(network.goodDays.counted("day")) of these logs, and once \(gap.counted("day")) of these logs after the time before."
        )
      ]
    },
    FindingKind(
      DiagnosticKind(
        "file-asked-at-root-only", .note, "Apple asked for the file at the root only",
        condition: """
          Apple fetched `/apple-app-site-association`, and never \
          `/.well-known/apple-app-site-association`
          """,
        meaning: """
          Apple's network and iOS 14 and later ask in '/.well-known' only; the path at the root is \
          what older devices try besides. So either old devices alone have the app here, or \
          requests for '/.well-known' are answered elsewhere and are missing in these logs.
          """,
        remedy: """
          Ask for 'https://HOST/.well-known/apple-app-site-association' from outside, and see \
          whether the request comes to these logs.
          """)
    ) { context in
      let facts = DeliveryFacts(context.subject)
      guard !facts.apple.isEmpty, facts.wellKnown.isEmpty else { return [] }
      let count = facts.apple.requestSum
      return [
        context.finding(
          .note,
          "Apple asked for the association file at '\(TrafficDigest.Fetch.rootPath)' only, \(count == 1 ? "once" : "\(count.grouped) times"); \(facts.lastGoodText).",
          Traffic(requests: count))
      ]
    },
  ]
}

extension [TrafficDigest.Fetch] {
  /// The remedy for fetches that failed, or `nil` if they did so in several ways.
  fileprivate var remedyOfFailures: String? {
    let path = TrafficDigest.Fetch.wellKnownPath
    if allSatisfy({ [401, 403, 407, 429].contains($0.status) }) {
      return
        "Let AASA-Bot and swcd pass whatever refuses them: a login, a firewall, a limit on requests, a rule against bots. The file must be open to all."
    }
    if allSatisfy({ [404, 410].contains($0.status) }) {
      return "Put the file where it is asked for, '\(path)', on this very host."
    }
    if allSatisfy({ $0.status >= 500 }) {
      return
        "Look at the server's own log of errors at these times, and serve '\(path)' as a plain file that needs no application."
    }
    return nil
  }
}
