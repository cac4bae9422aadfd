internal import Foundations
internal import LinkAuditing
internal import TrafficDigest

extension TrafficFilter {
  /// The names of the platforms whose requests count, in a fixed order, or `nil` for
  /// all.
  var platformNames: [String]? {
    platforms.map { platforms in Platform.allCases.filter(platforms.contains).map(\.name) }
  }

  /// The statuses that count, such as `304` and `200-299`, or `nil` for all.
  var statusNames: [String]? {
    statuses?.map { range in
      let (first, last) = (Int(range.lowerBound).padded, Int(range.upperBound).padded)
      return first == last ? first : "\(first)-\(last)"
    }
  }

  /// The filter in a text report: no line where all requests pass.
  var lines: [String] {
    var parts: [String] = []
    if let platformNames { parts.append("platform " + platformNames.joined(separator: ", ")) }
    if let statusNames { parts.append("status " + statusNames.joined(separator: ", ")) }
    var sentences: [String] = []
    if !parts.isEmpty { sentences.append("Only " + parts.joined(separator: "; ") + ".") }
    if includesBots { sentences.append("Pages that bots open are visits, too.") }
    return sentences.joined(separator: " ").wrapped(width: TextTable.width, indent: "")
  }
}

extension Report {
  /// How much the ignored paths leave out, or `nil` if none are ignored.
  var noteOnIgnoredPaths: String? {
    audit.ignored.map {
      "\($0.visits.counted("visit")) in \($0.requests.counted("request")) left out by --ignore"
    }
  }
}

extension Report {
  /// The requests that are no visits because their headers say so, or `nil` if there are none.
  var noteOnSubresources: String? {
    let requests = audit.sites.reduce(0) { $0 + $1.subresources }
    return requests > 0
      ? "\(requests.counted("request")) not counted as visits: pages and scripts made them (Sec-Fetch)"
      : nil
  }
}

extension Int {
  /// The number with at least three digits, as a status has.
  fileprivate var padded: String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, 3 - digits.count)) + digits
  }
}
