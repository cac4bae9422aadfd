public import LinkAuditing
public import UniversalLinks

/// Something that is wrong with how an association file reaches systems.
public struct DeliveryProblem: Hashable, Sendable {
  /// What it is.
  public var code: Code

  /// How much it matters.
  public var severity: Finding.Severity

  /// Whose copy it is about, or `nil` for how copies relate.
  public var source: DeliverySource?

  /// What was seen, in one or two sentences.
  public var message: String

  /// What to do about it.
  public var remedy: String

  /// Where a redirect leads, or `nil`.
  public var location: String?

  /// Where the file departs from JSON, or `nil`.
  public var position: TextPosition?

  /// Why it matters.
  public var why: String { code.description.why }

  /// Creates a problem; severity and remedy are those of its kind unless given.
  init(
    _ code: Code, _ source: DeliverySource?, _ message: String,
    severity: Finding.Severity? = nil, remedy: String? = nil, location: String? = nil,
    position: TextPosition? = nil
  ) {
    (self.code, self.source, self.message) = (code, source, message)
    self.severity = severity ?? code.description.severity
    self.remedy = remedy ?? code.description.remedy
    (self.location, self.position) = (location, position)
  }
}

extension DeliveryProblem {
  /// The kinds of problems, by names that are stable: monitors may rely on them.
  public enum Code: String, CaseIterable, Hashable, Sendable {
    case nameNotResolved = "name-not-resolved"
    case connectionRefused = "connection-refused"
    case unreachable = "unreachable"
    case timedOut = "timed-out"
    case noAnswer = "no-answer"
    case notHTTP = "not-http"
    case oldTLS = "old-tls"
    case tlsFailed = "tls-failed"
    case certificateExpired = "certificate-expired"
    case certificateNotYetValid = "certificate-not-yet-valid"
    case certificateWrongHost = "certificate-wrong-host"
    case certificateSelfSigned = "certificate-self-signed"
    case certificateUnknownAuthority = "certificate-unknown-authority"
    case notEncrypted = "not-encrypted"
    case redirected = "redirected"
    case notFound = "not-found"
    case forbidden = "forbidden"
    case serverError = "server-error"
    case unexpectedStatus = "unexpected-status"
    case onlyAtRoot = "only-at-root"
    case cdnRefused = "cdn-refused"
    case tooSlow = "too-slow"
    case bodyCut = "body-cut"
    case tooLarge = "too-large"
    case notGzip = "not-gzip"
    case gzipDamaged = "gzip-damaged"
    case gzipUnannounced = "gzip-unannounced"
    case codingNotAskedFor = "coding-not-asked-for"
    case emptyFile = "empty-file"
    case htmlPage = "html-page"
    case notJSON = "not-json"
    case notAnObject = "not-an-object"
    case lenientJSON = "lenient-json"
    case signed = "signed"
    case contentType = "content-type"
    case claimsNothing = "claims-nothing"
    case cdnOutdated = "cdn-outdated"
    case cdnDiffers = "cdn-differs"
    case cdnSameMeaning = "cdn-same-meaning"
  }

  /// What there is to know about a kind of problems.
  public struct Description: Sendable {
    /// How much it matters.
    public var severity: Finding.Severity

    /// What is otherwise, besides the severity, or `nil`.
    public var exception: String?

    /// When it is found, in words that follow "found when".
    public var condition: String

    /// Why it matters.
    public var why: String

    /// What to do about it.
    public var remedy: String
  }
}
