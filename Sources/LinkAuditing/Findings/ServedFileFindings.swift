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
        "served-file-missing", .error, "A server does not give out the association file",
        condition: """
          `linkaudit fetch --store` got no file that systems read at the last check of the site or \
          of Apple's CDN
          """,
        meaning: """
          If the site doesn't serve the file, Apple's CDN can't take a new copy; if the CDN has no \
          copy, new installations of the app learn no rules.
          """,
        remedy: """
          Run 'linkaudit fetch HOST', which names the cause and its remedy. If no server could be \
          asked, check the network of the machine that asks.
          """)
    ) { context in
      DeliverySource.allCases.compactMap { source in
        guard let current = context.audit.servedFiles.current(of: source), current.content == nil
        else { return nil }
        let earlier = context.audit.servedFiles.last { $0.source == source && $0.content != nil }
        let end =
          earlier.map { "the last good answer was that of \($0.last)" }
          ?? "none before was good"
        return context.finding(
          .error, about: source.rawValue,
          "At the check of \(current.last), \(source.name) answered with \(current.answer), as it has since \(current.first); \(end)."
        )
      }
    },
    FindingKind(
      DiagnosticKind(
        "cdn-behind", .warning,
        except: "`error` if the file is older than two days",
        "Apple's CDN has an old association file",
        condition: """
          a day or more after the site began to serve its present file, `linkaudit fetch --store` \
          got another one from Apple's CDN, with other verdicts
          """,
        meaning: """
          Devices get the CDN's copy, which usually is at most a day old. Until the CDN takes the \
          new file, links open as the old one says.
          """,
        remedy: """
          Check that the site answers AASA-Bot with status 200 wherever it comes from: firewalls, \
          limits, and protection against bots often don't. Then wait a day; nobody can make the CDN \
          ask.
          """)
    ) { context in
      let served = context.audit.servedFiles
      guard let site = served.current(of: .origin), let file = site.content,
        let cdn = served.current(of: .cdn), let copy = cdn.content,
        file.identity != copy.identity, let since = served.contentSince(.origin)
      else { return [] }
      let seconds = cdn.last.secondsSince1970 - since.secondsSince1970
      guard seconds >= 86_400 else { return [] }
      let comparison = PatternComparison(
        old: Site(host: context.audit.host, file: copy.file),
        new: Site(host: context.audit.host, file: file.file))
      guard comparison.hasSameVerdicts != true else { return [] }
      return [
        context.finding(
          seconds > 2 * 86_400 ? .error : .warning,
          "The site has served its present file since the check of \(since); at that of \(cdn.last), Apple's CDN still had another one. The difference: \(comparison.summary)"
        )
      ]
    },
    FindingKind(
      DiagnosticKind(
        "served-file-differs", .warning, "The site serves a file that judged nothing",
        condition: """
          at the last check by `linkaudit fetch --store`, the site served a file with other verdicts \
          than the file that judges the newest days of the store
          """,
        meaning: """
          The report says what another file claims, not what devices are told.
          """,
        remedy: """
          Give 'linkaudit ingest --aasa' the file that the site serves, which 'linkaudit fetch HOST \
          --from origin --save FILE' gets; or deploy the file that judged.
          """)
    ) { context in
      guard let site = context.audit.servedFiles.current(of: .origin), let file = site.content,
        !file.isInForce
      else { return [] }
      let comparison = PatternComparison(
        old: context.site, new: Site(host: context.audit.host, file: file.file))
      guard comparison.hasSameVerdicts != true else { return [] }
      let age =
        file.inForceSince.map {
          ", which was in force here from \($0) on until another took its place"
        }
        ?? ""
      return [
        context.finding(
          .warning,
          "At the check of \(site.last), the site served another file than the one that judged these requests\(age). The difference: \(comparison.summary)"
        )
      ]
    },
    FindingKind(
      DiagnosticKind(
        "certificate-expires", .warning,
        except: "`error` if it expires within a week",
        "The certificate expires soon",
        condition: """
          at the last check by `linkaudit fetch --store`, the site's certificate was valid for less \
          than three weeks
          """,
        meaning: """
          When it has expired, neither Apple's CDN nor any browser accepts the site: devices get no \
          new rules.
          """,
        remedy: "Renew the certificate, and find out why that doesn't happen by itself.")
    ) { context in
      guard let site = context.audit.servedFiles.current(of: .origin),
        let end = site.certificateEnd
      else { return [] }
      let left = end.secondsSince1970 - site.last.secondsSince1970
      guard left >= 0, left < 21 * 86_400 else { return [] }
      return [
        context.finding(
          left < 7 * 86_400 ? .error : .warning,
          "At the check of \(site.last), the certificate of \(context.audit.host) was valid for another \((left / 86_400).counted("day")), until \(end)."
        )
      ]
    },
  ]
}
