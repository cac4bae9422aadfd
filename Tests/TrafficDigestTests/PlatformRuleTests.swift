import Foundation
import TestSupport
import Testing

@testable import TrafficDigest

/// The platform rules for other programs give the same results as ``UserAgent``.
@Suite struct PlatformRuleTests {
  /// Parts of agents, some of which make others likely.
  private static let parts: [String] =
    AgentWords.shared.tokens.tokens.map { String(decoding: $0.text, as: UTF8.self) }
    + [
      "Mozilla/5.0 (", "(iPhone; CPU iPhone OS 12_4 like Mac OS X)", " OS 13_1", " iOS 17",
      "xiOS 9", "iPadOS/11",
      "Version/26.0", "Version/12.1", " Mobile/15E148", " Safari/604.1", "Safari/604.1 ", "; ", " ",
      "x", "é",
      "(KHTML, like Gecko)", "AppleWebKit/605.1.15", "Macintosh", "FBSV/8.4", " OS 100_1", "BOT",
      "WhatsApp/2",
    ]

  @Test func randomAgents() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let count = Int.random(in: 1...7, using: &generator)
      let agent = (0..<count).map { _ in
        // There are many words, so the others would be rare.
        let isWord = Int.random(in: 0..<3, using: &generator) == 0
        return (isWord ? Self.parts[...] : Self.parts.suffix(22)).randomElement(using: &generator)
          ?? ""
      }.joined()
      let expected = UserAgent(Array(agent.utf8).span).platform
      #expect(
        Self.platform(PlatformRules.platform, agent) == expected, "\(agent), seed: \(seed)")
    }
  }

  private static func platform(_ answer: PlatformRules.Answer, _ agent: String) -> Platform {
    switch answer {
    case .platform(let platform): platform
    case .first(let branches, let otherwise):
      branches.first { holds($0.condition, agent) }.map { platform($0.answer, agent) } ?? otherwise
    }
  }

  private static func holds(_ condition: PlatformRules.Condition, _ agent: String) -> Bool {
    switch condition {
    case .words(let words): words.contains { has($0, agent) }
    case .begins(let text): agent.utf8.starts(with: text.utf8)
    case .endsWithSafari: matches("Safari/[0-9.]* *$", agent)
    case .namesOldSystem:
      UserAgent(Array(agent.utf8).span).systemVersion > 0
        && UserAgent(Array(agent.utf8).span).systemVersion <= 12
    case .all(let parts): parts.allSatisfy { holds($0, agent) }
    case .any(let parts): parts.contains { holds($0, agent) }
    case .not(let part): !holds(part, agent)
    }
  }

  private static func has(_ word: PlatformRules.Word, _ agent: String) -> Bool {
    var expression = NSRegularExpression.escapedPattern(for: word.text)
    if word.ignoresCase { expression = "(?i:\(expression))" }
    if word.isWholeWord {
      expression =
        "(?<![0-9A-Za-z\\x{80}-\\x{10FFFF}])\(expression)(?![0-9A-Za-z\\x{80}-\\x{10FFFF}])"
    }
    return matches(expression, agent)
  }

  private static func matches(_ expression: String, _ agent: String) -> Bool {
    agent.range(of: expression, options: [.regularExpression]) != nil
  }
}
