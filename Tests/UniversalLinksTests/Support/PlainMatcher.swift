@testable import UniversalLinks

/// The definition of matching, written for clarity, not speed (Matching.md, 3c).
///
/// It tries everything and is exponential.
struct PlainMatcher {
  /// The values of variables, the file's own before the built-in ones.
  var variables: [String: [String]]?
  var folds = false

  func matches(_ pattern: String, _ text: String) -> Bool {
    matches(Array(pattern.unicodeScalars)[...], Array(text.unicodeScalars)[...], level: 0)
  }

  private func matches(
    _ pattern: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>, level: Int
  ) -> Bool {
    guard level <= 64 else { return false }
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    if first == "*" {
      // A run of stars is one star.
      let rest = rest.drop { $0 == "*" }
      if rest.isEmpty { return true }
      // The rest is tried only if input is left.
      return text.indices.contains { matches(rest, text[$0...], level: level + 1) }
    }
    if let variables, first == "$", rest.first == "(" {
      guard let end = rest.firstIndex(of: ")") else { return false }
      let name = String(String.UnicodeScalarView(rest[(rest.startIndex + 1)..<end]))
      let after = rest[(end + 1)...]
      guard level < 64, let values = variables[name] else { return false }
      return values.contains { value in
        if value.unicodeScalars.last == "$", after.first == "(" { return false }
        // A value's own scalars can't begin a variable: `$(` isn't in any value.
        return matches((Array(value.unicodeScalars) + after)[...], text, level: level + 1)
      }
    }
    guard let scalar = text.first else { return false }
    guard first == "?" || isSame(first, scalar) else { return false }
    return matches(rest, text.dropFirst(), level: level)
  }

  private func isSame(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
    first == second || folds && Self.fold(first) == Self.fold(second)
  }

  /// Case folding by the standard library's mappings: lower case of upper case,
  /// where both are single scalars; `ı` and `İ` fold to themselves.
  static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar == "\u{131}" || scalar == "\u{130}" { return scalar }
    let upper = single(scalar.properties.uppercaseMapping) ?? scalar
    return single(upper.properties.lowercaseMapping) ?? upper
  }

  private static func single(_ mapping: String) -> Unicode.Scalar? {
    mapping.unicodeScalars.count == 1 ? mapping.unicodeScalars.first : nil
  }
}

extension LinkMatcher {
  /// Compiles rules that each compare the decoded query with a pattern.
  convenience init(queries patterns: [String], _ variables: Variables?, folds: Bool) {
    let rules = patterns.map {
      RuleDefinition(query: .whole($0), isCaseSensitive: !folds, isPercentEncoded: false)
    }
    let entry = AssociationFile.Entry(
      id: .index(0), position: 0, appIDs: [ApplicationIdentifier("a.b")], components: rules)
    self.init(AssociationFile(entries: [entry]), variables)
  }
}
