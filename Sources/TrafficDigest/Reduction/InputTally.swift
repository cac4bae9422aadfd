public import AccessLogs

/// The lines of an input, or of a part of it.
public struct LineTally: Hashable, Sendable {
  /// The number of lines.
  public var lines = 0

  /// The number of lines that are requests in the span of time that was asked for.
  public var requests = 0

  /// The number of lines that are requests outside the span of time that was asked for.
  public var outside = 0

  /// The number of requests whose user agent seems to be in another field than the one that was
  /// read: the line holds `Mozilla/`, with which browsers' names begin, and the field doesn't.
  public var misplacedAgents = 0

  /// The number of requests, also outside the span of time, whose time isn't understood although
  /// the line has one, or its format.
  public var unreadTimes = 0

  /// Creates a tally.
  public init(lines: Int = 0, requests: Int = 0, outside: Int = 0) {
    (self.lines, self.requests, self.outside) = (lines, requests, outside)
  }

  /// The number of lines that aren't requests.
  public var rejected: Int { lines - requests - outside }

  /// A Boolean value indicating whether so many user agents seem to be in other fields that the
  /// format is probably another one.
  ///
  /// Scanners send what looks like it, so a few don't count.
  public var hasMisplacedAgents: Bool { misplacedAgents * 8 > requests }

  /// The number of requests from which on times that aren't understood say something of a format.
  public static let timedRequests = 10

  /// A Boolean value indicating whether the times of (nearly) all requests aren't understood, so that
  /// the format is probably another one.
  public var lacksTimes: Bool {
    let requests = requests + outside
    return requests >= Self.timedRequests && unreadTimes * 8 > requests * 7
  }

  /// A Boolean value indicating whether the format is probably another one.
  public var isMisread: Bool { hasMisplacedAgents || lacksTimes }

  /// Adds lines.
  public static func += (sum: inout LineTally, tally: LineTally) {
    sum.lines += tally.lines
    sum.requests += tally.requests
    sum.outside += tally.outside
    sum.misplacedAgents += tally.misplacedAgents
    sum.unreadTimes += tally.unreadTimes
  }
}

/// A rejected line, and its position.
public struct RejectedLine: Hashable, Sendable {
  /// Why it isn't one.
  public var reason: RejectionReason

  /// The path of its input.
  public var path: String

  /// Its number in the input, from 1.
  public var line: Int

  /// The number of bytes of the input, decompressed, before it.
  public var offset: Int

  /// Creates the place of a line.
  public init(reason: RejectionReason, path: String, line: Int, offset: Int) {
    (self.reason, self.path, self.line, self.offset) = (reason, path, line, offset)
  }
}

/// The counts and examples of rejected lines.
struct RejectionTally: Sendable {
  /// The number of lines of each reason that are kept as examples.
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

  /// The number of lines by the number of the reason.
  private var lines = [Int](repeating: 0, count: RejectionReason.allCases.count)

  /// The first places by the number of the reason, in the order of the inputs.
  private var places = [[Place]](repeating: [], count: RejectionReason.allCases.count)

  /// The number of lines by reason.
  var counts: [RejectionReason: Int] {
    Dictionary(
      uniqueKeysWithValues: RejectionReason.allCases.compactMap { reason in
        lines[reason.number] == 0 ? nil : (reason, lines[reason.number])
      })
  }

  /// The first places of each reason in the order of the inputs.
  var examples: [RejectionReason: [Place]] {
    Dictionary(
      uniqueKeysWithValues: RejectionReason.allCases.compactMap { reason in
        places[reason.number].isEmpty ? nil : (reason, places[reason.number])
      })
  }

  mutating func add(_ reason: RejectionReason, at place: Place) {
    lines[reason.number] += 1
    addExample(place, of: reason)
  }

  /// Counts lines whose places are of no use, as there are earlier ones.
  mutating func add(_ reason: RejectionReason, lines count: Int) { lines[reason.number] += count }

  /// Returns a Boolean value indicating whether a reason has all its examples, and all of them
  /// stand before a place.
  func hasExamples(of reason: RejectionReason, before place: Place) -> Bool {
    let known = places[reason.number]
    guard known.count >= Self.exampleLimit, let last = known.last else { return false }
    return last < place
  }

  private mutating func addExample(_ place: Place, of reason: RejectionReason) {
    guard !hasExamples(of: reason, before: place) else { return }
    places[reason.number].append(place)
    places[reason.number].sort()
    if places[reason.number].count > Self.exampleLimit { places[reason.number].removeLast() }
  }

  mutating func merge(_ other: RejectionTally) {
    for reason in RejectionReason.allCases {
      lines[reason.number] += other.lines[reason.number]
      for place in other.places[reason.number] { addExample(place, of: reason) }
    }
  }
}

extension RejectionReason {
  /// The position among all reasons.
  fileprivate var number: Int {
    switch self {
    case .emptyLine: 0
    case .lineTooLong: 1
    case .heading: 2
    case .noFields: 3
    case .noRequest: 4
    case .noTarget: 5
    case .noStatus: 6
    case .severalRequests: 7
    case .partialLine: 8
    case .noCount: 9
    }
  }
}
