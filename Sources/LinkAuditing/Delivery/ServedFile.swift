public import Foundations
public import UniversalLinks

/// A server's answer to requests for a site's association file, from the first check with this
/// answer to the last one in a row.
public struct ServedFile: Sendable {
  public var source: DeliverySource
  public var first: LogTime

  /// The time of the last such answer; after it, the answer differed or there was no check.
  public var last: LogTime
  public var checks: Int
  public var status: Int?

  /// The code of the most severe problem of the answer, or `nil` if there was none.
  ///
  /// The code is that of `linkaudit fetch`.
  public var problem: String?

  /// The size of the decompressed content in bytes, or `nil` if it is incomplete.
  public var size: Int?

  /// The content, or `nil` if it isn't a file that systems read.
  public var content: Content?

  /// The fields of the last head that describe the content and its caches, in the order of their
  /// names.
  public var fields: [Field]

  /// The end of the validity of the server's certificate at the last check, or `nil` if it isn't
  /// known.
  public var certificateEnd: LogTime?

  /// A field of a head.
  public struct Field: Hashable, Sendable {
    /// The name in lower case.
    public var name: String
    public var value: String
    public init(name: String, value: String) { (self.name, self.value) = (name, value) }
  }

  /// An association file that was served.
  public struct Content: Sendable {
    public var identity: String
    public var file: AssociationFile

    /// The first day on which these bytes were in force in the store, or `nil` if they never were.
    public var inForceSince: Day?

    /// A Boolean value indicating whether these bytes are in force in the store now.
    public var isInForce: Bool

    public init(identity: String, file: AssociationFile, inForceSince: Day?, isInForce: Bool) {
      (self.identity, self.file) = (identity, file)
      (self.inForceSince, self.isInForce) = (inForceSince, isInForce)
    }
  }

  /// Creates an answer that was given from one check to another.
  public init(
    source: DeliverySource, first: LogTime, last: LogTime, checks: Int, status: Int?,
    problem: String?, size: Int?, content: Content?, fields: [Field],
    certificateEnd: LogTime?
  ) {
    (self.source, self.first, self.last, self.checks) = (source, first, last, checks)
    (self.status, self.problem, self.size, self.content) = (status, problem, size, content)
    (self.fields, self.certificateEnd) = (fields, certificateEnd)
  }
}

extension [ServedFile] {
  /// Returns the answer at the last check of a server, or `nil` if it was never checked.
  public func current(of source: DeliverySource) -> ServedFile? {
    last { $0.source == source }
  }

  /// Returns the time since when a server has served the bytes of the last check, or `nil`.
  ///
  /// It is `nil` if the last check received no file. Checks without a file in between, such as
  /// those during an outage, don't count.
  func contentSince(_ source: DeliverySource) -> LogTime? {
    guard let identity = current(of: source)?.content?.identity else { return nil }
    return reversed().filter { $0.source == source && $0.content != nil }
      .prefix { $0.content?.identity == identity }.last?.first
  }
}

extension ServedFile {
  /// The answer in words, as the end of "it answered with".
  public var answer: String {
    switch (status, problem) {
    case (200?, nil):
      content?.isInForce == true
        ? "the file that is in force here"
        : "another file than the one in force here (\(content?.identity.prefix(8) ?? ""))"
    case (200?, let problem?): "status 200 and '\(problem)'"
    case (let status?, _): "status \(status)"
    case (nil, let problem): "nothing\(problem.map { " ('\($0)')" } ?? "")"
    }
  }
}

/// A server that delivers an association file.
public enum DeliverySource: String, CaseIterable, Hashable, Sendable {
  /// The site itself, which Apple's CDN asks, and devices in developer mode.
  case origin

  /// Apple's CDN, which all other devices ask.
  case cdn

  /// The host of Apple's CDN.
  package static let cdnHost = "app-site-association.cdn-apple.com"

  public var name: String {
    switch self {
    case .origin: "the site"
    case .cdn: "Apple's CDN"
    }
  }
}
