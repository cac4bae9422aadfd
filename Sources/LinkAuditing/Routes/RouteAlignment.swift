/// Lays the segments of a path beside what a route expects, so that they differ least.
struct RouteAlignment {
  private let segments: [ArraySlice<UInt8>]

  /// What elements expect.
  private let matchers: [RouteSegmentMatcher]

  /// How well each segment fits each matcher, as far as that has been asked.
  private var agreements: [Agreement?]

  /// Whether any segment is the text of a matcher, or nearly, as far as that has been asked.
  private var nearness: [Bool?]

  /// By the numbers of elements and of segments that are left, the least weight of what
  /// differs in them.
  private var weights: [Int] = []

  /// A segment too many, or one that is missing.
  private static let lengthWeight = 3

  /// Creates an alignment of the segments of a path with routes.
  ///
  /// - Parameters:
  ///   - segments: The segments.
  ///   - matchers: What elements of the routes expect, each once.
  init(_ segments: [ArraySlice<UInt8>], with matchers: [RouteSegmentMatcher]) {
    self.segments = segments
    self.matchers = matchers
    agreements = Array(repeating: nil, count: segments.count * matchers.count)
    nearness = Array(repeating: nil, count: matchers.count)
  }

  /// Returns a Boolean value indicating whether the path may have a route, or be nearly one that
  /// has it: a text that is needed isn't far from all segments, nor all other texts with it.
  mutating func canBeMeant(_ elements: [RouteElement], _ numbers: [Int]) -> Bool {
    var needsText = false
    for (element, number) in zip(elements, numbers) where element.matcher.isText {
      if isNear(number) { return true }
      if !element.repetition.allowsNone { needsText = true }
    }
    return !needsText
  }

  private mutating func isNear(_ number: Int) -> Bool {
    if let isNear = nearness[number] { return isNear }
    let isNear = segments.indices.contains { column in
      switch agreement(number, column) {
      case .fits, .letterCase, .slip: true
      case .otherType, .otherText: false
      }
    }
    nearness[number] = isNear
    return isNear
  }

  /// The weight of the differences between the path and a route's elements, or `nil` if
  /// it isn't below `limit`.
  mutating func weight(
    of elements: [RouteElement], _ numbers: [Int], below limit: Int
  ) -> Int? {
    let required = elements.count { !$0.repetition.allowsNone }
    let isOpen = elements.contains(where: \.repetition.allowsMany)
    let excess =
      segments.count < required
      ? required - segments.count
      : isOpen ? 0 : max(0, segments.count - elements.count)
    guard excess * Self.lengthWeight < limit else { return nil }
    let width = segments.count + 1
    weights.removeAll(keepingCapacity: true)
    weights.append(contentsOf: repeatElement(0, count: width * (elements.count + 1)))
    // From the end of both to their start.
    for row in stride(from: elements.count, through: 0, by: -1) {
      for column in stride(from: segments.count, through: 0, by: -1) {
        guard row < elements.count else {
          weights[row * width + column] = (segments.count - column) * Self.lengthWeight
          continue
        }
        let element = elements[row]
        let below = weights[(row + 1) * width + column]
        var least = below + (element.repetition.allowsNone ? 0 : Self.lengthWeight)
        if column < segments.count {
          let difference = agreement(numbers[row], column).weight
          least = min(least, weights[(row + 1) * width + column + 1] + difference)
          if element.repetition.allowsMany {
            // One that need not end here; 'at least one' has had its one then.
            least = min(least, weights[row * width + column + 1] + difference)
          }
          least = min(least, weights[row * width + column + 1] + Self.lengthWeight)
        }
        weights[row * width + column] = least
      }
    }
    return weights[0] < limit ? weights[0] : nil
  }

  /// The differences whose weight was last asked for, or `nil` if nobody could have meant
  /// such a route.
  mutating func differences(of elements: [RouteElement], _ numbers: [Int]) -> [RouteDifference]? {
    let width = segments.count + 1
    var (row, column) = (0, 0)
    var (missing, extra, agreeing, similar, fitting, others) = (0, 0, 0, 0, 0, 0)
    var differences: [RouteDifference] = []
    while row < elements.count || column < segments.count {
      let weight = weights[row * width + column]
      guard row < elements.count else {
        extra += segments.count - column
        break
      }
      let element = elements[row]
      if column < segments.count {
        let agreement = agreement(numbers[row], column)
        let own = agreement.weight
        let isLast = weights[(row + 1) * width + column + 1] + own == weight
        let goesOn =
          element.repetition.allowsMany && weights[row * width + column + 1] + own == weight
        if isLast || goesOn {
          switch agreement {
          case .fits:
            fitting += 1
            if element.matcher.isText { agreeing += 1 }
          case .letterCase, .slip: similar += 1
          case .otherText, .otherType: others += 1
          }
          if let difference = difference(agreement, element, column) {
            differences.append(difference)
          }
          column += 1
          if isLast { row += 1 }
          continue
        }
      }
      if element.repetition.allowsNone, weights[(row + 1) * width + column] == weight {
        row += 1
      } else if weights[(row + 1) * width + column] + Self.lengthWeight == weight {
        missing += 1
        row += 1
      } else {
        extra += 1
        column += 1
      }
    }
    let texts = agreeing + similar
    guard texts > 0, others <= texts, missing + extra <= max(1, fitting + similar) else {
      return nil
    }
    if missing > 0 { differences.append(.missingSegments(missing)) }
    if extra > 0 { differences.append(.extraSegments(extra)) }
    return differences
  }

  /// How well a segment fits an element.
  private enum Agreement {
    case fits
    case letterCase

    /// Nearly the text, as somebody may have mistyped it.
    case slip
    case otherType
    case otherText

    /// How much farther away the route is for it; a segment too many or too few counts
    /// as much as another text.
    var weight: Int {
      switch self {
      case .fits: 0
      case .letterCase: 1
      case .slip, .otherType: 2
      case .otherText: 3
      }
    }
  }

  private mutating func agreement(_ number: Int, _ column: Int) -> Agreement {
    let place = number * segments.count + column
    if let agreement = agreements[place] { return agreement }
    let agreement = Self.agreement(matchers[number], segments[column])
    agreements[place] = agreement
    return agreement
  }

  private static func agreement(
    _ matcher: RouteSegmentMatcher, _ segment: ArraySlice<UInt8>
  ) -> Agreement {
    let isFamily = segment.first == UInt8(ascii: "{")
    switch matcher {
    case .parameter(let type):
      let fits = isFamily ? type.canBe(family: segment) : type.matches(segment.span)
      return fits ? .fits : .otherType
    case .literal(let text):
      if segment.elementsEqual(text) { return .fits }
      if segment.isEqualIgnoringCase(text) { return .letterCase }
      return segment.isSlip(of: text) ? .slip : .otherText
    case .words(let words):
      // A family may be of such words.
      if isFamily || words.contains(where: { segment.elementsEqual($0) }) { return .fits }
      return words.contains(where: segment.isEqualIgnoringCase) ? .letterCase : .otherText
    case .template:
      return isFamily || matcher.matches(segment.span) ? .fits : .otherText
    }
  }

  private func difference(
    _ agreement: Agreement, _ element: RouteElement, _ column: Int
  ) -> RouteDifference? {
    let expected = element.matcher.description
    return switch agreement {
    case .fits: nil
    case .letterCase: .letterCase(position: column + 1, expected: expected)
    case .otherType: .wrongType(position: column + 1, expected: expected)
    case .slip, .otherText: .segment(position: column + 1, expected: expected)
    }
  }
}

extension RouteSegmentMatcher {
  /// What is expected, in words.
  fileprivate var description: String {
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    return switch self {
    case .literal(let bytes): text(bytes)
    case .words(let words): words.map(text).joined(separator: "|")
    case .template(let texts): texts.map(text).joined(separator: "…")
    case .parameter(let type): type.description
    }
  }

  /// A Boolean value indicating whether a text must stand there.
  fileprivate var isText: Bool {
    if case .parameter = self { false } else { true }
  }
}

extension RouteParameterType {
  /// Returns a Boolean value indicating whether paths of a family can be of this type.
  fileprivate func canBe(family: ArraySlice<UInt8>) -> Bool {
    switch self {
    case .any: true
    case .digits, .number: family.elementsEqual("{n}".utf8) || family.elementsEqual("{*}".utf8)
    case .uuid: family.elementsEqual("{uuid}".utf8) || family.elementsEqual("{*}".utf8)
    }
  }
}

extension ArraySlice<UInt8> {
  /// Returns a Boolean value indicating whether this becomes another text by adding, leaving
  /// out, or changing a byte, or two that follow one another in long ones.
  fileprivate func isSlip(of other: [UInt8]) -> Bool {
    let shorter = Swift.min(count, other.count)
    let limit = shorter >= 6 ? 2 : shorter >= 2 ? 1 : 0
    guard abs(count - other.count) <= limit else { return false }
    let start = zip(self, other).prefix { $0.asciiFolded == $1.asciiFolded }.count
    // Short words that begin otherwise are other words.
    if shorter < 4, start == 0 { return false }
    let end = zip(reversed(), other.reversed()).prefix { $0.asciiFolded == $1.asciiFolded }.count
    return Swift.max(count, other.count) - Swift.min(start + end, shorter) <= limit
  }

  fileprivate func isEqualIgnoringCase(_ other: [UInt8]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.asciiFolded == $1.asciiFolded }
  }
}

extension UInt8 {
  fileprivate var asciiFolded: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
