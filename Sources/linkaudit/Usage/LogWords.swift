internal import AccessLogs
internal import ArgumentParser
internal import Foundations
internal import SystemPackage
internal import TrafficDigest

/// The words that should name logs.
enum LogWords {
  /// The greatest number of paths that are checked, because a shell can name thousands.
  private static let checkedCount = 64

  /// Rejects arguments that are not logs, before anything is read.
  ///
  /// - Parameters:
  ///   - logs: The arguments.
  ///   - standardInputs: A `-` for each use of standard input.
  /// - Throws: `ValidationError` that says what to type instead.
  static func check(_ logs: [String], standardInputs: [String]) throws {
    if standardInputs.contains("-"), StandardStreams.isTerminal(.standardInput) {
      throw ValidationError(
        "'-' is standard input, which is the terminal here; use a pipe, as in "
          + "'zcat access.log.gz | linkaudit report - …'.")
    }
    for path in logs.prefix(checkedCount) {
      if path.isEmpty {
        throw ValidationError("the name of a log is empty; a variable of the shell may be unset.")
      }
      if let command = download(of: path) {
        throw ValidationError(
          "'\(path)' is a URL, and linkaudit reads files; download it, or use a pipe, as in "
            + "'\(command) | linkaudit report - …'.")
      }
      if let answer = answer(toWord: path) { throw ValidationError(answer) }
      if isNamedLikeAssociationFile(path), LogRecognition.isAssociationFile(path) {
        throw ValidationError(
          "'\(path)' looks like an association file, not like a log; pass it with '--aasa \(path.inCommand) "
            + "--host HOST'.")
      }
    }
  }

  /// Returns the problem of a word that is not a path but a value without its option, or `nil`.
  private static func answer(toWord word: String) -> String? {
    guard InputFile.type(at: word) == nil else { return nil }
    if word == "help" { return "there is no file 'help'; for help, use '--help'." }
    if Day(word) != nil {
      return "there is no file '\(word)'; pass one time to '--since' and one to '--until'."
    }
    if let platform = Platform.allCases.first(where: { $0.name.lowercased() == word.lowercased() })
    {
      return "there is no file '\(word)'; separate values with commas, as in '--platform ios,"
        + "\(platform.name)'."
    }
    if OutputForm.name(ofExtension: word) != nil {
      return "there is no file '\(word)'; pass one format only to '--format'."
    }
    guard word.contains("."), !CommandWords.endsLikeFile(word),
      (try? HostArgument.validated(word, allowsWildcard: false)) != nil
    else { return nil }
    return "there is no file '\(word)'; pass a host with its association file: '--site "
      + "\(word.inCommand)=FILE'."
  }

  /// Returns a Boolean value indicating whether a path may be opened twice; logs may not, because
  /// they can be replaced in between.
  private static func isNamedLikeAssociationFile(_ path: String) -> Bool {
    let name = FilePath(path).lastComponent?.string.lowercased() ?? ""
    return ["json", "aasa", "association"].contains { name.contains($0) }
  }

  /// Returns the command that writes the content of a URL to standard output, or `nil` for a path.
  private static func download(of path: String) -> String? {
    let commands = [
      "http:": "curl -s", "https:": "curl -s", "s3:": "aws s3 cp", "gs:": "gcloud storage cat",
    ]
    guard path.contains("://"), let scheme = path.split(separator: "/").first,
      let command = commands[scheme.lowercased()],
      InputFile.type(at: path) == nil
    else { return nil }
    return "\(command) \(path.inCommand)" + (scheme == "s3:" ? " -" : "")
  }
}
