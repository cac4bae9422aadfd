internal import AccessLogs
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
    let (changed, shortLogs) = try store.read { database in
      let changed = try inputs.filter { input in
        guard let stamp = FileStamp(path: input.path) else { return true }
        return try KnownLog.unchanged(stamp, options.expansion, in: database) == nil
      }
      return (changed, try KnownLog.shortLogs(in: database))
    }
    let files = changed.mapInParallel(jobs: options.jobs) { input in
      LookedAtLog(input, LogHead(of: input), shortLogs.lengths, shortLogs.heads)
    }
    var rest = files.enumerated().map { (number: $0.offset, file: $0.element) }
    var taken: Set<Int64> = []
    while !rest.isEmpty {
      let followers = HeadGroups.followers(rest.map { ($0.file.head, $0.number) })
      var words: Set<UInt64> = []
      let leaders = rest.filter { number, file in
        // It would be known by its first lines if the other one counted already, so it waits.
        if followers.contains(number) || file.lines.contains(where: { words.contains($0.word) }) {
          return false
        }
        words.formUnion(file.lineBeginnings)
        return true
      }
      let found = try Self.identify(leaders.map(\.file), store, options)
      var isSettled = true
      for identification in found {
        switch identification.answer {
        case .nothing, .counted, .copy: counted.append(identification)
        case .uncounted(_, let log?) where !taken.insert(log.id).inserted:
          // Another file goes on from the same log: which of them is told next time.
          waiting.append(identification.input)
        case .uncounted, .diverged:
          isSettled = false
          uncounted.append(identification)
        }
      }
      let led = Set(leaders.map(\.number))
      rest.removeAll { led.contains($0.number) }
      // Those that begin as a file which counts already needn't wait for it.
      if !isSettled {
        waiting += rest.map(\.file.input)
        break
      }
    }
    waiting.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    uncounted.sort { $0.input.path.utf8.lexicographicallyPrecedes($1.input.path.utf8) }
  }

  /// Leaves out files whose lines were read, and are not to be counted.
  mutating func leaveOut(_ inputs: Set<LogInput>) {
    uncounted.removeAll { inputs.contains($0.input) }
  }

  /// Says what each of some files is.
  private static func identify(
    _ files: [LookedAtLog], _ store: AuditStore, _ options: ReductionOptions
  ) throws(StoreError) -> [LogIdentification] {
    let candidates = try store.read { database in
      try files.map { file -> [KnownLog] in
        if file.head.bytes.isEmpty { return [] }
        return try KnownLog.candidates(heads: file.heads, lines: file.lines, in: database)
          .filter { log in
            // Headings alone are the beginning of many logs: they make a log only as long
            // as the file is the same.
            guard try log.isHeading(in: database) else { return true }
            return try log.wasRead(from: file.head.stamp, in: database)
          }
      }
    }
    return zip(files, candidates).map { ($0, $1) }.mapInParallel(jobs: options.jobs) {
      file, candidates in
      let answer: LogIdentification.Answer =
        file.head.bytes.isEmpty
        ? .nothing(file.head.damage)
        : LogComparison(file.input, file.head, candidates).answer(
          lineLimit: options.lineLimit, expansion: options.expansion)
      return LogIdentification(input: file.input, stamp: file.head.stamp, answer: answer)
    }
  }
}

/// A file of which the first bytes have been read.
private struct LookedAtLog: Sendable {
  let input: LogInput
  let head: LogHead

  /// Words of the fingerprints of beginnings that the heads of known logs can be.
  let heads: [UInt64]

  /// The ends of first lines by which a log is known, in bytes, with words of the
  /// fingerprints of what is in front of them.
  let lines: [(end: Int, word: UInt64)]

  /// Words of the fingerprints of all beginnings that end with a line.
  let lineBeginnings: [UInt64]

  /// So many lines besides headings are enough to know a log by.
  private static let lineCount = 3

  init(_ input: LogInput, _ head: LogHead, _ shortLengths: [Int], _ shortHeads: Set<UInt64>) {
    (self.input, self.head) = (input, head)
    var trace = ContentTrace(lengths: shortLengths.filter { $0 < head.bytes.count })
    trace.update(head.bytes.span)
    heads =
      trace.beginnings.map(\.first).filter { shortHeads.contains($0) } + [head.fingerprint.first]
    var (others, isHeading) = (0, head.bytes.first == UInt8(ascii: "#"))
    var ends: [(end: Int, isKnown: Bool)] = []
    for (index, byte) in head.bytes.enumerated() where byte == UInt8(ascii: "\n") {
      if !isHeading { others += 1 }
      ends.append((index + 1, others >= Self.lineCount))
      isHeading = index + 1 < head.bytes.count && head.bytes[index + 1] == UInt8(ascii: "#")
    }
    // A log of fewer lines is known by all that are whole: it could be a copy that isn't complete.
    if head.isWhole, others > 0, !ends.isEmpty { ends[ends.count - 1].isKnown = true }
    lineBeginnings = trace.lineBeginnings
    lines = zip(ends, trace.lineBeginnings).filter(\.0.isKnown).map { ($0.end, $1) }
  }
}

/// Files that begin alike.
private enum HeadGroups {
  /// The numbers of files that begin as another one that comes before them: the shorter
  /// first, so that the longer goes on from it.
  static func followers(_ heads: [(head: LogHead, number: Int)]) -> Set<Int> {
    // What is the beginning of something stands in front of it.
    let ordered = heads.filter { !$0.head.bytes.isEmpty && !$0.head.isHeading }
      .sorted { one, other in
        one.head.bytes == other.head.bytes
          ? one.number < other.number
          : one.head.bytes.lexicographicallyPrecedes(other.head.bytes)
      }
    var followers: Set<Int> = []
    var leader: LogHead?
    for (head, number) in ordered {
      if let leader, leader.isWhole || leader.bytes == head.bytes,
        head.bytes.starts(with: leader.bytes)
      {
        followers.insert(number)
      } else {
        leader = head
      }
    }
    return followers
  }
}

extension LogHead {
  /// A Boolean value indicating whether all lines of a short log are headings.
  fileprivate var isHeading: Bool {
    isWhole
      && bytes.split(separator: UInt8(ascii: "\n")).allSatisfy { $0.first == UInt8(ascii: "#") }
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
