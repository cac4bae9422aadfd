internal import AccessLogs
internal import Foundations

/// The requests for targets that a worker counts in memory.
struct TargetTally: ~Copyable {
  /// The hosts, which others number, too.
  var hosts = ByteTable(capacity: 16)

  /// The targets; the scope is the number of the host.
  ///
  /// The table begins small, because those of thousands of short logs can be kept.
  private var targets = ByteTable()

  /// The combinations of dimensions, and the requests for a target with each.
  private var combinations = WordTable()
  private var requests: KeyCounter

  /// The pages with links that same-host visits followed, by ``PageKey``, and the visits of a
  /// target from each.
  private var pages = WordTable()
  private var pageVisits: KeyCounter
  private var referringPages = ReferringPages()

  /// The requests whose targets have not been looked up yet.
  private var pending = Buffer<PendingRequest>(capacity: PendingRequest.limit)

  /// Creates an empty tally of a worker whose tables may have some bytes of memory.
  init(memory: Int) {
    requests = KeyCounter(memory: memory)
    pageVisits = KeyCounter(memory: memory)
  }

  var byteCount: Int {
    // Requesting all counts merges them, which takes as much space again. Sorting targets takes a
    // key of 16 bytes each. Judging keeps names and counts of hosts.
    targets.byteCount + targets.count * 16 + 2 * (requests.byteCount + pageVisits.byteCount)
      + pages.byteCount + referringPages.templates.byteCount + combinations.byteCount
      + hosts.byteCount + hosts.count * Self.hostByteCount
  }

  /// The number of bytes that judging takes for each host.
  private static let hostByteCount = 256

  /// Takes all counts, so that the tables are empty.
  mutating func takePart() -> DigestPart {
    DigestPart(
      hosts: exchange(&hosts, with: ByteTable(capacity: 16)),
      targets: exchange(&targets, with: ByteTable()), requests: requests.finish(),
      combinations: exchange(&combinations, with: WordTable()), pageVisits: pageVisits.finish(),
      pages: exchange(&pages, with: WordTable()), templates: referringPages.takeTemplates())
  }

  /// A Boolean value indicating whether ``lookUp(in:)`` has to be called before more requests are
  /// counted.
  var isFull: Bool { pending.count == PendingRequest.limit }

  /// Counts a request for a target that is in the bytes that ``lookUp(in:)`` will get.
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - start: Its position in those bytes.
  ///   - host: The number of the host.
  ///   - dimensions: The dimensions of the request.
  ///   - count: The number of requests; a row has any number.
  ///   - referrer: The position in the line of the referrer, if it is on the same host, and that of
  ///     its path.
  ///   - line: The line.
  ///   - lineStart: Its position in those bytes.
  @inline(__always)
  mutating func add(
    _ target: Span<UInt8>, at start: Int, host: UInt32, _ dimensions: Dimensions, count: UInt64,
    from referrer: (range: Range<Int>, pathStart: Int)?, in line: Span<UInt8>, at lineStart: Int
  ) {
    let combination = combinations.insert(dimensions.bits)
    let page = page(referrer, dimensions, in: line, at: lineStart)
    let request = PendingRequest(
      hash: targets.hash.hash(target, scope: host),
      start: UInt32(truncatingIfNeeded: start), length: UInt32(truncatingIfNeeded: target.count),
      host: host, combination: combination, count: count, page: page)
    targets.prefetchSlot(request.hash)
    if let page, page.isText { referringPages.templates.prefetchSlot(page.hashOrNumber) }
    pending.append(request)
  }

  /// Counts a request for a target that is elsewhere.
  mutating func add(
    _ target: [UInt8], host: UInt32, _ dimensions: Dimensions, count: UInt64,
    from referrer: (range: Range<Int>, pathStart: Int)?, in line: Span<UInt8>
  ) {
    let combination = combinations.insert(dimensions.bits)
    let page = page(referrer, dimensions, in: line, at: 0)
    let target = targets.insert(target, scope: host).id
    requests.add(TrafficDigest.Count.key(target: target, other: combination), count: count)
    guard let page else { return }
    let template = referringPages.number(of: page, at: Int(page.start), in: line)
    let number = pages.insert(PageKey(template: template, combination: combination).bits)
    pageVisits.add(TrafficDigest.Count.key(target: target, other: number), count: count)
  }

  /// Finds the page with the link that a request followed, if it is on the same host and this looks
  /// like a visit.
  @inline(__always)
  private mutating func page(
    _ referrer: (range: Range<Int>, pathStart: Int)?, _ dimensions: Dimensions,
    in line: Span<UInt8>, at start: Int
  ) -> ReferringPages.Page? {
    guard let referrer, dimensions.mayBeVisit else { return nil }
    var page = referringPages.page(in: line.extracting(referrer.range), from: referrer.pathStart)
    page.start &+= UInt32(truncatingIfNeeded: start + referrer.range.lowerBound)
    return page
  }

  /// Looks up the targets of waiting requests, and the pages with their links.
  ///
  /// Each step prefetches data of the next step for all requests, so that the processor waits for
  /// memory once for all of them.
  @inline(never)
  mutating func lookUp(in bytes: Span<UInt8>) {
    for index in 0..<pending.count {
      let request = pending[index]
      pending[index].record = targets.prefetchRecord(request.hash, length: Int(request.length))
      if let page = request.page, page.isText {
        _ = referringPages.templates.prefetchRecord(page.hashOrNumber, length: Int(page.length))
      }
    }
    for index in 0..<pending.count {
      let request = pending[index]
      guard let page = request.page else { continue }
      let template = referringPages.number(of: page, at: Int(page.start), in: bytes)
      let key = PageKey(template: template, combination: request.combination).bits
      let hash = pages.hash(of: key)
      pages.prefetchSlot(hash)
      pending[index].pageKey = key
      pending[index].pageHash = hash
    }
    for index in 0..<pending.count where pending[index].page != nil {
      pages.prefetchWord(pending[index].pageHash)
    }
    for index in 0..<pending.count {
      let request = pending[index]
      let start = Int(request.start)
      let target = targets.insert(
        bytes.extracting(start..<(start + Int(request.length))), scope: request.host,
        hash: request.hash, record: Int(request.record)
      ).id
      requests.add(
        TrafficDigest.Count.key(target: target, other: request.combination), count: request.count)
      if request.page != nil {
        let page = pages.insert(request.pageKey, hash: request.pageHash)
        pageVisits.add(TrafficDigest.Count.key(target: target, other: page), count: request.count)
      }
    }
    pending.removeAll()
  }
}

/// A request whose target has not been looked up yet.
///
/// They are collected over several lines, so that the look-ups wait for memory together.
struct PendingRequest: BitwiseCopyable {
  /// The number of requests that are looked up together; the processor can't wait for more at a
  /// time.
  static let limit = 32

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
  var page: ReferringPages.Page?

  /// The place where the target's record may be, or 0.
  var record: UInt32 = 0

  /// The key of the page, and its hash, once the template has been looked up.
  var pageKey: UInt64 = 0
  var pageHash: UInt32 = 0
}

/// The pages on the same host with the links that requests followed.
struct ReferringPages: ~Copyable {
  /// The templates of the pages' paths.
  private(set) var templates = ByteTable()

  private let scanner = TemplateScanner()
  private var field: [UInt8] = []
  private var template: [UInt8] = []

  mutating func takeTemplates() -> ByteTable {
    exchange(&templates, with: ByteTable())
  }

  /// A page before its template has been looked up.
  struct Page: BitwiseCopyable {
    /// Whether the template is the text of the path, and has not been looked up.
    var isText = false

    /// The hash of the template, or its number.
    var hashOrNumber: UInt64

    /// The position of the template.
    var start: UInt32 = 0
    var length: UInt32 = 0
  }

  /// Finds the template of the path in a referrer, as logged, that begins at `start`.
  ///
  /// If the template is the text of the path, it is not looked up yet.
  @inline(__always)
  mutating func page(in referrer: Span<UInt8>, from start: Int) -> Page {
    // Most paths of pages have no number or the like, so there is nothing to fold.
    guard let end = scanner.endOfTemplate(in: referrer, from: start) else {
      return foldedPage(in: referrer, from: start)
    }
    return Page(
      isText: true, hashOrNumber: templates.hash.hash(referrer.extracting(start..<end)),
      start: UInt32(truncatingIfNeeded: start), length: UInt32(truncatingIfNeeded: end - start))
  }

  /// Returns the number of a template that is in a text.
  @inline(__always)
  mutating func number(of page: Page, at start: Int, in text: Span<UInt8>) -> UInt32 {
    guard page.isText else { return UInt32(page.hashOrNumber) }
    let template = text.extracting(start..<(start + Int(page.length)))
    return UInt32(templates.insert(template, scope: 0, hash: page.hashOrNumber).id)
  }

  /// Returns the same for a path whose template is another text.
  @inline(never)
  private mutating func foldedPage(in referrer: Span<UInt8>, from start: Int) -> Page {
    guard let folded = scanner.fold(referrer, from: start, into: &template), folded.end > start
    else { return rarePage(in: referrer, from: start) }
    let number = templates.insert(prefix: folded.count, of: template)
    return Page(hashOrNumber: UInt64(number))
  }

  /// Returns the same, step by step, for any path.
  @inline(never)
  private mutating func rarePage(in referrer: Span<UInt8>, from start: Int) -> Page {
    let path = referrer.extracting(start..<AbsoluteURL.pathEnd(in: referrer, from: start))
    template.removeAll(keepingCapacity: true)
    if path.holdsTimeBesideBlank(0..<path.count) {
      // The line is interleaved: this is the next one, with its client.
      template.append(contentsOf: Self.interleavedPage.utf8)
    } else if path.count == 0 {
      template.append(UInt8(ascii: "/"))
    } else if path.firstIndex(of: UInt8(ascii: "\\")) != nil {
      field.removeAll(keepingCapacity: true)
      LogEscapes.append(undoing: path, to: &field)
      // A query can be after an escape, too.
      field.removeLast(field.count - AbsoluteURL.pathEnd(in: field.span, from: 0))
      // A copy, because access to a span of one property overlaps with a change of another.
      let unescaped = field
      PathTemplate.append(folding: unescaped.span, to: &template)
    } else {
      PathTemplate.append(folding: path, to: &template)
    }
    return Page(hashOrNumber: UInt64(templates.insert(template).id))
  }

  /// The page that replaces those of interleaved lines.
  private static let interleavedPage = "/{*}"
}
