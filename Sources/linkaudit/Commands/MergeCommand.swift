internal import AccessLogs
internal import ArgumentParser
internal import AuditStore
internal import Foundations
internal import TrafficDigest

struct MergeCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge several digests into one.",
    usage: "linkaudit merge <digest> ... -o <file> [<options>]",
    discussion: """
      The result is byte for byte the digest of all their logs, for any order and number of \
      merges. Memory use doesn't depend on the size of digests.

      DIGEST is a file, a directory, or a pattern; other files are an error. A digest that \
      another one contains counts once. Two digests that share only some of their logs are an \
      error, because these logs would count twice.

      EXAMPLES
        linkaudit merge 2026-11-*.digest -o november.digest
        find digests -name '2026-*' | linkaudit merge --files-from - -o 2026.digest
      """
  )

  @Argument(help: .rare("Digests: files, directories, or patterns.", "digest"), completion: .file())
  var digests: [String] = []

  @Option(
    name: .shortAndLong,
    help: .rare(
      "Write the digest to this file; '-' for standard output. An existing file is replaced only if it is a digest.",
      "file"), completion: .file())
  var output: String

  @Option(
    help: .rare("Read paths of digests from this file; '-' for standard input.", "file"),
    completion: .file())
  var filesFrom: [String] = []

  @OptionGroup(title: "Resources") var workerOptions: WorkerOptions

  func check() throws {
    if digests.isEmpty, filesFrom.isEmpty {
      throw ValidationError("no digest; pass files or directories, or '--files-from FILE'.")
    }
    if digests.contains("-") {
      throw ValidationError("a digest can't come from a pipe; pass a file.")
    }
    if let path = digests.first(where: AuditStore.isStore) {
      throw ValidationError(
        "'\(path)' is a store, not a digest; 'report', 'diff' and 'suggest' read it with '--store "
          + "\(path.inCommand)'.")
    }
    if filesFrom.count(where: { $0 == "-" }) > 1 {
      throw ValidationError("only one list of digests can be '-'.")
    }
  }

  func run() throws {
    let (inputs, problems) = try LogOptions.discover(
      digests, filesFrom: filesFrom, what: "digests")
    for problem in problems { problem.complain() }
    if inputs.isEmpty { throw Complaint("there is nothing to merge") }
    let file = DigestOutput(path: output)
    try file.check(among: filesFrom.filter { $0 != "-" }, logs: inputs)
    let options = try workerOptions.reductionOptions()
    let reading = try DigestReading(digests: inputs, options)
    let progress = Progress(total: reading.byteCount, isQuiet: workerOptions.quiet)
    defer { progress.finish() }
    try file.write(try reading.added(to: .empty), options) { bytes in
      progress.add(bytes: bytes, lines: 0)
    }
  }
}
