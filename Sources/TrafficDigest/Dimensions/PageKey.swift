/// What visits from pages of the same host are counted by, besides their target.
package struct PageKey: BitwiseCopyable, Hashable, Sendable {
  // From the lowest bit: old system 1, day 24, template from bit 32 on.
  let bits: UInt64

  init(bits: UInt64) { self.bits = bits }

  @inline(__always)
  init(template: UInt32, group: UInt32) {
    bits = UInt64(template) << 32 | UInt64(group)
  }

  /// The lower bits, which don't depend on the template.
  @inline(__always)
  static func group(_ dimensions: PackedDimensions) -> UInt32 {
    UInt32(truncatingIfNeeded: dimensions.dayNumber) << 1
      | (dimensions.platform == .ios12 ? 1 : 0)
  }

  /// The lower bits, which don't depend on the template.
  var group: UInt32 { UInt32(truncatingIfNeeded: bits) }

  /// The number of the template of the page that the link stood on.
  package var template: Int { Int(bits >> 32) }

  /// The day of the log's own clock.
  package var day: Day? {
    let number = Int(bits >> 1 & 0xFF_FFFF)
    return number == 0 ? nil : Day(number: number)
  }

  /// A Boolean value indicating whether the visit was from iOS 12 or earlier.
  package var isLegacy: Bool { bits & 1 == 1 }
}
