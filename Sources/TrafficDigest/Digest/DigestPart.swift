internal import AccessLogs

/// What one worker has counted, from now on unchanged.
final class DigestPart: Sendable {
  let hosts: ByteTable
  let targets: TargetTable

  /// The templates of the pages that same-host visits came from.
  let referrers: ByteTable

  let rejections: RejectionTally
  let fetches: FetchTally
  let tallies: [ChunkTally]
  let times: ClosedRange<LogTime>?

  init(_ reducer: consuming Reducer, tallies: [ChunkTally]) {
    rejections = reducer.rejections
    fetches = reducer.fetches
    self.tallies = tallies
    if let first = reducer.firstTime, let last = reducer.lastTime {
      times = first...last
    } else {
      times = nil
    }
    hosts = reducer.hosts
    targets = reducer.targets
    referrers = reducer.referrers.templates
  }
}
