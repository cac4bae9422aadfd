/// The path of a route as segments of a rule's pattern.
struct RouteShape: Hashable, Sendable {
  /// A segment of a pattern.
  struct Segment: Hashable, Sendable {
    /// The pattern, percent-encoded.
    var pattern: String

    /// Whether the pattern holds some text, or a variable, rather than anything at all.
    var isSpecific: Bool

    /// What a parameter may be that the segment stands for, or `nil` if it is none.
    var parameter: RouteParameterType?

    /// Whatever there is, of one character at least.
    static let any = Segment(pattern: "?*", isSpecific: false, parameter: .any)
  }

  var segments: [Segment]

  /// Whether any number of segments may follow, or none.
  var isOpen = false

  /// A path of another kind, which is no list of segments.
  var wholePattern: String?

  /// The pattern of the path.
  var pattern: String {
    if let wholePattern { return wholePattern }
    return "/" + (segments.map(\.pattern) + (isOpen ? ["*"] : [])).joined(separator: "/")
  }

  /// The number of shapes that one path may have.
  private static let limit = 16

  /// The words to choose from that are tried one by one.
  private static let wordLimit = 8

  /// The shapes of a route's path: with and without what may be missing.
  static func shapes(of path: RoutePath) -> [RouteShape] {
    switch path.condition {
    case .prefix(let text): return [RouteShape(whole: text.pattern + "*")]
    case .suffix(let text): return [RouteShape(whole: "*" + text.pattern)]
    case .glob(let glob):
      let atoms = glob.atoms.map { atom in
        atom.isRepeated ? "*" : atom.byte.map { [$0].pattern } ?? "?"
      }
      return [RouteShape(whole: atoms.joined())]
    case nil: break
    }
    var shapes = [RouteShape(segments: [])]
    for (index, element) in path.elements.enumerated() {
      let isLast = index + 1 == path.elements.count
      var next: [RouteShape] = []
      for shape in shapes where next.count < limit {
        next += shape.followed(by: element, isLast: isLast)
      }
      shapes = next
    }
    return Array(shapes.prefix(limit))
  }

  private init(whole pattern: String) {
    self.init(segments: [], wholePattern: pattern.hasPrefix("/") ? pattern : "*" + pattern)
  }

  init(segments: [Segment], isOpen: Bool = false, wholePattern: String? = nil) {
    (self.segments, self.isOpen, self.wholePattern) = (segments, isOpen, wholePattern)
  }

  private func followed(by element: RouteElement, isLast: Bool) -> [RouteShape] {
    let once = Self.segments(of: element.matcher).map { RouteShape(segments: segments + [$0]) }
    let some = RouteShape(segments: segments + [.any])
    let open = RouteShape(segments: segments, isOpen: true)
    switch element.repetition {
    case .once: return once
    case .optional: return isLast ? [open, self] + once : [self] + once
    case .anyNumber where isLast: return [open]
    case .anyNumber:
      let between = Segment(pattern: "*", isSpecific: false)
      return [self, RouteShape(segments: segments + [between])]
    case .atLeastOne: return [some]
    }
  }

  private static func segments(of matcher: RouteSegmentMatcher) -> [Segment] {
    switch matcher {
    case .literal(let text): [Segment(pattern: text.pattern, isSpecific: true)]
    case .words(let words):
      (words.count > wordLimit ? [] : words.map { Segment(pattern: $0.pattern, isSpecific: true) })
        + [.any]
    case .template(let texts):
      [
        Segment(
          pattern: texts.map(\.pattern).joined(separator: "?*"),
          isSpecific: texts.contains { !$0.isEmpty })
      ]
    case .parameter(let type): [Segment(pattern: "?*", isSpecific: false, parameter: type)]
    }
  }

  /// The shapes of all paths that begin with some of the segments, down from the first that
  /// holds text or a variable.
  var prefixes: [RouteShape] {
    guard wholePattern == nil else { return [] }
    return segments.indices.filter { index in segments[...index].contains(where: \.isSpecific) }
      .map { RouteShape(segments: Array(segments[...$0])) }
  }
}

extension [UInt8] {
  /// A percent-encoded text as a pattern of a rule that matches it.
  ///
  /// A star in it stands for any text, itself among them, and so does a dollar sign that
  /// would begin a variable for any character.
  fileprivate var pattern: String {
    var output = self
    for index in indices.dropLast()
    where self[index] == UInt8(ascii: "$") && self[index + 1] == UInt8(ascii: "(") {
      output[index] = UInt8(ascii: "?")
    }
    return String(decoding: output, as: UTF8.self)
  }
}
