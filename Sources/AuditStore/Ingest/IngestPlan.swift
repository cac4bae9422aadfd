internal import AccessLogs
internal import GRDB
internal import TrafficDigest

/// What is to be done about each of some files.
struct IngestPlan {
  /// Files of which nothing needs to be counted.
  private(set) var counted: [LogIdentification] = []

  /// Files with lines that haven't been counted, ascending by path.
  private(set) var uncounted: [LogIdentification] = []

  /// Files that begin as one of those does, so that they have to wait for it.
  private(set) var waiting: [LogInput] = []

  /// Looks at files.
  ///
  /// - Parameters:
  ///   - inputs: The files.
  ///   - store: The store.
  ///   - options: How logs are reduced.
  /// - Throws: ``StoreError`` if the ledger can't be read.
  init(_ inputs: [LogInput], _ store: AuditStore, _ options: ReductionOptions) throws(StoreError) {
    let stamps = inputs.map { FileStamp(path: $0.path) }
    let (changed, shortLengths) = try store.read { database in
      let changed = try zip(inputs, stamps).filter { _, stamp in
        guard let stamp else { return true }
        return try KnownLog.unchanged(stamp, in: database) == nil
      }.map(\.0)
      return (changed, try KnownLog.shortLengths(in: database))
    }
    let heads = changed.mapInParallel(jobs: options.jobs) { LogHead(of: $0) }
    var groups = HeadGroups()
    for (number, head) in heads.enumerated() where !head.bytes.isEmpty {
      groups.add(head, number: number)
    }
    let later = groups.followers
    waiting = later.sorted().map { changed[$0] }

    let candidates = try store.read { database in
      try zip(changed, heads).enumerated().map { number, file -> [KnownLog] in
        let (_, head) = file
        guard !head.bytes.isEmpty, !later.contains(number) else { return [] }
        return try Self.candidates(head, shortLengths, database)
      }
    }
    let files = zip(zip(changed, heads), candidates).enumerated()
      .filter { !later.contains($0.offset) }.map { ($0.element.0.0, $0.element.0.1, $0.element.1) }
    for identification in files.mapInParallel(
      jobs: options.jobs,
      { input, head, candidates in
        let answer: LogIdentification.Answer =
          head.bytes.isEmpty
          ? .nothing(head.damage)
          : LogComparison(input, head, candidates).answer(lineLimit: options.lineLimit)
        return LogIdentification(input: input, stamp: head.stamp, answer: answer)
      })
    {
      switch identification.answer {
      case .nothing, .counted, .copy: counted.append(identification)
      case .uncounted, .diverged: uncounted.append(identification)
      }
    }
  }

  /// The logs that a file may be, or may go on from.
  private static func candidates(
    _ head: LogHead, _ shortLengths: [Int], _ database: Database
  ) throws -> [KnownLog] {
    var beginnings = shortLengths.filter { $0 < head.bytes.count }
      .map { head.fingerprint(ofFirst: $0).first }
    beginnings.append(head.fingerprint.first)
    let isShort = head.isWhole && head.damage == nil
    return try KnownLog.candidates(
      heads: beginnings, whole: isShort ? head.fingerprint.first : nil, in: database
    ).filter { log in
      // Headings alone are the beginning of many logs: they make a log only as long as
      // the file is the same.
      if log.requests > 0 { return true }
      return try log.wasRead(from: head.stamp, in: database)
    }
  }
}

/// Files that begin alike.
private struct HeadGroups {
  private var heads: [(bytes: [UInt8], isWhole: Bool, number: Int)] = []

  mutating func add(_ head: LogHead, number: Int) {
    heads.append((head.bytes, head.isWhole, number))
  }

  /// The numbers of files that begin as another one that comes before them: the shorter
  /// first, so that the longer goes on from it.
  var followers: Set<Int> {
    // What is the beginning of something stands in front of it.
    let ordered = heads.sorted { one, other in
      one.bytes == other.bytes
        ? one.number < other.number : one.bytes.lexicographicallyPrecedes(other.bytes)
    }
    var followers: Set<Int> = []
    var leader: (bytes: [UInt8], isWhole: Bool, number: Int)?
    for head in ordered {
      if let leader, leader.isWhole || leader.bytes == head.bytes,
        head.bytes.starts(with: leader.bytes)
      {
        followers.insert(head.number)
      } else {
        leader = head
      }
    }
    return followers
  }
}

extension Array where Element: Sendable {
  /// The results of `body` for each element, in order.
  func mapInParallel<Result: Sendable>(
    jobs: Int, _ body: @escaping @Sendable (Element) -> Result
  ) -> [Result] {
    let counter = WorkCounter(upTo: count)
    let shares = inParallel(jobs: Swift.max(1, Swift.min(jobs, count))) { _ in
      var own: [(number: Int, result: Result)] = []
      while let number = counter.draw() { own.append((number, body(self[number]))) }
      return own
    }
    return shares.joined().sorted { $0.number < $1.number }.map(\.result)
  }
}
