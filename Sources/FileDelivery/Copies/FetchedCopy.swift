/// The outcome of asking for a copy of an association file.
public struct FetchedCopy: Hashable, Sendable {
  /// The target that was asked for.
  public var target: DeliveryTarget

  /// The answer, or why there is none.
  public var outcome: Outcome

  /// The end of the validity of the server's certificate, or `nil` if it isn't known.
  public var certificateEnd: HTTPDate?

  /// An answer, or why there is none.
  public enum Outcome: Hashable, Sendable {
    case answered(DeliveryResponse)
    case failed(FetchFailure)
  }

  /// Creates a copy.
  public init(target: DeliveryTarget, outcome: Outcome, certificateEnd: HTTPDate? = nil) {
    (self.target, self.outcome, self.certificateEnd) = (target, outcome, certificateEnd)
  }

  /// The answer, or `nil` if there is none.
  public var response: DeliveryResponse? {
    if case .answered(let response) = outcome { response } else { nil }
  }

  /// Why there is no answer, or `nil` if there is one.
  public var failure: FetchFailure? {
    if case .failed(let failure) = outcome { failure } else { nil }
  }
}

/// A server's answer, as it came.
public struct DeliveryResponse: Hashable, Sendable {
  /// The way in which a body ended.
  public enum BodyEnd: Hashable, Sendable {
    /// All of it came.
    case whole

    /// The connection ended first.
    case cut

    /// The time was up first.
    case tooSlow(seconds: Double)

    /// There is more than ``receivingLimit``; the rest was not read.
    case beyondLimit
  }

  /// A field of the head.
  public struct Field: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  /// The greatest number of bytes that are received, and that compressed ones may become.
  public static let receivingLimit = 1 << 20

  /// The status, such as 200.
  public var status: Int

  /// The fields of the head, in the order in which they came.
  public var fields: [Field]

  /// The body as it was sent; of answers other than 200 it is not read.
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
  /// The type that the server names, or `nil`.
  public var contentType: String? { field("content-type") }

  /// The coding that the server names, or `nil` for none.
  public var contentEncoding: String? {
    guard let value = field("content-encoding"), !value.isEmpty, value.lowercased() != "identity"
    else { return nil }
    return value
  }

  /// When the file was changed last, as the server says.
  public var lastModified: HTTPDate? { field("last-modified").flatMap { HTTPDate($0) } }

  /// When the server sent this.
  public var date: HTTPDate? { field("date").flatMap { HTTPDate($0) } }

  /// The time that the response was in a cache, in seconds.
  public var age: Int? {
    field("age").flatMap { Int($0) }.flatMap { (0...(1 << 40)).contains($0) ? $0 : nil }
  }

  /// Where a redirect leads, or `nil`.
  public var location: String? { field("location") }

  /// The form in which the site sent the file to Apple's CDN, as the CDN says
  /// (`Apple-Origin-Format`), such as `json`; `nil` if it doesn't say.
  public var originFormat: String? { field("apple-origin-format") }

  /// The reason that Apple's CDN gives for having no file, or `nil`.
  public var cdnFailure: CDNFailure? {
    let failure = CDNFailure(
      reason: field("apple-failure-reason"), details: field("apple-failure-details"),
      from: field("apple-from"), tryDirect: field("apple-try-direct"))
    return failure.reason == nil && failure.details == nil ? nil : failure
  }

  /// The time that caches keep the response (`max-age`), in seconds, or `nil`.
  var maximumAge: Int? {
    (field("cache-control") ?? "").lowercased().split(separator: ",").lazy
      .map { $0.drop { $0 == " " } }
      .first { $0.hasPrefix("max-age=") }
      .flatMap { Int($0.dropFirst(8)) }.flatMap { (0...(1 << 40)).contains($0) ? $0 : nil }
  }
}

/// The fields with which Apple's CDN says why it has no file of a host.
public struct CDNFailure: Hashable, Sendable {
  /// `Apple-Failure-Reason`: a code and what it is, such as
  /// `SWCERR00101 Bad HTTP Response: 403 Forbidden`.
  public var reason: String?

  /// `Apple-Failure-Details`: a JSON object, such as `{"status":"403 Forbidden"}`.
  public var details: String?

  /// `Apple-From`: the URL that the CDN asked.
  public var from: String?

  /// `Apple-Try-Direct`: `true` or `false`.
  public var tryDirect: String?
}
