internal import Foundations

/// Finds the route that somebody meant by a path that has none.
///
/// The distance between a path and a route is an edit distance of segments: replaced, missing and
/// extra segments. A route is a candidate on three conditions. One of its texts occurs in the path
/// at its place, perhaps misspelled. No more of its texts are missing than occur. No more segments
/// are missing or extra than fit.
struct NearestRoutes {
  private let table: RouteTable

  /// A path of a route.
  private struct Candidate {
    var route: Int
    var path: RoutePattern.Path

    /// The number of different texts that the path needs.
    var texts: Int
  }

  /// The paths of routes in the order in which they win.
  private var candidates: [Candidate] = []

  /// The numbers of the candidates that expect a text.
  private var users: [RouteElement.Matcher: [Int]] = [:]

  /// The greatest number of segments; it limits the time, and nobody means a longer route.
  private static let segmentLimit = 64

  init(_ table: RouteTable) {
    self.table = table
    for route in table.order {
      for path in table.routes[route].paths
      where path.glob == nil && path.elements.count <= Self.segmentLimit {
        let texts = path.elements.filter(\.matcher.isText)
        for matcher in Set(texts.map(\.matcher)) {
          users[matcher, default: []].append(candidates.count)
        }
        let needed = Set(texts.filter { !$0.allowsNone }.map(\.matcher))
        candidates.append(Candidate(route: route, path: path, texts: needed.count))
      }
    }
  }

  /// Returns the route that a path differs least from, with the differences in words, or `nil`.
  ///
  /// Of several such routes, it returns the first. It returns `nil` if the path has a route, or if
  /// no route is a candidate.
  ///
  /// - Parameters:
  ///   - path: The path, percent-encoded.
  ///   - query: The query without its `?`, percent-encoded.
  /// - Returns: The distance, and the route with the differences as a sentence about the path.
  /// - Complexity: O(*n*), where *n* is the number of routes.
  func nearest(path: [UInt8], query: [UInt8]) -> (weight: Int, route: RouteSuggestion)? {
    let segments = RouteText.raised(path).split(separator: UInt8(ascii: "/"))
    guard segments.count <= Self.segmentLimit, table.firstMatch(path: path, query: query) == nil
    else { return nil }
    let items = RouteText.raised(query).split(separator: UInt8(ascii: "&"))
    var best: (weight: Int, candidate: Int, differences: [String])?
    for (bound, candidate) in bounded(segments) {
      if let best, (bound, candidate) > (best.weight, best.candidate) { break }
      let route = table.routes[candidates[candidate].route]
      let missing = route.items.compactMap { $0.difference(from: items) }
      let alignment = Alignment(segments, candidates[candidate].path.elements)
      // An item is easily added to a query.
      let weight = alignment.weight + missing.count
      if let best, (weight, candidate) >= (best.weight, best.candidate) { continue }
      if alignment.isLikely { best = (weight, candidate, alignment.differences + missing) }
    }
    return best.map { best in
      (
        best.weight,
        RouteSuggestion(
          route: table.routes[candidates[best.candidate].route].source,
          difference: "the path " + best.differences.joined(separator: ", "))
      )
    }
  }

  /// Returns the candidates with a text that is near a segment, in ascending order of a lower bound
  /// of their distance.
  ///
  /// Each required text that is near no segment adds to the bound, because it differs or is
  /// missing.
  private func bounded(_ segments: [ArraySlice<UInt8>]) -> [(bound: Int, candidate: Int)] {
    var near = Array(repeating: 0, count: candidates.count)
    for (matcher, users) in users
    where segments.contains(where: { SegmentAgreement(of: $0, with: matcher).isNear }) {
      for user in users { near[user] += 1 }
    }
    var byMissing: [[Int]] = []
    for (candidate, count) in near.enumerated() where count > 0 {
      let missing = max(0, candidates[candidate].texts - count)
      while byMissing.count <= missing { byMissing.append([]) }
      byMissing[missing].append(candidate)
    }
    return byMissing.enumerated().flatMap { missing, candidates in
      candidates.map { (missing * SegmentAgreement.otherText.rawValue, $0) }
    }
  }
}

/// The agreement of a segment with an element; the raw value is its distance.
private enum SegmentAgreement: Int {
  case fits = 0
  case letterCase = 1

  /// The text with a likely misspelling, or a parameter of another type.
  case slip = 2
  case otherText = 3

  init(of segment: ArraySlice<UInt8>, with matcher: RouteElement.Matcher) {
    self = .otherText
    switch matcher {
    case .literal(let text):
      if segment.elementsEqual(text) {
        self = .fits
      } else if segment.isEqualIgnoringCase(text) {
        self = .letterCase
      } else if segment.isSlip(of: text) {
        self = .slip
      }
    case .words(let words):
      if words.contains(where: { segment.elementsEqual($0) }) {
        self = .fits
      } else if words.contains(where: segment.isEqualIgnoringCase) {
        self = .letterCase
      }
    case .glob(let glob): if glob.matches(segment.span) { self = .fits }
    case .any: self = .fits
    case .digits, .number, .uuid: self = matcher.matches(segment.span) ? .fits : .slip
    }
  }

  var isNear: Bool { self != .otherText }
}

/// The segments of a path next to the elements of a route so that they differ least.
private struct Alignment {
  /// The segments that the path lacks, and those that the route has no place for.
  private var (missing, extra) = (0, 0)

  /// The others, from the last to the first.
  private var pairs: [(agreement: SegmentAgreement, matcher: RouteElement.Matcher, position: Int)] =
    []

  /// The distance; a segment that is missing or too many counts as much as another text.
  private(set) var weight = 0

  init(_ segments: [ArraySlice<UInt8>], _ elements: [RouteElement]) {
    let end = segments.count
    // For each position: the alignment of the segments from there on with the elements processed so
    // far, which are the last ones.
    var row = [Alignment()]
    for column in 0..<end { row.append(row[column].adding(extra: 1)) }
    row.reverse()
    for element in elements.reversed() {
      var next = row
      for column in (0...end).reversed() {
        var options: [Alignment] = []
        if column < end {
          let agreement = SegmentAgreement(of: segments[column], with: element.matcher)
          let pair = (agreement, element.matcher, column + 1)
          options = [row[column + 1].preceded(by: pair)]
          if element.allowsMany { options.append(next[column + 1].preceded(by: pair)) }
        }
        options.append(element.allowsNone ? row[column] : row[column].adding(missing: 1))
        if column < end { options.append(next[column + 1].adding(extra: 1)) }
        // The first of several.
        next[column] = options.min { $0.weight < $1.weight } ?? Alignment()
      }
      row = next
    }
    self = row[0]
  }

  private init() {}

  private func preceded(
    by pair: (agreement: SegmentAgreement, matcher: RouteElement.Matcher, position: Int)
  ) -> Alignment {
    var alignment = self
    alignment.pairs.append(pair)
    alignment.weight += pair.agreement.rawValue
    return alignment
  }

  private func adding(missing: Int = 0, extra: Int = 0) -> Alignment {
    var alignment = self
    alignment.missing += missing
    alignment.extra += extra
    alignment.weight += (missing + extra) * SegmentAgreement.otherText.rawValue
    return alignment
  }

  /// Whether somebody can have meant the route.
  var isLikely: Bool {
    let texts = pairs.count { $0.matcher.isText && $0.agreement.isNear }
    let fitting = texts + pairs.count { !$0.matcher.isText && $0.agreement == .fits }
    return texts > 0 && pairs.count - fitting <= texts && missing + extra <= max(1, fitting)
  }

  /// The differences as phrases whose subject is the path.
  var differences: [String] {
    func counted(_ count: Int) -> String { count == 1 ? "one segment" : "\(count) segments" }
    var differences: [String] = []
    for (agreement, matcher, position) in pairs.reversed() {
      let expected = matcher.description
      switch agreement {
      case .fits: continue
      case .letterCase:
        differences.append("has '\(expected)' in another letter case as segment \(position)")
      case .slip where !matcher.isText:
        differences.append("does not have \(expected) as segment \(position)")
      case .slip, .otherText: differences.append("has no '\(expected)' as segment \(position)")
      }
    }
    if missing > 0 { differences.append("is \(counted(missing)) shorter") }
    if extra > 0 { differences.append("is \(counted(extra)) longer") }
    return differences
  }
}

extension RouteElement.Matcher {
  /// The expected text, or the kind of texts.
  fileprivate var description: String {
    switch self {
    case .literal(let bytes): bytes[...].text
    case .words(let words): words.map { $0[...].text }.joined(separator: "|")
    case .glob(let glob): glob.description
    case .any: "a parameter"
    case .digits: "a whole number"
    case .number: "a number"
    case .uuid: "a UUID"
    }
  }
}

extension RoutePattern.Item {
  /// The reason why the items of a query don't include this one, in words, or `nil` if they do.
  fileprivate func difference(from items: [ArraySlice<UInt8>]) -> String? {
    let own = items.filter { item in item.prefix { $0 != UInt8(ascii: "=") }.elementsEqual(name) }
    guard !own.isEmpty else { return "lacks '\(name[...].text)' in its query" }
    guard let value, !own.contains(where: { $0.dropFirst(name.count + 1).elementsEqual(value) })
    else { return nil }
    return "has '\(name[...].text)' in its query, but not with the value '\(value[...].text)'"
  }
}

extension ArraySlice<UInt8> {
  /// Returns a Boolean value indicating whether this becomes another text if a byte is added,
  /// removed, or changed, or two neighbors of a long text.
  fileprivate func isSlip(of other: [UInt8]) -> Bool {
    let shorter = Swift.min(count, other.count)
    let limit = shorter >= 6 ? 2 : shorter >= 2 ? 1 : 0
    guard abs(count - other.count) <= limit else { return false }
    let start = zip(self, other).prefix { $0.asciiLowercased == $1.asciiLowercased }.count
    // Short words with another first letter are other words.
    if shorter < 4, start == 0 { return false }
    let end = zip(reversed(), other.reversed()).prefix { $0.asciiLowercased == $1.asciiLowercased }
      .count
    return Swift.max(count, other.count) - Swift.min(start + end, shorter) <= limit
  }

  fileprivate func isEqualIgnoringCase(_ other: [UInt8]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }
}
