internal import AccessLogs
internal import Foundations
internal import LinkAuditing
public import UniversalLinks

/// A copy with its content, and the problems of its delivery.
public struct CopyJudgment: Sendable {
  /// The copy.
  public let copy: FetchedCopy

  /// The content of the body, or `nil` if no file was sent.
  public private(set) var content: CopyContent?

  /// The problems, in the order in which a client would encounter them.
  public private(set) var problems: [DeliveryProblem] = []

  private let now: HTTPDate

  /// Judges a copy.
  ///
  /// - Parameters:
  ///   - copy: The copy.
  ///   - now: The time of the fetch.
  public init(_ copy: FetchedCopy, now: HTTPDate) {
    (self.copy, self.now) = (copy, now)
    if let failure = copy.failure { judge(failure) }
    if let base = copy.target.base, !base.isEncrypted, copy.response != nil {
      add(
        .notEncrypted,
        "linkaudit asked \(source.name) without encryption, at \(copy.target.askedURL ?? "").")
    }
    guard let response = copy.response else { return }
    if response.status == 200 {
      let content = CopyContent(response)
      self.content = content
      judgeBody(response, content)
    } else {
      judgeStatus(response)
    }
  }

  /// The file, or `nil` if systems can't read it.
  public var file: AssociationFile? { content?.file }

  /// A Boolean value indicating whether the server answered with something other than a file, so
  /// that the file may be elsewhere.
  var isElsewhere: Bool {
    copy.response != nil && content?.file == nil && content?.isSigned != true
  }

  private var source: DeliverySource { copy.target.source }

  private mutating func add(
    _ kind: DiagnosticKind, _ message: String, severity: Severity? = nil,
    remedy: String? = nil, location: String? = nil, position: TextPosition? = nil
  ) {
    problems.append(
      DeliveryProblem(
        kind, source, message, severity: severity, remedy: remedy, location: location,
        position: position))
  }

  // MARK: - No answer

  private mutating func judge(_ failure: FetchFailure) {
    let asked = copy.target.base?.host ?? copy.target.host
    switch failure {
    case .nameNotResolved:
      // Nobody can misspell the name of Apple's CDN.
      let isCorrect = source == .cdn && copy.target.base == nil
      add(
        .nameNotResolved, "The name \(asked) has no address.",
        remedy: isCorrect ? "Check that this machine has a name server and a network." : nil)
    case .connectionRefused:
      let port = copy.target.base?.port ?? 443
      add(.connectionRefused, "\(asked) accepts no connections on port \(port).")
    case .unreachable(let reason):
      add(.unreachable, "The connection to \(asked) failed: \(reason).")
    case .timedOut(let seconds):
      add(.timedOut, "\(asked) did not answer within \(seconds.shortText) seconds.")
    case .noAnswer: add(.noAnswer, "\(asked) ended the connection without an answer.")
    case .notHTTP: add(.notHTTP, "The answer of \(asked) is not HTTP.")
    case .oldTLS: add(.oldTLS, "\(asked) supports neither TLS 1.2 nor a later version.")
    case .tls(let reason): add(.tlsFailed, "The TLS connection to \(asked) failed: \(reason).")
    case .certificate(let chain, let isTrusted): judge(chain, isTrusted: isTrusted)
    }
  }

  /// Adds all reasons why a certificate was not accepted, at least one; no problem may be there yet.
  private mutating func judge(_ chain: [PresentedCertificate], isTrusted: Bool) {
    let host = copy.target.host
    guard let own = chain.first else { return addUnknownAuthority(chain, isTrusted: isTrusted) }
    if own.notAfter < now {
      add(.certificateExpired, "The certificate of \(host) expired on \(own.notAfter).")
    }
    if own.notBefore > now {
      add(
        .certificateNotYetValid,
        "The certificate of \(host) is not valid before \(own.notBefore).")
    }
    // The issuer of a certificate that isn't valid now can't be verified.
    if problems.isEmpty, !isTrusted {
      if own.isSelfIssued {
        add(.certificateSelfSigned, "The certificate of \(host) is self-signed.")
      } else {
        addUnknownAuthority(chain, isTrusted: isTrusted)
      }
    }
    if !copy.target.names.contains(where: { own.isFor($0) }) {
      let names = own.hostNames.listed(upTo: 5)
      add(
        .certificateWrongHost,
        "The certificate is not for \(host)"
          + (names.isEmpty ? ". It names no host." : ", but for \(names)."))
    }
    if problems.isEmpty { addUnknownAuthority(chain, isTrusted: isTrusted) }
  }

  /// Adds that no known authority vouches for a certificate; an authority's certificate may be
  /// missing or expired.
  private mutating func addUnknownAuthority(_ chain: [PresentedCertificate], isTrusted: Bool) {
    let issuer = chain.first?.issuer ?? ""
    var message = "No known authority signed the certificate of \(copy.target.host)"
    if !issuer.isEmpty { message += ", which '\(issuer)' issued" }
    if !isTrusted, chain.dropFirst().contains(where: { $0.notAfter < now }) {
      message += "; the server sends an authority's expired certificate"
    }
    if chain.count == 1 { message += "; the server sends no intermediate certificate" }
    add(.certificateUnknownAuthority, message + ".")
  }

  // MARK: - Other answers than a file

  private mutating func judgeStatus(_ response: DeliveryResponse) {
    let status = response.status
    let answer = "\(source.name.capitalizedFirst) answers with status \(status)"
    switch status {
    case _ where source == .cdn && (response.cdnFailure != nil || status == 404 || status == 410):
      judgeRefusal(response)
    case 405 where source == .cdn:
      add(
        .cdnRefused,
        answer
          + ": it knows no such host, because DNS has no public address of \(copy.target.host).",
        remedy:
          "Check the spelling of the host, and that its name has a public address in DNS. For a "
          + "host of your own network, use '?mode=managed' or '?mode=developer' in the app's "
          + "entitlement.")
    case 300..<400 where status != 304:
      add(
        .redirected,
        answer
          + (response.location.map { ", a redirect to \($0)" } ?? ", a redirect without a target")
          + ".", location: response.location)
    case 404, 410: add(.notFound, answer + ": there is no file.")
    case 401, 403, 407, 429, 451: add(.forbidden, answer + ": access to the file is restricted.")
    case 500...: add(.serverError, answer + ".")
    default: add(.unexpectedStatus, answer + ".")
    }
  }

  private mutating func judgeRefusal(_ response: DeliveryResponse) {
    let failure = response.cdnFailure
    var message = "Apple's CDN has no file (status \(response.status))"
    if let reason = failure?.reason { message += ": \(reason)" }
    if let details = failure?.details { message += " \(details)" }
    if let from = failure?.from { message += ", after it asked \(from)" }
    message += "."
    if let maximum = response.maximumAge {
      let minutes = (max(0, maximum - (response.age ?? 0)) + 59) / 60
      message += " It caches this answer for another \(minutes.counted("minute"))."
    }
    add(.cdnRefused, message, remedy: failure?.remedy)
  }

  // MARK: - A file

  private mutating func judgeBody(_ response: DeliveryResponse, _ content: CopyContent) {
    let count = content.bytes.count
    let limit = AssociationFile.sizeLimit.grouped
    if !content.isWhole, count >= DeliveryResponse.receivingLimit {
      return add(
        .tooLarge,
        "The file has more than \(DeliveryResponse.receivingLimit.grouped) bytes. Systems read at "
          + "most \(limit).")
    }
    switch response.bodyEnd {
    case .tooSlow(let seconds):
      return add(
        .tooSlow,
        "Only \(response.body.count.counted("byte")) arrived within \(seconds.shortText) seconds.")
    case .cut:
      let expected = response.field("content-length").flatMap { Int($0) }
      return add(
        .bodyCut,
        "The connection ended after \(response.body.count.counted("byte"))"
          + (expected.map { " of \($0.grouped)" } ?? "") + ".")
    case .whole, .beyondLimit: break
    }
    if let (kind, message) = content.codingProblem { return add(kind, message) }
    if count > AssociationFile.sizeLimit {
      let compressed = response.contentEncoding == nil ? "" : " when decompressed"
      return add(
        .tooLarge,
        "The file has \(count.grouped) bytes\(compressed). Systems read at most \(limit).")
    }
    if content.isSigned { add(.signed, "The file is signed.") }
    if let error = content.fileError {
      judge(error, content)
      if case .looksLike(.markup) = error { return }
    }
    judgeType(response, content)
    guard let file = content.file else { return }
    if let departure = AssociationFile.departureFromJSON(in: content.bytes) {
      judge(departure)
    }
    if !file.hasUniversalLinks {
      add(.claimsNothing, "The file has no 'applinks' object.")
    } else if file.entries.allSatisfy(\.namedApps.isEmpty) {
      add(.claimsNothing, "The file names no app in 'applinks.details'.")
    }
  }

  private mutating func judge(_ error: AssociationFileError, _ content: CopyContent) {
    switch error {
    case _ where content.bytes.isEmpty: add(.emptyFile, "The file has no bytes.")
    case .looksLike(.markup): add(.htmlPage, "The file is an HTML or XML page.")
    case .notAnObject: add(.notAnObject, "The file is JSON, but not an object.")
    case .notJSON(let error):
      add(.notJSON, "The file is not JSON: \(error).", position: error.position)
    default: add(.notJSON, "The file is not JSON: \(error).")
    }
  }

  /// Judges a violation of JSON's syntax that Apple's parser accepts.
  private mutating func judge(_ departure: LintDiagnostic) {
    let (start, message) = (departure.start, departure.message)
    add(
      .lenientJSON,
      departure.range.isEmpty
        ? message
        : "Line \(start.line), column \(start.column): \(message.prefix(1).lowercased())"
          + message.dropFirst(),
      remedy: departure.remedy
        + (departure.fix == nil ? "" : " 'linkaudit lint --fix FILE' does it."), position: start)
  }

  private mutating func judgeType(_ response: DeliveryResponse, _ content: CopyContent) {
    // The type of an unreadable signed message doesn't matter.
    if case .looksLike(.signedMessage)? = content.fileError { return }
    let type = (response.contentType ?? "").prefix { $0 != ";" }.lowercased()
      .split(separator: " ").joined()
    let expected = content.isSigned ? "application/pkcs7-mime" : "application/json"
    guard type != expected else { return }
    let isShown = ["text/html", "application/xhtml+xml"].contains(type)
    let remedy =
      content.isSigned
      ? "Serve a signed file as 'application/pkcs7-mime', or the JSON itself as 'application/json'."
      : nil
    add(
      .contentType,
      type.isEmpty
        ? "The answer names no content type; '\(expected)' is expected."
        : "The content type is '\(type)'; '\(expected)' is expected.",
      severity: isShown ? .warning : nil, remedy: remedy)
  }
}

extension CDNFailure {
  /// The remedy for the CDN's error, or `nil` if its code is unknown.
  ///
  /// The codes are not documented; these have been observed, with the words after them.
  fileprivate var remedy: String? {
    let wait = " Then wait until the CDN asks again, within a day."
    return switch reason?.split(separator: " ").first {
    case "SWCERR00101":
      "Answer Apple's fetcher (AASA-Bot) with status 200, from any country and address. Filters of "
        + "countries, addresses and bots often block it." + wait
    case "SWCERR00202":
      "Use a public address for the host, because the CDN asks no private ones. For a host of your "
        + "own network, use '?mode=managed' or '?mode=developer' in the app's entitlement."
    case "SWCERR00301":
      "Check that the site answers quickly in every country, and that no firewall drops Apple's "
        + "packets." + wait
    case "SWCERR00401": "Fix the JSON that the site serves to Apple." + wait
    default: nil
    }
  }
}

extension Double {
  /// The number, without a fraction if that is zero.
  fileprivate var shortText: String { self == rounded() ? String(Int(self)) : "\(self)" }
}

/// The content of the body of a response.
public struct CopyContent: Sendable {
  /// The file's bytes, as far as they are available: the body without its coding.
  public var bytes: [UInt8]

  /// A Boolean value indicating whether `bytes` are complete.
  public var isWhole: Bool

  /// The problem of the compression, with its message, or `nil`.
  var codingProblem: (kind: DiagnosticKind, message: String)?

  /// A Boolean value indicating whether `bytes` are the file's, not those of a coding.
  public var isDecoded: Bool { codingProblem == nil }

  /// The file, or `nil` if systems can't read it.
  public var file: AssociationFile?

  /// The reason why there is no file, or `nil`.
  var fileError: AssociationFileError?

  /// A Boolean value indicating whether the file is signed: a CMS message in DER, which is
  /// detected from its first bytes.
  public var isSigned: Bool

  init(_ response: DeliveryResponse) {
    bytes = response.body
    isWhole = response.bodyEnd == .whole
    let isGzip = bytes.starts(with: [0x1F, 0x8B])
    switch response.contentEncoding?.lowercased() {
    case nil:
      if isGzip {
        codingProblem = (.gzipUnannounced, "The body is gzip, but there is no 'Content-Encoding'.")
      }
    case "gzip", "x-gzip":
      // An empty body isn't gzip either, but it matters more that it is empty.
      if isGzip {
        let content = Compression.gunzip(bytes, limit: DeliveryResponse.receivingLimit)
        bytes = content.bytes
        isWhole = isWhole && !content.isBeyondLimit && content.damage == nil
        // A body that was cut can't be blamed for ending too early.
        if let damage = content.damage, response.bodyEnd == .whole {
          codingProblem = (.gzipDamaged, "The body is damaged gzip: \(damage).")
        }
      } else if !bytes.isEmpty {
        codingProblem = (
          .notGzip,
          "'Content-Encoding' is \(response.contentEncoding ?? "gzip"), but the body is not gzip."
        )
      }
    case let name?:
      codingProblem = (
        .codingNotAskedFor, "The body has the coding '\(name)', which was not requested."
      )
    }
    isSigned = EncodedText.beginsSignedMessage(bytes)
    guard isWhole, codingProblem == nil, bytes.count <= AssociationFile.sizeLimit else { return }
    do throws(AssociationFileError) {
      file = try AssociationFile(decoding: bytes)
    } catch {
      fileError = error
      // An unreadable body may be anything.
      isSigned = false
    }
  }
}
