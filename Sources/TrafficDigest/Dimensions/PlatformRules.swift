/// The questions that classify user agents, as data, for programs that ask them themselves.
///
/// ``UserAgent`` asks the same questions about bytes. A test compares the two.
package enum PlatformRules {
  /// A condition on a user agent.
  package indirect enum Condition: Sendable {
    /// The agent has one of some words.
    case words([Word])

    /// The agent begins with a text.
    case begins(String)

    /// After the last `Safari/`, there are only a version and spaces.
    case endsWithSafari

    /// The agent names iOS 12 or earlier, and no later version.
    case namesOldSystem
    case all([Condition])
    case any([Condition])
    case not(Condition)
  }

  /// A word that an agent may have.
  package struct Word: Hashable, Sendable {
    package var text: String

    /// Whether ASCII letters match in both cases.
    package var ignoresCase: Bool

    /// Whether it counts only without a letter or digit next to it; characters beyond ASCII count
    /// as letters.
    package var isWholeWord: Bool
  }

  /// A platform, or the first of some for which a condition holds.
  package indirect enum Answer: Sendable {
    case platform(Platform)
    case first([(condition: Condition, answer: Answer)], otherwise: Platform)
  }

  /// The platform of a user agent.
  package static let platform: Answer = {
    let words = AgentWords.shared
    func has(_ found: AgentTokens.Found) -> Condition { .words(words.tokens.words(of: found)) }
    let isIOS = Condition.any([
      has(words.iosDevices),
      .all([
        has(words.macintosh),
        .any([has(words.iosOnlyBrowsers), .all([has(words.mobileWebKit), has(words.webKit)])]),
      ]),
    ])
    let onIOS: [(Condition, Platform)] = [
      (.not(.any([has(words.webKit), has(words.presto)])), .other),
      (has(words.apps), .inApp),
      (has(words.iosBrowsers), .iosBrowser),
      (has(words.chromium), .other),
      (.not(.all([has(words.safari), .begins("Mozilla/")])), .inApp),
      (.not(.endsWithSafari), .iosBrowser),
      (.namesOldSystem, .ios12),
    ]
    return .first(
      [
        (
          .any([has(words.cdn), has(words.device), has(words.google)]), .platform(.fetcher)
        ),
        (
          .any([
            has(words.namedBots), has(words.otherBots),
            .all([has(words.bot), .any([.not(has(words.cubot)), has(words.surelyBot)])]),
            .begins("WhatsApp/"),
          ]), .platform(.bot)
        ),
        (has(words.notAndroid), .platform(.other)),
        (
          .all([
            has(words.android),
            .not(.all([has(words.outlookOfBoth), has(words.iosDevices), .not(has(words.linux))])),
          ]), .platform(.android)
        ),
        (has(words.notIOS), .platform(.other)),
        (isIOS, .first(onIOS.map { ($0, .platform($1)) }, otherwise: .ios)),
        (
          .all([
            has(words.macintosh), has(words.safari), has(words.version),
            .not(has(words.otherMacBrowsers)), .endsWithSafari,
          ]), .platform(.macos)
        ),
      ], otherwise: .other)
  }()

  /// The words of an agent without a version that indicate a system before iOS 13.
  package static let oldestSystem = AgentWords.shared.tokens.words(
    of: AgentWords.shared.oldestSystem)
}

extension AgentTokens {
  /// The found words among some.
  fileprivate func words(of found: Found) -> [PlatformRules.Word] {
    tokens.indices.filter { index in
      var one = Found()
      one.insert(index)
      return found.contains(anyOf: one)
    }.map { index in
      PlatformRules.Word(
        text: String(decoding: tokens[index].text, as: UTF8.self),
        ignoresCase: tokens[index].ignoresCase, isWholeWord: tokens[index].isWholeWord)
    }
  }
}
