/// The variables that patterns of one association file may use: its own, then the built-in ones
/// (Matching.md, 3c.2).
///
/// It is a class, so that all patterns share prepared variables.
package final class Variables {
  /// A variable as patterns match it.
  enum Prepared {
    /// The values, if none of them has wildcards.
    case values(ValueSet)

    /// The values, if some of them have wildcards.
    case alternatives(Alternatives)
  }

  /// The use of a variable.
  private struct Use: Hashable {
    var name: LiteralKey
    var folds: Bool
    var follower: Follower
  }

  /// The properties of the text after a variable that affect its values.
  enum Follower: Hashable {
    /// A `(`, which would turn a value that ends with `$` into a new variable; such values are
    /// skipped.
    case parenthesis

    /// A `*`, which merges with stars at the end of a value (Matching.md, 3c.6).
    case star

    /// Any other character, or the end of the pattern.
    case other

    init(_ byte: UInt8?) {
      switch byte {
      case UInt8(ascii: "("): self = .parenthesis
      case UInt8(ascii: "*"): self = .star
      default: self = .other
      }
    }
  }

  private let own: [LiteralKey: [String]]
  private var prepared: [Use: Prepared?] = [:]

  init(_ variables: [SubstitutionVariable]) {
    own = Dictionary(variables.map { (LiteralKey($0.name), $0.values) }) { _, last in last }
  }

  /// The variables of a file, or `nil` for systems that know none.
  package convenience init?(_ variables: [SubstitutionVariable], for system: OperatingSystem) {
    guard system == .current else { return nil }
    self.init(variables)
  }

  /// Prepares a variable for matching.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - folds: Whether the texts to be matched are case-folded.
  ///   - follower: The text after the variable.
  /// - Returns: The variable, or `nil` if it doesn't exist or has no usable value.
  func prepare(_ name: String, folds: Bool, before follower: Follower) -> Prepared? {
    let use = Use(name: LiteralKey(name), folds: folds, follower: follower)
    if let known = prepared[use] { return known }
    let new = make(use)
    prepared[use] = .some(new)
    return new
  }

  private func make(_ use: Use) -> Prepared? {
    var values = (own[use.name] ?? Self.builtIn[use.name] ?? []).map { Array($0.utf8) }
    switch use.follower {
    case .parenthesis: values.removeAll { $0.last == UInt8(ascii: "$") }
    case .star:
      values = values.map { value in
        Array(value[..<((value.lastIndex { $0 != UInt8(ascii: "*") } ?? -1) + 1)])
      }
    case .other: break
    }
    guard !values.isEmpty else { return nil }
    // Without variables to look up, no text is unmatchable.
    let tokens = values.map {
      (try? PatternToken.tokens(of: $0, variables: nil, folds: use.folds)) ?? []
    }
    return ValueSet(tokens).map(Prepared.values) ?? .alternatives(Alternatives(tokens))
  }

  /// The names of the built-in variables, those of characters first.
  static let builtInNames = [
    "alpha", "upper", "lower", "alnum", "digit", "xdigit", "region", "lang",
  ]

  private static let builtIn: [LiteralKey: [String]] = {
    let upper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map(character)
    let lower = (UInt8(ascii: "a")...UInt8(ascii: "z")).map(character)
    let digits = (UInt8(ascii: "0")...UInt8(ascii: "9")).map(character)
    return [
      LiteralKey("alpha"): upper + lower,
      LiteralKey("upper"): upper,
      LiteralKey("lower"): lower,
      LiteralKey("alnum"): upper + lower + digits,
      LiteralKey("digit"): digits,
      LiteralKey("xdigit"): digits + upper[..<6] + lower[..<6],
      LiteralKey("region"): ISOCodes.regions + ISOCodes.regions.map { $0.lowercased() },
      LiteralKey("lang"): ISOCodes.languages + ISOCodes.languages.map { $0.uppercased() },
    ]
  }()

  private static func character(_ byte: UInt8) -> String { String(Unicode.Scalar(byte)) }
}
