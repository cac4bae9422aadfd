internal import AccessLogs

extension TrafficDigest {
  /// A piece of a digest's targets, for one worker at a time.
  package struct Slice: Sendable {
    /// The position of the digest's part.
    package var part: Int

    /// The numbers of the targets in the part.
    var targets: Range<Int>
  }

  /// The number of targets in a slice.
  private static let sliceLength = 8_192

  /// The targets in pieces of about the same size.
  ///
  /// The same target can be in two of them, with counts that add up.
  package var slices: [Slice] {
    parts.enumerated().flatMap { index, part in
      stride(from: 0, to: part.targets.count, by: Self.sliceLength).map { start in
        Slice(
          part: index,
          targets: start..<Swift.min(start + Self.sliceLength, part.targets.count))
      }
    }
  }

  /// The number of parts, each of which numbers hosts and templates on its own.
  package var partCount: Int { parts.count }

  /// The hosts of a part, by number.
  package func hosts(ofPart part: Int) -> [String] {
    (0..<parts[part].hosts.count).map { parts[part].hosts.string($0) }
  }

  /// The combinations of dimensions of a part, by number.
  package func combinations(ofPart part: Int) -> [PackedDimensions] {
    (0..<parts[part].combinations.count).map {
      PackedDimensions(bits: parts[part].combinations[$0])
    }
  }

  /// The pages of a part that same-host visits came from, by number.
  package func pages(ofPart part: Int) -> [PageKey] {
    (0..<parts[part].pages.count).map { PageKey(bits: parts[part].pages[$0]) }
  }

  /// The templates of those pages, as logged, by number.
  package func templates(ofPart part: Int) -> [[UInt8]] {
    (0..<parts[part].templates.count).map { parts[part].templates.array($0) }
  }

  /// A number of requests or visits of one target that agree in something.
  package struct Count: BitwiseCopyable, Sendable {
    /// The number, in the part, of what they agree in: of the combination of
    /// dimensions, or of the page that the link stood on.
    package let kind: Int

    /// The number of requests or visits.
    package let requests: Int
  }

  /// Calls `body` with each target of a slice, the number of its host, its
  /// requests by combination of dimensions, and its same-host visits by page.
  package func forEachTarget(
    in slice: Slice,
    _ body: (_ target: Span<UInt8>, _ host: Int, _ requests: [Count], _ visits: [Count]) -> Void
  ) {
    let part = parts[slice.part]
    var (requests, visits): ([Count], [Count]) = ([], [])
    var request = part.requests.firstCell(ofTarget: slice.targets.lowerBound)
    var visit = part.pageVisits.firstCell(ofTarget: slice.targets.lowerBound)
    for id in slice.targets {
      Self.collect(part.requests, of: id, from: &request, into: &requests)
      Self.collect(part.pageVisits, of: id, from: &visit, into: &visits)
      let host = Int(part.targets.scope(id))
      part.targets.withBytes(id) { body($0, host, requests, visits) }
    }
  }

  /// Collects the cells of a target, which begin at `position`.
  private static func collect(
    _ run: CellRun, of target: Int, from position: inout Int, into counts: inout [Count]
  ) {
    counts.removeAll(keepingCapacity: true)
    while position < run.cells.count, run.cells[position].target == target {
      let cell = run.cells[position]
      counts.append(Count(kind: cell.other, requests: Int(cell.count)))
      position += 1
    }
  }
}

extension ByteTable {
  /// The bytes of a string.
  package func array(_ id: Int) -> [UInt8] {
    withBytes(id) { bytes in
      var copy: [UInt8] = []
      bytes.append(to: &copy)
      return copy
    }
  }

  /// A string, with replacement characters for what isn't UTF-8.
  func string(_ id: Int) -> String {
    String(decoding: array(id), as: UTF8.self)
  }
}
