public import Foundations

/// The properties by which requests for one target are counted.
public struct Dimensions: Hashable, Sendable {
  /// The day on the log's own clock, or `nil` if the line has no time.
  public var day: Day?

  /// The kind of client.
  public var platform: Platform

  /// The place of the link.
  public var referral: Referral

  /// A Boolean value indicating whether the method is GET.
  public var isGet: Bool

  /// The status of the response, from 0 to 999.
  public var status: UInt16

  /// The kind of site with the link, if it is on another host.
  public var referrer: ReferrerKind

  /// The features that the client's system lacks.
  public var systemAge: SystemAge

  /// A Boolean value indicating whether a page or a script made the request, not a browser that
  /// shows a page.
  ///
  /// Only some logs record this (``LogRecord/isSubresource``).
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
  /// A Boolean value indicating whether a person seems to open something on an Apple device.
  ///
  /// Such a request is a visit if it is for a page.
  public var isVisitLike: Bool {
    mayBeVisit && platform.isApple
  }

  /// A Boolean value indicating whether such a request can be a visit if those of crawlers count,
  /// too.
  public var mayBeVisit: Bool {
    isGet && !isSubresource && (200..<400).contains(status)
      && (platform.isApple || platform == .bot)
  }
}
