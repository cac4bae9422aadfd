internal import TrafficDigest
internal import UniversalLinks

/// Expressions for the properties of a user agent.
///
/// The agent is expected as the client sent it, not percent-encoded.
extension WarehouseDialect {
  /// Returns an expression for the platform of a user agent.
  ///
  /// - Parameter agent: The column of the user agent, or another expression for it.
  /// - Returns: The expression, whose value is the name of a ``Platform``.
  func platform(of agent: String) -> String {
    bind(
      "link_agent", to: "coalesce(\(agent), '')", in: text(PlatformRules.platform))
  }

  /// Returns an expression for the age of the system of Safari on an Apple device.
  ///
  /// - Parameters:
  ///   - agent: The column of the user agent.
  ///   - platform: The expression for its platform.
  /// - Returns: The expression, whose value is the name of a ``SystemAge``.
  func systemAge(of agent: String, on platform: String) -> String {
    func isOn(_ platforms: [Platform]) -> String {
      "\(platform) IN (\(platforms.map { string($0.name) }.joined(separator: ", ")))"
    }
    let minor = extract(
      "link_agent", "\(Self.system)13(?:[_.]([0-9][0-9]?)\(end)|\(end))")
    let macMinor = extract("link_agent", "Mac OS X 10[_.]([0-9][0-9]?)\(end)")
    return bind(
      "link_agent", to: "coalesce(\(agent), '')",
      in: cases(
        [
          (
            "\(isOn([.ios, .ios12])) AND \(names(upTo: "0?[1-8]", notFrom: "0?9|[1-9][0-9]"))",
            string(SystemAge.beforeUniversalLinks.name)
          ),
          (
            "\(isOn([.ios])) AND \(names(upTo: "13", notFrom: "1[4-9]|[2-9][0-9]"))",
            cases(
              [
                (
                  matches(minor, "^0?[0-4]\(syntax.end)"),
                  string(SystemAge.before13Point5.name)
                )
              ], otherwise: string(SystemAge.before14.name)
            ).continued
          ),
          (
            "\(isOn([.macos])) AND \(matches(macMinor, "^(?:0?[0-9]|1[0-4])\(syntax.end)"))",
            string(SystemAge.beforeUniversalLinks.name)
          ),
        ], otherwise: string(SystemAge.current.name)))
  }

  private func text(_ answer: PlatformRules.Answer) -> String {
    switch answer {
    case .platform(let platform): string(platform.name)
    case .first(let branches, let otherwise):
      cases(
        branches.map { (text($0.condition), text($0.answer).continued) },
        otherwise: string(otherwise.name))
    }
  }

  private func text(_ condition: PlatformRules.Condition) -> String {
    switch condition {
    case .words(let words): matches(words.map(expression).joined(separator: "|"))
    case .begins(let text): matches("^" + literal(text))
    // Nothing but the version and spaces are after the last 'Safari/'.
    case .endsWithSafari: matches("Safari/[0-9.]* *\(syntax.end)")
    case .namesOldSystem: names(upTo: "0?[1-9]|1[0-2]", notFrom: "1[3-9]|[2-9][0-9]")
    case .all(let parts): parts.map { "(\(text($0)))" }.joined(separator: " AND ")
    case .any(let parts): parts.map { "(\(text($0)))" }.joined(separator: " OR ")
    case .not(let part): "NOT (\(text(part)))"
    }
  }

  /// The expression for the text before a version of iOS.
  private static let system = #"(?: OS |FBSV/|;ov\(|(?:^|[^A-Za-z])iOS[ /_]?|iPadOS[ /_]?)"#

  private var end: String { "(?:[^0-9]|\(syntax.end))" }

  /// The condition that an agent names some versions of iOS, and none of others.
  ///
  /// Versions have one or two digits. From 26 on, Safari's own version is that of the system. The first
  /// system named none.
  private func names(upTo versions: String, notFrom others: String) -> String {
    let newer = "\(Self.system)(?:\(others))\(end)|Version/(?:2[6-9]|[3-9][0-9])\(end)"
    let oldest = PlatformRules.oldestSystem.map(expression).joined(separator: "|")
    let includesFirst = versions.hasPrefix("0?[1") ? "|" + oldest : ""
    return
      "NOT \(matches(newer)) AND \(matches("\(Self.system)(?:\(versions))\(end)\(includesFirst)"))"
  }

  private func matches(_ expression: String) -> String {
    matches("link_agent", expression)
  }

  private func expression(_ word: PlatformRules.Word) -> String {
    let text = word.ignoresCase ? caseless(word.text) : literal(word.text)
    guard word.isWholeWord else { return text }
    // Characters beyond ASCII count as letters.
    let other = #"[\x00-/:-@\[-`{-\x7F]"#
    return "(?:^|\(other))\(text)(?:\(other)|\(syntax.end))"
  }
}
