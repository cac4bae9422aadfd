extension RuleQuery {
  /// Returns statements that create the functions `linkaudit_verdict(url)` and
  /// `linkaudit_decision(url)`.
  package func functions() -> String {
    [
      dialect.function("linkaudit_verdict", of: "url", as: verdict(of: "url").indented),
      dialect.function("linkaudit_decision", of: "url", as: decision(of: "url").indented),
    ].joined(separator: ";\n\n") + ";"
  }
}
