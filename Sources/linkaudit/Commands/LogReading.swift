internal import AccessLogs
internal import ArgumentParser
internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import SystemPackage
internal import TrafficDigest

struct LogReading {
  let options: ReadingOptions
  var reduction: ReductionOptions

  /// Whether the logs are part of a larger set, so that it is no failure if none of them counts.
  var isPart = false

  /// Whether requests are judged by their hosts; a digest records that it has some without one.
  var needsHosts = true

  init(_ options: ReadingOptions, defaultHost: String?, sites: [String] = []) throws {
    self.options = options
    reduction = try options.reductionOptions(defaultHost: defaultHost)
    reduction.ownHosts += sites
  }

  func inputs(besides store: String? = nil) throws -> [LogInput] {
    let (logs, lists) = (options.logOptions.logs, options.logOptions.listOptions)
    let (found, problems) = try LogOptions.discover(
      logs, filesFrom: lists.filesFrom, what: "logs", standardInputName: lists.stdinName ?? "-",
      jobs: reduction.jobs)
    for problem in problems { problem.complain() }
    // People who list files know them.
    let files =
      lists.filesFrom.isEmpty
      ? StoreFiles.separated(found, named: logs) : (others: found, stores: [])
    for other in files.stores where !(store.map { OutputFile.isSamePlace($0, other) } ?? false) {
      warn(
        "'\(other)' is a store, not a log, and is skipped; to report on it, use 'linkaudit report "
          + "--store \(other.inCommand)'")
    }
    if files.others.isEmpty { throw Complaint("there is nothing to read") }
    try checkPattern(fits: files.others)
    return files.others
  }

  /// Complains if a pattern matches no log, because all logs would then count for one site.
  private func checkPattern(fits inputs: [LogInput]) throws(Complaint) {
    // The hosts of digests are fixed.
    let logs = inputs.lazy.filter { !$0.isStandardInput && !DigestReading.isDigest($0) }
    guard needsHosts, let pattern = reduction.hostPattern, let first = logs.first,
      let text = options.logOptions.hostOptions.hostFromPath,
      !logs.contains(where: { pattern.host(of: $0.path) != nil })
    else { return }
    throw Complaint(
      "'--host-from-path \(text)' fits no path of \(logs.count.counted("log")), such as "
        + "'\(first.path)'; write the last names of these paths, with '{host}', as in '{host}-access' "
        + "or '/srv/logs/{host}/'")
  }

  struct Outcome<Judged> {
    var digest: TrafficDigest
    var judged: Judged

    /// Whether some input could not be read whole, or too much of it is no request.
    var isIncomplete: Bool
  }

  func read<Judged>(
    _ inputs: [LogInput],
    judge: (TrafficDigest) throws(JudgingError) -> Judged
  ) throws -> Outcome<Judged> {
    var reduction = reduction
    let digests = try DigestReading(inputs, reduction)
    let sizes = digests.logs.map(\.size)
    let progress = Progress(
      total: sizes.contains(nil) ? nil : sizes.reduce(0) { $0 &+ ($1 ?? 0) },
      isQuiet: options.logOptions.workerOptions.quiet)
    defer { progress.finish() }
    // Logs could also be in one of the digests, or next to copies.
    if !digests.isEmpty || Self.maySayTheSame(digests.logs) { reduction.fingerprintsContent = true }
    let ownDigest =
      digests.logs.isEmpty
      ? .empty
      : try TrafficDigest.reduce(digests.logs, options: reduction) {
        progress.add(bytes: $0, lines: $1)
      }
    progress.finish()
    let digest = try digests.added(to: ownDigest)
    if let conflict = digests.selection.conflict(with: ownDigest) { throw conflict }
    let judged = try judge(digest)
    try options.rejectOptions.keep(digest)
    let isDamaged = try report(digest)
    let hasManyRejects = options.rejectOptions.exceeds(digest)
    if !isPart, digest.inputs.allSatisfy({ $0.damage?.isUnopened ?? false }) {
      throw Complaint("there is nothing to report: no log could be read")
    }
    let isEmpty = !isPart && digest.tally.requests == 0
    if isEmpty { warn("nothing was counted: \(reasonForNothing(in: digest))") }
    return Outcome(
      digest: digest, judged: judged, isIncomplete: isDamaged || hasManyRejects || isEmpty)
  }

  private func reasonForNothing(in digest: TrafficDigest) -> String {
    let tally = digest.tally
    if tally.outside > 0 {
      let times = options.timeOptions
      let bounds = [("--since", times.since), ("--until", times.until)].compactMap { name, value in
        value.map { "'\(name) \($0)'" }
      }
      return
        "\(tally.outside == 1 ? "the only request is" : "all \(tally.outside.counted("request")) are") "
        + "outside the time that \(bounds.listed) \(bounds.count == 1 ? "selects" : "select")"
    }
    if tally.lines > 0 {
      return
        "none of \(tally.lines.counted("line")) is a request; check with 'linkaudit formats test' "
        + "how they are read"
    }
    return
      "\(digest.inputs.count == 1 ? "the log is" : "the logs are") empty; check that the server "
      + "writes its access log here"
  }

  private static let unreadLimit = 3

  private func report(_ digest: TrafficDigest) throws -> Bool {
    let named = reduction.format
    var isDamaged = false
    let unread = digest.inputs.filter { !$0.unreadStart.isEmpty }
    for input in unread where DigestFile.isStart(input.unreadStart) {
      warn(
        "'\(input.path)' is a digest that does not count: it is compressed, comes from a pipe, or has "
          + "the name of a compressed file among very many; pass it as 'NAME.digest'")
    }
    let others = unread.filter { !DigestFile.isStart($0.unreadStart) }
    for input in others.prefix(Self.unreadLimit) {
      UnreadLog(path: input.path, start: input.unreadStart, named: named)
        .complain(isAmongLogs: digest.tally.requests > 0)
    }
    if others.count > Self.unreadLimit {
      warn("\((others.count - Self.unreadLimit).counted("more log")) cannot be read")
    }
    if !unread.isEmpty {
      // The requests of a skipped log or digest are missing. Error logs, association files and
      // documents have none, so they don't count as damage among others, unless their format was
      // named.
      isDamaged =
        named != nil || digest.tally.requests == 0 && !isPart
        || unread.contains { !UnreadLog.isForeign($0.unreadStart, path: $0.path) }
      // Reports show the damage and everything read before it.
      let isDamaged = digest.inputs.contains { $0.damage != nil }
      if !isPart, named != nil || !isDamaged, unread.count == digest.inputs.count,
        digest.tally.requests == 0
      {
        throw Complaint(
          "there is nothing to report: "
            + (named.map {
              $0 == .rows ? "no file has rows" : "no log is in the format '\($0.name)'"
            }
              ?? "no log could be read"))
      }
    }
    for input in digest.inputs {
      if let damage = input.damage {
        isDamaged = true
        damage.complain(about: input.shownName, lines: input.tally.lines)
      }
      if input.tally.lines > 0, input.tally.rejected == input.tally.lines,
        input.unreadStart.isEmpty, named != .rows
      {
        warn(
          "\(input.shownName): \(input.tally.lines.counted("line")) and no request; check with "
            + "'linkaudit formats test' that it is an access log")
      }
    }
    for input in digest.inputs where input.hasAmbiguousDates {
      Self.complainOfAmbiguousDates(input.shownName)
    }
    reportCopies(in: digest)
    let unlisted = digest.unlistedFetchRequests
    if unlisted > 0 {
      warn(
        "\(unlisted.counted("request")) for association files \(unlisted == 1 ? "counts" : "count") as "
          + "'\(TrafficDigest.Fetch.otherHosts)', because there are too many hosts to list; hosts with "
          + "the longest names are left out first")
    }
    return isDamaged
  }

  static func complainOfAmbiguousDates(_ name: String) {
    warn(
      "\(name): dates such as 10/06/2026 are ambiguous (month and day), so the requests count "
        + "without a day")
  }

  /// Whether some logs may be copies of others, by their names without the compression, or by
  /// their sizes.
  private static func maySayTheSame(_ logs: [LogInput]) -> Bool {
    var names: Set<Substring> = []
    var sizes: Set<Int> = []
    for log in logs {
      if let size = log.size, size > 0, !sizes.insert(size).inserted { return true }
      var name = log.path[...].split(separator: "/").last ?? ""
      if let ending = log.compressedEnding { name.removeLast(ending.count) }
      guard names.insert(name).inserted else { return true }
    }
    return false
  }

  private func reportCopies(in digest: TrafficDigest) {
    let inputs = digest.inputs
    // This keeps numbers instead of inputs, because there can be a hundred thousand.
    var known: [ContentFingerprint: Int] = [:]
    for (number, input) in inputs.enumerated() where input.tally.lines > 0 {
      guard let fingerprint = input.fingerprint else { continue }
      if let other = known[fingerprint] {
        warn("\(input.shownName) has the same content as \(inputs[other].shownName); both count")
      } else {
        known[fingerprint] = number
      }
    }
  }
}

extension LogDamage {
  func complain(about name: String, lines: Int) {
    let remedy: String? =
      switch kind {
      case .system(.noSuchFileOrDirectory) where name.contains("\u{FFFD}"):
        "its name is not UTF-8: rename it, or pass it on standard input, with '-'"
      case .system(let error): error.readingRemedy
      case .truncated: "if it is still being written or copied, read it again when it is complete"
      case .shortened: "read it again when no program truncates it"
      case .invalidData, .wrongChecksum, .trailingGarbage:
        "if it is a copy, copy it again from the original"
      case .outOfMemory: Errno.noMemory.readingRemedy
      default: nil
      }
    let kept =
      lines > 0 ? "; \(lines.counted("line")) before that \(lines == 1 ? "counts" : "count")" : ""
    warn("\(name): \(self)\(kept)" + (remedy.map { "; \($0)" } ?? ""))
  }
}

extension InputProblem {
  func complain() {
    switch self {
    case .emptyDirectory(let path):
      warn("the directory '\(path)' has no files, except hidden ones and those already named")
    case .noMatch(let path): warn("no file matches the pattern '\(path)'")
    case .sameFile(let path, let other):
      warn(
        path == other
          ? "'\(path)' is named twice; it is read once"
          : "'\(path)' is the same file as '\(other)'; it is read once")
    case .notRegular(let path):
      warn("'\(path)' is not a regular file, so it is skipped; to read a pipe, pass its own path")
    }
  }
}

extension TrafficDigest.Input {
  fileprivate var shownName: String {
    InputFile.name(of: path) + (digest.map { " in '\($0)'" } ?? "")
  }
}

/// The digests among the inputs, detected from their first bytes.
struct DigestReading {
  let logs: [LogInput]
  let selection: DigestSelection
  private let options: ReductionOptions

  init(_ inputs: [LogInput], _ options: ReductionOptions) throws {
    let marked = zip(inputs, Self.areDigests(inputs, jobs: options.jobs))
    try self.init(
      digests: marked.filter(\.1).map(\.0), logs: marked.filter { !$0.1 }.map(\.0), options)
  }

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

  static func isDigest(_ input: LogInput) -> Bool {
    input.size ?? 0 > 0 && DigestFile.isDigest(input.path)
  }

  private static func areDigests(_ inputs: [LogInput], jobs: Int) -> [Bool] {
    // Opening a hundred thousand files takes as long as reading two million lines. A digest with the
    // name of a compressed file among them is reported when it is read as a log.
    let opensAll = inputs.count <= 1_000
    var areDigests = inputs.mapInParallel(jobs: min(jobs, inputs.count / 64)) { input in
      (opensAll || input.compressedEnding == nil) && isDigest(input)
    }
    // One that was never written would pass for a log without a line.
    func ending(of input: LogInput) -> String { FilePath(input.path).extension ?? "" }
    let endings = Set(zip(inputs, areDigests).filter(\.1).map { ending(of: $0.0) })
    for (number, input) in inputs.enumerated() where input.size == 0 && !input.isStandardInput {
      areDigests[number] =
        DigestFile.isUsualName(input.path) || endings.contains(ending(of: input))
    }
    return areDigests
  }

  var isEmpty: Bool { selection.files.isEmpty && selection.outside.isEmpty }

  func added(to digest: TrafficDigest) throws(DigestFileError) -> TrafficDigest {
    if isEmpty { return digest }
    return try digest.adding(
      selection.files, outside: selection.outside, emptyInputs: selection.emptyInputs,
      jobs: options.jobs, temporaryDirectory: options.temporaryDirectory)
  }
}

extension Complaint {
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
