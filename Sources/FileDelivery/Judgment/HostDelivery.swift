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
        DeliveryProblem(
          .onlyAtRoot, .origin, "The file is at \(root.target.url) only."))
    }
    let site = self.copies.first { $0.copy.target.source == .origin }
    let cdn = self.copies.first { $0.copy.target.source == .cdn }
    if let site, let cdn {
      difference = CopyDifference(site: site, cdn: cdn, host: host)
      if let problem = difference?.problem(now: now) { problems.append(problem) }
    }
    // Stable: problems of the same severity keep their order.
    problems = problems.enumerated().sorted { first, second in
      let (one, other) = (first.element.severity, second.element.severity)
      return one == other ? first.offset < second.offset : one > other
    }.map(\.element)
  }

  /// A Boolean value indicating whether one of the servers could not be reached at all.
  public var isUnasked: Bool { copies.contains { $0.copy.failure?.isUnasked == true } }

  /// Returns a Boolean value indicating whether there is a problem of at least a severity.
  public func hasProblems(from severity: Severity) -> Bool {
    problems.contains { $0.severity >= severity }
  }

  /// Returns a Boolean value indicating whether to look for a site's copy at the root path, too.
  static func needsRoot(_ copy: FetchedCopy, now: HTTPDate) -> Bool {
    copy.target.source == .origin && CopyJudgment(copy, now: now).isElsewhere
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
