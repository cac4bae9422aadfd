/// What a route expects in one place of a path.
struct RouteElement: Hashable, Sendable {
  /// How many segments stand there.
  enum Repetition: Hashable, Sendable {
    case once
    case optional
    case anyNumber
    case atLeastOne

    /// Whether no segment need stand there.
    var allowsNone: Bool { self == .optional || self == .anyNumber }

    /// Whether more than one segment may stand there.
    var allowsMany: Bool { self == .anyNumber || self == .atLeastOne }
  }

  var matcher: RouteSegmentMatcher
  var repetition = Repetition.once

  /// Any number of any segments.
  static let rest = RouteElement(matcher: .parameter(.any), repetition: .anyNumber)

  static func literal(_ text: some Sequence<UInt8>) -> RouteElement {
    RouteElement(matcher: .literal(RouteText.encoded(Array(text))))
  }
}

/// What a segment of a path may be, which is never empty.
///
/// Texts are percent-encoded as paths are that they are compared with.
enum RouteSegmentMatcher: Hashable, Sendable {
  /// This text.
  case literal([UInt8])

  /// One of these texts.
  case words([[UInt8]])

  /// These texts with something between each two of them; the first and the last stand
  /// at the ends and may be empty.
  case template([[UInt8]])

  case parameter(RouteParameterType)
}

/// What a parameter may be.
enum RouteParameterType: Hashable, Sendable {
  case any

  /// Decimal digits.
  case digits

  /// Decimal digits with a sign in front and a point between, if need be.
  case number

  /// 8-4-4-4-12 hexadecimal digits.
  case uuid

  /// What it is, in words.
  var description: String {
    switch self {
    case .any: "a parameter"
    case .digits: "a whole number"
    case .number: "a number"
    case .uuid: "a UUID"
    }
  }
}

extension RouteSegmentMatcher {
  /// Returns a Boolean value indicating whether a segment is as expected.
  func matches(_ segment: Span<UInt8>) -> Bool {
    switch self {
    case .literal(let text): segment.count == text.count && segment.holds(text, at: 0)
    case .words(let words): words.contains { $0.count == segment.count && segment.holds($0, at: 0) }
    case .template(let texts): Self.matches(texts, segment)
    case .parameter(let type): type.matches(segment)
    }
  }

  /// Each text is looked for as early as possible, which leaves the most for the others.
  private static func matches(_ texts: [[UInt8]], _ segment: Span<UInt8>) -> Bool {
    guard let first = texts.first, let last = texts.last, segment.holds(first, at: 0) else {
      return false
    }
    let end = segment.count - last.count
    var position = first.count
    for text in texts.dropFirst().dropLast() {
      position += 1
      while position <= end, !segment.holds(text, at: position) { position += 1 }
      position += text.count
    }
    return position < end && segment.holds(last, at: end)
  }
}

extension RouteParameterType {
  /// Returns a Boolean value indicating whether a segment is of this type.
  func matches(_ segment: Span<UInt8>) -> Bool {
    switch self {
    case .any: return true
    case .digits:
      for index in segment.indices where !segment[index].isDecimalDigit { return false }
      return segment.count > 0
    case .number:
      var (digits, points) = (0, 0)
      for index in segment.indices {
        switch segment[index] {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
        case UInt8(ascii: "."): points += 1
        case UInt8(ascii: "-") where index == 0, UInt8(ascii: "+") where index == 0: continue
        default: return false
        }
      }
      return digits > 0 && points <= 1
    case .uuid:
      guard segment.count == 36 else { return false }
      for index in segment.indices {
        let isHyphen = index == 8 || index == 13 || index == 18 || index == 23
        let isRight =
          isHyphen ? segment[index] == UInt8(ascii: "-") : segment[index].isHexadecimalDigit
        if !isRight { return false }
      }
      return true
    }
  }
}
