public import AccessLogs

/// The lines of an input, or of a part of it.
public struct LineTally: Hashable, Sendable {
  /// The number of lines.
  public var lines = 0

  /// The number of requests in the requested span of time.
  public var requests = 0

  /// The number of requests outside the requested span of time.
  public var outside = 0

  /// The number of requests whose user agent seems to be in another field than the one that was
  /// read.
  ///
  /// In these, the line contains `Mozilla/`, with which browsers' agents begin, but the field
  /// doesn't.
  public var misplacedAgents = 0

  /// The number of requests, in or outside the span of time, with an unreadable time.
  ///
  /// In these, the line or its format has a time.
  public var unreadTimes = 0

  /// The number of lines that aren't requests but name a browser on a device of Apple.
  public var rejectedAppleLines = 0

  /// Creates a tally.
  public init(lines: Int = 0, requests: Int = 0, outside: Int = 0) {
    (self.lines, self.requests, self.outside) = (lines, requests, outside)
  }

  /// The number of lines that aren't requests.
  public var rejected: Int { lines - requests - outside }

  /// A Boolean value indicating whether so many user agents seem to be in other fields that the
  /// format is probably another one.
  ///
  /// A few don't count, because scanners send similar lines.
  public var hasMisplacedAgents: Bool { misplacedAgents * 8 > requests }

  /// The minimum number of requests for conclusions from unreadable times.
  public static let timedRequests = 10

  /// A Boolean value indicating whether (nearly) all times are unreadable, so that the format is
  /// probably another one.
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
    sum.rejectedAppleLines += tally.rejectedAppleLines
  }
}

/// A rejected line, and its position.
public struct RejectedLine: Hashable, Sendable {
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

/// The counts and examples of rejected lines.
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

  /// Counts lines whose places aren't needed, because there are earlier ones.
  mutating func add(_ reason: RejectionReason, lines count: Int) { lines[reason.number] += count }

  /// Returns a Boolean value indicating whether a reason has all its examples, all of them before a
  /// place.
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
    case .severalRequests: 7
    case .partialLine: 8
    case .noCount: 9
    }
  }
}
