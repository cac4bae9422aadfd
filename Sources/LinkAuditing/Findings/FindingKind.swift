/// A kind of findings: what it is called, what it means, and what to do.
///
/// Each kind has a file of its own. Documentation/Findings.md is made from them.
protocol FindingKind: Sendable {
  /// The name that monitors rely on.
  static var code: Finding.Code { get }

  /// What it is called among people.
  static var title: String { get }

  /// When it is found, in words that follow "found when".
  static var condition: String { get }

  /// Why it matters, in a sentence or two.
  static var meaning: String { get }

  /// What to do about it, in a sentence or two.
  static var remedy: String { get }

  /// From which share of the traffic on it has which severity, or the severity that it
  /// always has.
  static var severity: FindingSeverity { get }
}

/// How the severity of findings of one kind is told.
enum FindingSeverity: Sendable {
  /// It is always the same, but for what the text says.
  case fixed(Finding.Severity, except: String? = nil)

  /// It grows with a share of a whole, which `whole` names.
  case measured(SeverityLevels, of: String)
}

/// A kind of findings about what was read.
protocol InputFindingKind: FindingKind {
  static func findings(in context: InputFindingContext) -> [Finding]
}

/// A kind of findings about a site.
protocol SiteFindingKind: FindingKind {
  static func findings(in context: SiteFindingContext) -> [Finding]
}

/// A kind of findings about the change from one file to another.
protocol ComparisonFindingKind: FindingKind {
  static func findings(in context: ComparisonFindingContext) -> [Finding]
}

extension FindingKind {
  /// A finding of this kind; `subject` is the app or the rule that it is about, if there can
  /// be several of the kind.
  static func finding(
    _ severity: Finding.Severity, host: String?, about subject: String = "", _ message: String,
    _ traffic: Traffic = Traffic(), _ evidence: Finding.Evidence = Finding.Evidence(),
    share: Finding.Millionths? = nil, remedy: String? = nil
  ) -> Finding {
    Finding(
      code: code, severity: severity, host: host, subject: subject, message: message,
      traffic: traffic, share: share, evidence: evidence, remedy: remedy ?? Self.remedy)
  }
}
