internal import Foundations
public import LinkAuditing
internal import UniversalLinks

/// The difference between the copy of Apple's CDN and the site's file.
public struct CopyDifference: Sendable {
  /// A Boolean value indicating whether both have the same bytes.
  public var hasSameBytes: Bool

  /// The changes for links when the site's file replaces the CDN's, or `nil` if the bytes are
  /// equal.
  public var comparison: PatternComparison?

  /// The approximate time when the CDN fetched its copy, or `nil` if it doesn't say.
  public var copyTaken: HTTPDate?

  /// The last change of the site's file, or `nil` if the site doesn't say.
  public var siteChanged: HTTPDate?

  /// Whether no URL changes its verdict; `nil` if unknown.
  public var hasSameVerdicts: Bool? {
    comparison.map(\.hasSameVerdicts) ?? true
  }

  /// Compares two copies, or returns `nil` if one of them isn't a file.
  init?(site: CopyJudgment, cdn: CopyJudgment, host: String) {
    guard let siteFile = site.file, let cdnFile = cdn.file, let answer = cdn.copy.response
    else { return nil }
    hasSameBytes = site.content?.bytes == cdn.content?.bytes
    siteChanged = site.copy.response?.lastModified
    copyTaken = answer.date.map { HTTPDate(seconds: $0.seconds - (answer.age ?? 0)) }
    guard !hasSameBytes else { return }
    comparison = PatternComparison(
      old: Site(host: host, file: cdnFile), new: Site(host: host, file: siteFile))
  }

  /// The problem to report, or `nil`.
  func problem(now: HTTPDate) -> DeliveryProblem? {
    guard let comparison else { return nil }
    if hasSameVerdicts == true {
      return DeliveryProblem(
        .cdnSameMeaning, nil,
        "The file on Apple's CDN has other bytes than that of the site, but the same meaning for links."
      )
    }
    let change = "When the site's file replaces it: " + comparison.summary
    guard let siteChanged, let copyTaken, siteChanged > copyTaken else {
      let reason =
        siteChanged == nil
        ? "It is unknown which one is older, because the site sends no 'Last-Modified'."
        : copyTaken == nil
          ? "It is unknown which one is older, because the CDN sends no 'Date'."
          : "The CDN made its copy after the last change of the site's file."
      return DeliveryProblem(
        .cdnDiffers, nil, "Apple's CDN has another file than the site. \(reason) \(change)")
    }
    let isOverdue = now.seconds - siteChanged.seconds > 86_400
    return DeliveryProblem(
      .cdnOutdated, nil,
      "Apple's CDN made its copy on \(copyTaken), before the site's file changed on "
        + "\(siteChanged). \(change)",
      severity: isOverdue ? .error : nil)
  }
}
