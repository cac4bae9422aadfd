/// One element of a pattern, as it is read from left to right.
package enum PatternToken: Hashable, Sendable {
  /// Bytes that match themselves.
  case literal([UInt8])

  /// `?`: exactly one Unicode scalar.
  case anyScalar

  /// `*`: any number of scalars, none included.
  case anyRun

  /// `$(name)`: one of these values, each with the wildcards that it holds.
  case variable(VariableValues)
}

extension PatternToken {
  /// Reads a pattern.
  ///
  /// - Parameters:
  ///   - pattern: The pattern in UTF-8.
  ///   - variables: The variables to look up, or `nil` where `$(` means itself.
  ///   - folds: Whether literals are folded, because letter case is ignored.
  /// - Returns: The elements from left to right, or `nil` if no text matches because of a variable
  ///   without an end, without a definition, or without a usable value.
  static func tokens(
    of pattern: [UInt8], variables: Variables?, folds: Bool
  ) -> [PatternToken]? {
    var tokens: [PatternToken] = []
    var literal: [UInt8] = []
    func flush() {
      if !literal.isEmpty {
        tokens.append(.literal(folds ? SimpleCaseFolding.folded(literal) : literal))
      }
      literal.removeAll()
    }

    var index = 0
    while index < pattern.count {
      switch pattern[index] {
      case UInt8(ascii: "*"):
        flush()
        // A run of stars is one star (Matching.md, 3c.6).
        if case .anyRun = tokens.last { break }
        tokens.append(.anyRun)
      case UInt8(ascii: "?"):
        flush()
        tokens.append(.anyScalar)
      case UInt8(ascii: "$")
      where variables != nil && pattern[(index + 1)...].first == UInt8(ascii: "("):
        flush()
        guard let end = pattern[index...].firstIndex(of: UInt8(ascii: ")")) else { return nil }
        let name = String(decoding: pattern[(index + 2)..<end], as: UTF8.self)
        let follower = Variables.Follower(pattern[(end + 1)...].first)
        guard let values = variables?.values(of: name, folds: folds, before: follower) else {
          return nil
        }
        tokens.append(.variable(values))
        index = end
      case let byte: literal.append(byte)
      }
      index += 1
    }
    flush()
    return tokens
  }
}
