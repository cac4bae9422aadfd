extension [String] {
  /// Returns the first texts as a list, and the number of the others: `a, b and 3 more`.
  package func listed(upTo limit: Int) -> String {
    prefix(limit).joined(separator: ", ")
      + (count > limit ? " and \((count - limit).grouped) more" : "")
  }
}

extension Int {
  /// The number with a comma between each three digits.
  package var grouped: String {
    var output = ""
    let digits = String(magnitude)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { output.append(",") }
      output.append(digit)
    }
    return self < 0 ? "-" + output : output
  }

  /// This number of things, such as `1 line`, `1,200 lines`, or `2 fetches` with another plural.
  package func counted(_ thing: String, _ things: String? = nil) -> String {
    self == 1 ? "1 " + thing : grouped + " " + (things ?? thing + "s")
  }

  /// Returns this number's share of a whole in percent with one decimal, such as `12.5%`.
  ///
  /// It is rounded half up in integers, so it is the same on all systems.
  package func percent(of whole: Int) -> String {
    guard whole > 0 else { return "-" }
    // Beyond that, drop the last bits; they don't show after rounding.
    guard whole < 1 << 50, magnitude < 1 << 50 else { return (self >> 13).percent(of: whole >> 13) }
    let (tenths, _) = (self * 2_000 + whole).quotientAndRemainder(dividingBy: whole * 2)
    return "\(tenths / 10).\(tenths % 10)%"
  }
}
