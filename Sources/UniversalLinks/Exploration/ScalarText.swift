internal import Foundations

/// A scalar as patterns compare it; empty if no pattern waits for it.
struct ScalarText {
  var plain: [UInt8] = []
  var folded: [UInt8] = []

  init() {}

  init(ascii byte: UInt8) {
    plain = [byte]
    folded = [byte.asciiLowercased]
  }

  init(_ scalar: Unicode.Scalar) {
    UTF8Text.append(scalar, to: &plain)
    UTF8Text.append(SimpleCaseFolding.fold(scalar), to: &folded)
  }
}
