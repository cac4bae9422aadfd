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

  /// The templates of referring pages of a part, by number.
  package func referrers(ofPart part: Int) -> [[UInt8]] {
    (0..<parts[part].referrers.count).map { parts[part].referrers.array($0) }
  }

  /// Requests of one target that agree in all dimensions.
  package struct Count: Sendable {
    /// The dimensions.
    package let dimensions: PackedDimensions

    private let referrerPlusOne: UInt32

    /// The number of requests.
    package let requests: Int

    init(_ cell: TargetTable.Cell) {
      dimensions = PackedDimensions(bits: cell.dimensions)
      referrerPlusOne = cell.referrer
      requests = Int(cell.count)
    }

    /// The number of the template of the referring page in the part, or `nil`
    /// for all but visits from the same host.
    package var referrer: Int? { referrerPlusOne == 0 ? nil : Int(referrerPlusOne) - 1 }
  }

  /// Calls `body` with each target of a slice, the number of its host, and its
  /// counts, which come in no particular order.
  package func forEachTarget(
    in slice: Slice, _ body: (_ target: Span<UInt8>, _ host: Int, _ counts: [Count]) -> Void
  ) {
    let part = parts[slice.part]
    var counts: [Count] = []
    for id in slice.targets {
      counts.removeAll(keepingCapacity: true)
      part.targets.forEachCell(of: id) { counts.append(Count($0)) }
      let host = Int(part.targets.targets.scope(id))
      part.targets.targets.withBytes(id) { body($0, host, counts) }
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
