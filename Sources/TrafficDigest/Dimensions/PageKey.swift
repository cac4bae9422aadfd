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
