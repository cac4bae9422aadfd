internal import AccessLogs
internal import Foundations
internal import SystemPackage
internal import TrafficDigest

/// The digests among the inputs, detected from their first bytes.
struct DigestReading {
  /// The inputs that aren't digests.
  let logs: [LogInput]

  private let selection: DigestSelection
  private let options: ReductionOptions

  /// Separates digests from logs, opens them, and says on standard error which of them don't
  /// count.
  init(_ inputs: [LogInput], _ options: ReductionOptions) throws {
    let areDigests = Self.areDigests(inputs, jobs: options.jobs)
    try self.init(
      digests: zip(inputs, areDigests).filter(\.1).map(\.0),
      logs: zip(inputs, areDigests).filter { !$0.1 }.map(\.0), options)
  }

  /// Opens digests, and reports on standard error which of them count only once.
  init(digests: [LogInput], logs: [LogInput] = [], _ options: ReductionOptions) throws {
    (self.logs, self.options) = (logs, options)
    do {
      selection = try DigestSelection(
        try digests.map { try DigestFile(opening: $0.path) }, in: options.timeSpan)
    } catch let error as DigestFileError where error.reason == .notDigest {
      throw Complaint("\(error); make one from logs with 'linkaudit digest'")
    }
    for (path, other) in selection.repeated {
      warn("the digest '\(other)' contains all logs of '\(path)'; they count once")
    }
    for file in selection.outside {
      warn("the digest '\(file.path)' has no request in the selected time")
    }
  }

  /// The number of inputs above which those with the name of a compressed file aren't opened to see
  /// whether they are digests.
  ///
  /// Opening a hundred thousand files takes as long as reading two million lines. A digest among
  /// them is reported when it is read as a log.
  private static let openedCount = 1_000

  static func isDigest(_ input: LogInput) -> Bool {
    input.size ?? 0 > 0 && DigestFile.isDigest(input.path)
  }

  private static func areDigests(_ inputs: [LogInput], jobs: Int) -> [Bool] {
    let opensAll = inputs.count <= openedCount
    var areDigests = inputs.mapInParallel(jobs: min(jobs, inputs.count / 64)) { input in
      (opensAll || input.compressedEnding == nil) && isDigest(input)
    }
    // One that was never written would pass for a log without a line.
    let endings = Set(zip(inputs, areDigests).filter(\.1).map { ending(of: $0.0) })
    for (number, input) in inputs.enumerated() where input.size == 0 && !input.isStandardInput {
      areDigests[number] =
        DigestFile.isUsualName(input.path) || endings.contains(ending(of: input))
    }
    return areDigests
  }

  /// Returns the ending of a name after its last full stop; empty if there is none.
  private static func ending(of input: LogInput) -> String {
    FilePath(input.path).extension ?? ""
  }

  /// A Boolean value indicating whether no digest counts.
  var isEmpty: Bool { selection.files.isEmpty && selection.outside.isEmpty }

  /// The number of bytes of the digests that count.
  var byteCount: Int { selection.files.reduce(0) { $0 + $1.size } }

  /// Returns the conflict of a log that is also in one of the digests, or `nil`.
  func conflict(with digest: TrafficDigest) -> DigestSelection.Conflict? {
    selection.conflict(with: digest)
  }

  /// Adds the digests to the digest of the logs.
  func added(to digest: TrafficDigest) throws(DigestFileError) -> TrafficDigest {
    if isEmpty { return digest }
    return try digest.adding(
      selection.files, outside: selection.outside, emptyInputs: selection.emptyInputs,
      jobs: options.jobs, temporaryDirectory: options.temporaryDirectory)
  }
}

extension Complaint {
  /// Explains a conflict between digests, with its remedy.
  init(_ conflict: DigestSelection.Conflict) {
    switch conflict {
    case .sharedInput(let input, let first, let second) where input == second:
      self.init(
        "the log '\(input)' is also in the digest '\(first)', and would count twice; leave one of "
          + "them out")
    case .sharedInput(let input, let first, let second):
      self.init(
        "the log '\(input)' is in the digests '\(first)' and '\(second)', and would count twice; "
          + "leave one of them out, or make one digest of all logs")
    case .cut(let path, let times):
      let span = times.map { " (\($0.lowerBound) to \($0.upperBound))" } ?? ""
      self.init(
        "the digest '\(path)'\(span) is only partly in the selected time, and can't be divided; "
          + "leave out '--since' and '--until', or pass its logs or a digest for each day")
    }
  }
}
