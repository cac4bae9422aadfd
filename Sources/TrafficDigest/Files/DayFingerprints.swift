internal import AccessLogs
internal import Foundations

/// The fingerprints of the counts of days, which depend neither on the order nor on the logs that
/// the counts come from.
struct DayFingerprints {
  /// The sums of the fingerprints of all counts, by the number of their day; a sum doesn't depend on
  /// the order.
  private var sums: [Int: ContentFingerprint] = [:]

  private var bytes: [UInt8] = []

  /// Adds the counts of a target, which are coalesced.
  mutating func add(_ record: TargetRecord, names: borrowing ByteTable) {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(variableLength: UInt64(record.key.host.count))
    bytes += record.key.host
    bytes.append(variableLength: UInt64(record.key.target.count))
    bytes += record.key.target
    bytes.append(0)
    let start = bytes.count
    // The day is in the highest bits, so the counts of a day are consecutive.
    var day: Int?
    for requests in record.requests {
      let next = Dimensions(bits: requests.dimensions).dayNumber
      if let day, next != day { addBytes(to: day, keeping: start) }
      day = next
      bytes.append(variableLength: requests.dimensions)
      bytes.append(variableLength: requests.count)
    }
    if let day { addBytes(to: day, keeping: start) }
    bytes[start - 1] = 1
    for visits in record.visits {
      bytes.append(variableLength: visits.dimensions)
      bytes.append(variableLength: visits.count)
      names.withBytes(visits.template) { $0.append(to: &bytes) }
      addBytes(to: Dimensions(bits: visits.dimensions).dayNumber, keeping: start)
    }
  }

  /// Adds the fingerprint of the bytes to a day, and keeps only the first of them.
  private mutating func addBytes(to day: Int, keeping start: Int) {
    let fingerprint = ContentFingerprint(bytes.span)
    var sum = sums[day] ?? ContentFingerprint(length: 0, first: 0, second: 0)
    sum.length += fingerprint.length
    sum.first &+= fingerprint.first
    sum.second &+= fingerprint.second
    sums[day] = sum
    bytes.removeLast(bytes.count - start)
  }

  /// Returns a summary whose inputs are days, with their fingerprints.
  consuming func identified(_ summary: DigestSummary) -> DigestSummary {
    for (day, value) in summary.valuesByDay {
      bytes.removeAll(keepingCapacity: true)
      value.append(to: &bytes)
      addBytes(to: day?.number ?? 0, keeping: 0)
    }
    let fingerprints = Dictionary(
      uniqueKeysWithValues: sums.map { (TrafficDigest.Input.name(of: .numbered($0)), $1) })
    var summary = summary
    for index in summary.inputs.indices {
      summary.inputs[index].fingerprint = fingerprints[summary.inputs[index].path]
    }
    return summary
  }
}
