internal import ArgumentParser

/// A number of bytes as people write it: `64M`, `1.5G`, `512MiB`, `1073741824`.
struct MemorySize: ExpressibleByArgument {
  /// The number of bytes.
  let bytes: Int

  init(bytes: Int) { self.bytes = bytes }

  /// Reads a number with a unit: `M`, `MB` and `MiB` mean the same, and each unit is 1024 of the
  /// one before.
  init?(argument: String) {
    let text = argument.lowercased()
    let number = text.prefix { $0.isNumber || $0 == "." }
    var unit = text.dropFirst(number.count)
    if unit.hasSuffix("b") { unit = unit.dropLast() }
    if unit.hasSuffix("i") { unit = unit.dropLast() }
    let shifts: [Substring: Int] = ["": 0, "k": 10, "m": 20, "g": 30, "t": 40]
    guard let shift = shifts[unit], let value = Double(number), value >= 0,
      value < Double(Int.max >> shift)
    else { return nil }
    bytes = Int(value * Double(1 << shift))
  }

  /// The size in the greatest unit that gives a whole number.
  var defaultValueDescription: String {
    for (shift, unit) in [(40, "T"), (30, "G"), (20, "M"), (10, "K")]
    where bytes >= 1 << shift && bytes & (1 << shift - 1) == 0 {
      return "\(bytes >> shift)\(unit)"
    }
    return "\(bytes)"
  }
}
