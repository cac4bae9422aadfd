internal import AccessLogs

extension TrafficDigest {
  /// Writes this digest as a file.
  ///
  /// The bytes don't depend on the number of workers, the order of inputs, or the memory. A digest
  /// of digests has the same bytes as one of their logs.
  ///
  /// - Parameters:
  ///   - jobs: The number of workers.
  ///   - temporaryDirectory: The directory of temporary files.
  ///   - sink: A function that receives the bytes, piece by piece.
  /// - Throws: ``DigestFileError`` if a file can't be read or a temporary file can't be written;
  ///   and any error of `sink`.
  public func write(
    jobs: Int, temporaryDirectory: String, to sink: (_ bytes: [UInt8]) throws -> Void
  ) throws {
    let runs = try allRuns(jobs: jobs, in: temporaryDirectory)
    let draft = DigestFileDraft(fingerprintsDays: summary.inputsAreDays)
    var compressor = BlockCompressor(jobs: jobs)
    var merge = try RunMerge(runs)
    var names = ByteTable()
    try sink(DigestBlock.start)
    while try merge.next(names: &names) {
      draft.add(&merge.record, names: names)
      if draft.isFull, let block = draft.takeBlock() {
        try compressor.add(block, to: draft) { _, bytes in try sink(bytes) }
      }
    }
    if let block = draft.takeBlock() {
      try compressor.add(block, to: draft) { _, bytes in try sink(bytes) }
    }
    try compressor.flush { _, bytes in try sink(bytes) }
    for bytes in try draft.end(summary) { try sink(bytes) }
  }

  /// All targets in runs, at most as many as can be read at a time.
  func allRuns(jobs: Int, in directory: String) throws(DigestFileError) -> [DigestRun] {
    let counter = WorkCounter(upTo: parts.count)
    let results: [Result<[DigestRun], DigestFileError>] = inParallel(
      jobs: min(jobs, max(1, parts.count))
    ) { _ in
      var own: [DigestRun] = []
      do throws(DigestFileError) {
        while let number = counter.draw() {
          if let run = try parts[number].makeRun(in: directory) { own.append(run) }
        }
        return .success(own)
      } catch {
        return .failure(error)
      }
    }
    var all = runs
    for result in results { all += try result.get() }
    return try DigestRun.limiting(all, in: directory, jobs: jobs)
  }

  /// A Boolean value indicating whether some requests have no host, because neither their lines nor
  /// an option names it.
  public var hasNamelessHost: Bool {
    runs.contains { $0.index.first?.host.isEmpty ?? false }
      || parts.contains { part in
        (0..<part.targets.count).contains { id in
          let host = Int(part.targets.scope(id))
          return part.hosts.withBytes(host) { $0.isEmpty }
        }
      }
  }

  /// A Boolean value indicating whether some requests have a host.
  package var namesHosts: Bool {
    runs.contains(where: \.namesHosts)
      || parts.contains { part in
        (0..<part.targets.count).contains { id in
          part.hosts.withBytes(Int(part.targets.scope(id))) { !$0.isEmpty }
        }
      }
  }
}
