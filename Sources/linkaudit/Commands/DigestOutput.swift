internal import AccessLogs
internal import ArgumentParser
internal import LinkAuditing
internal import SystemPackage
internal import TrafficDigest

/// The file that a digest is written to.
struct DigestOutput {
  /// The path, or `-` for standard output.
  let path: String

  /// Rejects output that would overwrite the input, or a file that isn't a digest.
  ///
  /// - Parameters:
  ///   - isDigest: Whether a digest is written, which replaces only digests.
  ///   - rejects: The place of rejected lines, or `nil` if they are not kept.
  ///   - read: The paths of all input except logs.
  ///   - logs: The logs, or the digests that are combined.
  /// - Throws: `ValidationError` if a file would be lost.
  func check(
    isDigest: Bool = true, rejects: OutputFile.Place? = nil,
    among read: [String], logs: [LogInput]
  ) throws {
    guard !isDigest || !OutputFile(path).isTerminal else {
      throw ValidationError(
        "a digest is binary, and can't go to a terminal; name a file with '-o'.")
    }
    try OutputFile.check([rejects, OutputFile.Place("--output", path)], among: read, logs: logs)
    guard isDigest, path != "-",
      let status = try? Stat(FilePath(path), followTargetSymlink: true),
      status.type == .regular, status.size > 0, !DigestFile.isDigest(path)
    else { return }
    throw ValidationError(
      "'--output \(path)' would replace a file that is not a digest; choose another name.")
  }

  /// Writes a digest.
  ///
  /// The file appears under its name only when it is complete.
  ///
  /// - Parameters:
  ///   - digest: The digest.
  ///   - options: The number of workers that compress it, and the directory of temporary files.
  ///   - progress: A function that receives numbers of bytes written.
  /// - Throws: ``DigestFileError`` if spill files or digests can't be read. ``Complaint`` if this
  ///   digest can't be written, or would hold too many requests to be read again.
  func write(
    _ digest: TrafficDigest, _ options: ReductionOptions,
    progress: (_ bytes: Int) -> Void = { _ in }
  ) throws {
    guard digest.tally.lines <= TrafficDigest.lineLimit else {
      throw Complaint(
        "there are \(digest.tally.lines.grouped) lines, and the limit of a digest is "
          + "\(TrafficDigest.lineLimit.grouped); make several, and pass them all to "
          + "'linkaudit report'")
    }
    try OutputFile(path, isSynced: true).write { sink in
      try digest.write(
        jobs: options.jobs, temporaryDirectory: options.temporaryDirectory
      ) { bytes in
        try sink(bytes)
        progress(bytes.count)
      }
    }
  }
}
