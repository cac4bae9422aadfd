internal import ArgumentParser
internal import LinkAuditing

/// The reason why a command failed, in a sentence that names the file and the remedy.
struct Complaint: Error, CustomStringConvertible {
  let description: String

  /// The exit status.
  let status: ExitCode

  init(_ description: String, status: ExitCode = ExitStatus.failure) {
    (self.description, self.status) = (description, status)
  }

  /// Explains why there is no report on logs or digests.
  init(_ error: JudgingError) {
    switch error {
    case .digest(let error): self.init(error)
    case .unbalanced(let balance):
      self.init(
        "the figures don't add up: \(balance); this is a bug in linkaudit, so there is no report; "
          + "please report it with the command and its version",
        status: ExitStatus.fault)
    }
  }
}
