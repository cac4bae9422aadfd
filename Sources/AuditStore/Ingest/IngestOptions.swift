public import AccessLogs
public import Foundations
public import LinkAuditing
public import TrafficDigest

/// The options for adding logs to a store.
public struct IngestOptions: Sendable {
  /// The options for reducing logs.
  public var reduction: ReductionOptions

  /// The options for judging daily figures.
  public var audit: AuditOptions

  /// The association files that are in force now.
  public var deployed: [DeployedFile] = []

  /// The day from which they are in force, or `nil` for today.
  public var deployedSince: Day?

  /// The routes of the apps, by host.
  public var routes: [String: RouteTable] = [:]

  /// The number of days to keep, or `nil` for all.
  public var keptDays: Int?

  /// The number of stored bytes of logs that are read between two commits: 4 GiB take a minute or
  /// two.
  public var batchSize = 4 << 30

  /// The maximum number of logs in a batch.
  static let batchCount = 10_000

  /// Creates options.
  public init(reduction: ReductionOptions, audit: AuditOptions) {
    (self.reduction, self.audit) = (reduction, audit)
  }
}

/// An association file as it was read: its host, its source, for people, and its bytes.
public typealias DeployedFile = (host: String, path: String, content: [UInt8])

/// An association file that replaced another one of its host with the same first day.
///
/// Both paths are the files' sources, for people. The first file of a host is valid for all days
/// before, too.
public typealias FileReplacement = (
  host: String, path: String, replacedPath: String, day: Day, isFirst: Bool
)

/// The result of adding logs to a store.
public struct IngestOutcome: Sendable {
  /// The numbers of files, and of files with new lines.
  public var files = 0
  public var newFiles = 0

  /// The new lines.
  public var tally = LineTally()

  /// The days with new lines, ascending; `nil` is for requests without a time.
  public var countedDays: [Day?] = []

  /// The removed days, which were older than the retention allows, ascending.
  public var removedDays: [Day?] = []

  /// The association files that replaced others.
  public var replacements: [FileReplacement] = []

  /// The messages about logs, with their paths.
  public var notes: [(path: String, kind: IngestNote)] = []

  /// Creates an empty outcome.
  public init() {}

  /// A Boolean value indicating whether some log could not be read completely.
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
public enum IngestNote: Sendable {
  /// It could not be read completely; the number of lines before the damage, which count.
  case damaged(LogDamage, lines: Int)

  /// It can't be read a second time, such as a pipe.
  case unsupported

  /// It changed repeatedly while it was read, and was left for the next run.
  case unsteady

  /// Its format can't be detected, or the named one doesn't fit; its beginning.
  case unread(start: [UInt8])

  /// None of its lines is a request in the named or any format, so it was left out.
  ///
  /// `start` is its beginning, if no line looks like the format.
  case unfit(lines: Int, format: String?, start: [UInt8])

  /// The detected format with that name is probably wrong, so the log was left out.
  ///
  /// All times are unreadable, or user agents seem to be in another field; or `doubt` is the
  /// oddity of its first lines.
  case misread(format: String, lacksTimes: Bool, doubt: FormatReview.Doubt?)

  /// Its requests count without a day, because the order of day and month is ambiguous.
  case ambiguousDates

  /// Its lines have no field for a host, and no option names one; it was left out.
  case nameless

  /// It is a shorter beginning of a log that counts already.
  case copy(of: String)

  /// It contains all lines of a log that counts already, and so does another file with this path;
  /// those lines count once.
  case twin(of: String)

  /// It begins with the same lines as another log, with this path, and then differs; all lines of
  /// both count.
  case alike(String)

  /// It contains no complete line yet, so none counts.
  case unfinished

  /// It is a log that counts already, but its end was replaced by other lines; the exact line is
  /// unknown.
  case diverged(from: String)
}
