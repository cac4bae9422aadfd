internal import AccessLogs
internal import Foundations

/// The final counts of targets of one worker.
final class DigestPart: Sendable {
  let hosts: ByteTable

  /// The targets; the scope is the number of the host.
  let targets: ByteTable

  /// The requests of each target by combination of dimensions.
  let requests: CountRun
  let combinations: WordTable

  /// The visits of each target that came from pages of the same host.
  let pageVisits: CountRun
  let pages: WordTable

  /// The templates of those pages.
  let templates: ByteTable

  init(
    hosts: consuming ByteTable, targets: consuming ByteTable, requests: CountRun,
    combinations: consuming WordTable, pageVisits: CountRun, pages: consuming WordTable,
    templates: consuming ByteTable
  ) {
    self.hosts = hosts
    self.targets = targets
    self.requests = requests
    self.combinations = combinations
    self.pageVisits = pageVisits
    self.pages = pages
    self.templates = templates
  }
}

/// The counts of one worker other than those of targets.
struct WorkerCounts: Sendable {
  var rejections = RejectionTally()

  /// The first line of each input that contradicts how it was read.
  var doubtfulLines = DoubtfulLines()
  var fetches = FetchTally()

  /// The requests by kind of client, at the end; see ``AgentMemo/clientCounts``.
  var clients: [(day: Int, count: TrafficDigest.ClientCount)] = []

  /// The hosts that referrers name, at the end.
  var referringHosts: [TrafficDigest.ReferringHost] = []

  /// The times of the first and the last request of each day.
  var dayTimes: [Day: ClosedRange<LogTime>] = [:]

  /// The lines of each chunk.
  var tallies: [ChunkTally] = []
}
