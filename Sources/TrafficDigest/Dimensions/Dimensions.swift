package import Foundations

/// The properties by which requests for one target are counted, in one word.
package struct Dimensions: BitwiseCopyable, Hashable, Sendable {
  // From the lowest bit: status 10, method 1, referral 2, platform 4, referrer 4, system age 2,
  // day 24, subresource 1.
  package let bits: UInt64

  @inline(__always)
  package init(bits: UInt64) { self.bits = bits }

  /// Creates dimensions with a packed day.
  @inline(__always)
  init(
    day: UInt64, platform: Platform, referral: Referral, isGet: Bool, status: UInt16,
    referrer: ReferrerKind, systemAge: SystemAge, isSubresource: Bool
  ) {
    bits =
      day | (isSubresource ? Self.subresource : 0) | UInt64(systemAge.rawValue) << 21 | UInt64(
        referrer.rawValue) << 17
      | UInt64(platform.rawValue) << 13 | UInt64(referral.rawValue) << 11
      | (isGet ? 1 << 10 : 0) | UInt64(status)
  }

  private static let subresource: UInt64 = 1 << 47

  static func bits(_ day: Day?) -> UInt64 { UInt64(day?.number ?? 0) << 23 }

  /// The status of the response, from 0 to 999.
  package var status: UInt16 { UInt16(bits & 0x3FF) }

  /// A Boolean value indicating whether the method is GET.
  package var isGet: Bool { bits >> 10 & 1 == 1 }

  /// The place of the link.
  package var referral: Referral { Referral(rawValue: UInt8(bits >> 11 & 3)) ?? .none }

  /// The kind of client.
  package var platform: Platform { Platform(rawValue: UInt8(bits >> 13 & 15)) ?? .other }

  /// The kind of site with the link, if it is on another host.
  package var referrer: ReferrerKind { ReferrerKind(rawValue: UInt8(bits >> 17 & 15)) ?? .unknown }

  /// The features that the client's system lacks.
  package var systemAge: SystemAge { SystemAge(rawValue: UInt8(bits >> 21 & 3)) ?? .current }

  /// The number of the day, 0 for none.
  package var dayNumber: Int { Int(bits >> 23 & 0xFF_FFFF) }

  /// A Boolean value indicating whether a page or a script made the request, not a browser that
  /// shows a page.
  ///
  /// Only some logs record this (``LogRecord/isSubresource``).
  package var isSubresource: Bool { bits & Self.subresource != 0 }

  /// These dimensions for a request that asks for a page to show.
  package var asNavigation: Dimensions {
    Dimensions(bits: bits & ~Self.subresource)
  }

  /// A Boolean value indicating whether the bits are valid dimensions.
  var isPlausible: Bool {
    bits >> 48 == 0 && status <= 999 && Platform(rawValue: UInt8(bits >> 13 & 15)) != nil
      && Referral(rawValue: UInt8(bits >> 11 & 3)) != nil
      && ReferrerKind(rawValue: UInt8(bits >> 17 & 15)) != nil
  }

  /// The day on the log's own clock, or `nil` if the line has no time.
  package var day: Day? { Day(rawValue: dayNumber) }

  /// A Boolean value indicating whether a person seems to open something on an Apple device.
  ///
  /// Such a request is a visit if it is for a page.
  package var isVisitLike: Bool {
    mayBeVisit && platform.isApple
  }

  /// A Boolean value indicating whether such a request can be a visit if those of crawlers count,
  /// too.
  @inline(__always)
  package var mayBeVisit: Bool {
    isGet && !isSubresource && (200..<400).contains(status)
      && (platform.isApple || platform == .bot)
  }
}

/// The key for counts of visits from pages of the same host, in addition to the target.
package struct PageKey: BitwiseCopyable, Hashable, Sendable {
  // From the lowest bit: combination 32, template 32.
  let bits: UInt64

  init(bits: UInt64) { self.bits = bits }

  @inline(__always)
  init(template: UInt32, combination: UInt32) {
    bits = UInt64(template) << 32 | UInt64(combination)
  }

  /// The number of the template of the page with the link.
  package var template: Int { Int(bits >> 32) }

  /// The number of the combination of dimensions that the visits have.
  package var combination: Int { Int(bits & 0xFFFF_FFFF) }
}
