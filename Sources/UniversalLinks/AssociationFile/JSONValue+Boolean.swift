extension JSONValue {
  /// This value as Apple's systems read a Boolean (Matching.md, 2.4).
  ///
  /// JSON's own Booleans keep their value. A number is `true` if it isn't zero. A string is read as
  /// `NSString.boolValue` reads it. Anything else is `false`.
  var booleanReading: Bool {
    switch content {
    case .boolean(let value): value
    case .number(let value): value != 0
    case .string(let text): text.booleanReading
    case .null, .array, .object: false
    }
  }
}

extension String {
  /// This text as `NSString.boolValue` reads it.
  ///
  /// White space, a sign and zeros are skipped. Then `Y`, `T` or a digit from 1 to 9 means `true`,
  /// whatever follows.
  fileprivate var booleanReading: Bool {
    var rest = unicodeScalars.drop { $0.properties.isWhitespace }
    if rest.first == "+" || rest.first == "-" { rest = rest.dropFirst() }
    rest = rest.drop { $0 == "0" }
    guard let first = rest.first else { return false }
    return "YyTt123456789".unicodeScalars.contains(first)
  }
}
