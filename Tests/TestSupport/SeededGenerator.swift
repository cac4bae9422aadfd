/// A random number generator with a seed (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// Creates the generator of a seed.
  public init(seed: UInt64 = TestRun.seed) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// One of some values, of which there must be one.
  public mutating func pick<Values: Collection>(_ values: Values) -> Values.Element {
    let offset = Int.random(in: 0..<values.count, using: &self)
    return values[values.index(values.startIndex, offsetBy: offset)]
  }

  /// Whether an event occurs that has a probability in percent.
  public mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &self) < percent
  }

  /// Some of the pieces, one after another.
  public mutating func text(of pieces: [String], _ count: ClosedRange<Int>) -> String {
    (0..<Int.random(in: count, using: &self)).map { _ in pick(pieces) }.joined()
  }
}

extension [UInt8] {
  /// Replaces, adds or removes a byte of a text that isn't empty; another one is from `marks`.
  public mutating func changeByte(
    to marks: some Collection<UInt8>, using generator: inout SeededGenerator
  ) {
    let index = Int.random(in: 0..<count, using: &generator)
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: self[index] = generator.pick(marks)
    case 1: insert(generator.pick(marks), at: index)
    default: remove(at: index)
    }
  }
}

/// Returns every string over `symbols` with at most `length` of them.
public func strings(over symbols: [String], upTo length: Int) -> [String] {
  var (all, longest) = ([""], [""])
  for _ in 0..<length {
    longest = longest.flatMap { prefix in symbols.map { prefix + $0 } }
    all += longest
  }
  return all
}
