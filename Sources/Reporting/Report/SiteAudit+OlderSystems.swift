internal import LinkAuditing
internal import TrafficDigest

extension SiteAudit {
  /// The remark on paths that no rule claims where iOS 12 asked for some, or `nil` if it didn't:
  /// their visits are judged by other rules (MATCHING.md, 4).
  var remarkOnOlderSystems: String? {
    (platforms[.ios12]?.visits ?? 0) > 0
      ? "iOS 12 reads 'paths' alone: what 'components' match can be here with its visits." : nil
  }
}
