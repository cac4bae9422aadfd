/// What of a rule's path can be seen at a glance: how a path that it matches
/// begins and ends.
///
/// Most rules don't match most URLs, and fail here.
struct RuleGate: BitwiseCopyable, Sendable {
  /// The form of the path that the rule is compared with.
  var form: TextForm

  /// Where the texts stand among the bytes of all gates.
  var start: Int32

  /// The length of the text at the start of every path that the rule matches.
  var prefixLength: Int32

  /// The length of the text at its end.
  var suffixLength: Int32

  /// Whether the path has nothing between the two.
  var isExact: Bool

  /// Whether no path matches.
  var isClosed: Bool
}

/// The gates of all rules of a matcher.
struct RuleGates: Sendable {
  private var gates: [RuleGate] = []
  private var bytes: [UInt8] = []

  /// Adds the gate of the next rule.
  mutating func add(_ path: Pattern, form: TextForm) {
    let (prefix, suffix) = path.ends
    gates.append(
      RuleGate(
        form: form, start: Int32(bytes.count), prefixLength: Int32(prefix.count),
        suffixLength: Int32(suffix.count), isExact: path.strategy == .literal,
        isClosed: path.strategy == .never))
    bytes += prefix + suffix
  }

  /// Returns a Boolean value indicating whether a URL whose needed forms are
  /// prepared may match a rule.
  @inline(__always)
  func pass(_ url: borrowing LinkURL, rule: Int) -> Bool {
    let gate = gates[rule]
    if gate.isClosed { return false }
    if gate.prefixLength == 0, gate.suffixLength == 0, !gate.isExact { return true }
    return url.path.withBytes(gate.form) { path in
      let (prefix, suffix) = (Int(gate.prefixLength), Int(gate.suffixLength))
      if gate.isExact, path.count != prefix { return false }
      return holds(path, at: 0, from: Int(gate.start), count: prefix)
        && holds(path, at: path.count - suffix, from: Int(gate.start) + prefix, count: suffix)
    }
  }

  @inline(__always)
  private func holds(_ text: Span<UInt8>, at place: Int, from start: Int, count: Int) -> Bool {
    guard place >= 0, place + count <= text.count else { return false }
    // From the end: the starts of paths are often the same.
    var index = count - 1
    while index >= 0 {
      if text[place + index] != bytes[start + index] { return false }
      index -= 1
    }
    return true
  }
}
