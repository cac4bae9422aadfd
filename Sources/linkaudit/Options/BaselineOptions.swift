internal import ArgumentParser
internal import FoundationSubset
internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import SystemPackage

struct BaselineOptions: ParsableArguments {
  @Option(
    help: .usual("Accept the findings in this file; others fail.", "file"),
    completion: .file(extensions: ["json"]))
  var baseline: String?

  @Flag(help: "Write all findings to the '--baseline' file, which accepts them from then on.")
  var updateBaseline = false

  func validate() throws {
    if baseline == "-" { throw ValidationError("'--baseline' can't be '-'; pass a file.") }
  }

  /// The path of a file relative to the folder of the baseline, if the file is in it, so that it is
  /// the same in any working directory.
  func place(of path: String) -> String {
    guard let baseline, path != "-" else { return path }
    func absolute(_ path: String) -> FilePath {
      FilePath(FileManager.default.currentDirectoryPath).pushing(FilePath(path))
        .lexicallyNormalized()
    }
    var file = absolute(path)
    return file.removePrefix(absolute(baseline).removingLastComponent()) ? file.string : path
  }

  var place: OutputFile.Place? { updateBaseline ? OutputFile.Place("--baseline", baseline) : nil }
  var readPaths: [String] { updateBaseline ? [] : baseline.map { [$0] } ?? [] }

  func load() throws -> Baseline? {
    guard let baseline else {
      try refuse(
        if: updateBaseline, "'--update-baseline' needs '--baseline FILE', the file to write.")
      return nil
    }
    if InputFile.type(at: baseline) == nil {
      if updateBaseline { return Baseline() }
      throw Complaint("there is no baseline '\(baseline)'; to write it, add '--update-baseline'")
    }
    let bytes = try InputFile.read(baseline, what: "the baseline")
    do throws(BaselineError) {
      return try Baseline(decoding: bytes)
    } catch {
      throw Complaint(
        "'\(baseline)' is not a baseline: \(error.reason); pass a file that '--update-baseline' wrote, "
          + "or a new one")
    }
  }

  /// Writes the baseline if requested and if all input could be read, marks known findings, and names
  /// those that no longer occur.
  func finish(
    _ known: Baseline?, isIncomplete: Bool, _ check: Baseline.Check, mark: ([Bool]) -> Void
  ) throws {
    guard let path = baseline, var known else { return }
    if updateBaseline {
      if isIncomplete {
        warn("the baseline '\(path)' is not updated, because some input could not be read whole")
      } else {
        known.update(check)
        let bytes = try known.encoded()
        try OutputFile(path, option: "--baseline").write { try $0(bytes) }
        warn("the baseline '\(path)' now has \(known.count.counted("finding"))")
      }
    }
    let (isKnown, gone) = known.compare(check)
    mark(isKnown)
    guard !gone.isEmpty else { return }
    warn(
      "\(gone.count.counted("finding")) of the baseline '\(path)' no longer \(gone.count == 1 ? "occurs" : "occur"): "
        + gone.map(\.description).listed(upTo: 5)
        + "; to remove \(gone.count == 1 ? "it" : "them"), use '--update-baseline'")
  }
}
