internal import ArgumentParser
internal import LinkAuditing
internal import UniversalLinks

/// The exit statuses other than 0 and 64, which means wrong usage.
enum ExitStatus {
  /// There are findings of the requested severity or higher.
  static let findings = ExitCode(1)

  /// Some input could not be read completely, or the command failed.
  static let failure = ExitCode(2)

  /// The figures don't add up, which is a fault of linkaudit.
  static let fault = ExitCode(70)

  /// Throws the exit status that findings and input ask for, if it isn't 0.
  static func exit(
    findings: [Finding], failOn: Severity?, isIncomplete: Bool
  ) throws {
    // Incomplete figures matter more than findings.
    if isIncomplete { throw failure }
    if let failOn, findings.contains(where: { $0.severity >= failOn && $0.isKnown != true }) {
      throw ExitStatus.findings
    }
  }
}
