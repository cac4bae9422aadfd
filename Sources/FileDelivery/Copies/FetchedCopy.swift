internal import Foundations

/// The outcome of requesting a copy of an association file.
public struct FetchedCopy: Hashable, Sendable {
  /// The target of the request.
  public var target: DeliveryTarget

  /// The answer, or the reason why there is none.
  public var outcome: Outcome

  /// An answer, or the reason why there is none.
  public typealias Outcome = Result<DeliveryResponse, FetchFailure>

  /// The end of the validity of the server's certificate, or `nil` if it isn't known.
  public var certificateEnd: HTTPDate?

  /// Creates a copy.
  public init(target: DeliveryTarget, outcome: Outcome, certificateEnd: HTTPDate? = nil) {
    (self.target, self.outcome, self.certificateEnd) = (target, outcome, certificateEnd)
  }

  /// The answer, or `nil` if there is none.
  public var response: DeliveryResponse? {
    if case .success(let response) = outcome { response } else { nil }
  }

  /// The reason why there is no answer, or `nil` if there is one.
  public var failure: FetchFailure? {
    if case .failure(let failure) = outcome { failure } else { nil }
  }
}

/// A server's answer in its original form.
public struct DeliveryResponse: Hashable, Sendable {
  /// The way in which a body ended.
  public enum BodyEnd: Hashable, Sendable {
    /// It is complete.
    case whole

    /// The connection ended first.
    case cut

    /// The timeout came first.
    case tooSlow(seconds: Double)

    /// It is longer than ``receivingLimit``; the rest was not read.
    case beyondLimit
  }

  /// A field of the head.
  public struct Field: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  /// The maximum number of bytes to receive, and to decompress to.
  public static let receivingLimit = 1 << 20

  /// The status, such as 200.
  public var status: Int

  /// The fields of the head, in the order of arrival.
  public var fields: [Field]

  /// The body as sent; that of answers other than 200 is not read.
  public var body: [UInt8]

  /// The way in which the body ended.
  public var bodyEnd: BodyEnd

  /// Creates an answer.
  public init(status: Int, fields: [Field], body: [UInt8] = [], bodyEnd: BodyEnd = .whole) {
    (self.status, self.fields) = (status, fields)
    (self.body, self.bodyEnd) = (body, bodyEnd)
  }

  /// The value of a field.
  ///
  /// - Parameter name: The name in lower case.
  /// - Returns: The value, or `nil` if there is no such field; those of several are joined
  ///   (RFC 9110, 5.3).
  func field(_ name: String) -> String? {
    let values = fields.filter { $0.name.lowercased() == name }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }
}

extension DeliveryResponse {
  /// The content type of the answer, or `nil`.
  public var contentType: String? { field("content-type") }

  /// The content coding of the answer, or `nil` for none.
  public var contentEncoding: String? {
    guard let value = field("content-encoding"), !value.isEmpty, value.lowercased() != "identity"
    else { return nil }
    return value
  }

  /// The last change of the file, according to the server.
  public var lastModified: HTTPDate? { field("last-modified").flatMap { HTTPDate($0) } }

  /// The time of the answer, according to the server.
  public var date: HTTPDate? { field("date").flatMap { HTTPDate($0) } }

  /// The age of the response in a cache, in seconds.
  public var age: Int? {
    field("age").flatMap { Int($0) }.flatMap { (0...(1 << 40)).contains($0) ? $0 : nil }
  }

  /// The target of a redirect, or `nil`.
  public var location: String? { field("location") }

  /// The format in which the site sent the file to Apple's CDN (`Apple-Origin-Format`), such as
  /// `json`; `nil` if the CDN doesn't say.
  public var originFormat: String? { field("apple-origin-format") }

  /// The reason that Apple's CDN gives for having no file, or `nil`.
  public var cdnFailure: CDNFailure? {
    let failure = CDNFailure(
      reason: field("apple-failure-reason"), details: field("apple-failure-details"),
      from: field("apple-from"), tryDirect: field("apple-try-direct"))
    return failure.reason == nil && failure.details == nil ? nil : failure
  }

  /// The time for which caches keep the response (`max-age`), in seconds, or `nil`.
  var maximumAge: Int? {
    let directives = (field("cache-control") ?? "").lowercased().split(separator: ",")
    let found = directives.lazy.map { $0.drop { $0 == " " } }.first { $0.hasPrefix("max-age=") }
    guard let seconds = found.flatMap({ Int($0.dropFirst(8)) }) else { return nil }
    return 0...(1 << 40) ~= seconds ? seconds : nil
  }
}

/// The fields in which Apple's CDN says why it has no file of a host.
public struct CDNFailure: Hashable, Sendable {
  /// `Apple-Failure-Reason`: a code and its meaning, such as `SWCERR00101 Bad HTTP Response: 403
  /// Forbidden`.
  public var reason: String?

  /// `Apple-Failure-Details`: a JSON object, such as `{"status":"403 Forbidden"}`.
  public var details: String?

  /// `Apple-From`: the URL that the CDN requested.
  public var from: String?

  /// `Apple-Try-Direct`: `true` or `false`.
  public var tryDirect: String?
}

/// The reason why a server gave no answer.
public enum FetchFailure: Error, Hashable, Sendable {
  /// The host's address is unknown.
  case nameNotResolved

  /// No server listens there.
  case connectionRefused

  /// The connection failed for another reason, which the system names.
  case unreachable(String)

  /// No answer began before the timeout.
  case timedOut(seconds: Double)

  /// The connection ended before an answer.
  case noAnswer

  /// The response is not HTTP.
  case notHTTP

  /// Both sides have no common version of TLS.
  case oldTLS

  /// TLS failed for another reason, which the library names.
  case tls(String)

  /// The certificate is not accepted.
  ///
  /// The chain is the certificates that the server presented, its own first; empty if unknown. It is
  /// trusted if an authority vouches for it, so that only the names are wrong.
  case certificate(chain: [PresentedCertificate], isTrusted: Bool)

  /// A Boolean value indicating whether the host could not be reached at all.
  public var isUnasked: Bool {
    switch self {
    case .nameNotResolved, .connectionRefused, .unreachable, .timedOut: true
    case .noAnswer, .notHTTP, .oldTLS, .tls, .certificate: false
    }
  }
}

/// A time in HTTP's notation: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
public struct HTTPDate: Hashable, Comparable, Sendable {
  /// The seconds since 1970, UTC.
  public var seconds: Int

  /// Creates a date from the seconds since 1970, UTC.
  public init(seconds: Int) { self.seconds = seconds }

  /// Reads the notation that servers use today, or returns `nil`.
  public init?(_ text: String) {
    let parts = text.split(separator: " ").map(String.init)
    guard parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT",
      let month = Self.months.firstIndex(of: parts[2]), let number = Self.number(parts[1], 1...31),
      let year = Self.number(parts[3], 1601...9999),
      let day = Day(year: year, month: month + 1, day: number)
    else { return nil }
    let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard clock.count == 3, let hour = Self.number(clock[0], 0...23),
      let minute = Self.number(clock[1], 0...59), let second = Self.number(clock[2], 0...60)
    else { return nil }
    seconds = day.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second
  }

  static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func number(_ text: String, _ range: ClosedRange<Int>) -> Int? {
    guard text.utf8.allSatisfy(\.isDigit), let number = Int(text),
      range.contains(number)
    else { return nil }
    return number
  }

  public static func < (one: HTTPDate, other: HTTPDate) -> Bool { one.seconds < other.seconds }
}

extension HTTPDate: CustomStringConvertible {
  /// The time in ISO 8601: `1994-11-06T08:49:37Z`.
  public var description: String {
    // Only the name of the zone differs.
    LogTime(secondsSince1970: seconds, offsetInMinutes: 0).description.dropLast(6) + "Z"
  }
}
