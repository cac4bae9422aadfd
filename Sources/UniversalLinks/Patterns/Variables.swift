/// The variables that patterns of one association file may use: its own, and
/// behind them the built-in ones (MATCHING.md, 3c.2).
struct Variables {
  private let own: [LiteralKey: [String]]

  init(_ variables: [SubstitutionVariable]) {
    own = Dictionary(variables.map { (LiteralKey($0.name), $0.values) }) { _, last in last }
  }

  /// The values of a variable in the order in which they are tried, or `nil` if
  /// there is no variable of that name.
  func values(of name: String) -> [String]? {
    own[LiteralKey(name)] ?? Self.builtIn[LiteralKey(name)]
  }

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
