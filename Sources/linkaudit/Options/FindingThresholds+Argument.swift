internal import AccessLogs
internal import ArgumentParser
internal import Foundations
internal import LinkAuditing
internal import UniversalLinks

extension FindingThresholds {
  /// Sets thresholds from the value of an option, such as `same-host-links:warning=20%`.
  ///
  /// - Throws: `ValidationError` if it can't be understood.
  mutating func set(_ text: String) throws {
    let parts = text.split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false
    ).map(String.init)
    let names = (parts.first ?? "").split(separator: ":").map(String.init)
    guard parts.count == 2, names.count == 2 else {
      throw ValidationError(
        "'--threshold \(text)' is not a threshold; write it as 'same-host-links:warning=20%', or '…=never'."
      )
    }
    let (code, known) = (names[0], codes)
    guard var levels = self[code] else {
      let isFixed = DiagnosticCatalog.findings.kinds.contains { $0.code == code }
      let nearest = NearestName.find(code, among: known)
      throw ValidationError(
        isFixed
          ? "the finding '\(code)' has no threshold; findings with thresholds are \(known.joined(separator: ", "))."
          : "'\(code)' in '--threshold' is not a finding; "
            + (nearest.map { "did you mean '\($0)'?" }
              ?? "findings with thresholds are \(known.joined(separator: ", "))."))
    }
    guard let severity = Severity(rawValue: names[1]) else {
      throw ValidationError(
        "'\(names[1])' in '--threshold' is not a severity; severities are \(Severity.allCases.map(\.rawValue).joined(separator: ", "))."
      )
    }
    levels.set(severity, try Self.share(parts[1], in: text))
    self[code] = levels
  }

  /// A share in hundredths of a percent: `20%`, `0.5%`; `nil` for `never`.
  private static func share(_ text: String, in option: String) throws -> Int? {
    if text == "never" { return nil }
    guard let share = ShareOption(argument: text) else {
      throw ValidationError(
        "'\(text)' in '--threshold \(option)' is not a share; write one from 0% to 100%, or 'never'."
      )
    }
    return share.basisPoints
  }
}
