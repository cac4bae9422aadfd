internal import Foundations
internal import TrafficDigest
internal import UniversalLinks

extension Finding {
  /// The kinds of findings about the recorded answers of the file's servers, in the order in which
  /// findings of equal severity are shown.
  ///
  /// They describe the last check, not the present, so a report is the same whenever it is made.
  static let servedFileKinds: [FindingKind<AuditedSite>] = [
    FindingKind(
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
          """)
    ) { context in
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
    FindingKind(
      single: DiagnosticKind(
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
          """)
    ) { context in
      let served = context.audit.servedFiles
      guard let site = served.current(of: .origin), let file = site.content,
        let cdn = served.current(of: .cdn), let copy = cdn.content,
        file.identity != copy.identity, let since = served.contentSince(.origin)
      else { return nil }
      let seconds = cdn.last.secondsSince1970 - since.secondsSince1970
      guard seconds >= 86_400 else { return nil }
      let comparison = PatternComparison(
        old: Site(host: context.audit.host, file: copy.file),
        new: Site(host: context.audit.host, file: file.file))
      guard comparison.hasSameVerdicts != true else { return nil }
      return context.finding(
        seconds > 2 * 86_400 ? .error : .warning,
        "The site has served its current file since the check on \(since). At the check on \(cdn.last), Apple's CDN still had another one. The difference: \(comparison.summary)"
      )
    },
    FindingKind(
      single: DiagnosticKind(
        "served-file-differs", .warning, "Served file that differs from the store's file",
        condition: """
          at the last check by `linkaudit fetch --store`, the site's file had other verdicts than \
          the file for the newest days of the store
          """,
        meaning: """
          The report is about another file than the one that devices get.
          """,
        remedy: """
          Save the served file with 'linkaudit fetch HOST --from origin --save FILE', and pass it \
          to 'linkaudit ingest --aasa'. Or deploy the file of the store.
          """)
    ) { context in
      guard let site = context.audit.servedFiles.current(of: .origin), let file = site.content,
        !file.isInForce
      else { return nil }
      let comparison = PatternComparison(
        old: context.site, new: Site(host: context.audit.host, file: file.file))
      guard comparison.hasSameVerdicts != true else { return nil }
      let age =
        file.inForceSince.map {
          ", which was in force here from \($0) until another file replaced it"
        }
        ?? ""
      return context.finding(
        .warning,
        "At the check on \(site.last), the site served another file than the one that judges these requests\(age). The difference: \(comparison.summary)"
      )
    },
    FindingKind(
      single: DiagnosticKind(
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
        remedy: "Renew the certificate, and find out why it is not renewed automatically.")
    ) { context in
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
