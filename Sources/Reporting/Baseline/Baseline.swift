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

  /// A problem that is accepted.
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

    /// The entry in a few words.
    package var description: String {
      let parts = [place, subject].filter { !$0.isEmpty }.map { "'\(SafeText.escaped($0))'" }
      return ([SafeText.escaped(code)] + parts).joined(separator: " ")
    }

    fileprivate var key: Key {
      Key(command: command, code: code, place: place, subject: subject)
    }
  }

  /// The properties by which a problem is known again: none that changes with the lines of a file or
  /// with traffic.
  struct Key: Hashable {
    var command: Command
    var code: String
    var place: String
    var subject: String
  }

  /// A problem as a command finds it.
  struct Problem {
    var key: Key
    var severity: Severity
  }

  private struct Document: Codable {
    var schema: String
    var findings: [Entry]
  }

  private static let schema = "linkaudit.baseline/1"

  /// The greatest count of an entry.
  private static let countLimit = 1_000_000

  private var entries: [Entry] = []

  /// Creates an empty baseline.
  package init() {}

  /// Reads a baseline.
  ///
  /// - Parameter bytes: The file.
  /// - Throws: ``BaselineError`` if it isn't a baseline.
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
  ///
  /// - Throws: An error if texts can't be encoded, which does not happen.
  package func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let document = Document(schema: Self.schema, findings: entries)
    return Array(try encoder.encode(document)) + [0x0A]
  }
}

/// A file is no baseline.
package struct BaselineError: Error {
  /// The reason, as the end of a sentence.
  package let reason: String
}

// MARK: - Comparing

extension Baseline {
  /// Returns which problems are known.
  ///
  /// - Parameters:
  ///   - problems: The problems in the order in which they are shown.
  ///   - command: The command that found them.
  ///   - isLookedAt: A function that returns whether the command has checked a place.
  /// - Returns: For each problem, whether it is known; and the entries whose problems no longer occur.
  func compare(
    _ problems: [Problem], of command: Command, at isLookedAt: (_ place: String) -> Bool
  ) -> (isKnown: [Bool], gone: [Entry]) {
    var left: [Key: [(severity: Severity, count: Int)]] = [:]
    for entry in entries where entry.command == command {
      guard let severity = Severity(rawValue: entry.severity) else { continue }
      left[entry.key, default: []].append((severity, max(1, entry.count ?? 1)))
    }
    let isKnown = problems.map { problem in
      guard
        let index = left[problem.key]?.firstIndex(where: {
          $0.count > 0 && problem.severity <= $0.severity
        })
      else { return false }
      left[problem.key]?[index].count -= 1
      return true
    }
    let found = Set(problems.map(\.key))
    let gone = entries.filter {
      $0.command == command && isLookedAt($0.place) && !found.contains($0.key)
    }
    return (isKnown, gone)
  }

  /// Accepts exactly the problems that a command has found at the places that it has checked.
  mutating func update(
    _ problems: [Problem], of command: Command, at isLookedAt: (_ place: String) -> Bool
  ) {
    let reasons = Dictionary(
      entries.compactMap { entry in entry.reason.map { (entry.key, $0) } },
      uniquingKeysWith: { first, _ in first })
    entries.removeAll { $0.command == command && isLookedAt($0.place) }
    var known: [Key: (severity: Severity, count: Int)] = [:]
    for problem in problems {
      let earlier = known[problem.key]
      known[problem.key] = (
        max(earlier?.severity ?? problem.severity, problem.severity), (earlier?.count ?? 0) + 1
      )
    }
    entries += known.map { key, value in
      Entry(
        command: key.command, code: key.code, severity: value.severity.rawValue,
        place: key.place, subject: key.subject, count: value.count > 1 ? value.count : nil,
        reason: reasons[key])
    }
    entries.sort { one, other in
      [one.command.rawValue, one.place, one.code, one.subject].lexicographicallyPrecedes(
        [other.command.rawValue, other.place, other.code, other.subject])
    }
  }

  /// A sentence about the number of known problems.
  static func sentence(known count: Int) -> String {
    "\(count.counted("known finding")) \(count == 1 ? "is" : "are") in the baseline."
  }
}

// MARK: - Findings

extension Baseline {
  /// Marks the findings of a report or a comparison that are known.
  ///
  /// - Parameters:
  ///   - findings: The findings.
  ///   - command: The command that found them.
  ///   - hosts: The hosts of the sites.
  /// - Returns: The entries whose problems no longer occur.
  package func mark(
    _ findings: inout [Finding], of command: Command, hosts: [String]
  ) -> [Entry] {
    let (isKnown, gone) = compare(
      Self.problems(findings, command), of: command, at: Self.places(hosts))
    for (index, isKnown) in zip(findings.indices, isKnown) { findings[index].isKnown = isKnown }
    return gone
  }

  /// Accepts the findings of a report or a comparison.
  package mutating func update(_ findings: [Finding], of command: Command, hosts: [String]) {
    update(Self.problems(findings, command), of: command, at: Self.places(hosts))
  }

  private static func problems(_ findings: [Finding], _ command: Command) -> [Problem] {
    findings.map { finding in
      Problem(
        key: Key(
          command: command, code: finding.code, place: finding.host ?? "",
          subject: subject(of: finding, command)),
        severity: finding.severity)
    }
  }

  /// Returns the subject of a finding.
  ///
  /// A finding of a comparison without a subject gets its rules and paths as the subject. Another
  /// change can have the same findings for other paths, and these are not accepted.
  private static func subject(of finding: Finding, _ command: Command) -> String {
    guard command == .diff, finding.subject.isEmpty else { return finding.subject }
    let evidence = finding.evidence
    return Set(
      evidence.rules.map { ($0.excludes ? "NOT " : "") + $0.pattern } + evidence.paths.map(\.path)
    ).sorted().joined(separator: ", ")
  }

  private static func places(_ hosts: [String]) -> (String) -> Bool {
    { $0.isEmpty || hosts.contains($0) }
  }
}

// MARK: - Mistakes in files

extension Baseline {
  /// Marks the mistakes of files that are known.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - place: The path of a file as the baseline has it, however it is spelt.
  /// - Returns: The entries whose mistakes no longer occur.
  package func mark(_ files: inout [LintedFile], place: (String) -> String = { $0 }) -> [Entry] {
    let (isKnown, gone) = compare(
      Self.problems(files, place), of: .lint, at: Set(files.map { place($0.path) }).contains)
    var position = 0
    for index in files.indices {
      let count = files[index].diagnostics.count
      files[index].known = Array(isKnown[position..<(position + count)])
      position += count
    }
    return gone
  }

  /// Accepts the mistakes of files.
  package mutating func update(
    _ files: [LintedFile], place: (String) -> String = { $0 }
  ) {
    update(
      Self.problems(files, place), of: .lint, at: Set(files.map { place($0.path) }).contains)
  }

  private static func problems(
    _ files: [LintedFile], _ place: (String) -> String
  ) -> [Problem] {
    files.flatMap { file in
      file.diagnostics.map { diagnostic in
        Problem(
          key: Key(
            command: .lint, code: diagnostic.code, place: place(file.path),
            subject: subject(of: diagnostic, in: file)),
          severity: diagnostic.severity)
      }
    }
  }

  /// The text with a mistake: lines move, texts stay.
  private static func subject(of diagnostic: LintDiagnostic, in file: LintedFile) -> String {
    let range = diagnostic.range.clamped(to: 0..<file.text.count)
    let text = String(decoding: file.text[range.prefix(subjectLimit * 4)], as: UTF8.self)
    return String(
      text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        .prefix(subjectLimit))
  }

  /// The number of characters of a text that tell it from others.
  private static let subjectLimit = 120
}
