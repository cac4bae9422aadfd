/// Requests whose targets are still to be looked up.
///
/// They are collected over some lines, so that the look-ups can wait for memory
/// together.
struct PendingRequests: ~Copyable {
  /// A request, all but the number of its target.
  struct Request: BitwiseCopyable {
    /// The hash of the target.
    var hash: UInt64

    /// The position of the target in the chunk.
    var start: UInt32
    var length: UInt32

    var host: UInt32

    /// The number of the combination of dimensions.
    var combination: UInt32

    /// The page that the link stood on, if it is on the same host and this looks
    /// like a visit.
    var page: ReferringPages.Page

    /// The place where the target's record may be, or 0.
    var record: UInt32 = 0

    /// The key of the page, and its hash, once the template has been looked up.
    var pageKey: UInt64 = 0
    var pageHash: UInt32 = 0
  }

  /// The number of requests that are looked up together: more than the
  /// processor can wait for at a time gains nothing.
  static let limit = 32

  private(set) var requests = Slab<Request>(capacity: limit)

  /// How often each request counts, if they are those of rows; else empty.
  private(set) var counts = Slab<UInt64>(capacity: limit)

  var isFull: Bool { requests.count == Self.limit }

  /// Keeps the place where the record of a request's target may be.
  @inline(__always)
  mutating func setRecord(_ place: UInt32, at index: Int) { requests[index].record = place }

  /// Keeps the key of a request's page.
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
