internal import AccessLogs
internal import TrafficDigest

/// The digests among what is to be read, told by their first bytes.
struct DigestReading {
  /// What isn't a digest.
  let logs: [LogInput]

  private let selection: DigestSelection
  private let options: ReductionOptions

  /// Tells digests from logs, opens them, and says on standard error which of them don't
  /// count.
  ///
  /// - Throws: ``Complaint`` if one can't be read, or an input would count twice.
  init(_ inputs: [LogInput], _ options: ReductionOptions) throws {
    self.options = options
    let areDigests = Self.areDigests(inputs, jobs: options.jobs)
    logs = zip(inputs, areDigests).filter { !$0.1 }.map(\.0)
    do {
      let files = try zip(inputs, areDigests).filter(\.1).map {
        try DigestFile(opening: $0.0.path)
      }
      selection = try DigestSelection(files, in: options.timeSpan)
    } catch let error as DigestFileError {
      throw Complaint(error)
    } catch let conflict as DigestSelection.Conflict {
      throw Complaint(conflict)
    }
    for (path, other) in selection.repeated {
      StandardStreams.complain(
        "the inputs of the digest '\(path)' are all in '\(other)'; they count once")
    }
    for file in selection.outside {
      StandardStreams.complain(
        "the digest '\(file.path)' has no request in the time asked for")
    }
  }

  /// A file that is smaller is no digest.
  private static let leastSize = 48

  private static func areDigests(_ inputs: [LogInput], jobs: Int) -> [Bool] {
    // Opening many files takes a while.
    let counter = WorkCounter(upTo: inputs.count)
    let found = inParallel(jobs: min(jobs, max(1, inputs.count / 64))) { _ in
      var own: [Int] = []
      while let number = counter.draw() {
        let input = inputs[number]
        if input.size ?? 0 >= leastSize, DigestFile.isDigest(input.path) { own.append(number) }
      }
      return own
    }
    var areDigests = Array(repeating: false, count: inputs.count)
    for number in found.joined() { areDigests[number] = true }
    return areDigests
  }

  /// A Boolean value indicating whether no digest counts.
  var isEmpty: Bool { selection.files.isEmpty && selection.outside.isEmpty }

  /// Says that a log is in one of the digests, too, or returns `nil` if none is.
  func conflict(with digest: TrafficDigest) -> Complaint? {
    selection.conflict(with: digest).map { Complaint($0) }
  }

  /// Adds the digests to what was made of the logs.
  func added(to digest: TrafficDigest) throws(DigestFileError) -> TrafficDigest {
    if isEmpty { return digest }
    return try digest.adding(
      selection.files, outside: selection.outside, jobs: options.jobs,
      temporaryDirectory: options.temporaryDirectory)
  }
}

extension Complaint {
  /// Says why digests can't be taken together, and what to do.
  fileprivate init(_ conflict: DigestSelection.Conflict) {
    switch conflict {
    case .sharedInput(let input, let first, let second) where input == second:
      self.init(
        "the log '\(input)' is an input of the digest '\(first)', too, and would count twice; "
          + "leave one of them out")
    case .sharedInput(let input, let first, let second):
      self.init(
        "the log '\(input)' is an input of both '\(first)' and '\(second)', and would count "
          + "twice; leave one of them out, or make one digest of all logs")
    case .cut(let path, let times):
      let span = times.map { " (\($0.lowerBound) to \($0.upperBound))" } ?? ""
      self.init(
        "the digest '\(path)'\(span) lies only partly in the time asked for, and a digest counts "
          + "whole; leave out '--since' and '--until', or name its logs, or a digest for each day")
    }
  }
}
