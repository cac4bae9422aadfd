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

  /// The verdict of the rules of an app, or that of the site.
  package func verdict(for app: ApplicationIdentifier?) -> Verdict {
    guard let app else { return evaluation.siteVerdict }
    guard let own = matcher.apps.first(where: { $0.identifier == app }) else { return .unclaimed }
    return evaluation.verdict(ofRuleList: own.ruleList)
  }
}
