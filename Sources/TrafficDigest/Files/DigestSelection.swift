internal import AccessLogs
public import Foundations

/// The digests that count: each input once, and only digests with requests in a span of time.
public struct DigestSelection: Sendable {
  /// The digests that count, ascending by path.
  public private(set) var files: [DigestFile] = []

  /// Digests whose inputs are all in another one, with the path of that.
  public private(set) var repeated: [(path: String, other: String)] = []

  /// The inputs without lines of the repeated digests, which can't count twice.
  public private(set) var emptyInputs: [TrafficDigest.Input] = []

  /// Digests without requests in the span of time.
  public private(set) var outside: [DigestFile] = []

  /// A reason why digests can't be combined.
  public enum Conflict: Error, Hashable, Sendable {
    /// Two digests share an input, but each has other inputs, too, or read the input differently.
    case sharedInput(input: String, first: String, second: String)

    /// Some requests of a digest may be in the span of time, others not.
    case cut(path: String, times: ClosedRange<LogTime>?)
  }

  /// Selects digests.
  ///
  /// - Parameters:
  ///   - files: The digests.
  ///   - span: The span of time whose requests count.
  /// - Throws: ``Conflict`` if an input would count twice, or a digest is cut by the span.
  public init(_ files: [DigestFile], in span: TimeSpan) throws(Conflict) {
    let files = files.sorted { $0.path.precedesByBytes($1.path) }
    // The largest first, so that each is compared with those that can contain it.
    var kept: [(position: Int, keys: Set<TrafficDigest.Input>)] = []
    var owners: [ContentFingerprint: Int] = [:]
    let order = files.indices.sorted { one, other in
      let (first, second) = (files[one].inputs.count, files[other].inputs.count)
      return first != second ? first > second : one < other
    }
    for position in order {
      let file = files[position]
      if let same = kept.first(where: { files[$0.position].identity == file.identity }) {
        repeated.append((file.path, files[same.position].path))
        continue
      }
      let inputs = file.inputs.filter { $0.tally.lines > 0 }
      let shared = inputs.first { $0.content.flatMap { owners[$0] } != nil }
      if let shared, let owner = shared.content.flatMap({ owners[$0] }) {
        let known = kept[owner].keys
        guard inputs.allSatisfy({ $0.content != nil && known.contains($0.key) }) else {
          throw .sharedInput(
            input: shared.path, first: files[kept[owner].position].path, second: file.path)
        }
        repeated.append((file.path, files[kept[owner].position].path))
        emptyInputs += file.inputs.filter { $0.tally.lines == 0 }
        continue
      }
      for input in inputs { if let content = input.content { owners[content] = kept.count } }
      kept.append((position, Set(inputs.map(\.key))))
    }
    repeated.sort { $0 < $1 }
    for position in kept.map(\.position).sorted() {
      switch files[position].position(in: span) {
      case .inside: self.files.append(files[position])
      case .outside: outside.append(files[position])
      case .cut: throw .cut(path: files[position].path, times: files[position].times)
      }
    }
  }

  /// The input that is both a log read here and part of one of the digests.
  ///
  /// - Parameter digest: A digest of logs, with the fingerprints of their contents.
  /// - Returns: The conflict, or `nil` if there is none.
  public func conflict(with digest: TrafficDigest) -> Conflict? {
    var owners: [ContentFingerprint: String] = [:]
    for file in files {
      for input in file.inputs { if let content = input.content { owners[content] = file.path } }
    }
    for input in digest.inputs {
      if input.digest == nil, let content = input.content, let owner = owners[content] {
        return .sharedInput(input: input.path, first: owner, second: input.path)
      }
    }
    return nil
  }
}

extension TrafficDigest.Input {
  /// The fingerprint of a content that counts only once; empty contents never count.
  fileprivate var content: ContentFingerprint? { tally.lines > 0 ? fingerprint : nil }

  /// The content and how it was read; inputs that agree in both have the same counts.
  fileprivate var key: Self {
    var key = Self(path: "", format: format, settings: settings)
    (key.tally.lines, key.tally.requests) = (tally.lines, tally.requests)
    (key.tally.outside, key.fingerprint) = (tally.outside, content)
    return key
  }
}

// MARK: - Time

extension DigestFile {
  /// The position of a digest relative to a span of time.
  enum Position {
    case inside
    case outside
    case cut
  }

  /// The position of the requests of this digest relative to a span of time.
  func position(in span: TimeSpan) -> Position {
    if span.isUnlimited || summary.days.isEmpty { return .inside }
    let sides = [
      span.since.map { side(of: $0, isEnd: false) }, span.until.map { side(of: $0, isEnd: true) },
    ]
    .compactMap { $0 }
    // A request without a time is in no span with an end.
    if days.isEmpty || sides.contains(.outside) { return .outside }
    return sides.contains(.cut) || hasUndatedRequests ? .cut : .inside
  }

  /// The position of the requests with a time relative to one end of a span.
  private func side(of bound: TimeBound, isEnd: Bool) -> Position {
    guard let first = days.first, let last = days.last else { return .outside }
    // On the log's clock, only days are known, because clocks change their offsets.
    var (low, high) = (first.daysSince1970 * 86_400, last.daysSince1970 * 86_400 + 86_399)
    let limit: Int
    switch bound {
    case .clock(let shown): limit = shown
    case .moment(let moment):
      guard let times else { return .cut }
      (low, high) = (times.lowerBound.secondsSince1970, times.upperBound.secondsSince1970)
      limit = moment
    case .day:
      guard let times else { return .cut }
      let days = [times.lowerBound, times.upperBound].map { time in
        (bound.moment(offsetInMinutes: time.offsetInMinutes) + time.offsetInMinutes * 60)
          .flooredDivision(by: 86_400)
      }
      guard days[0] == days[1] else { return .cut }
      limit = days[0] * 86_400 + (isEnd ? 86_399 : 0)
    }
    if isEnd { return high <= limit ? .inside : low > limit ? .outside : .cut }
    return low >= limit ? .inside : high < limit ? .outside : .cut
  }
}
