/// A parser for lines of a pattern.
///
/// A field ends where the text behind it begins. If what follows doesn't fit then, it
/// goes on to the next such place: some fields hold what also separates them, such
/// as a list of addresses.
struct TemplateLineParser: Sendable {
  private typealias Element = LineTemplate.Element

  private let elements: [Element]
  private let encoding: FieldEncoding

  /// The number of elements that a line must have: those up to the last one that a
  /// request needs.
  private let neededCount: Int

  init(_ template: LineTemplate) {
    elements = template.elements
    encoding = template.encoding
    let needed = elements.lastIndex { element in
      switch element {
      case .field(.target), .field(.request), .field(.status), .field(.resultAndStatus): true
      default: false
      }
    }
    neededCount = (needed ?? -1) + 1
  }

  /// The number of places that are tried in a line.
  private static let attemptLimit = 200

  /// What is known of a line at some point.
  private struct Attempt {
    var fields: LineFields
    var remaining: Int

    /// How far the best attempt came.
    var reached = 0
    var reachedPosition = 0
    var reachedFields: LineFields
  }

  /// Finds the fields of a line.
  ///
  /// - Returns: Why the line has none, or `nil` if it has.
  func parse(_ line: Span<UInt8>, into fields: inout LineFields) -> RejectionReason? {
    var attempt = Attempt(
      fields: fields, remaining: Self.attemptLimit, reachedFields: fields)
    if match(0, line, 0, &attempt) {
      fields = attempt.fields
      return nil
    }
    // Whatever is missing behind target and status reads as absent.
    fields = attempt.reachedFields
    fields.failure = attempt.reachedPosition
    guard attempt.reached >= neededCount else { return .noFields }
    return nil
  }

  private func match(
    _ first: Int, _ line: Span<UInt8>, _ start: Int, _ attempt: inout Attempt
  ) -> Bool {
    var (element, position) = (first, start)
    while element < elements.count {
      if element > attempt.reached {
        (attempt.reached, attempt.reachedFields) = (element, attempt.fields)
        attempt.reachedPosition = position
      }
      switch elements[element] {
      case .text(let text):
        guard line.holds(text, at: position) else { return false }
        position += text.count
      case .field(let field):
        return matchField(field, element, line, position, &attempt)
      case .pathBehindHost:
        // The host has ended here.
        break
      case .commonTime:
        guard let end = line.commonTimeEnd(position) else { return false }
        attempt.fields.set(.time, position, end, .plain)
        position = end
      case .clock(let part):
        guard let end = line.read(part, at: position, into: &attempt.fields.clock) else {
          return false
        }
        position = end
      }
      element += 1
    }
    attempt.reached = element
    return true
  }

  /// Tries the places where a field can end, the nearest first.
  private func matchField(
    _ field: LogField?, _ element: Int, _ line: Span<UInt8>, _ start: Int,
    _ attempt: inout Attempt
  ) -> Bool {
    let before = attempt.fields
    var search = start
    while attempt.remaining > 0, let end = end(behind: element, line, start, from: search) {
      attempt.remaining -= 1
      attempt.fields = before
      if isPlausible(field, line, start..<end) {
        if let field { attempt.fields.set(field, start, end, encoding) }
        if match(element + 1, line, end, &attempt) { return true }
        if attempt.reached >= neededCount { return false }
      }
      search = end + 1
    }
    return false
  }

  /// Returns the next position, from `search` on, at which what stands behind a field
  /// can begin.
  private func end(
    behind element: Int, _ line: Span<UInt8>, _ start: Int, from search: Int
  ) -> Int? {
    guard search <= line.count else { return nil }
    guard element + 1 < elements.count else { return search == start ? line.count : nil }
    switch elements[element + 1] {
    case .text(let text):
      var search = search
      while let found = line.position(of: text, from: search) {
        if text[0] != UInt8(ascii: "\"") || encoding == .plain
          || !line.isEscaped(found, from: start)
        {
          return found
        }
        search = found + 1
      }
      // The last text can be missing where a line is cut short.
      return nil
    case .pathBehindHost:
      return line.firstIndex(of: UInt8(ascii: "/"), from: search)
    default:
      return search <= line.count ? search : nil
    }
  }

  /// Returns a Boolean value indicating whether a field can hold what stands there.
  private func isPlausible(_ field: LogField?, _ line: Span<UInt8>, _ range: Range<Int>) -> Bool {
    switch field {
    case .status:
      return range.count <= 3
        && (line.isAbsent(range) || line.decimal(range) != nil)
    default: return true
    }
  }
}

extension Span<UInt8> {
  fileprivate func holds(_ text: [UInt8], at position: Int) -> Bool {
    guard position + text.count <= count else { return false }
    return extracting(position..<(position + text.count)).isEqual(to: text.span)
  }

  fileprivate func position(of text: [UInt8], from start: Int) -> Int? {
    var search = start
    let end = count - text.count + 1
    while let found = firstIndex(of: text[0], from: search, to: end) {
      if holds(text, at: found) { return found }
      search = found + 1
    }
    return nil
  }

  /// Returns the end of a time such as `10/Oct/2000:13:55:36 -0700` at a position.
  fileprivate func commonTimeEnd(_ start: Int) -> Int? {
    guard count - start >= 26, self[start + 2] == UInt8(ascii: "/"),
      self[start + 6] == UInt8(ascii: "/"), self[start + 11] == UInt8(ascii: ":"),
      self[start + 20] == UInt8(ascii: " ")
    else { return nil }
    return start + 26
  }
}
