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

    /// The number of the page that the link stood on plus one, or 0.
    var page: UInt32
  }

  /// The number of requests that are looked up together: more than the
  /// processor can wait for at a time gains nothing.
  static let limit = 32

  private(set) var requests = Slab<Request>(capacity: limit)

  var isFull: Bool { requests.count == Self.limit }

  @inline(__always)
  mutating func add(_ request: Request) { requests.append(request) }

  mutating func removeAll() { requests.removeAll() }
}
