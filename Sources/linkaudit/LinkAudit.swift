// Unsafe code: arguments are C strings as the system passes them.

internal import ArgumentParser
internal import AuditStore
internal import BuildVersion
internal import LinkAuditing
internal import Reporting
internal import TrafficDigest

struct LinkAudit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "linkaudit",
    abstract: "Audit Universal Links against the access logs of their website.",
    discussion: """
      Reads web access logs and an apple-app-site-association file. Reports which visits the \
      rules claim, which of them could never have opened the app, and which claimed URLs the \
      app doesn't implement.

      EXAMPLES
        linkaudit report access.log.gz --aasa aasa.json --host www.example.com
        linkaudit report /var/log/nginx --aasa aasa.json --host www.example.com \\
            --routes routes.txt --format json -o audit.json
        linkaudit diff old.json new.json access.log.gz --host www.example.com
        linkaudit suggest access.log.gz --aasa aasa.json --host www.example.com \\
            --routes routes.txt --candidate new.json
        linkaudit digest /var/log/nginx --host www.example.com -o day.digest
        linkaudit match --aasa aasa.json https://www.example.com/buy/42
        linkaudit fetch www.example.com

      EXIT STATUS
        0   done
        1   there are findings at or above --fail-on
        2   some input could not be read completely, or nothing could be done
        64  wrong usage
        70  no report: its figures don't add up, which is a bug in linkaudit
      """,
    version: versionText,
    subcommands: [
      ReportCommand.self, DiffCommand.self, SuggestCommand.self, LintCommand.self,
      FetchCommand.self, MatchCommand.self, CompileCommand.self, IngestCommand.self,
      StoreCommand.self, DigestCommand.self, MergeCommand.self, ExplainCommand.self,
      FormatsCommand.self, InitCommand.self,
    ]
  )

  /// The answer to `--version`, such as `linkaudit 0.1.0 (4ef2052f1a2b, 2026-11-21)`.
  static var versionText: String {
    "linkaudit " + Version.number + (Version.commit.map { " (\($0))" } ?? "")
  }

  /// Runs the requested command, and exits.
  ///
  /// The argument parser exits with 1 after an unknown error. In linkaudit, 1 means that there are
  /// findings, so such errors exit with 2.
  static func main() {
    StandardStreams.occupy()
    StandardStreams.ignoreBrokenPipes()
    Interruption.await()
    Style.setHelpWidth()
    ResourceLimits.prepare()
    let arguments = TypedArguments()
    let words = arguments.words
    do {
      try ResourceLimits.check()
      try checkEncoding()
      // The arguments always include the name of the command; Linux has them in /proc.
      guard !CommandLine.arguments.isEmpty else {
        throw Complaint("the arguments can't be read; mount /proc where this runs")
      }
      if let help = Help.brief(for: arguments) { answer(help) }
      try checkCommand(in: words)
      try arguments.check(for: command(named: words))
      try run(try parseAsRoot(words), arguments)
    } catch is BrokenPipe {
      // The reader of the output has seen enough.
      exit(withError: ExitCode.success)
    } catch let error where !(error is ExitCode) && exitCode(for: error) == .failure {
      let complaint = Complaint(explaining: error)
      warn(complaint.description)
      exit(withError: complaint.status)
    } catch  where exitCode(for: error) == .validationFailure && !(error is ExitCode) {
      UsageMessage.show(error, words: words)
      exit(withError: ExitCode.validationFailure)
    } catch  where exitCode(for: error) == .success && !(error is ExitCode) {
      answer(Help.full(fullMessage(for: error)))
    } catch {
      exit(withError: error)
    }
  }

  /// Checks that all arguments are UTF-8.
  ///
  /// Invalid bytes would be replaced, so the argument would name another file.
  private static func checkEncoding() throws {
    for (number, text) in CommandLine.arguments.enumerated() where text.contains("\u{FFFD}") {
      guard let argument = unsafe CommandLine.unsafeArgv[number],
        unsafe String(validatingCString: argument) == nil
      else { continue }
      throw ValidationError(
        "argument \(number), '\(text)', is not UTF-8; rename the file, or pass a single log on standard "
          + "input, with '-'.")
    }
  }

  private static func answer(_ text: String) -> Never {
    do {
      try StandardStreams.write(text + "\n")
    } catch let error as Complaint {
      warn(error.description)
      exit(withError: ExitStatus.failure)
    } catch {
      // The reader of the output has seen enough.
    }
    exit(withError: ExitCode.success)
  }

  private static func run(_ typed: any ParsableCommand, _ arguments: TypedArguments) throws {
    var (command, added) = (typed, [String]())
    do {
      if let configured = typed as? any ConfiguredCommand {
        (command, added) = try configured.configured(arguments)
      }
      if var checked = command as? any CheckedCommand {
        try checked.check()
        command = checked
      }
      try command.run()
    } catch let error as ValidationError {
      // The parser would print the usage of the tool, not that of the command.
      let origin = (typed as? any ConfiguredCommand)?.origin(of: error.message, added: added) ?? ""
      UsageMessage.show(error.message + origin, of: typed)
      throw ExitCode.validationFailure
    }
  }
}

package func runLinkAudit() { LinkAudit.main() }

extension Complaint {
  init(explaining error: any Error) {
    switch error {
    case let error as Complaint: self = error
    case let error as StoreError: self.init(error)
    case let error as DigestFileError: self.init(error)
    case let error as DigestSelection.Conflict: self.init(error)
    case let error as JudgingError: self.init(error)
    default: self.init("\(error)")
    }
  }
}
