/// What requests for one target are counted by.
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
}

extension Dimensions {
  /// A Boolean value indicating whether such a request looks like a person
  /// opening something on an Apple device; a visit if what it asks for is a page.
  public var isVisitLike: Bool {
    isGet && (200..<400).contains(status) && platform.isApple
  }

  // From the lowest bit: status 10, method 1, referral 2, platform 4, day 24.
  init(packed: UInt64) {
    status = UInt16(packed & 0x3FF)
    isGet = packed >> 10 & 1 == 1
    referral = Referral(rawValue: UInt8(packed >> 11 & 3)) ?? .none
    platform = Platform(rawValue: UInt8(packed >> 13 & 15)) ?? .other
    let number = Int(packed >> 17 & 0xFF_FFFF)
    day = number == 0 ? nil : Day(number: number)
  }

  @inline(__always)
  var packed: UInt64 {
    UInt64(status) | (isGet ? 1 << 10 : 0) | UInt64(referral.rawValue) << 11
      | UInt64(platform.rawValue) << 13 | UInt64(day?.number ?? 0) << 17
  }
}
