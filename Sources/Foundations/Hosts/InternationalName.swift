/// Host names with letters beyond ASCII, as URLs and people write them.
package enum InternationalName {
  /// Returns a host name in lower case with its labels in Punycode (RFC 3492, RFC 5891), as DNS,
  /// logs and association files have them.
  ///
  /// - Parameter host: The name, such as `bücher.example`.
  /// - Returns: The name in ASCII, such as `xn--bcher-kva.example`, or `nil` if a label can't be
  ///   written so.
  package static func ascii(_ host: some StringProtocol) -> String? {
    // Other writing systems' full stops separate labels, too (UTS 46, 4.5).
    let dots: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]
    var labels: [String] = []
    for label in host.lowercased().unicodeScalars.split(
      omittingEmptySubsequences: false, whereSeparator: dots.contains)
    {
      guard let label = punycode(Array(label)) else { return nil }
      labels.append(label)
    }
    return labels.joined(separator: ".")
  }

  /// Returns a label in Punycode, or as it is if it is ASCII.
  private static func punycode(_ label: [Unicode.Scalar]) -> String? {
    guard let greatest = label.max(), !greatest.isASCII else {
      return String(String.UnicodeScalarView(label))
    }
    // A label has at most 63 bytes, so nothing overflows.
    guard label.count < 60 else { return nil }
    let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789".unicodeScalars)
    var output = label.filter(\.isASCII)
    let basicCount = output.count
    if basicCount > 0 { output.append("-") }
    var (next, delta, bias, handled): (UInt32, Int, Int, Int) = (0x80, 0, 72, basicCount)
    while handled < label.count {
      guard let least = label.lazy.map(\.value).filter({ $0 >= next }).min() else { return nil }
      delta += Int(least - next) * (handled + 1)
      next = least
      for scalar in label {
        if scalar.value < next { delta += 1 }
        guard scalar.value == next else { continue }
        var (rest, place) = (delta, 36)
        while true {
          let threshold = min(max(place - bias, 1), 26)
          if rest < threshold { break }
          output.append(digits[threshold + (rest - threshold) % (36 - threshold)])
          rest = (rest - threshold) / (36 - threshold)
          place += 36
        }
        output.append(digits[rest])
        bias = adaptedBias(delta, count: handled + 1, isFirst: handled == basicCount)
        delta = 0
        handled += 1
      }
      delta += 1
      next += 1
    }
    let text = "xn--" + String(String.UnicodeScalarView(output))
    return text.utf8.count <= 63 ? text : nil
  }

  /// The bias for the next number (RFC 3492, 6.1).
  private static func adaptedBias(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var bias = 0
    while delta > 35 * 26 / 2 {
      delta /= 35
      bias += 36
    }
    return bias + 36 * delta / (delta + 38)
  }
}
