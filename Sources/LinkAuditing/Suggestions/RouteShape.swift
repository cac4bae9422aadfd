/// The path of a route as segments of a rule's pattern.
struct RouteShape: Hashable, Sendable {
  /// A segment of a pattern.
  struct Segment: Hashable, Sendable {
    /// The pattern, percent-encoded.
    var pattern: String

    /// Whether the pattern holds some text, or a variable, rather than anything at all.
    var isSpecific = true

    /// The parameter that the segment represents, or `nil` for a literal segment.
    var parameter: RouteElement.Matcher?

    /// Any text of at least one character.
    static let any = Segment(pattern: "?*", isSpecific: false, parameter: .any)
  }

  var segments: [Segment]

  /// Whether any number of segments may follow, or none.
  var isOpen = false

  /// The pattern of the path.
  var pattern: String {
    "/" + (segments.map(\.pattern) + (isOpen ? ["*"] : [])).joined(separator: "/")
  }

  /// The greatest number of shapes that one path may have.
  private static let limit = 16

  /// The greatest number of words to choose from that are tried one by one.
  private static let wordLimit = 8

  /// The shapes of a route's path: with and without its optional elements.
  static func shapes(of path: RoutePattern.Path) -> [RouteShape] {
    var shapes = [RouteShape(segments: [])]
    for (index, element) in path.elements.enumerated() {
      let isLast = index + 1 == path.elements.count
      shapes = Array(
        shapes.flatMap { $0.followed(by: element, isLast: isLast) }.prefix(limit))
    }
    return shapes
  }

  private func followed(by element: RouteElement, isLast: Bool) -> [RouteShape] {
    func adding(_ segment: Segment) -> RouteShape { RouteShape(segments: segments + [segment]) }
    let open = RouteShape(segments: segments, isOpen: true)
    switch (element.allowsNone, element.allowsMany) {
    case (false, false): return Self.segments(of: element.matcher).map(adding)
    case (true, false):
      return (isLast ? [open] : []) + [self] + Self.segments(of: element.matcher).map(adding)
    case (false, true): return [adding(.any)]
    case (true, true):
      return isLast ? [open] : [self, adding(Segment(pattern: "*", isSpecific: false))]
    }
  }

  private static func segments(of matcher: RouteElement.Matcher) -> [Segment] {
    switch matcher {
    case .literal(let text): [Segment(pattern: text.pattern)]
    case .words(let words):
      (words.count > wordLimit ? [] : words.map { Segment(pattern: $0.pattern) }) + [.any]
    case .glob(let glob):
      [Segment(pattern: glob.pattern, isSpecific: glob.description != "…")]
    case .any, .digits, .number, .uuid:
      [Segment(pattern: "?*", isSpecific: false, parameter: matcher)]
    }
  }

  /// The shapes of all beginnings of the path, from the first segment on that holds text or a
  /// variable.
  var prefixes: [RouteShape] {
    segments.indices.filter { index in segments[...index].contains(where: \.isSpecific) }
      .map { RouteShape(segments: Array(segments[...$0])) }
  }
}

extension Glob {
  /// The pattern of a rule that matches the same texts.
  fileprivate var pattern: String {
    atoms.split(omittingEmptySubsequences: false) { $0 == .any || $0 == .run }.reduce("") {
      let gap = $1.startIndex == 0 ? "" : atoms[$1.startIndex - 1] == .any ? "?" : "*"
      return $0 + gap + Glob(atoms: Array($1)).head.pattern
    }
  }
}

extension [UInt8] {
  /// The pattern of a rule that matches a percent-encoded text.
  ///
  /// A star in the text stays, so it matches any text. A dollar sign that would begin a variable
  /// becomes a `?`.
  fileprivate var pattern: String {
    var output = self
    for index in indices.dropLast()
    where self[index] == UInt8(ascii: "$") && self[index + 1] == UInt8(ascii: "(") {
      output[index] = UInt8(ascii: "?")
    }
    return String(decoding: output, as: UTF8.self)
  }
}
