internal import AccessLogs
internal import TrafficDigest

/// The plan for each of some files: to read it, to continue it, or to leave it.
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
    let (leaders, followers) = Self.separate(files, options)
    var taken: Set<Int64> = []
    for identification in try Self.identify(leaders, store, options) {
      add(identification, &taken)
    }
    if uncounted.isEmpty, waiting.isEmpty {
      // All that the followers are the beginning of counts already.
      let found = try Self.identify(followers, store, options)
      let later = Self.separate(
        zip(followers, found).filter { $1.hasUncountedLines }.map(\.0), options
      ).followers
      let inputs = Set(later.map(\.input))
      for identification in found {
        if inputs.contains(identification.input) {
          waiting.append(identification.input)
        } else {
          add(identification, &taken)
        }
      }
    } else {
      waiting += followers.map(\.input)
    }
    waiting.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    uncounted.sort { $0.input.path.utf8.lexicographicallyPrecedes($1.input.path.utf8) }
  }

  /// Adds a file to those that it belongs to.
  private mutating func add(_ identification: LogIdentification, _ taken: inout Set<Int64>) {
    switch identification.answer {
    case .nothing, .unfinished, .counted, .copy: counted.append(identification)
    case .uncounted(_, let log?) where !taken.insert(log.id).inserted:
      // Another file continues the same log: the next run tells which of them it is.
      waiting.append(identification.input)
    case .uncounted, .diverged: uncounted.append(identification)
    }
  }

  /// Separates files that can be counted together from those that hold the beginning of one of
  /// them, which are identified once that counts.
  private static func separate(
    _ files: [LookedAtLog], _ options: ReductionOptions
  ) -> (leaders: [LookedAtLog], followers: [LookedAtLog]) {
    let numbers = SharedBeginnings.followers(files.map { ($0.input, $0.head) }, options)
    var leaders: [LookedAtLog] = []
    var followers = numbers.sorted().map { files[$0] }
    let others = files.indices.filter { !numbers.contains($0) }.map { files[$0] }
    // Damaged data can decompress to anything at its end, so such a file is known by its first lines.
    let (sound, damaged) = (
      others.filter { $0.head.damage == nil }, others.filter { $0.head.damage != nil }
    )
    var words = damaged.isEmpty ? [] : Set(sound.flatMap(\.lineBeginnings))
    leaders += sound
    for file in damaged {
      if file.lines.contains(where: { words.contains($0.word) }) {
        followers.append(file)
      } else {
        leaders.append(file)
        words.formUnion(file.lineBeginnings)
      }
    }
    return (leaders, followers)
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
        return try KnownLog.candidates(
          heads: file.heads, lines: file.lines, stamp: file.head.stamp, in: database)
      }
    }
    return zip(files, candidates).map { ($0, $1) }.mapInParallel(jobs: options.jobs) {
      file, candidates in
      let stamp = file.head.stamp
      if file.head.bytes.isEmpty {
        return LogIdentification(
          input: file.input, stamp: stamp, answer: .nothing(file.head.damage))
      }
      if let isTorn = file.head.isTorn {
        return LogIdentification(
          input: file.input, stamp: stamp,
          answer: .unfinished(isTorn: isTorn, file.head.damage))
      }
      return LogComparison(file.input, file.head, candidates).identify(
        lineLimit: options.lineLimit, expansion: options.expansion)
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

/// Files that hold the beginning of others, as copies do that were made earlier.
private enum SharedBeginnings {
  /// Finds files that hold what another one begins with, or the same.
  ///
  /// - Returns: Their numbers. Of files that hold the same, the first is not among them.
  static func followers(
    _ files: [(input: LogInput, head: LogHead)], _ options: ReductionOptions
  ) -> Set<Int> {
    // A head comes directly before one that goes on from it.
    let ordered = files.indices
      .filter { !files[$0].head.bytes.isEmpty && files[$0].head.isTorn == nil }
      .sorted { one, other in
        let (first, second) = (files[one].head, files[other].head)
        if first.bytes != second.bytes {
          return first.bytes.lexicographicallyPrecedes(second.bytes)
        }
        return first.isWhole == second.isWhole ? one > other : first.isWhole
      }
    var followers: Set<Int> = []
    var alike: [Int] = []
    for (position, number) in ordered.enumerated() {
      let head = files[number].head
      let next = position + 1 < ordered.count ? files[ordered[position + 1]].head : nil
      if head.isWhole {
        if let next, next.bytes.starts(with: head.bytes) { followers.insert(number) }
        continue
      }
      alike.append(number)
      guard next?.bytes != head.bytes else { continue }
      if alike.count > 1 { followers.formUnion(longFollowers(alike, files.map(\.input), options)) }
      alike = []
    }
    return followers
  }

  /// Reads files whose heads are the same, and finds those that hold what another one begins with.
  private static func longFollowers(
    _ numbers: [Int], _ inputs: [LogInput], _ options: ReductionOptions
  ) -> Set<Int> {
    let files = numbers.sorted().map { (number: $0, input: inputs[$0]) }
    let contents = files.mapInParallel(jobs: options.jobs) { file in
      trace(of: file.input, lengths: [], options).fingerprint
    }
    let wanted = Set(contents)
    let lengths = Set(contents.map(\.length))
    let beginnings = Set(
      files.indices.mapInParallel(jobs: options.jobs) { index in
        trace(
          of: files[index].input, lengths: lengths.filter { $0 < contents[index].length }, options
        ).beginnings.filter { wanted.contains($0) }
      }.joined())
    var known = beginnings
    var followers: Set<Int> = []
    for (file, content) in zip(files, contents) where !known.insert(content).inserted {
      followers.insert(file.number)
    }
    return followers
  }

  private static func trace(
    of input: LogInput, lengths: [Int], _ options: ReductionOptions
  ) -> ContentTrace {
    var reader = LogReader(
      input, lineLimit: options.lineLimit, expansion: options.expansion,
      trace: ContentTrace(lengths: lengths))
    var chunk = LineChunk()
    while reader.next(into: &chunk) {}
    return reader.trace ?? ContentTrace()
  }
}

extension LogHead {
  /// A Boolean value indicating whether part of a line follows directives, or `nil` if there is a
  /// whole line besides these.
  ///
  /// A compressed log without damage is complete, so its last line is whole even without an end.
  fileprivate var isTorn: Bool? {
    guard isWhole else { return nil }
    var start = 0
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      guard bytes[start] == UInt8(ascii: "#") else { return nil }
      start = end + 1
    }
    let isTorn = start < bytes.count && bytes[start] != UInt8(ascii: "#")
    return isTorn && isCompressed && damage == nil ? nil : isTorn
  }
}

extension LogIdentification {
  /// A Boolean value indicating whether any of its lines are to be counted.
  fileprivate var hasUncountedLines: Bool {
    switch answer {
    case .uncounted, .diverged: true
    case .nothing, .unfinished, .counted, .copy: false
    }
  }
}

extension RandomAccessCollection where Self: Sendable, Element: Sendable, Index == Int {
  /// The results of `body` for each element, in order.
  func mapInParallel<Result: Sendable>(
    jobs: Int, _ body: @escaping @Sendable (Element) -> Result
  ) -> [Result] {
    let counter = WorkCounter(upTo: count)
    let shares = inParallel(jobs: Swift.max(1, Swift.min(jobs, count))) { _ in
      var own: [(number: Int, result: Result)] = []
      while let number = counter.draw() {
        own.append((number, body(self[startIndex + number])))
      }
      return own
    }
    return shares.joined().sorted { $0.number < $1.number }.map(\.result)
  }
}
