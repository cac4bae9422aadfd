/// A request whose target has not been looked up yet.
///
/// They are collected over several lines, so that the look-ups wait for memory together.
struct PendingRequest: BitwiseCopyable {
  /// The number of requests that are looked up together; the processor can't wait for more at a
  /// time.
  static let limit = 32

  /// The hash of the target.
  var hash: UInt64

  /// The position of the target in the chunk.
  var start: UInt32
  var length: UInt32

  var host: UInt32

  /// The number of the combination of dimensions.
  var combination: UInt32

  /// The number of requests; a row has any number.
  var count: UInt64

  /// The page with the link, if it is on the same host and this looks like a visit.
  var page: ReferringPages.Page

  /// The place where the target's record may be, or 0.
  var record: UInt32 = 0

  /// The key of the page, and its hash, once the template has been looked up.
  var pageKey: UInt64 = 0
  var pageHash: UInt32 = 0
}
