internal import AccessLogs
internal import Foundations
internal import TrafficDigest

extension LogIdentification {
  /// Identifies the files of a batch.
  ///
  /// - Parameters:
  ///   - inputs: The files, ascending by path.
  ///   - store: The store.
  ///   - options: The options for reducing logs.
  /// - Returns: The files, in the same order, except those that haven't changed since they were
  ///   read, and those that contain lines of another one and are identified after it is counted.
  ///   These are waiting.
  /// - Throws: ``StoreError`` if the ledger can't be read.
  static func identify(
    _ inputs: [LogInput], _ store: AuditStore, _ options: ReductionOptions
  ) throws(StoreError) -> (files: [LogIdentification], waiting: [LogInput]) {
    let (changed, shortLengths) = try store.read { database in
      let changed = try inputs.filter { input in
        guard let stamp = FileStamp(path: input.path) else { return true }
        return try !KnownLog.isUnchanged(stamp, options.expansion, in: database)
      }
      return (changed, try KnownLog.shortLengths(in: database))
    }
    let heads = changed.mapInParallel(jobs: options.jobs) { LogHead(of: $0) }
    let candidates = try store.read { database in
      try heads.map { head in
        try KnownLog.candidates(for: head, shortLengths: shortLengths, in: database)
      }
    }
    let files = zip(heads, candidates).map { ($0, $1) }.mapInParallel(jobs: options.jobs) {
      (head: $0, identification: LogIdentification($0, $1, options))
    }
    var waiting: Set<LogInput> = []
    var continued: Set<Int64> = []
    for (head, identification) in files where identification.uncounted != nil {
      // If another file continues the same log, it is clear after that is counted whether this one
      // is a copy.
      if let log = identification.known, !continued.insert(log.id).inserted {
        waiting.insert(head.input)
      }
    }
    let uncounted = files.filter { $1.uncounted != nil && !waiting.contains($0.input) }
    waiting.formUnion(followers(uncounted.map(\.head), options))
    return (
      files.map(\.identification).filter { !waiting.contains($0.input) },
      waiting.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    )
  }

  /// Finds files that contain the beginning of another one, or the same content as an earlier one.
  private static func followers(
    _ heads: [LogHead], _ options: ReductionOptions
  ) -> Set<LogInput> {
    // A short file is directly before one that begins with it; of equal files, the first is last.
    let sorted = heads.sorted { one, other in
      if one.bytes != other.bytes { return one.bytes.lexicographicallyPrecedes(other.bytes) }
      return one.isWhole == other.isWhole ? one.input.path > other.input.path : one.isWhole
    }
    var followers = Set(
      zip(sorted, sorted.dropFirst())
        .filter { $0.isWhole && $1.bytes.starts(with: $0.bytes) }.map(\.0.input))
    for alike in Dictionary(grouping: heads.filter { !$0.isWhole }, by: \.bytes).values
    where alike.count > 1 {
      followers.formUnion(longFollowers(alike.map(\.input), options))
    }
    return followers
  }

  /// Does the same as ``followers(_:_:)`` for files with the same heads, which are read completely.
  private static func longFollowers(
    _ files: [LogInput], _ options: ReductionOptions
  ) -> [LogInput] {
    @Sendable func trace(_ file: LogInput, lengths: [Int] = []) -> ContentTrace {
      var reader = LogReader(
        file, lineLimit: options.lineLimit, expansion: options.expansion,
        trace: ContentTrace(lengths: lengths))
      var chunk = LineChunk()
      while reader.next(into: &chunk) {}
      return reader.trace ?? ContentTrace()
    }
    let contents = files.mapInParallel(jobs: options.jobs) { trace($0).fingerprint }
    let wanted = Set(contents)
    let lengths = Array(Set(contents.map(\.length)))
    let beginnings = files.indices.mapInParallel(jobs: options.jobs) { index in
      trace(files[index], lengths: lengths.filter { $0 < contents[index].length })
        .beginnings.filter { wanted.contains($0) }
    }
    var known = Set(beginnings.joined())
    return zip(files, contents).filter { !known.insert($1).inserted }.map(\.0)
  }
}
