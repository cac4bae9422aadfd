internal import AccessLogs
internal import Foundations

/// The rejected lines of one chunk, as consecutive bytes.
///
/// For each line, they hold its number in the chunk, its offset in the input, its reason, its
/// length, and the line.
struct RejectedLinePiece: Sendable {
  fileprivate(set) var bytes: [UInt8] = []

  mutating func add(
    _ line: Span<UInt8>, _ reason: RejectionReason, at place: RejectionTally.Place
  ) {
    bytes.append(variableLength: UInt64(place.line))
    bytes.append(variableLength: UInt64(place.offset))
    bytes.append(variableLength: UInt64(RejectionReason.allCases.firstIndex(of: reason) ?? 0))
    bytes.append(counted: line)
  }

  /// Reads the next line.
  fileprivate static func next(
    in bytes: [UInt8], _ reader: inout PayloadReader
  ) -> (line: Int, offset: Int, reason: RejectionReason, content: Range<Int>)? {
    let bytes = bytes.span
    guard !reader.isAtEnd else { return nil }
    let (line, offset) = (Int(reader.number(bytes)), Int(reader.number(bytes)))
    let reason = Int(reader.number(bytes))
    let content = reader.range(count: reader.count(bytes))
    guard reader.isValid, reason < RejectionReason.allCases.count else { return nil }
    return (line, offset, RejectionReason.allCases[reason], content)
  }
}

/// The rejected lines of all workers, in a temporary file.
final class RejectedLineSpool: Sendable {
  /// Where the lines of a chunk are in the file.
  private struct Place {
    var input: Int
    var chunk: Int
    var start: Int
    var count: Int
  }

  private struct State {
    var places: [Place] = []
    var end = 0
    var failure: DigestFileError?
  }

  private let file: RandomAccessFile
  private let state = Locked(State())

  init(_ file: RandomAccessFile) { self.file = file }

  /// Adds the lines of a chunk, and empties the buffer.
  func add(_ piece: inout RejectedLinePiece, input: Int, chunk: Int) {
    guard !piece.bytes.isEmpty else { return }
    let count = piece.bytes.count
    let start = state.withLock { state in
      state.places.append(Place(input: input, chunk: chunk, start: state.end, count: count))
      state.end += count
      return state.end - count
    }
    do throws(DigestFileError) {
      try file.write(piece.bytes, at: start)
    } catch {
      state.withLock { $0.failure = $0.failure ?? error }
    }
    piece.bytes.removeAll(keepingCapacity: true)
  }

  /// Throws the error that prevented lines from being written.
  func check() throws(DigestFileError) {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  /// Calls `body` with each line and its place in the chunk, ordered by input and chunk.
  func readLines(
    _ body: (_ place: RejectionTally.Place, _ reason: RejectionReason, _ line: [UInt8]) throws ->
      Void
  ) throws {
    let places = state.withLock { $0.places }
      .sorted { ($0.input, $0.chunk) < ($1.input, $1.chunk) }
    var buffer: [UInt8] = []
    for place in places {
      try file.read(into: &buffer, count: place.count, at: place.start)
      var reader = PayloadReader(0..<place.count)
      while let next = RejectedLinePiece.next(in: buffer, &reader) {
        try body(
          RejectionTally.Place(
            input: place.input, chunk: place.chunk, line: next.line, offset: next.offset),
          next.reason, Array(buffer[next.content]))
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

/// The rejected lines of a digest, and the numbers that they have in their inputs.
struct KeptLines: Sendable {
  var spool: RejectedLineSpool
  var numbers: LineNumbers
}

/// The number of lines before each chunk of each input.
struct LineNumbers {
  /// The number of lines before each chunk, by input.
  private var starts: [Int: [Int]] = [:]

  /// The paths of the inputs by number.
  private let paths: [String]

  /// Creates the numbers of lines in inputs.
  ///
  /// - Parameters:
  ///   - tallies: The chunks of the inputs.
  ///   - paths: The paths of all inputs by number.
  init(_ tallies: [ChunkTally], paths: [String]) {
    self.paths = paths
    var lines: [Int: [Int: Int]] = [:]
    for tally in tallies { lines[tally.input, default: [:]][tally.chunk] = tally.lines }
    for (input, lines) in lines {
      var (sum, sums) = (0, [Int]())
      for chunk in 0...(lines.keys.max() ?? 0) {
        sums.append(sum)
        sum += lines[chunk] ?? 0
      }
      starts[input] = sums
    }
  }

  /// Returns the rejected line at a place.
  func line(_ reason: RejectionReason, at place: RejectionTally.Place) -> RejectedLine {
    let sums = starts[place.input] ?? []
    let linesBefore = sums.indices.contains(place.chunk) ? sums[place.chunk] : 0
    return RejectedLine(
      reason: reason, path: paths[place.input], line: linesBefore + place.line,
      offset: place.offset)
  }
}
