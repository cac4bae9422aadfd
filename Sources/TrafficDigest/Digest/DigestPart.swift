internal import AccessLogs

/// The final counts of one worker.
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

  let rejections: RejectionTally
  let doubtfulLines: DoubtfulLines
  let fetches: FetchTally
  let clients: [(day: Int, count: TrafficDigest.ClientCount)]
  let referringHosts: [TrafficDigest.ReferringHost]
  let dayTimes: DayTimes
  let tallies: [ChunkTally]

  init(_ reducer: consuming Reducer, tallies: [ChunkTally]) {
    self.tallies = tallies
    requests = reducer.finishRequests()
    pageVisits = reducer.finishPageVisits()
    rejections = reducer.rejections
    doubtfulLines = reducer.doubtfulLines
    fetches = reducer.finishFetches()
    clients = reducer.clientCounts
    referringHosts = reducer.finishReferringHosts()
    dayTimes = reducer.dayTimes
    hosts = reducer.hosts
    targets = reducer.targets
    combinations = reducer.combinations
    pages = reducer.pages
    templates = reducer.referringPages.templates
  }
}
