import Foundation
import TestSupport

/// Programs of others that hold what we write against its own rules.
///
/// Tests that need one are skipped where it is missing, or fail if `LINKAUDIT_NO_SKIPS` is set;
/// `Scripts/setup.sh --checks` installs them.
enum Checkers {
  /// A Python that has the package `jsonschema`, or `nil`.
  ///
  /// The first `python3` of the path need not be the one that sees the system's packages.
  static let python: String? =
    ["python3", "/usr/bin/python3", "/usr/local/bin/python3"].first {
      succeeds("\($0) -c 'from jsonschema import Draft202012Validator'")
    } ?? (TestRun.requiresTools ? "python3" : nil)

  static let noPython: String =
    "no python3 with jsonschema here; 'Scripts/setup.sh --checks' installs it"

  /// Prometheus' own checker.
  static let hasPromtool: Bool = TestRun.requiresTools || succeeds("command -v promtool")

  static let noPromtool: String = "no promtool here; 'Scripts/setup.sh --checks' installs it"

  private static func succeeds(_ line: String) -> Bool {
    (try? Command.run(line))?.status == 0
  }

  /// Holds a file against a schema in Documentation/Schemas.
  ///
  /// - Returns: What doesn't fit, line by line.
  static func complaints(
    about path: String, schema: String, byLine: Bool = false
  ) throws -> String {
    let outcome = try Command.run(
      "\(python ?? "python3") Tests/LinkAuditTests/Scripts/validate-json.py "
        + "Documentation/Schemas/\(schema).schema.json \(byLine ? "--lines" : "") '\(path)'")
    return outcome.stdout + outcome.stderr
  }
}
