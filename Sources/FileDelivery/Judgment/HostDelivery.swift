internal import Foundations
public import LinkAuditing
public import UniversalLinks

/// The delivery of a host's association file.
public struct HostDelivery: Sendable {
  /// The host as given; `*.example.com` for all hosts below one.
  public var host: String

  /// The copies, the site's first.
  public var copies: [CopyJudgment]

  /// The difference between the CDN's copy and the site's, or `nil` if one of them isn't a file.
  public var difference: CopyDifference?

  /// The problems, the most severe first.
  public var problems: [DeliveryProblem]

  /// Judges the copies of a host.
  ///
  /// - Parameters:
  ///   - host: The host as given.
  ///   - copies: The requested copies.
  ///   - root: The file at the root path of the site, if that was requested.
  ///   - now: The time of the fetch.
  public init(host: String, copies: [FetchedCopy], root: FetchedCopy?, now: HTTPDate) {
    self.host = host
    self.copies = copies.map { CopyJudgment($0, now: now) }
    problems = self.copies.flatMap(\.problems)
    if let root, CopyJudgment(root, now: now).file != nil {
      problems.append(
        DeliveryProblem(.onlyAtRoot, .origin, "The file is at \(root.target.url) only."))
    }
    let site = self.copies.first { $0.copy.target.source == .origin }
    let cdn = self.copies.first { $0.copy.target.source == .cdn }
    if let site, let cdn {
      joinRefusal(cdn, with: site)
      difference = CopyDifference(site: site, cdn: cdn, host: host)
      if let problem = difference?.problem(now: now) { problems.append(problem) }
    }
    // Problems of the same severity keep their order.
    problems = Severity.allCases.sorted(by: >).flatMap { severity in
      problems.filter { $0.severity == severity }
    }
  }

  /// Names the mistake of the site's file for which Apple's CDN refuses it: a departure from JSON
  /// that devices accept.
  private mutating func joinRefusal(_ cdn: CopyJudgment, with site: CopyJudgment) {
    guard cdn.copy.response?.cdnFailure?.reason?.hasPrefix("SWCERR00401") == true,
      let cause = site.problems.first(where: { $0.kind == .lenientJSON }),
      let refusal = problems.firstIndex(where: { $0.kind == .cdnRefused })
    else { return }
    problems[refusal].message +=
      " The site's file has such a mistake, which devices accept: \(cause.message)"
    problems[refusal].remedy = cause.remedy
    problems[refusal].position = cause.position
    problems.removeAll { $0 == cause }
  }

  /// A Boolean value indicating whether one of the servers could not be reached at all.
  public var isUnasked: Bool { copies.contains { $0.copy.failure?.isUnasked == true } }

  /// Returns a Boolean value indicating whether there is a problem of at least a severity.
  public func hasProblems(from severity: Severity) -> Bool {
    problems.contains { $0.severity >= severity }
  }
}

/// A problem with the delivery of an association file to systems.
public struct DeliveryProblem: Diagnostic, Hashable, Sendable {
  /// The kind of problem.
  public var kind: DiagnosticKind

  /// The severity of the problem.
  public var severity: Severity

  /// The source of the copy, or `nil` for a difference between copies.
  public var source: DeliverySource?

  /// The problem in one or two sentences.
  public var message: String

  /// The remedy.
  public var remedy: String

  /// The target of a redirect, or `nil`.
  public var location: String?

  /// The place where the file violates JSON's syntax, or `nil`.
  public var position: TextPosition?

  /// Creates a problem; the default severity and remedy are those of its kind.
  init(
    _ kind: DiagnosticKind, _ source: DeliverySource?, _ message: String,
    severity: Severity? = nil, remedy: String? = nil, location: String? = nil,
    position: TextPosition? = nil
  ) {
    (self.kind, self.source, self.message) = (kind, source, message)
    self.severity = severity ?? kind.severity
    self.remedy = remedy ?? kind.remedy
    (self.location, self.position) = (location, position)
  }
}

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
  public var hasSameVerdicts: Bool? { comparison.map(\.hasSameVerdicts) ?? true }

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
