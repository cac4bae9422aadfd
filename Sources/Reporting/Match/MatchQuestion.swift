package import UniversalLinks

/// A URL, and the result of the rules of its site.
package struct MatchQuestion {
  /// The URL as it was given.
  let text: String
  let matcher: LinkMatcher
  var url: LinkURL
  let evaluation: Evaluation

  package init(text: [UInt8], matcher: LinkMatcher, url: LinkURL) {
    self.text = String(decoding: text, as: UTF8.self)
    self.matcher = matcher
    self.url = url
    var evaluation = Evaluation()
    matcher.evaluate(&self.url, into: &evaluation)
    self.evaluation = evaluation
  }

  /// The decisions for the apps, each with the rules that made it.
  var decisions: [(decision: Decision, list: LinkMatcher.RuleList)] {
    zip(matcher.apps, matcher.decisions(of: evaluation)).map { app, decision in
      (decision, matcher.ruleLists[app.ruleList])
    }
  }

  /// The number of bytes that explanations of rules for one app may read together.
  ///
  /// Each explanation reads the whole URL.
  private static let explainedBytes = 1 << 24

  /// Returns the rules to explain: the first ones, and the one that decides.
  ///
  /// - Parameters:
  ///   - rules: The numbers of rules that are of interest.
  ///   - deciding: The rule that decides, or `nil` if none does.
  ///   - limit: The greatest number of first ones; there are fewer if the URL is long.
  /// - Returns: Their numbers, and how many others are left out.
  func explained(
    _ rules: Range<Int>, deciding: Int?, limit: Int = .max
  ) -> (rules: [Int], omitted: Int) {
    let limit = min(limit, max(1, Self.explainedBytes / max(1, text.utf8.count)))
    var explained = Array(rules.prefix(limit))
    if let deciding, rules.contains(deciding), !explained.contains(deciding) {
      explained.append(deciding)
    }
    return (explained, rules.count - explained.count)
  }

  /// The verdict of the rules of an app, or that of the site.
  package func verdict(for app: ApplicationIdentifier?) -> Verdict {
    guard let app else { return evaluation.siteVerdict }
    guard let own = matcher.apps.first(where: { $0.identifier == app }) else { return .unclaimed }
    return evaluation.verdict(ofRuleList: own.ruleList)
  }
}
