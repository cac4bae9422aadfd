internal import TrafficDigest
internal import UniversalLinks

/// There are visits from systems that read another part of the file.
enum OldSystems: SiteFindingKind {
  static let code = Finding.Code.oldSystems
  static let title = "Visits from iOS 12 and earlier"
  static let condition =
    "there are visits from iOS 12 and earlier, and the file says something else to those"
  static let meaning =
    "These systems read 'appID' and 'paths' only; they don't know 'appIDs' and 'components'."
  static let remedy =
    "If these visits matter, give the entry 'appID' and 'paths' as well; else leave it."
  static let severity = FindingSeverity.measured(SeverityLevels(note: 0), of: "visits")

  static func findings(in context: SiteFindingContext) -> [Finding] {
    let traffic = context.audit.platforms[.ios12] ?? Traffic()
    let isReadAlike = context.site.file.entries.allSatisfy { entry in
      entry.components == nil && entry.appIDs.allSatisfy { $0 == entry.legacyAppID }
    }
    guard traffic.visits > 0, !isReadAlike,
      let severity = context.severity(code, traffic, of: context.audit.total)
    else { return [] }
    return [
      finding(
        severity, host: context.audit.host,
        "\(traffic.visits.counted("visit")) came from iOS 12 and earlier, which read 'appID' and 'paths' only; they are judged by those.",
        traffic, share: context.share(traffic, of: context.audit.total))
    ]
  }
}
