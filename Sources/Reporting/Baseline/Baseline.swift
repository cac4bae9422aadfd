internal import FoundationSubset
internal import Foundations
package import LinkAuditing
internal import UniversalLinks

/// Problems that are known and accepted: they are no reason for a check to fail.
///
/// A file of them, `linkaudit.baseline/1`, is for `lint`, `report` and `diff` together. It is JSON in
/// a fixed order, so that changes of it can be reviewed.
package struct Baseline: Sendable {
  /// The command that finds a problem.
  package enum Command: String, CaseIterable, Codable, Sendable {
    case lint
    case report
    case diff
  }

  /// A problem: one that is accepted, or one as a command finds it.
  package struct Entry: Codable, Hashable, Sendable {
    var command: Command
    var code: String

    /// The severity up to which it is accepted.
    var severity: String

    /// The host of a finding, empty if it is about the logs; the path of a file of `lint`.
    var place: String

    /// The app, or the app and the rule, of a finding; the text with the mistake of `lint`.
    var subject: String

    /// The number of times that it is accepted; once if the file doesn't say.
    var count: Int?

    /// The reason for which it is accepted, which people write and updates keep.
    var reason: String?

    package var description: String {
      let parts = [place, subject].filter { !$0.isEmpty }.map { "'\(SafeText.escaped($0))'" }
      return ([SafeText.escaped(code)] + parts).joined(separator: " ")
    }

    /// The properties by which it is known again: none that changes with the lines of a file or with
    /// traffic.
    fileprivate var key: FindingIdentity { .init(code: code, host: place, subject: subject) }

    fileprivate var level: Severity { Severity(rawValue: severity) ?? .error }
  }

  /// The problems that a command finds, in the order in which they are shown.
  package struct Check {
    let command: Command
    let problems: [Entry]
    let isLookedAt: (_ place: String) -> Bool
  }

  private struct Document: Codable {
    var schema: String
    var findings: [Entry]
  }

  private static let schema = "linkaudit.baseline/1"
  private static let countLimit = 1_000_000
  private var entries: [Entry] = []
  package init() {}

  /// Reads a baseline.
  package init(decoding bytes: [UInt8]) throws(BaselineError) {
    let document: Document
    do {
      document = try JSONDecoder().decode(Document.self, from: Data(bytes))
    } catch {
      throw BaselineError(reason: "it is not JSON with 'schema' and 'findings'")
    }
    guard document.schema == Self.schema else {
      throw BaselineError(
        reason: "its schema is '\(SafeText.escaped(document.schema))', not '\(Self.schema)'")
    }
    for entry in document.findings where !(1...Self.countLimit).contains(entry.count ?? 1) {
      throw BaselineError(
        reason: "the count of \(entry.description) must be from 1 to \(Self.countLimit)")
    }
    for entry in document.findings where Severity(rawValue: entry.severity) == nil {
      throw BaselineError(
        reason: "'\(SafeText.escaped(entry.severity))' is not a severity (\(entry.description))")
    }
    entries = document.findings
  }

  /// The number of problems that are accepted, of all commands.
  package var count: Int { entries.reduce(0) { $0 + max(1, $1.count ?? 1) } }

  /// The file.
  package func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder.sorted
    encoder.outputFormatting.insert(.prettyPrinted)
    return Array(try encoder.encode(Document(schema: Self.schema, findings: entries))) + [0x0A]
  }
}

/// A file is no baseline.
package struct BaselineError: Error {
  /// The reason, as the end of a sentence.
  package let reason: String
}

// MARK: - Comparing

extension Baseline {
  /// Returns which problems of a check are known, and the entries whose problems no longer occur.
  package func compare(_ check: Check) -> (isKnown: [Bool], gone: [Entry]) {
    let accepted = entries.filter { $0.command == check.command }
    var left = Dictionary(grouping: accepted, by: \.key).mapValues {
      $0.map { (level: $0.level, count: max(1, $0.count ?? 1)) }
    }
    let isKnown = check.problems.map { problem in
      guard
        let index = left[problem.key]?.firstIndex(where: {
          $0.count > 0 && problem.level <= $0.level
        })
      else { return false }
      left[problem.key]?[index].count -= 1
      return true
    }
    let found = Set(check.problems.map(\.key))
    return (isKnown, accepted.filter { check.isLookedAt($0.place) && !found.contains($0.key) })
  }

  /// Accepts exactly the problems that a command has found at the places that it has checked.
  package mutating func update(_ check: Check) {
    let reasons = Dictionary(
      entries.filter { $0.command == check.command }.compactMap { entry in
        entry.reason.map { (entry.key, $0) }
      },
      uniquingKeysWith: { first, _ in first })
    entries.removeAll { $0.command == check.command && check.isLookedAt($0.place) }
    for (key, problems) in Dictionary(grouping: check.problems, by: \.key) {
      guard var entry = problems.max(by: { $0.level < $1.level }) else { continue }
      entry.count = problems.count > 1 ? problems.count : nil
      entry.reason = reasons[key]
      entries.append(entry)
    }
    entries.sort { one, other in
      [one.command.rawValue, one.place, one.code, one.subject].lexicographicallyPrecedes(
        [other.command.rawValue, other.place, other.code, other.subject])
    }
  }

  static func sentence(known count: Int) -> String {
    "\(count.counted("known finding")) \(count == 1 ? "is" : "are") in the baseline."
  }
}

// MARK: - Findings

extension Baseline.Check {
  /// Creates the check of a report or a comparison.
  package init(findings: [Finding], of command: Baseline.Command, hosts: [String]) {
    self.command = command
    problems = findings.map { finding in
      Baseline.Entry(
        command: command, code: finding.code, severity: finding.severity.rawValue,
        place: finding.host ?? "", subject: Self.subject(of: finding, command))
    }
    isLookedAt = { $0.isEmpty || hosts.contains($0) }
  }

  /// Returns the subject of a finding.
  ///
  /// A finding of a comparison without a subject gets its rules and paths as the subject. Another
  /// change can have the same findings for other paths, and these are not accepted.
  private static func subject(of finding: Finding, _ command: Baseline.Command) -> String {
    guard command == .diff, finding.subject.isEmpty else { return finding.subject }
    let evidence = finding.evidence
    return Set(
      evidence.rules.map {
        ($0.excludes && $0.id.list == .components ? "NOT " : "") + $0.pattern
      } + evidence.paths.map(\.path)
    ).sorted().joined(separator: ", ")
  }
}

extension [Finding] {
  package mutating func mark(_ isKnown: [Bool]) {
    for (index, isKnown) in zip(indices, isKnown) { self[index].isKnown = isKnown }
  }
}

// MARK: - Mistakes in files

extension Baseline.Check {
  /// Creates the check of files; `place` returns the path of a file as the baseline has it, however it
  /// is spelt.
  package init(files: [LintedFile], place: (String) -> String = { $0 }) {
    command = .lint
    problems = files.flatMap { file in
      file.diagnostics.map { diagnostic in
        Baseline.Entry(
          command: .lint, code: diagnostic.code, severity: diagnostic.severity.rawValue,
          place: place(file.path), subject: Self.subject(of: diagnostic, in: file))
      }
    }
    isLookedAt = Set(files.map { place($0.path) }).contains
  }

  /// The text with a mistake: lines move, texts stay.
  private static func subject(of diagnostic: LintDiagnostic, in file: LintedFile) -> String {
    let range = diagnostic.range.clamped(to: 0..<file.text.count)
    let text = String(decoding: file.text[range.prefix(subjectLimit * 4)], as: UTF8.self)
    return String(text.oneLine.prefix(subjectLimit))
  }

  private static let subjectLimit = 120
}

extension [LintedFile] {
  /// Marks each mistake, file by file, as known or new.
  package mutating func mark(_ isKnown: [Bool]) {
    var rest = isKnown[...]
    for file in indices {
      for index in self[file].diagnostics.indices {
        self[file].diagnostics[index].isKnown = rest.popFirst()
      }
    }
  }
}
