/// A rule asks for what no log shows.
enum FragmentDependent: SiteFindingKind {
  static let code = Finding.Code.fragmentDependent
  static let title = "A rule about fragments"
  static let condition =
    "what a rule matches depends on the fragment, which never reaches a server"
  static let meaning =
    "URLs are judged as if they had no fragment, so what the rule decides on devices cannot be "
    + "seen here."
  static let remedy =
    "Nothing is to be done if the rule is meant so; count on its figures being incomplete."
  static let severity = FindingSeverity.fixed(.note)

  static func findings(in context: SiteFindingContext) -> [Finding] {
    context.singleRules(of: Self.self) { list, rule in
      let isShadowed = rule.traffic.requests == 0 && rule.shadowed > 0
      guard rule.isFragmentDependent, !isShadowed, let reference = list.reference(rule) else {
        return nil
      }
      var evidence = Finding.Evidence()
      evidence.rules = [reference]
      return finding(
        .note, host: context.audit.host, about: reference.subject,
        "\(context.name(rule, of: list).capitalizedFirst) depends on the fragment, which no log shows; it is judged without one.",
        Traffic(), evidence)
    }
  }
}
