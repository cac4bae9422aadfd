internal import TrafficDigest
internal import UniversalLinks

/// Expressions for what a user agent says, which is expected as it was sent, not percent-encoded.
struct AgentExpression {
  let dialect: any SQLDialect

  /// Returns an expression for the platform of a user agent.
  ///
  /// - Parameter agent: The column of the user agent, or another expression for it.
  /// - Returns: The expression, whose value is the name of a ``Platform``.
  func platform(of agent: String) -> String {
    dialect.bind(
      "link_agent", to: "coalesce(\(agent), '')", in: text(PlatformRules.platform))
  }

  private func text(_ answer: PlatformRules.Answer) -> String {
    switch answer {
    case .platform(let platform): dialect.string(platform.name)
    case .first(let branches, let otherwise):
      dialect.cases(
        branches.map { (text($0.condition), text($0.answer).continued) },
        otherwise: dialect.string(otherwise.name))
    }
  }

  private func text(_ condition: PlatformRules.Condition) -> String {
    switch condition {
    case .words(let words): matches(words.map(expression).joined(separator: "|"))
    case .begins(let text): matches("^" + literal(text))
    // Nothing but the version and spaces are after the last 'Safari/'.
    case .endsWithSafari: matches("Safari/[0-9.]* *\(dialect.syntax.end)")
    case .namesOldSystem: namesOldSystem
    case .all(let parts): parts.map { "(\(text($0)))" }.joined(separator: " AND ")
    case .any(let parts): parts.map { "(\(text($0)))" }.joined(separator: " OR ")
    case .not(let part): "NOT (\(text(part)))"
    }
  }

  /// The condition that an agent names iOS 12 or earlier, and no later version.
  ///
  /// Versions have one or two digits. From 26 on, Safari's own version is that of the system.
  private var namesOldSystem: String {
    let system = #"(?: OS |FBSV/|;ov\(|(?:^|[^A-Za-z])iOS[ /_]?|iPadOS[ /_]?)"#
    let end = "(?:[^0-9]|\(dialect.syntax.end))"
    let newer =
      "\(system)(?:1[3-9]|[2-9][0-9])\(end)|Version/(?:2[6-9]|[3-9][0-9])\(end)"
    let older = "\(system)(?:0?[1-9]|1[0-2])\(end)"
    let oldest = PlatformRules.oldestSystem.map(expression).joined(separator: "|")
    return "NOT (\(matches(newer))) AND \(matches("\(older)|\(oldest)"))"
  }

  private func matches(_ expression: String) -> String {
    dialect.matches("link_agent", expression)
  }

  private func literal(_ text: String) -> String {
    PatternExpression.text(ofLiteral: text, dialect.syntax)
  }

  private func expression(_ word: PlatformRules.Word) -> String {
    let text =
      word.ignoresCase
      ? PatternExpression.text(ofCaselessASCII: word.text, dialect.syntax) : literal(word.text)
    guard word.isWholeWord else { return text }
    // Whatever is beyond ASCII counts as a letter.
    let other = #"[\x00-/:-@\[-`{-\x7F]"#
    return "(?:^|\(other))\(text)(?:\(other)|\(dialect.syntax.end))"
  }
}
