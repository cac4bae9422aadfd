/// A compiled pattern of literals, `?` and `*`.
///
/// The stars cut the pattern into segments. The first is anchored at the start
/// of the text and the last at its end; each of the others is looked for from
/// where the one before it ended. The earliest place is always good enough,
/// because a star takes up whatever a later one would have skipped, so nothing
/// is ever tried twice.
struct Glob: Sendable {
  /// The segments, one after another, with ``anyScalar`` for `?`.
  private let bytes: [UInt8]

  /// Where each segment ends in ``bytes``; the last one is at the end.
  private let segmentEnds: [Int]

  /// A byte that UTF-8 never contains, in the place of `?`.
  private static let anyScalar: UInt8 = 0xFF

  /// The pattern of the empty text, which all that need no other share.
  static let empty = Glob()

  private init() { (bytes, segmentEnds) = ([], [0]) }

  /// Compiles a pattern, or returns `nil` if it has variables.
  init?(_ tokens: [PatternToken]) {
    var (bytes, ends): ([UInt8], [Int]) = ([], [])
    for token in tokens {
      switch token {
      case .literal(let literal): bytes += literal
      case .anyScalar: bytes.append(Self.anyScalar)
      case .anyRun: ends.append(bytes.count)
      case .variable: return nil
      }
    }
    self.bytes = bytes
    segmentEnds = ends + [bytes.count]
  }

  /// The common beginning and end of all texts that the pattern matches.
  var ends: (prefix: [UInt8], suffix: [UInt8]) {
    let last = segmentEnds.count > 1 ? segmentEnds[segmentEnds.count - 2] : bytes.count
    let prefix = bytes[..<segmentEnds[0]].prefix { $0 != Self.anyScalar }
    let suffix = bytes[last...].reversed().prefix { $0 != Self.anyScalar }.reversed()
    return (Array(prefix), Array(suffix))
  }

  /// Returns a Boolean value indicating whether this pattern matches all of
  /// `text`, which must be valid UTF-8.
  func matches(_ text: Span<UInt8>) -> Bool {
    guard var position = end(ofSegment: 0..<segmentEnds[0], at: 0, in: text) else { return false }
    guard segmentEnds.count > 1 else { return position == text.count }

    let last = segmentEnds[segmentEnds.count - 2]..<segmentEnds[segmentEnds.count - 1]
    guard let limit = start(ofSegment: last, endingAt: text.count, after: position, in: text) else {
      return false
    }
    var index = 1
    while index < segmentEnds.count - 1 {
      let segment = segmentEnds[index - 1]..<segmentEnds[index]
      guard let end = end(ofFirst: segment, from: position, to: limit, in: text) else {
        return false
      }
      position = end
      index += 1
    }
    return true
  }

  /// Returns where the segment ends if it begins at `start`, or `nil` if it
  /// doesn't match there.
  private func end(ofSegment segment: Range<Int>, at start: Int, in text: Span<UInt8>) -> Int? {
    var position = start
    var index = segment.lowerBound
    while index < segment.upperBound {
      guard position < text.count else { return nil }
      let expected = bytes[index]
      if expected == Self.anyScalar {
        position += text.scalarLength(at: position)
      } else {
        if text[position] != expected { return nil }
        position += 1
      }
      index += 1
    }
    return position
  }

  /// Returns where the segment begins if it ends at `end`, or `nil` if it
  /// doesn't match there or would begin before `minimum`.
  private func start(
    ofSegment segment: Range<Int>, endingAt end: Int, after minimum: Int, in text: Span<UInt8>
  ) -> Int? {
    var position = end
    var index = segment.upperBound - 1
    while index >= segment.lowerBound {
      guard position > minimum else { return nil }
      position -= 1
      if bytes[index] == Self.anyScalar {
        while position > minimum, text[position] & 0xC0 == 0x80 { position -= 1 }
      } else if text[position] != bytes[index] {
        return nil
      }
      index -= 1
    }
    return position
  }

  /// Returns the end of the first place between `start` and `limit` where the
  /// segment matches, or `nil` if there is none.
  private func end(
    ofFirst segment: Range<Int>, from start: Int, to limit: Int, in text: Span<UInt8>
  ) -> Int? {
    var position = start
    while position <= limit {
      if let end = end(ofSegment: segment, at: position, in: text), end <= limit { return end }
      guard position < limit else { return nil }
      position += text.scalarLength(at: position)
    }
    return nil
  }
}
