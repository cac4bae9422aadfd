public import UniversalLinks

/// The short form in which reports show a rule.
public enum RulePattern {
  /// Returns the constraints of a rule in the order of a URL: `/help/*?articleNumber=????`.
  ///
  /// An element of `paths` is shown as the file spells it, and a rule that
  /// constrains nothing as `*`.
  public static func text(of rule: RuleDefinition, list: RuleListKind) -> String {
    if list == .paths { return rule.source }
    var text = rule.path ?? ""
    switch rule.query {
    case nil: break
    case .whole(let pattern): text += "?" + pattern
    case .items(let items) where items.isEmpty: break
    case .items(let items):
      text += "?" + items.map { "\($0.name)=\($0.pattern)" }.joined(separator: "&")
    }
    if let fragment = rule.fragment { text += "#" + fragment }
    return text.isEmpty && rule.path == nil ? "*" : text
  }
}
