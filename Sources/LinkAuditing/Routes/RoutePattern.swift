internal import Foundations
internal import TrafficDigest

/// A path that an app implements, with parameters.
///
/// `/buy/:id`, `/buy/{id}`, `/buy/[id]` and `/buy/<id>` are the same route: a parameter
/// is one segment. `*` is one segment too, and at the end any number of them. After a `?`
/// follow the query items that the route needs: `/search?q`, `/open?type=order&id`. Slashes
/// at the end don't matter.
public struct RoutePattern: Hashable, Sendable {
  /// A query item that a route needs, with its value if that matters.
  struct Item: Hashable, Sendable {
    var name: [UInt8]
    var value: [UInt8]?
  }

  /// A path with parameters.
  struct Path: Hashable, Sendable {
    var elements: [RouteElement]
  }

  /// The route as written.
  public let source: String

  /// The number of the line that it was read from, from 1.
  public internal(set) var line = 0

  /// The paths with and without each optional part.
  var paths: [Path]

  var items: [Item] = []
}

/// The segments that a route expects in one place of a path.
struct RouteElement: Hashable, Sendable {
  /// The texts that a segment may be, which are never empty.
  ///
  /// They are percent-encoded, as the paths are that they are compared with.
  enum Matcher: Hashable, Sendable {
    case any

    /// Decimal digits.
    case digits

    /// Decimal digits with an optional sign and an optional point.
    case number

    /// 8-4-4-4-12 hexadecimal digits.
    case uuid

    case literal([UInt8])
    case words([[UInt8]])
    case glob(Glob)
  }

  var matcher = Matcher.any

  /// Whether the place may have no segment.
  var allowsNone = false

  /// Whether the place may have more than one segment.
  var allowsMany = false

  /// Any number of any segments.
  static let rest = RouteElement(allowsNone: true, allowsMany: true)

  static func literal(_ text: some Sequence<UInt8>) -> RouteElement {
    RouteElement(matcher: .literal(RouteText.encoded(Array(text))))
  }
}

extension RouteElement.Matcher {
  /// Returns a Boolean value indicating whether a segment matches, or the placeholder that
  /// represents such segments in templates.
  func matches(_ segment: Span<UInt8>) -> Bool {
    if segment.count > 0, segment[0] == UInt8(ascii: "{") { return matches(placeholder: segment) }
    switch self {
    case .any: return true
    case .literal(let text): return segment.count == text.count && segment.holds(text, at: 0)
    case .words(let words):
      return words.contains { $0.count == segment.count && segment.holds($0, at: 0) }
    case .glob(let glob): return glob.matches(segment)
    case .digits:
      for index in segment.indices where !segment[index].isDigit { return false }
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
        let isHyphen = [8, 13, 18, 23].contains(index)
        let isRight =
          isHyphen ? segment[index] == UInt8(ascii: "-") : segment[index].isHexadecimalDigit
        if !isRight { return false }
      }
      return true
    }
  }

  /// Returns a Boolean value indicating whether all segments that a placeholder represents match.
  private func matches(placeholder: Span<UInt8>) -> Bool {
    switch self {
    case .any: true
    case .digits, .number: placeholder.holds(Array(PathTemplate.number.utf8), at: 0)
    case .uuid: placeholder.holds(Array(PathTemplate.uuid.utf8), at: 0)
    case .literal, .words, .glob: false
    }
  }

  /// A Boolean value indicating whether some text is expected.
  var isText: Bool {
    switch self {
    case .literal, .words, .glob: true
    case .any, .digits, .number, .uuid: false
    }
  }
}

/// A pattern of bytes: percent-encoded texts with gaps of one byte or of any length.
struct Glob: Hashable, Sendable {
  /// A part of a pattern.
  enum Atom: Hashable, Sendable {
    case byte(UInt8)

    /// Any byte.
    case any

    /// Any number of bytes.
    case run
  }

  var atoms: [Atom]

  /// Returns a Boolean value indicating whether a text matches.
  func matches(_ text: Span<UInt8>) -> Bool {
    var (place, index) = (0, 0)
    // The last run takes as little as possible; only it can ever need to take more.
    var run: (place: Int, index: Int)?
    while index < text.count {
      if place < atoms.count, atoms[place] == .run {
        place += 1
        run = (place, index)
      } else if place < atoms.count, atoms[place] == .any || atoms[place] == .byte(text[index]) {
        place += 1
        index += 1
      } else if let last = run {
        (place, index) = (last.place, last.index + 1)
        run = (place, index)
      } else {
        return false
      }
    }
    return atoms[place...].allSatisfy { $0 == .run }
  }

  /// The bytes before the first gap.
  var head: [UInt8] {
    var head: [UInt8] = []
    for case .byte(let byte) in atoms.prefix(while: { $0 != .any && $0 != .run }) {
      head.append(byte)
    }
    return head
  }

  /// The texts, with an ellipsis in place of each gap.
  var description: String {
    var text: [UInt8] = []
    for atom in atoms {
      if case .byte(let byte) = atom {
        text.append(byte)
      } else if !text[...].hasSuffix("…") {
        text += "…".utf8
      }
    }
    return text[...].text
  }
}
