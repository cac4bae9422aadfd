internal import Foundations

/// A parser for lines of a pattern.
///
/// A field ends where the text after it begins. If the rest doesn't fit, the field continues to the
/// next such place, because some fields contain delimiters, such as a list of addresses.
final class TemplateLineParser: Hashable, Sendable {
  let template: LineTemplate

  /// The elements of the pattern; reading one counts no references.
  private let steps: [LineTemplate.Element]

  /// The bounds of each step that is a field; those of others mean nothing.
  private let allBounds: [FieldBounds]
  private let texts: [UInt8]
  private let encoding: FieldEncoding

  /// The number of steps that a line must have: those up to the last one that a request needs.
  private let neededCount: Int

  /// Whether a line ends with the pattern's last text, because a user agent without quotation marks
  /// takes everything else.
  private let endsWithText: Bool
  private let namesHost: Bool
  private let hasClock: Bool
  let beginsWithTime: Bool

  init(_ template: LineTemplate) {
    self.template = template
    beginsWithTime =
      switch template.elements.first {
      case .commonTime, .clock, .field(.time), .field(.date): true
      default: false
      }
    (steps, texts, encoding) = (template.elements, template.texts, template.encoding)
    allBounds = steps.indices.map { FieldBounds(of: $0, in: template) }
    let needed: Set<LogField?> = [.target, .request, .method, .status, .resultAndStatus]
    let lastNeeded = steps.lastIndex {
      if case .field(let field) = $0 { needed.contains(field) } else { false }
    }
    neededCount = lastNeeded.map { $0 + 1 } ?? 0
    let lastField = steps.lastIndex { if case .field = $0 { true } else { false } }
    if case .text = steps.last, let lastField {
      endsWithText = allBounds[lastField].followsBareAgent
    } else {
      endsWithText = false
    }
    namesHost = template.elements.contains(.field(.host))
    hasClock = template.elements.contains { if case .clock = $0 { true } else { false } }
  }

  static func == (one: TemplateLineParser, other: TemplateLineParser) -> Bool {
    one.template == other.template
  }

  func hash(into hasher: inout Hasher) { hasher.combine(template) }

  /// The state of parsing a line at some point.
  private struct Attempt {
    /// The remaining budget for attempts, roughly in bytes.
    ///
    /// It is proportional to the length of the line and covers a few passes over it.
    var remaining: Int

    /// The step that the best attempt reached, and the fields that it found.
    var reached = -1
    var reachedFields = LineFields()
  }

  /// Finds the fields of a line, or returns why it has none.
  func parse(_ line: Span<UInt8>, into fields: inout LineFields) -> RejectionReason? {
    if matchNearest(line, &fields) {
      if template.hasDashForQuery { fields.removeDashForQuery(in: line) }
      return nil
    }
    fields.removeAll()
    return parseWithChoices(line, into: &fields)
  }

  /// Finds the fields of a line, as ``parse(_:into:)`` does.
  @inline(never)
  func parseWithChoices(
    _ line: Span<UInt8>, into fields: inout LineFields
  ) -> RejectionReason? {
    defer { if template.hasDashForQuery { fields.removeDashForQuery(in: line) } }
    var attempt = Attempt(remaining: 20_000 + 16 * line.count)
    if match(0, line, 0, &fields, &attempt) { return nil }
    // Anything that is missing after target and status is read as absent.
    fields = attempt.reachedFields
    guard attempt.reached >= neededCount else { return .noFields }
    // Without its host, a line would count for another one. At the end of a line, a collector can
    // have cut it.
    let lacksHost = namesHost && !fields.holds(.host) && fields.failure < line.count
    return lacksHost ? .noFields : nil
  }

  /// Matches a line in which each field ends at the first place where it can.
  ///
  /// These are the places that ``match(_:_:_:_:_:)`` tries first, so if all of the line fits, it
  /// finds the same fields.
  ///
  /// - Returns: Whether all of the line fits; if not, `fields` mean nothing.
  private func matchNearest(_ line: Span<UInt8>, _ fields: inout LineFields) -> Bool {
    var position = 0
    var remaining = 20_000 + 16 * line.count
    var next = 0
    while next < steps.count {
      let step = next
      next += 1
      guard case .field(let field) = steps[step] else {
        guard let end = end(of: step, line, position, &fields) else { return false }
        position = end
        continue
      }
      let bounds = allBounds[step]
      var search = position
      while true {
        guard let end = end(after: step, line, position, from: search, &remaining) else {
          return false
        }
        if bounds.allow(field, line, position..<end) {
          if let field { fields.set(field, position, end, encoding) }
          position = end
          // The text after the field was compared to find its end.
          if next < steps.count, case .text(let text) = steps[next] {
            position += text.count
            next += 1
          }
          break
        }
        remaining -= 10 + (end - position) >> 6
        guard remaining >= 0 else { return false }
        search = end + 1
      }
    }
    return !endsWithText || position == line.count
  }

  /// Returns the end of a step that is no field, or `nil` if it isn't at a position.
  @inline(__always)
  private func end(
    of step: Int, _ line: Span<UInt8>, _ position: Int, _ fields: inout LineFields
  ) -> Int? {
    switch steps[step] {
    case .text(let text): return line.end(of: texts, text, at: position)
    // The host has ended here.
    case .pathAfterHost, .field: return position
    case .commonTime:
      guard let end = line.commonTimeEnd(position) else { return nil }
      fields.set(.time, position, end, .plain)
      return end
    case .clock(let part): return line.read(part, at: position, into: &fields.clock)
    }
  }

  private func match(
    _ first: Int, _ line: Span<UInt8>, _ start: Int, _ fields: inout LineFields,
    _ attempt: inout Attempt
  ) -> Bool {
    var (step, position) = (first, start)
    while step < steps.count {
      if case .field(let field) = steps[step] {
        return matchField(field, allBounds[step], step, line, position, &fields, &attempt)
      }
      guard let end = end(of: step, line, position, &fields) else {
        note(step, position, fields, &attempt)
        return false
      }
      position = end
      step += 1
    }
    return !endsWithText || position == line.count
  }

  /// Remembers where an attempt failed if it came farther than those before.
  private func note(
    _ step: Int, _ position: Int, _ fields: LineFields, _ attempt: inout Attempt
  ) {
    guard step > attempt.reached else { return }
    (attempt.reached, attempt.reachedFields) = (step, fields)
    attempt.reachedFields.failure = position
  }

  /// Tries the places where a field can end, the nearest first.
  private func matchField(
    _ field: LogField?, _ bounds: FieldBounds, _ step: Int, _ line: Span<UInt8>, _ start: Int,
    _ fields: inout LineFields, _ attempt: inout Attempt
  ) -> Bool {
    let isNew = field.map { !fields.holds($0) } ?? false
    let isTimed = fields.holds(.time)
    let clock = hasClock ? fields.clock : nil
    var search = start
    while attempt.remaining >= 0,
      let end = end(after: step, line, start, from: search, &attempt.remaining)
    {
      if bounds.allow(field, line, start..<end) {
        if let field { fields.set(field, start, end, encoding) }
        if match(step + 1, line, end, &fields, &attempt) { return true }
        if let field, isNew { fields.remove(field) }
        // A user's name can hold a time, too.
        if !isTimed { fields.remove(.time) }
        if hasClock { fields.clock = clock }
        if attempt.reached >= neededCount, !bounds.isAgentBeforeWords { return false }
      } else {
        // Rejecting a candidate may have scanned all of it, so charge its whole length.
        attempt.remaining -= (end - start) >> 6
      }
      attempt.remaining -= 10
      search = end + 1
    }
    note(step, start, fields, &attempt)
    // Its first word alone would be read as another program.
    if bounds.isAgentBeforeWords { attempt.reachedFields.remove(.agent) }
    return false
  }

  /// Returns the next position, from `search` on, where the text after a field can begin.
  @inline(__always)
  private func end(
    after step: Int, _ line: Span<UInt8>, _ start: Int, from search: Int,
    _ remaining: inout Int
  ) -> Int? {
    guard search <= line.count else { return nil }
    guard step + 1 < steps.count else { return search == start ? line.count : nil }
    switch steps[step + 1] {
    case .text(let text):
      let first = texts[text.lowerBound]
      let mayBeEscaped = first == UInt8(ascii: "\"") && encoding != .plain
      var search = search
      while let found = line.firstIndex(of: first, from: search, to: line.count - text.count + 1) {
        if line.end(of: texts, text, at: found) != nil {
          guard mayBeEscaped else { return found }
          // The same backslashes can precede the end of many fields.
          let backslashes = line.backslashCount(before: found, from: start)
          remaining -= backslashes >> 2
          guard backslashes & 1 == 1 else { return found }
        }
        remaining -= 1 + (found - search) >> 6
        guard remaining >= 0 else { return nil }
        search = found + 1
      }
      remaining -= (line.count - search) >> 6
      return nil
    case .pathAfterHost:
      let found = line.firstIndex(of: UInt8(ascii: "/"), from: search)
      remaining -= ((found ?? line.count) - search) >> 6
      return found
    default:
      return search
    }
  }
}

extension LineFields {
  /// Removes the dash that a target without a query ends in: `/a-`.
  fileprivate mutating func removeDashForQuery(in line: Span<UInt8>) {
    let (target, range) = (self[.target], self[.target].range)
    guard holds(.target), range.count > 1, line[range.upperBound - 1] == UInt8(ascii: "-"),
      line.firstIndex(of: UInt8(ascii: "?"), from: range.lowerBound, to: range.upperBound) == nil
    else { return }
    remove(.target)
    set(.target, range.lowerBound, range.upperBound - 1, target.encoding)
  }
}

extension Span<UInt8> {
  /// Returns the end of a part of `texts` at a position, or `nil` if it isn't there.
  @inline(__always)
  fileprivate func end(of texts: [UInt8], _ text: Range<Int>, at position: Int) -> Int? {
    holds(texts.span, text.lowerBound, text.count, at: position) ? position + text.count : nil
  }

  fileprivate func commonTimeEnd(_ start: Int) -> Int? {
    guard count - start >= 26, self[start + 2] == UInt8(ascii: "/"),
      self[start + 6] == UInt8(ascii: "/"), self[start + 11] == UInt8(ascii: ":"),
      self[start + 20] == UInt8(ascii: " ")
    else { return nil }
    return start + 26
  }
}
