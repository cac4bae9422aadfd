/// A random number generator with a seed (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// Creates the generator of a seed, which a failing test prints.
  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

extension [UInt8] {
  /// Replaces, adds or removes a byte of a text that isn't empty; another one is from `marks`.
  public mutating func changeByte(to marks: String, using generator: inout SeededGenerator) {
    let index = Int.random(in: 0..<count, using: &generator)
    let mark = Array(marks.utf8).randomElement(using: &generator) ?? 0
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: self[index] = mark
    case 1: insert(mark, at: index)
    default: remove(at: index)
    }
  }
}
