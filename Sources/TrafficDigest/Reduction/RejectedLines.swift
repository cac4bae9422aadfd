public import AccessLogs
internal import Foundations

/// A rejected line, and its position.
public struct RejectedLine: Codable, Hashable, Sendable {
  /// The reason.
  public var reason: RejectionReason

  /// The path of its input.
  public var path: String

  /// The line number in the input, from 1.
  public var line: Int

  /// The number of decompressed bytes of the input before it.
  public var offset: Int

  /// Creates the place of a line.
  public init(reason: RejectionReason, path: String, line: Int, offset: Int) {
    (self.reason, self.path, self.line, self.offset) = (reason, path, line, offset)
  }
}

/// The rejected lines of a chunk by reason, and examples of all.
struct RejectionTally: Sendable {
  /// The number of example lines of each reason.
  static let exampleLimit = 3

  /// The place of a line: by input, by chunk, and by line in the chunk.
  struct Place: Hashable, Comparable, Sendable {
    var input: Int
    var chunk: Int
    var line: Int

    /// The number of bytes of the input before the line.
    var offset: Int

    static func < (first: Place, second: Place) -> Bool {
      (first.input, first.chunk, first.line) < (second.input, second.chunk, second.line)
    }
  }

  /// The number of lines of the current chunk by the number of the reason.
  private var lines = [Int](repeating: 0, count: RejectionReason.allCases.count)

  /// The first places by the number of the reason, in the order of the inputs.
  private var places = [[Place]](repeating: [], count: RejectionReason.allCases.count)

  /// Returns the number of lines by reason since the last call.
  mutating func takeCounts() -> [RejectionReason: Int] {
    var counts: [RejectionReason: Int] = [:]
    for reason in RejectionReason.allCases where lines[reason.number] > 0 {
      counts[reason] = exchange(&lines[reason.number], with: 0)
    }
    return counts
  }

  /// The first places of a reason in the order of the inputs.
  func examples(of reason: RejectionReason) -> [Place] { places[reason.number] }

  mutating func add(_ reason: RejectionReason, at place: Place) {
    lines[reason.number] += 1
    addExample(place, of: reason)
  }

  /// Counts lines whose places aren't needed, because there are earlier ones.
  mutating func add(_ reason: RejectionReason, lines count: Int) { lines[reason.number] += count }

  /// Returns a Boolean value indicating whether a reason has all its examples, none of them after a
  /// place.
  func hasExamples(of reason: RejectionReason, upTo place: Place) -> Bool {
    let known = places[reason.number]
    guard known.count >= Self.exampleLimit, let last = known.last else { return false }
    return last <= place
  }

  private mutating func addExample(_ place: Place, of reason: RejectionReason) {
    guard !hasExamples(of: reason, upTo: place) else { return }
    places[reason.number].append(place)
    places[reason.number].sort()
    if places[reason.number].count > Self.exampleLimit { places[reason.number].removeLast() }
  }

  mutating func addExamples(_ other: RejectionTally) {
    for reason in RejectionReason.allCases {
      for place in other.examples(of: reason) { addExample(place, of: reason) }
    }
  }
}

extension RejectionReason {
  /// The position of the reason among all reasons.
  fileprivate var number: Int {
    switch self {
    case .emptyLine: 0
    case .lineTooLong: 1
    case .heading: 2
    case .noFields: 3
    case .noRequest: 4
    case .noTarget: 5
    case .noStatus: 6
    case .partialLine: 7
    case .severalRequests: 8
    case .noCount: 9
    }
  }
}

// MARK: - Spool

extension [UInt8] {
  /// Appends a line as ``RejectedLineSpool`` keeps it.
  mutating func append(
    _ line: Span<UInt8>, _ reason: RejectionReason, at place: RejectionTally.Place
  ) {
    append(variableLength: UInt64(place.line))
    append(variableLength: UInt64(place.offset))
    append(variableLength: UInt64(reason.number))
    append(counted: line)
  }
}

/// The rejected lines of all workers, in a temporary file.
///
/// Those of a chunk are consecutive. For each line, the file holds its number in the chunk, its
/// offset in the input, its reason, its length, and the line.
final class RejectedLineSpool: Sendable {
  private let file: RandomAccessFile

  /// Where the lines of each chunk are in the file, and the error that prevented some from being
  /// written.
  private let places = Locked<[(input: Int, chunk: Int, range: Range<Int>)]>([])
  private let failure = Locked<DigestFileError?>(nil)

  init(_ file: RandomAccessFile) { self.file = file }

  /// Adds the lines of a chunk, and empties the buffer.
  func add(_ lines: inout [UInt8], input: Int, chunk: Int) {
    guard !lines.isEmpty else { return }
    let count = lines.count
    let start = places.withLock { places in
      let start = places.last?.range.upperBound ?? 0
      places.append((input, chunk, start..<(start + count)))
      return start
    }
    do throws(DigestFileError) {
      try file.write(lines, at: start)
    } catch {
      failure.withLock { $0 = $0 ?? error }
    }
    lines.removeAll(keepingCapacity: true)
  }

  /// Throws the error that prevented lines from being written.
  func check() throws(DigestFileError) {
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// Calls `body` with each line and its place in the chunk, ordered by input and chunk.
  func readLines(
    _ body: (_ place: RejectionTally.Place, _ reason: RejectionReason, _ line: [UInt8]) throws ->
      Void
  ) throws {
    let places = places.withLock { $0 }.sorted { ($0.input, $0.chunk) < ($1.input, $1.chunk) }
    var buffer: [UInt8] = []
    for (input, chunk, range) in places {
      try file.read(into: &buffer, count: range.count, at: range.lowerBound)
      var reader = PayloadReader(0..<range.count)
      while !reader.isAtEnd {
        let line = Int(reader.number(buffer.span))
        let offset = Int(reader.number(buffer.span))
        let reason = Int(reader.number(buffer.span))
        let content = reader.range(count: reader.count(buffer.span))
        guard reader.isValid, reason < RejectionReason.allCases.count else { break }
        try body(
          RejectionTally.Place(input: input, chunk: chunk, line: line, offset: offset),
          RejectionReason.allCases[reason], Array(buffer[content]))
      }
    }
  }
}

extension TrafficDigest {
  /// Calls `body` with each rejected line in the order of the inputs, if
  /// ``ReductionOptions/keepsRejectedLines`` was set.
  ///
  /// - Throws: ``DigestFileError`` if the temporary file can't be read, and any error of `body`.
  public func forEachRejectedLine(
    _ body: (_ place: RejectedLine, _ line: [UInt8]) throws -> Void
  ) throws {
    guard let keptLines else { return }
    try keptLines.spool.readLines { place, reason, line in
      try body(keptLines.numbers.line(reason, at: place), line)
    }
  }
}

/// The number of lines before each chunk of each input.
struct LineNumbers {
  /// The number of lines before each chunk, by input.
  private var starts: [Int: [Int]] = [:]

  /// The paths of the inputs by number.
  private let paths: [String]

  /// Creates the numbers from the chunks of inputs, the paths of all inputs, and the numbers of
  /// their lines before all chunks, if there are any.
  init(_ chunks: [WorkerCounts.Chunk], paths: [String], _ before: [Int]) {
    self.paths = paths
    var ends: [Int: Int] = [:]
    for (input, _, lines) in chunks.sorted(by: { ($0.input, $0.chunk) < ($1.input, $1.chunk) }) {
      let start = ends[input] ?? (before.isEmpty ? 0 : before[input])
      starts[input, default: []].append(start)
      ends[input] = start + lines
    }
  }

  private func linesBefore(_ chunk: Int, of input: Int) -> Int {
    let sums = starts[input] ?? []
    return sums.indices.contains(chunk) ? sums[chunk] : 0
  }

  func line(_ reason: RejectionReason, at place: RejectionTally.Place) -> RejectedLine {
    RejectedLine(
      reason: reason, path: paths[place.input],
      line: linesBefore(place.chunk, of: place.input) + place.line, offset: place.offset)
  }

  /// Numbers the lines of doubts within their input rather than within their chunk.
  func number(_ doubts: inout [FormatReview.Doubt], of input: Int) {
    for index in doubts.indices {
      guard let chunk = doubts[index].chunk.take() else { continue }
      doubts[index].line += linesBefore(chunk, of: input)
    }
  }
}
