/// What there is to know about a kind of findings.
public struct FindingDescription: Sendable {
  /// What a kind of findings is about.
  public enum Subject: String, CaseIterable, Sendable {
    /// The logs that were read.
    case input

    /// A site: its file, its rules, and its traffic.
    case site

    /// The change from one association file to another.
    case comparison
  }

  /// The name that monitors rely on.
  public var code: Finding.Code

  /// What it is called among people.
  public var title: String

  /// What it is about.
  public var subject: Subject

  /// When it is found, in words that follow "found when".
  public var condition: String

  /// Why it matters.
  public var meaning: String

  /// What to do about it.
  public var remedy: String

  /// How severe it is, where that doesn't depend on shares of traffic.
  public var fixedSeverity: Finding.Severity?

  /// What is otherwise, besides the fixed severity, or `nil`.
  public var exception: String?

  /// From which shares on it has which severity, or `nil`.
  public var levels: SeverityLevels?

  /// Of what these are shares, such as `visits`.
  public var whole: String?

  /// All kinds of findings, by subject.
  public static let all: [FindingDescription] =
    FindingCatalog.inputKinds.map { FindingDescription($0, .input) }
    + FindingCatalog.siteKinds.map { FindingDescription($0, .site) }
    + FindingCatalog.comparisonKinds.map { FindingDescription($0, .comparison) }

  private init(_ kind: any FindingKind.Type, _ subject: Subject) {
    code = kind.code
    title = kind.title
    self.subject = subject
    condition = kind.condition
    meaning = kind.meaning
    remedy = kind.remedy
    switch kind.severity {
    case .fixed(let severity, let exception):
      (fixedSeverity, self.exception) = (severity, exception)
    case .measured(let levels, let whole):
      (self.levels, self.whole) = (levels, whole)
    }
  }

  /// The severity in a few words: `note; warning from 10% of claimed visits on`.
  public var severityText: String {
    if let fixedSeverity {
      return fixedSeverity.rawValue + (exception.map { "; " + $0 } ?? "")
    }
    let parts = Finding.Severity.allCases.compactMap { severity -> String? in
      guard let share = levels?.shares[severity] else { return nil }
      return share == 0 ? severity.rawValue : "\(severity.rawValue) from \(Self.percent(share)) on"
    }
    return parts.joined(separator: ", ") + " (of \(whole ?? "all"))"
  }

  /// A share in hundredths of a percent as people write it.
  private static func percent(_ share: Int) -> String {
    let rest = share % 100
    if rest == 0 { return "\(share / 100)%" }
    return rest % 10 == 0
      ? "\(share / 100).\(rest / 10)%" : "\(share / 100).\(rest < 10 ? "0" : "")\(rest)%"
  }
}
