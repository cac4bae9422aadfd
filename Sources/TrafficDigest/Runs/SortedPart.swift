internal import Foundations

/// A part of a digest in memory whose targets have been sorted.
final class SortedPart: Sendable {
  fileprivate let part: DigestPart

  /// The numbers of the targets, in their order.
  fileprivate let numbers: Buffer<UInt32>

  // The positions of the counts of each target, by number.
  fileprivate let requestStarts: Buffer<UInt32>
  fileprivate let visitStarts: Buffer<UInt32>

  /// Sorts the targets of a part.
  init(_ part: DigestPart) {
    self.part = part
    let hosts = (0..<part.hosts.count).map { part.hosts.array($0) }
    var ranks = Array(repeating: 0, count: hosts.count)
    let order = hosts.indices.sorted { hosts[$0].lexicographicallyPrecedes(hosts[$1]) }
    for (rank, host) in order.enumerated() { ranks[host] = rank }
    numbers = part.targets.sortedNumbers(ranks: ranks)
    requestStarts = part.requests.starts(ofTargets: part.targets.count)
    visitStarts = part.pageVisits.starts(ofTargets: part.targets.count)
  }

  /// The position of the first target that doesn't precede a key.
  fileprivate func position(of key: TargetKey) -> Int {
    (0..<numbers.count).partitioningIndex { position in
      let target = Int(numbers[position])
      let order = part.hosts.withBytes(Int(part.targets.scope(target))) {
        $0.compare(key.host.span)
      }
      if order != 0 { return order > 0 }
      return part.targets.withBytes(target) { $0.compare(key.target.span) >= 0 }
    }
  }

  /// The first targets of pieces of about the size of a block, in their order.
  func pieceStarts() -> [TargetKey] {
    var keys: [TargetKey] = []
    var weight = DigestBlock.targetWeight
    for position in 0..<numbers.count {
      let target = Int(numbers[position])
      if weight >= DigestBlock.targetWeight {
        keys.append(
          TargetKey(
            host: part.hosts.array(Int(part.targets.scope(target))),
            target: part.targets.array(target)))
        weight = 0
      }
      weight += part.targets.length(target) + TargetKey.leastWeight
      weight += Int(requestStarts[target + 1] - requestStarts[target]) * TargetKey.requestWeight
      weight += Int(visitStarts[target + 1] - visitStarts[target]) * TargetKey.visitWeight
    }
    return keys
  }
}

/// A place in a sorted part, for reading it target by target.
struct PartCursor {
  private let sorted: SortedPart

  /// The part itself: a reference that was copied from ``sorted`` for each target would be counted,
  /// by all workers in one place.
  private let part: DigestPart

  /// The position of the next target in the order, and the one after the last.
  private var next: Int
  private let end: Int

  /// The number of the target at the cursor.
  private var target = 0

  /// The numbers that some templates of the part have among the names of records; the lowest eight
  /// bits of a template's number in the part are its place here.
  private var known = Self.noTemplates
  private static let noTemplates = Array(repeating: (template: -1, number: 0), count: 256)

  /// Creates a cursor before the targets from `lower` on and before `upper`.
  init(_ sorted: SortedPart, from lower: TargetKey?, to upper: TargetKey?) {
    (self.sorted, part) = (sorted, sorted.part)
    next = lower.map(sorted.position) ?? 0
    end = upper.map(sorted.position) ?? sorted.numbers.count
  }

  /// Sets the key of this cursor to the next target, and returns whether there is one.
  mutating func advance(_ cursor: Int, of keys: inout KeyHeap) -> Bool {
    guard next < end else { return false }
    target = Int(sorted.numbers[next])
    next += 1
    prefetch()
    part.hosts.withBytes(Int(part.targets.scope(target))) { host in
      part.targets.withBytes(target) { keys.set(cursor, host, $0) }
    }
    return true
  }

  /// Prefetches targets that come soon, because neighbors in the order are anywhere in memory.
  @inline(__always)
  private func prefetch() {
    if next + 8 < end {
      let target = Int(sorted.numbers[next + 8])
      sorted.requestStarts.prefetch(target)
      sorted.visitStarts.prefetch(target)
      part.targets.prefetchPlace(target)
    }
    if next + 4 < end {
      let target = Int(sorted.numbers[next + 4])
      part.requests.counts.prefetch(Int(sorted.requestStarts[target]))
      part.pageVisits.counts.prefetch(Int(sorted.visitStarts[target]))
      part.targets.prefetchBytes(target)
    }
  }

  /// Adds the counts of the target to a record, in any order, and their templates to `names`.
  mutating func addCounts(to record: inout TargetRecord, names: inout ByteTable) {
    for index in Int(sorted.requestStarts[target])..<Int(sorted.requestStarts[target + 1]) {
      let count = part.requests.counts[index]
      record.requests.append(
        TargetRecord.Requests(dimensions: part.combinations[count.kind], count: count.count))
    }
    for index in Int(sorted.visitStarts[target])..<Int(sorted.visitStarts[target + 1]) {
      let count = part.pageVisits.counts[index]
      let page = PageKey(bits: part.pages[count.kind])
      let place = page.template & 255
      if known[place].template != page.template {
        let number = part.templates.withBytes(page.template) { names.insert($0).id }
        known[place] = (page.template, number)
      }
      record.visits.append(
        TargetRecord.Visits(
          template: known[place].number, dimensions: part.combinations[page.combination],
          count: count.count))
    }
  }

  /// Discards the numbers of templates.
  mutating func forgetNames() { known = Self.noTemplates }
}
