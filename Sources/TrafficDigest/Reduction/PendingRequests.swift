/// Requests whose targets have not been looked up yet.
///
/// They are collected over several lines, so that the look-ups wait for memory together.
struct PendingRequests: ~Copyable {
  /// A request, except for the number of its target.
  struct Request: BitwiseCopyable {
    /// The hash of the target.
    var hash: UInt64

    /// The position of the target in the chunk.
    var start: UInt32
    var length: UInt32

    var host: UInt32

    /// The number of the combination of dimensions.
    var combination: UInt32

    /// The page with the link, if it is on the same host and this looks like a visit.
    var page: ReferringPages.Page

    /// The place where the target's record may be, or 0.
    var record: UInt32 = 0

    /// The key of the page, and its hash, once the template has been looked up.
    var pageKey: UInt64 = 0
    var pageHash: UInt32 = 0
  }

  /// The number of requests that are looked up together; the processor can't wait for more at a
  /// time.
  static let limit = 32

  private(set) var requests = Buffer<Request>(capacity: limit)

  /// The number of requests of each row; empty for lines of a log.
  private(set) var counts = Buffer<UInt64>(capacity: limit)

  var isFull: Bool { requests.count == Self.limit }

  /// Stores the place where the record of a request's target may be.
  @inline(__always)
  mutating func setRecord(_ place: UInt32, at index: Int) { requests[index].record = place }

  /// Stores the key of a request's page.
  @inline(__always)
  mutating func setPage(key: UInt64, hash: UInt32, at index: Int) {
    requests[index].pageKey = key
    requests[index].pageHash = hash
  }

  @inline(__always)
  mutating func add(_ request: Request) { requests.append(request) }

  /// Adds a number of equal requests.
  @inline(__always)
  mutating func add(_ request: Request, count: Int) {
    requests.append(request)
    counts.append(UInt64(count))
  }

  mutating func removeAll() {
    requests.removeAll()
    counts.removeAll()
  }
}
