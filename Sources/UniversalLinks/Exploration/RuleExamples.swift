internal import Foundations

/// URLs that rules were probably written for: their own patterns with the wildcards replaced.
struct RuleExamples {
  private let variables: Variables?

  /// The texts that replace a star; the first one makes the best examples.
  private static let fillings = ["x", "", "x/y"].map { Array($0.utf8) }

  /// The number of examples of each rule; the first one is the best.
  static let count = fillings.count

  init(_ matcher: LinkMatcher, file: AssociationFile) {
    variables = Variables(file.substitutionVariables, for: matcher.system)
  }

  /// Returns an example for a rule, as the part of a URL after the host.
  ///
  /// - Parameters:
  ///   - definition: The rule.
  ///   - index: The number of the example, from 0 to ``count`` - 1.
  /// - Returns: The path, with the query and fragment that the rule requires.
  func target(of definition: RuleDefinition, index: Int) -> [UInt8] {
    let filling = Self.fillings[index]
    func text(_ pattern: String) -> [UInt8] {
      instance(of: Array(pattern.utf8), filling, encodes: !definition.isPercentEncoded)
    }
    var target = text(definition.path ?? "*")
    // A word in a path is mostly followed by another segment.
    // A pattern that can't be read has no text at all.
    if index == 0, let path = definition.path, path.hasSuffix("*"),
      path.dropLast().utf8.last.map({ $0.isLetterOrDigit }) ?? false,
      target.count >= filling.count
    {
      target.insert(UInt8(ascii: "/"), at: target.count - filling.count)
    }
    if target.first != UInt8(ascii: "/") { target.insert(UInt8(ascii: "/"), at: 0) }
    switch definition.query {
    case nil: break
    case .whole(let pattern):
      if pattern != "*" { target += [UInt8(ascii: "?")] + text(pattern) }
    case .items(let items):
      let texts = items.filter { $0.pattern != "*" }.map { item in
        text(item.name) + [UInt8(ascii: "=")] + text(item.pattern)
      }
      if !texts.isEmpty { target += [UInt8(ascii: "?")] + texts.joined(separator: "&".utf8) }
    }
    if let fragment = definition.fragment, fragment != "*" {
      target += [UInt8(ascii: "#")] + text(fragment)
    }
    var encoded: [UInt8] = []
    PercentEncoding.append(encodingTarget: target.span, to: &encoded)
    return encoded
  }

  private func instance(of pattern: [UInt8], _ filling: [UInt8], encodes: Bool) -> [UInt8] {
    var text: [UInt8] = []
    let tokens = PatternToken.tokens(of: pattern, variables: variables, folds: false)
    append(tokens ?? [], filling, to: &text)
    guard encodes else { return text }
    var encoded: [UInt8] = []
    for byte in text {
      if PercentEncoding.isAllowed(byte), !"%#?".utf8.contains(byte) {
        encoded.append(byte)
      } else {
        PercentEncoding.append(escapeOf: byte, to: &encoded)
      }
    }
    return encoded
  }

  private func append(_ tokens: [PatternToken], _ filling: [UInt8], to text: inout [UInt8]) {
    for (index, token) in tokens.enumerated() {
      switch token {
      case .literal(let bytes): text += bytes
      case .anyScalar: text.append(UInt8(ascii: "x"))
      case .anyRun:
        // After `?`, a star needs nothing.
        if index > 0, case .anyScalar = tokens[index - 1] { continue }
        text += filling
      case .variable(let values):
        let value = values.values.first { !$0.isEmpty || values.trie == nil }
        append(value ?? [], filling, to: &text)
      }
    }
  }
}
