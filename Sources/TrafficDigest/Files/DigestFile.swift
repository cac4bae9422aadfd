public import AccessLogs
public import Foundations

/// A digest in a file whose summary and index have been read.
///
/// Its targets are read when they are judged. Each block has a checksum, which is verified at each
/// reading.
public struct DigestFile: Sendable {
  /// The version of files; this program reads no other.
  public static let version = DigestBlock.version

  /// The path.
  public let path: String

  /// The number of bytes.
  public let size: Int

  /// The fingerprint of its content, which differs from that of other digests.
  public let identity: ContentFingerprint

  /// Everything but the targets; the inputs name this file as their digest.
  let summary: DigestSummary

  let index: [DigestRun.IndexEntry]

  /// The bytes, if they are in memory.
  private let memory: RandomAccessFile?

  /// Opens a digest.
  ///
  /// - Parameter path: The path.
  /// - Throws: ``DigestFileError`` if it can't be read, isn't a digest, has an unknown version,
  ///   ends too early, or has a damaged summary or index.
  public init(opening path: String) throws(DigestFileError) {
    try self.init(try .opening(path), path: path, isInMemory: false)
  }

  /// Opens a digest whose bytes are in memory.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - name: The name to show in place of a path.
  /// - Throws: ``DigestFileError`` as for a file.
  public init(bytes: [UInt8], name: String) throws(DigestFileError) {
    try self.init(RandomAccessFile(bytes: bytes, name: name), path: name, isInMemory: true)
  }

  private init(
    _ file: RandomAccessFile, path: String, isInMemory: Bool
  ) throws(DigestFileError) {
    self.path = path
    memory = isInMemory ? file : nil
    size = try file.size()
    let (summaryOffset, indexOffset) = try Self.checkEnds(of: file, size: size)
    let end = size - DigestBlock.endLength
    guard indexOffset - summaryOffset <= DigestBlock.lengthLimit,
      end - indexOffset <= DigestBlock.lengthLimit
    else { throw file.failure(.damaged, at: summaryOffset) }

    var blocks: [UInt8] = []
    try file.read(into: &blocks, count: end - summaryOffset, at: summaryOffset)
    let start = indexOffset - summaryOffset
    var payload: [UInt8] = []
    guard
      let count = DigestBlock.open(blocks.span.extracting(..<start), .summary, into: &payload),
      var summary = DigestSummary.read(payload, count: count)
    else { throw file.failure(.damaged, at: summaryOffset) }
    guard let index = Self.index(in: blocks.span.extracting(start...), end: summaryOffset) else {
      throw file.failure(.damaged, at: indexOffset)
    }
    for number in summary.inputs.indices { summary.inputs[number].digest = path }
    (self.summary, self.index) = (summary, index)
    identity = ContentFingerprint(blocks.span)
  }

  /// Returns a Boolean value indicating whether a file begins as a digest does, or as one whose
  /// first bytes were damaged.
  ///
  /// - Parameter path: The path of a regular file.
  /// - Returns: Whether to open it as a digest.
  public static func isDigest(_ path: String) -> Bool {
    var start: [UInt8] = []
    do {
      let file = try RandomAccessFile.opening(path)
      try file.read(into: &start, count: min(file.size(), DigestBlock.magic.count), at: 0)
    } catch {
      return false
    }
    // A file that was cut within its first bytes isn't a log either.
    return !start.isEmpty && (isStart(start) || DigestBlock.magic.starts(with: start))
  }

  /// Returns a Boolean value indicating whether a file has the usual name of digests.
  ///
  /// An empty file with such a name isn't a log, but a digest that was never written.
  public static func isUsualName(_ path: String) -> Bool { path.hasSuffix(".digest") }

  /// Returns a Boolean value indicating whether bytes are the start of a digest, intact or damaged.
  ///
  /// No log begins with most of these bytes.
  public static func isStart(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= DigestBlock.magic.count else { return false }
    let equal = zip(bytes, DigestBlock.magic).count { $0 == $1 }
    return equal >= DigestBlock.magic.count - 4
  }

  /// Checks the bytes before all blocks and after them, and returns the offsets of summary and
  /// index.
  private static func checkEnds(
    of file: RandomAccessFile, size: Int
  ) throws(DigestFileError) -> (summary: Int, index: Int) {
    var start: [UInt8] = []
    try file.read(into: &start, count: min(size, DigestBlock.startLength), at: 0)
    guard size >= DigestBlock.magic.count, isStart(start) else {
      // An empty file, too, is a digest that was never written.
      let isCut = DigestBlock.magic.starts(with: start)
      throw file.failure(isCut ? .truncated : .notDigest, at: isCut ? size : 0)
    }
    guard size >= DigestBlock.startLength else { throw file.failure(.truncated, at: size) }
    let magicCount = DigestBlock.magic.count
    guard start.starts(with: DigestBlock.magic),
      start.span.extracting(0..<20).crc32() == start.span.halfWord(20)
    else { throw file.failure(.damaged, at: 0) }
    let version = start.span.halfWord(magicCount)
    guard version == DigestBlock.version else {
      throw file.failure(.unknownVersion(version), at: magicCount)
    }

    let end = size - DigestBlock.endLength
    guard end >= DigestBlock.startLength else { throw file.failure(.truncated, at: size) }
    var bytes: [UInt8] = []
    try file.read(into: &bytes, count: DigestBlock.endLength, at: end)
    let isWhole = bytes.span.extracting(0..<16).crc32() == bytes.span.halfWord(16)
    let hasMark = bytes[20...].elementsEqual(DigestBlock.endMark)
    guard isWhole, hasMark else {
      // One of them alone is damage; without both, the end is missing.
      throw file.failure(
        isWhole || hasMark ? .damaged : .truncated, at: isWhole || hasMark ? end : size)
    }
    guard let summary = Int(exactly: bytes.span.word(0)),
      let index = Int(exactly: bytes.span.word(8)), summary >= DigestBlock.startLength,
      index >= summary, end >= index
    else { throw file.failure(.damaged, at: end) }
    return (summary, index)
  }

  /// The index, or `nil` if its blocks don't fill the file up to `end`.
  private static func index(in block: Span<UInt8>, end: Int) -> [DigestRun.IndexEntry]? {
    var payload: [UInt8] = []
    guard let count = DigestBlock.open(block, .index, into: &payload) else { return nil }
    let bytes = payload.span
    var reader = PayloadReader(0..<count)
    var offset = DigestBlock.startLength
    var entries: [DigestRun.IndexEntry] = []
    func text(_ reader: inout PayloadReader, _ bytes: Span<UInt8>) -> [UInt8] {
      var text: [UInt8] = []
      bytes.extracting(reader.range(count: reader.count(bytes))).append(to: &text)
      return text
    }
    for _ in 0..<reader.count(bytes, ofSize: 6) {
      let (length, checksum) = (reader.number(bytes), reader.number(bytes))
      let (targetCount, requests) = (reader.number(bytes), reader.number(bytes))
      guard length >= UInt64(DigestBlock.headerLength), length <= UInt64(end - offset),
        length <= UInt64(DigestBlock.lengthLimit),
        let checksum = UInt32(exactly: checksum), let targetCount = Int(exactly: targetCount),
        let requests = Int(exactly: requests), DigestSummary.countLimit.contains(requests)
      else { return nil }
      let entry = DigestRun.IndexEntry(
        offset: offset, length: Int(length), checksum: checksum, targetCount: targetCount,
        requests: requests, key: TargetKey(host: text(&reader, bytes), target: text(&reader, bytes))
      )
      if let last = entries.last, entry.key < last.key { return nil }
      entries.append(entry)
      offset += Int(length)
    }
    return reader.isValid && reader.isAtEnd && offset == end ? entries : nil
  }

  /// The index as the payload of a block.
  static func payload(of index: [DigestRun.IndexEntry]) -> [UInt8] {
    var payload: [UInt8] = []
    payload.append(variableLength: UInt64(index.count))
    for entry in index {
      payload.append(variableLength: UInt64(entry.length))
      payload.append(variableLength: UInt64(entry.checksum))
      payload.append(variableLength: UInt64(entry.targetCount))
      payload.append(variableLength: UInt64(entry.requests))
      payload.append(counted: entry.key.host.span)
      payload.append(counted: entry.key.target.span)
    }
    return payload
  }

  /// The targets, which are read on demand.
  func run() throws(DigestFileError) -> DigestRun {
    if let memory { return DigestRun(file: memory, index: index, isTrusted: false) }
    return DigestRun(file: try .opening(path), index: index, isTrusted: false)
  }
}

// MARK: - What a digest holds

extension DigestFile {
  /// The logs that went into the digest.
  public var inputs: [TrafficDigest.Input] { summary.inputs }

  /// Their lines.
  public var tally: LineTally { summary.tally }

  /// The times of the first and the last request, or `nil` if no request has one.
  public var times: ClosedRange<LogTime>? { summary.dayTimes.whole }

  /// The days of the requests, ascending.
  public var days: [Day] { summary.days.compactMap { Day(rawValue: $0) } }

  /// A Boolean value indicating whether some requests have no time.
  public var hasUndatedRequests: Bool { summary.days.first == 0 }

  /// The number of distinct targets by host.
  public var targetCount: Int { index.reduce(0) { $0 &+ $1.targetCount } }

  /// Reads all blocks, so that damage anywhere is found.
  ///
  /// - Returns: The number of requests.
  /// - Throws: ``DigestFileError`` if the file is damaged.
  @discardableResult
  public func verify() throws(DigestFileError) -> Int {
    var merge = try RunMerge(TargetSources(runs: [try run()]))
    var names = ByteTable()
    var requests = 0
    while try merge.next(names: &names) { requests &+= merge.record.requestCount }
    return requests
  }

  /// Counts the targets and requests of some digests by host, as if they were one digest.
  ///
  /// - Parameters:
  ///   - files: The digests.
  ///   - body: A function that is called with each host, the number of its distinct targets, and
  ///     the number of its requests, in the order of the hosts' bytes.
  /// - Throws: ``DigestFileError`` if a file is damaged.
  public static func forEachHost(
    of files: [DigestFile], _ body: (_ host: String, _ targets: Int, _ requests: Int) -> Void
  ) throws(DigestFileError) {
    var runs: [DigestRun] = []
    for file in files { runs.append(try file.run()) }
    guard let largest = runs.indices.max(by: { runs[$0].index.count < runs[$1].index.count })
    else { return }
    let main = runs.remove(at: largest)
    try main.forEachHost(besides: runs, body)
  }
}

extension DigestRun {
  /// Counts the targets and requests by host, each target once, in the order of the hosts' bytes.
  ///
  /// - Parameters:
  ///   - others: Other runs, which are read whole. Of this one, only blocks are read that have
  ///     targets of several hosts, or among whose targets are those of another run.
  ///   - body: A function that receives each host.
  /// - Throws: ``DigestFileError`` if a block that is read is damaged.
  func forEachHost(
    besides others: [DigestRun],
    _ body: (_ host: String, _ targets: Int, _ requests: Int) -> Void
  ) throws(DigestFileError) {
    var host: [UInt8]?
    var (targets, requests) = (0, 0)
    func finish() {
      if let host { body(String(decoding: host, as: UTF8.self), targets, requests) }
      (targets, requests) = (0, 0)
    }
    func add(_ newHost: [UInt8], targets newTargets: Int, requests newRequests: Int) {
      if newHost != host {
        finish()
        host = newHost
      }
      // A file that was made up can claim any sums.
      targets &+= newTargets
      requests &+= newRequests
    }
    func add(_ record: TargetRecord, targets: Int = 1) {
      add(record.key.host, targets: targets, requests: record.requestCount)
    }
    var names = ByteTable()
    var restNames = ByteTable()
    var rest = try RunMerge(TargetSources(runs: others))
    var hasRest = try rest.next(names: &restNames)
    var start = 0
    repeat {
      // A key that was cut doesn't show where its block begins.
      var end = start + 1
      while end < index.count, index[end].isCut { end += 1 }
      let blocks = index[min(start, index.count)..<min(end, index.count)]
      let upper = end < index.count ? index[end].key : nil
      func isBefore(_ key: TargetKey) -> Bool { upper.map { key < $0 } ?? true }
      if let host = blocks.first?.key.host, host == upper?.host,
        !(hasRest && isBefore(rest.record.key))
      {
        for block in blocks { add(host, targets: block.targetCount, requests: block.requests) }
      } else {
        var own = try RunMerge(
          TargetSources(runs: [self]), from: start > 0 ? blocks.first?.key : nil, to: upper)
        while try own.next(names: &names) {
          while hasRest, !(own.record.key < rest.record.key) {
            add(rest.record, targets: own.record.key == rest.record.key ? 0 : 1)
            hasRest = try rest.next(names: &restNames)
          }
          add(own.record)
        }
        while hasRest, isBefore(rest.record.key) {
          add(rest.record)
          hasRest = try rest.next(names: &restNames)
        }
      }
      start = end
    } while start < index.count
    finish()
  }
}
