public import AccessLogs
public import Foundations
public import LinkAuditing
public import TrafficDigest

/// How logs are taken into a store.
public struct IngestOptions: Sendable {
  /// How logs are reduced.
  public var reduction: ReductionOptions

  /// How daily figures are judged.
  public var audit: AuditOptions

  /// The association files that are in force now.
  public var deployed: [DeployedFile] = []

  /// The day from which they are in force, or `nil` for today.
  public var deployedSince: Day?

  /// The routes of the apps, by host.
  public var routes: [String: RouteTable] = [:]

  /// The number of days that are kept, or `nil` for all.
  public var keptDays: Int?

  /// The number of bytes of logs, as they are stored, that are read between two commits.
  public var batchSize = IngestOptions.defaultBatchSize

  /// The batch size by default: 4 GiB, which is a minute or two of work.
  public static let defaultBatchSize = 4 << 30

  /// The number of logs in a batch at most.
  static let batchCount = 10_000

  /// Creates options.
  public init(reduction: ReductionOptions, audit: AuditOptions) {
    (self.reduction, self.audit) = (reduction, audit)
  }
}

/// An association file as it was read.
public struct DeployedFile: Sendable {
  /// The host.
  public var host: String

  /// Where it was read from, for people.
  public var path: String

  /// Its bytes.
  public var content: [UInt8]

  /// Creates a file.
  public init(host: String, path: String, content: [UInt8]) {
    (self.host, self.path, self.content) = (host.lowercased(), path, content)
  }
}

/// An association file that took the place of another one with the same first day.
public struct FileReplacement: Sendable {
  /// The host.
  public var host: String

  /// Where it was read from, and where the other one was, for people.
  public var path: String
  public var replacedPath: String

  /// The first day of both.
  public var day: Day

  /// A Boolean value indicating whether it is the first one of the host, which holds for all days
  /// before, too.
  public var isFirst: Bool
}

/// The result of taking logs into a store.
public struct IngestOutcome: Sendable {
  /// The number of files, and of those with lines that hadn't been counted.
  public var files = 0
  public var newFiles = 0

  /// The new lines.
  public var tally = LineTally()

  /// The days whose figures have changed, ascending; `nil` is for requests without a time.
  public var days: [Day?] = []

  /// The days that were removed, as they were older than what is kept, ascending.
  public var removedDays: [Day?] = []

  /// The association files that took the place of others.
  public var replacements: [FileReplacement] = []

  /// The messages about logs.
  public var notes: [IngestNote] = []

  /// Creates the outcome of nothing.
  public init() {}

  /// A Boolean value indicating whether some log could not be read whole.
  public var isIncomplete: Bool {
    notes.contains { note in
      switch note.kind {
      case .damaged, .unsupported, .unsteady, .unfit, .misread, .nameless: true
      case .unread, .unfinished, .copy, .twin, .alike, .diverged, .ambiguousDates: false
      }
    }
  }
}

/// A message about a log.
public struct IngestNote: Sendable {
  /// The kinds of notes.
  public enum Kind: Sendable {
    /// It could not be read whole; so many lines before that count.
    case damaged(LogDamage, lines: Int)

    /// It can't be read a second time, as a pipe can't.
    case unsupported

    /// It changed while it was read, again and again, and was left for the next run.
    case unsteady

    /// No format fits it, or not the one that was named; its beginning.
    case unread(start: [UInt8])

    /// None of its lines is a request in the format with that name, or in any if none was named;
    /// it was left out. Its beginning, if no line has the form of the format.
    case unfit(lines: Int, format: String?, start: [UInt8])

    /// The format with that name, which was detected from its lines, is probably wrong: no time is
    /// understood, or user agents seem to be in another field. It was left out.
    case misread(format: String, lacksTimes: Bool)

    /// Its requests count without a day, as either number of their days can be the month.
    case ambiguousDates

    /// Its lines have no field for a host, and no option names one; it was left out.
    case nameless

    /// It is a beginning of a log that counts already, and shorter.
    case copy(of: String)

    /// It holds all lines of a log that counts already, and so does another file, with this path:
    /// those lines count once.
    case twin(of: String)

    /// It begins with the same lines as another log, with this path, and goes on in another way: all
    /// lines of both count.
    case alike(String)

    /// It holds no whole line yet, so that none counts.
    case unfinished

    /// It is a log that counts already, but its end was replaced by other lines; the place is not
    /// known to the line.
    case diverged(from: String)
  }

  /// The path of the log.
  public var path: String

  /// The kind of message.
  public var kind: Kind
}
