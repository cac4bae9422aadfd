public import Foundations

/// The properties by which requests for one target are counted.
public struct Dimensions: Hashable, Sendable {
  /// The day of the log's own clock, or `nil` if the line has no time.
  public var day: Day?

  /// The kind of client.
  public var platform: Platform

  /// Where the link stood.
  public var referral: Referral

  /// A Boolean value indicating whether the method is GET.
  public var isGet: Bool

  /// The status of the response, from 0 to 999.
  public var status: UInt16

  /// The kind of site that the link was on, if it was on another host.
  public var referrer: ReferrerKind

  /// The features that the client's system lacks.
  public var systemAge: SystemAge

  /// A Boolean value indicating whether the browser did not ask for a page to show, but a page
  /// or a script fetched something, which some logs tell (``LogRecord/isSubresource``).
  public var isSubresource: Bool

  /// Creates dimensions.
  public init(
    day: Day?, platform: Platform, referral: Referral, isGet: Bool, status: UInt16,
    referrer: ReferrerKind = .unknown, systemAge: SystemAge = .current,
    isSubresource: Bool = false
  ) {
    self.day = day
    self.platform = platform
    self.referral = referral
    self.isGet = isGet
    self.status = status
    self.referrer = referrer
    self.systemAge = systemAge
    self.isSubresource = isSubresource
  }
}

extension Dimensions {
  /// A Boolean value indicating whether such a request looks like a person
  /// opening something on an Apple device; a visit if what it asks for is a page.
  public var isVisitLike: Bool {
    mayBeVisit && platform.isApple
  }

  /// A Boolean value indicating whether such a request can be a visit where those
  /// of crawlers count, too.
  public var mayBeVisit: Bool {
    isGet && !isSubresource && (200..<400).contains(status)
      && (platform.isApple || platform == .bot)
  }

  init(_ packed: PackedDimensions) {
    self.init(
      day: packed.day, platform: packed.platform, referral: packed.referral, isGet: packed.isGet,
      status: packed.status, referrer: packed.referrer, systemAge: packed.systemAge,
      isSubresource: packed.isSubresource)
  }
}
