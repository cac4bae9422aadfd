internal import ArgumentParser

/// The command.
@main
struct LinkAudit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "linkaudit",
    abstract: "Audit Universal Links against the traffic of their website.",
    discussion: """
      Reads web access logs and an apple-app-site-association file, and says which visits \
      the app claims, which of them could never have opened it, and how that fits what the \
      app implements.

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
        2   done, but some input could not be read whole; or nothing could be done
        64  wrong usage
      """,
    version: "0.1.0",
    subcommands: [
      ReportCommand.self, DiffCommand.self, SuggestCommand.self, LintCommand.self,
      FetchCommand.self, MatchCommand.self, IngestCommand.self, StoreCommand.self,
      DigestCommand.self, MergeCommand.self,
      FindingsCommand.self, FormatsCommand.self, InitCommand.self,
    ]
  )

  /// Runs the command that was asked for, and exits.
  ///
  /// The parser of arguments exits with 1 after an error that it doesn't know.
  /// Here, 1 means that there are findings, so such errors exit with 2.
  static func main() {
    StandardStreams.ignoreBrokenPipes()
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch is BrokenPipe {
      // Whoever read the output has seen enough.
      exit(withError: ExitCode.success)
    } catch let error as Complaint {
      StandardStreams.complain(error.description)
      exit(withError: ExitStatus.failure)
    } catch let error where !(error is ExitCode) && exitCode(for: error) == .failure {
      StandardStreams.complain("\(error)")
      exit(withError: ExitStatus.failure)
    } catch {
      exit(withError: error)
    }
  }
}
